import { type FileHandle, open, stat } from 'node:fs/promises';
import { isObject, parsedJson } from '../../core/base/json';
import type { ChangeRecord } from '../../core/ports/changes';

/** Where the bytes of an image lie in a segment. */
interface ImagePlace {
  readonly offset: number;
  readonly size: number;
}

/** What has been read of a segment so far; reading goes on from there. */
export interface ReadSegment {
  readonly file: string;
  readonly records: ChangeRecord[];
  readonly images: Map<string, ImagePlace>;
  /** Up to where it is read. */
  end: number;
}

const longestLine = 1 << 20;

/** Reads what a segment holds beyond `segment.end`. A cut end, or what is no line of ours, ends it. */
export async function readOn(segment: ReadSegment): Promise<void> {
  // Mostly nothing has come since, and to open a file costs more than to look at it.
  if ((await stat(segment.file)).size === segment.end) return;
  const handle = await open(segment.file, 'r');
  try {
    const { size } = await handle.stat();
    while (segment.end < size) {
      const text = await lineAt(handle, segment.end, size);
      const value = text === undefined ? undefined : parsed(text.line);
      if (!text || !value) return;
      if (value['type'] !== 'image') {
        const record = recordOf(value);
        if (record) segment.records.push(record);
        segment.end = text.next;
        continue;
      }
      const { hash, size: length } = value;
      if (typeof hash !== 'string' || typeof length !== 'number' || text.next + length + 1 > size) return;
      segment.images.set(hash, { offset: text.next, size: length });
      segment.end = text.next + length + 1;
    }
  } finally {
    await handle.close();
  }
}

/** The bytes of an image. */
export async function imageBytes(file: string, { offset, size }: ImagePlace): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await handle.read(bytes, read, size - read, offset + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  } finally {
    await handle.close();
  }
}

async function lineAt(
  handle: FileHandle,
  start: number,
  size: number,
): Promise<{ readonly line: string; readonly next: number } | undefined> {
  for (let length = 4096; ; length *= 4) {
    const wanted = Math.min(length, size - start);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, start);
    const end = buffer.subarray(0, bytesRead).indexOf(10);
    if (end >= 0) return { line: buffer.toString('utf8', 0, end), next: start + end + 1 };
    if (wanted === size - start || length > longestLine) return undefined;
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  const value = parsedJson(line);
  return isObject(value) && typeof value['type'] === 'string' ? value : undefined;
}

/** Undefined for a record of a kind that this version does not know. */
function recordOf(value: Record<string, unknown>): ChangeRecord | undefined {
  const { type } = value;
  const isKnown = type === 'change' || type === 'ended' || type === 'dropped';
  // Written by `SegmentFile` in a private folder: what begins as one of its lines is one.
  return isKnown ? (value as object as ChangeRecord) : undefined;
}
