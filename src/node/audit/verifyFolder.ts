import { createReadStream, statSync } from 'node:fs';
import { type ChainHash, chainStart, ChainVerifier, type Head } from '../../core/audit/chain';
import type { AuditFault, Verification } from '../../core/audit/reader';
import { parseRecord } from '../../core/audit/record';
import { listSegments, parseSegmentName, readHeads, segmentName, segmentPath } from './layout';

export interface VerifyOptions {
  readonly hash: ChainHash;
  readonly alg: Head['alg'];
  /** Heads that were kept elsewhere, such as in the editor's storage; they must fit too. */
  readonly heads?: Iterable<Head>;
}

/**
 * Follows every chain of a folder: each line's hash, the order, the links from segment to segment, and the heads that are kept apart.
 * It reads in pieces, so memory does not grow with the log. A chain without a key shows partial edits; who may write the folder could
 * build it anew whole, which a key (HMAC) or an exported head prevents.
 */
export async function verifyFolder(dir: string, options: VerifyOptions): Promise<Verification> {
  const heads = readHeads(dir);
  const faults: AuditFault[] = [];
  const segments = listSegments(dir);
  const present = new Set(segments);
  let records = 0;
  let removed = 0;
  for (const [segment, head] of heads) {
    if (!head) faults.push({ file: `heads/${segment.replace(/l$/, '')}`, message: 'is not a head of this log' });
    else if (head.state === 'retired' || head.state === 'cleared') {
      removed++;
      if (present.has(segment)) faults.push({ file: segment, message: `was ${head.state} and is there again` });
    } else if (!present.has(segment)) faults.push({ file: segment, message: 'is missing, and no record says that it was removed' });
  }
  const ends = new Map<string, { seq: number; hash: string }>();
  for (const segment of segments) {
    const name = parseSegmentName(segment);
    if (!name) continue;
    const before = segmentName(name.window, name.number - 1);
    const beforeHead = heads.get(before);
    const start = name.number === 1 ? { seq: 0, hash: chainStart } : (ends.get(before) ?? beforeHead);
    if (!start) faults.push({ file: segment, message: `follows ${before}, of which nothing is left` });
    const head = heads.get(segment);
    const kept = [...(options.heads ?? [])].find((one) => one.segment === segment);
    const result = await verifySegment(dir, segment, options, start, head, kept);
    records += result.records;
    faults.push(...result.faults);
    ends.set(segment, result.end);
  }
  return { ok: faults.length === 0, segments: segments.length, records, removed, faults };
}

async function verifySegment(
  dir: string,
  segment: string,
  options: VerifyOptions,
  start: { readonly seq: number; readonly hash: string } | undefined,
  head: Head | undefined,
  kept: Head | undefined,
): Promise<{ readonly records: number; readonly faults: readonly AuditFault[]; readonly end: { seq: number; hash: string } }> {
  const fault = (message: string, line?: number): AuditFault => ({ file: segment, ...(line === undefined ? {} : { line }), message });
  const faults: AuditFault[] = [];
  if (head && head.alg !== options.alg) {
    const needs =
      head.alg === 'hmac-sha256' ? 'is chained with a key, which verifying needs' : 'is chained without a key, but a key was given';
    return { records: 0, faults: [fault(needs)], end: { seq: head.seq, hash: head.hash } };
  }
  const verifier = new ChainVerifier(options.hash, start);
  const found = new Map<number, string>();
  const wanted = new Set([head?.seq, kept?.seq]);
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
    if (verifier.fault) break;
    if (verifier.lines === 1 && parseRecord(line)?.id !== segment) {
      faults.push(fault('is not the segment that its first record names', 1));
      break;
    }
    if (wanted.has(verifier.seq)) {
      found.set(verifier.seq, verifier.lastHash ?? '');
      if (verifier.seq === head?.seq) endOfHead = end;
    }
  }
  const end = { seq: verifier.seq, hash: verifier.lastHash ?? '' };
  if (verifier.fault) faults.push(fault(verifier.fault.message, verifier.fault.line));
  if (faults.length > 0) return { records: verifier.lines, faults, end };
  if (torn)
    faults.push(fault('ends in a line that was never finished; a crash leaves that, and the next start sets it right', verifier.lines + 1));
  if (!head && bytes > 0) faults.push(fault('has no head'));
  for (const one of [head, kept]) {
    if (!one || one.bytes === 0) continue;
    if (found.get(one.seq) === undefined)
      faults.push(fault(`was cut: its head stands at record ${one.seq}, and its last is ${verifier.seq}`, verifier.lines + 1));
    else if (found.get(one.seq) !== one.hash) faults.push(fault(`was rebuilt: record ${one.seq} is not the one that its head names`));
  }
  if (head && endOfHead >= 0 && endOfHead !== head.bytes) faults.push(fault('has a head that names another size'));
  if (head?.state === 'closed' && verifier.seq > head.seq) faults.push(fault('goes on after it was closed'));
  return { records: verifier.lines, faults, end };
}

/** The lines of a file with the byte after each; `finished` is false for a last line without a line feed. */
export async function* linesOf(
  file: string,
  from = 0,
): AsyncGenerator<{ readonly line: string; readonly end: number; readonly finished: boolean }> {
  if (statSync(file).size <= from) return;
  let rest: Buffer = Buffer.alloc(0);
  let at = from;
  for await (const chunk of createReadStream(file, { start: from, highWaterMark: 1 << 18 })) {
    const data: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      yield { line: data.toString('utf8', start, end), end: at + end + 1, finished: true };
      start = end + 1;
    }
    at += start;
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield { line: rest.toString('utf8'), end: at + rest.length, finished: false };
}
