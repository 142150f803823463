/** What git's index says of one file. */
export interface IndexEntry {
  /** The SHA-1 of the content that git holds, in hexadecimal. */
  readonly hash: string;
  /** Seconds and nanoseconds, as the index cuts them: 32 bits each. */
  readonly modified: readonly [number, number];
  readonly changed: readonly [number, number];
  readonly size: number;
  /** True where git holds one content: no conflict, and not merely announced. */
  readonly isSettled: boolean;
}

const fixedLength = 62;
const hashAt = 40;
const flagsAt = 60;
const [extendedFlag, stageMask, announcedFlag] = [0x4000, 0x3000, 0x2000];
const trailer = 20;

/**
 * Reads the entries of an index of version 2, 3 or 4 for the paths that are wanted, relative to the work tree.
 * Undefined for one that cannot be read whole: another version, another hash, split or sparse.
 */
export function readIndex(
  bytes: Buffer,
  isWanted: (path: string) => boolean,
): ReadonlyMap<string, IndexEntry> | undefined {
  try {
    return entriesOf(bytes, isWanted);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function entriesOf(bytes: Buffer, isWanted: (path: string) => boolean): Map<string, IndexEntry> | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const found = new Map<string, IndexEntry>();
  let at = 12;
  let name: Uint8Array = new Uint8Array();
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flags = bytes.readUInt16BE(start + flagsAt);
    const isExtended = (flags & extendedFlag) !== 0;
    at += fixedLength + (isExtended ? 2 : 0);
    if (version === 4) {
      const stripped = offsetAt(bytes, at);
      at = stripped.next;
      const end = nulAfter(bytes, at);
      name = Buffer.concat([name.subarray(0, name.length - stripped.value), bytes.subarray(at, end)]);
      at = end + 1;
    } else {
      const end = nulAfter(bytes, at);
      name = bytes.subarray(at, end);
      // One to eight NULs fill an entry up to a multiple of eight.
      at = start + (((end - start) >> 3) + 1) * 8;
    }
    const path = Buffer.from(name).toString('utf8');
    if (!isWanted(path)) continue;
    const isAnnounced = isExtended && (bytes.readUInt16BE(start + fixedLength) & announcedFlag) !== 0;
    found.set(path, {
      hash: bytes.toString('hex', start + hashAt, start + flagsAt),
      changed: [bytes.readUInt32BE(start), bytes.readUInt32BE(start + 4)],
      modified: [bytes.readUInt32BE(start + 8), bytes.readUInt32BE(start + 12)],
      size: bytes.readUInt32BE(start + 36),
      isSettled: (flags & stageMask) === 0 && !isAnnounced,
    });
  }
  // An extension whose name begins with a small letter changes what the entries mean.
  while (at < bytes.length - trailer) {
    const first = bytes.readUInt8(at);
    if (first < 0x41 || first > 0x5a) return undefined;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - trailer ? found : undefined;
}

function nulAfter(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(0, from);
  if (at < 0) throw new RangeError('a name without an end');
  return at;
}

/** A number of seven bits a byte, each further byte counted from one, as git writes offsets. */
function offsetAt(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
