import { createReadStream, statSync } from 'node:fs';
import { type ChainHash, ChainVerifier } from '../../core/audit/chain';
import type { Head } from '../../core/audit/head';
import type { AuditFault } from '../../core/audit/reader';
import { say, type Sentence } from '../../core/base/sentence';
import { parseRecord } from '../../core/audit/record';
import { segmentPath } from './layout';
import type { ChainPlace } from './segmentWriter';

/** Says that a segment had reached a place, and who says so. */
export interface Witness extends ChainPlace {
  readonly by: string | Sentence;
}

/** A fault of the one file that is followed. */
type FileFault = Omit<AuditFault, 'file'>;

interface SegmentResult {
  readonly records: number;
  readonly faults: readonly AuditFault[];
  readonly end: ChainPlace;
  /** Segments whose removal its records name. */
  readonly removed: readonly string[];
}

interface SegmentOptions {
  readonly hash: ChainHash;
  readonly start: ChainPlace | undefined;
  readonly head: Head | undefined;
  readonly witnesses: readonly Witness[];
}

const removal = /"event":"audit\.(?:retired|cleared)"/;

/**
 * Follows one segment from the place that it must follow, and holds it against its head and against what others saw of
 * it.
 */
export async function verifySegment(dir: string, segment: string, options: SegmentOptions): Promise<SegmentResult> {
  const read = await readSegment(dir, segment, options);
  const { records, end, removed, fault } = read;
  const faults = fault ? [fault] : [...endFaults(read, options)];
  return { records, faults: faults.map((one) => ({ file: segment, ...one })), end, removed };
}

interface ReadSegment extends Omit<SegmentResult, 'faults'> {
  /** Why the lines could not be followed to their end. */
  readonly fault: FileFault | undefined;
  /** The hashes at the records that a head or a witness names. */
  readonly found: ReadonlyMap<number, string>;
  readonly torn: boolean;
  readonly bytes: number;
  /** The byte after the record that the head names; -1 where it is not there. */
  readonly endOfHead: number;
}

/** Follows the chain line by line, until it breaks. */
async function readSegment(
  dir: string,
  segment: string,
  { hash, start, head, witnesses }: SegmentOptions,
): Promise<ReadSegment> {
  const removed: string[] = [];
  const verifier = new ChainVerifier(hash, start);
  const found = new Map<number, string>();
  const wanted = new Set([head?.seq, ...witnesses.map((one) => one.seq)]);
  let fault: FileFault | undefined;
  let torn = false;
  let bytes = 0;
  let endOfHead = -1;
  for await (const { line, end, finished } of linesOf(segmentPath(dir, segment))) {
    bytes = end;
    if (!finished) {
      torn = true;
      break;
    }
    verifier.next(line);
    fault = verifier.fault;
    if (!fault && verifier.lines === 1 && parseRecord(line)?.id !== segment)
      fault = { said: say('chain_other_segment'), line: 1 };
    if (fault) break;
    if (removal.test(line)) removed.push(...(parseRecord(line)?.segments ?? []));
    if (wanted.has(verifier.seq)) {
      found.set(verifier.seq, verifier.lastHash ?? '');
      if (verifier.seq === head?.seq) endOfHead = end;
    }
  }
  const end = { seq: verifier.seq, hash: verifier.lastHash ?? '' };
  return { records: verifier.lines, removed, end, fault, found, torn, bytes, endOfHead };
}

/** What the end of a sound chain shows: whether it reaches as far as its head and its witnesses say. */
function* endFaults(
  { records, end, found, torn, bytes, endOfHead }: ReadSegment,
  { head, witnesses }: SegmentOptions,
): Iterable<FileFault> {
  const line = records + 1;
  if (torn) yield { line, said: say('chain_torn') };
  if (!head) yield { said: say('chain_head_missing') };
  for (const one of [...(head && head.bytes > 0 ? [{ ...head, by: say('chain_by_its_head') }] : []), ...witnesses]) {
    const hash = found.get(one.seq);
    if (hash === undefined) yield { line, said: say('chain_cut', one.by, one.seq, end.seq) };
    else if (hash !== one.hash) yield { said: say('chain_rebuilt', one.seq, one.by) };
  }
  if (head && endOfHead >= 0 && endOfHead !== head.bytes) yield { said: say('chain_head_other_size') };
  if (head?.state === 'closed' && bytes > head.bytes) yield { said: say('chain_goes_on_closed') };
}

/** Read at once of a long file, in bytes. */
const pieceBytes = 1 << 18;

/**
 * The lines of a file with the byte after each; `finished` is false for a last line without a line feed. A line that is
 * not UTF-8 is empty, which no record is.
 * @param from the byte at which the first of them begins.
 */
export async function* linesOf(
  file: string,
  from = 0,
): AsyncGenerator<{ readonly line: string; readonly end: number; readonly finished: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let at = from;
  // A whole piece for each of many short files keeps the collector of garbage busy.
  const highWaterMark = Math.min(pieceBytes, Math.max(0, statSync(file).size - from) + 1);
  for await (const chunk of createReadStream(file, { highWaterMark, start: from })) {
    const data: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      yield { line: textOf(data.subarray(start, end)), end: at + end + 1, finished: true };
      start = end + 1;
    }
    at += start;
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield { line: rest.toString('utf8'), end: at + rest.length, finished: false };
}

/** Other bytes would be read as a replacement character too, and the hash of the text would not show it. */
function textOf(data: Buffer): string {
  const text = data.toString('utf8');
  return text.includes('\ufffd') && !Buffer.from(text).equals(data) ? '' : text;
}
