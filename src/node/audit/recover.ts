import fs from 'node:fs';
import { chainLine, ChainVerifier } from '../../core/audit/chain';
import { type Head, headProblem, sealHead } from '../../core/audit/head';
import { shapeOnly, toRecord } from '../../core/audit/makeRecord';
import { parseRecord } from '../../core/audit/record';
import { isRunning } from '../processes/isRunning';
import { type AuditFs, type SealedFolder, writeAll } from './auditFs';
import {
  headPath,
  hostName,
  listSegments,
  parseSegmentName,
  readHead,
  readHeads,
  replaceHead,
  segmentName,
  segmentPath,
} from './layout';
import { openingNotes } from './openingNotes';
import { withSegmentLock } from './segmentLock';
import { saidBy, say, type Sentence } from '../../core/base/sentence';

const missing = say('chain_missing');

export interface RecoverOptions extends SealedFolder {
  readonly now: number;
  /** The segment that this window has just opened. */
  readonly own: string;
  /** Heads that were kept elsewhere. */
  readonly kept?: readonly Head[];
}

export interface FoundBreak {
  readonly segment: string;
  /** Said of the segment. */
  readonly said: Sentence;
}

interface Recovery {
  /** What no crash leaves and no chain notes yet. It is evidence and stays as it is. */
  readonly breaks: readonly FoundBreak[];
  /** Closed heads that no later window has taken into its chain yet. */
  readonly unseen: readonly Head[];
  /** What failed while looking. */
  readonly problems: readonly Sentence[];
}

/**
 * Looks at what other windows left, and sets right exactly what a crash can leave (see `SegmentWriter`): a head of 0
 * bytes without a segment, records beyond the head, and a last line that was never finished, which is cut and noted in
 * that segment's chain. All else is answered as a break and not touched.
 */
export function recoverFolder(options: RecoverOptions): Recovery {
  const { dir, own, seal } = options;
  const breaks: FoundBreak[] = [];
  const unseen: Head[] = [];
  const problems: Sentence[] = [];
  // Names come first: a window that opens a segment meanwhile has put its head before it.
  const segments = listSegments(dir);
  const heads = readHeads(dir);
  for (const [segment, head] of heads) {
    if (segment === own) continue;
    const problem = head ? headProblem(head, seal) : say('chain_head_unreadable');
    try {
      const found = problem ?? (head && lookAt(head, options));
      if (found !== undefined) breaks.push({ segment, said: found });
      else if (head?.seen === undefined) {
        const now = head?.state === 'open' ? readHead(dir, segment) : head;
        if (now?.state === 'closed' && now.bytes > 0) unseen.push(now);
      }
    } catch (error) {
      problems.push(say('audit_not_recovered', segment, saidBy(error)));
    }
  }
  for (const segment of segments)
    if (!heads.has(segment) && segment !== own) breaks.push({ segment, said: say('chain_head_missing') });
  const notes = openingNotes(dir, segments);
  breaks.push(...missed(heads, new Map(notes.witnessed.map(({ segment, by }) => [segment, by])), options));
  const broken = new Set(notes.broken.map(({ segment }) => segment));
  // Each once, however many see it, and no more once a chain notes it.
  const fresh = [...new Map(breaks.map((one) => [one.segment, one])).values()].filter(
    (one) => !broken.has(one.segment),
  );
  return { breaks: fresh, unseen, problems };
}

/**
 * Segments of which nothing is left, and that somebody still names: a chain, the head before, or a head that was kept
 * elsewhere.
 */
function missed(
  heads: ReadonlyMap<string, Head | undefined>,
  witnessed: ReadonlyMap<string, string>,
  { dir, kept = [] }: RecoverOptions,
): readonly FoundBreak[] {
  const isGone = (segment: string): boolean =>
    !heads.has(segment) && !fs.existsSync(headPath(dir, segment)) && !fs.existsSync(segmentPath(dir, segment));
  const elsewhere = say('chain_by_kept_head');
  const named: readonly (readonly [string, string | Sentence])[] = [
    ...witnessed,
    ...[...heads.keys()].flatMap((segment) => {
      const name = parseSegmentName(segment);
      return name && name.number > 1 ? [[segmentName(name.window, name.number - 1), segment] as const] : [];
    }),
    ...[...heads.values()].flatMap((head) =>
      head?.state === 'closed' && head.seen !== undefined
        ? [[head.seen, say('chain_by_head_of', head.segment)] as const]
        : [],
    ),
    ...kept.flatMap((head) => (head.bytes > 0 ? [[head.segment, elsewhere] as const] : [])),
  ];
  const gone = new Map(named.filter(([segment]) => isGone(segment)));
  const cut = kept.flatMap(({ segment, seq, bytes }) => {
    const state = heads.get(segment)?.state;
    const size = fs.statSync(segmentPath(dir, segment), { throwIfNoEntry: false })?.size;
    const isShort = size !== undefined && size < bytes && (state === 'open' || state === 'closed');
    return isShort ? [{ segment, said: say('chain_cut_before', elsewhere, seq) }] : [];
  });
  return [...[...gone].map(([segment, by]) => ({ segment, said: say('chain_missing_named', by) })), ...cut];
}

/** Marks heads as taken into this window's chain, after the records that say so are written. */
export function markSeen(heads: readonly Head[], { dir, fs: files, seal, own }: Omit<RecoverOptions, 'now'>): void {
  for (const { segment } of heads)
    withSegmentLock(dir, segment, () => {
      const head = readHead(dir, segment);
      if (head?.state === 'closed') replaceHead(files, dir, sealHead({ ...head, seen: own }, seal));
    });
}

/** Answers what breaks the chain of one segment; undefined where nothing does. */
function lookAt(head: Head, options: RecoverOptions): Sentence | undefined {
  const { dir, seal } = options;
  const { segment } = head;
  const size = fs.statSync(segmentPath(dir, segment), { throwIfNoEntry: false })?.size;
  switch (head.state) {
    case 'retired':
    case 'cleared':
      // The mark comes before the removal, which a crash may have kept from happening.
      if (size === head.bytes)
        withSegmentLock(dir, segment, () => fs.rmSync(segmentPath(dir, segment), { force: true }));
      return undefined;
    case 'closed':
      // Another window may have retired it between the reading of its head and this.
      if (size === undefined)
        return head.bytes === 0 || readHead(dir, segment)?.state !== 'closed' ? undefined : missing;
      return size === head.bytes ? undefined : say('chain_size_differs', size, head.bytes);
    case 'open':
      if (head.host !== hostName() || isRunning(head.pid)) return undefined;
      return withSegmentLock(dir, segment, () => {
        const now = readHead(dir, segment);
        // Another window that started at the same time may have been here.
        return now?.state === 'open' && headProblem(now, seal) === undefined ? recoverSegment(now, options) : undefined;
      });
  }
}

function recoverSegment(head: Head, { dir, fs: files, seal, now }: RecoverOptions): Sentence | undefined {
  const { segment } = head;
  const close = (place: { readonly seq: number; readonly hash: string }, bytes: number): undefined =>
    void replaceHead(files, dir, sealHead({ ...head, ...place, bytes, state: 'closed' }, seal));
  if (!fs.existsSync(segmentPath(dir, segment))) return head.bytes === 0 ? close(head, 0) : missing;
  const fd = files.openExisting(segmentPath(dir, segment));
  try {
    const size = files.size(fd);
    if (size < head.bytes) return say('chain_cut_bytes', head.bytes, size);
    if (head.bytes > 0 && lineBefore(files, fd, head.bytes)?.hash !== head.hash)
      return say('chain_rebuilt', head.seq, say('chain_by_its_head'));
    const tail = Buffer.alloc(size - head.bytes);
    files.read(fd, tail, 0, tail.length, head.bytes);
    const complete = tail.lastIndexOf(10) + 1;
    const verifier = new ChainVerifier(seal.hash, head);
    for (const line of tail.toString('utf8', 0, complete).split('\n').slice(0, -1)) verifier.next(line);
    if (verifier.fault) return say('chain_goes_on_broken', verifier.fault.said);
    let place = { seq: verifier.seq, hash: verifier.lastHash ?? head.hash };
    let bytes = head.bytes + complete;
    if (bytes < size) {
      const torn = say('note_torn', size - bytes);
      files.truncate(fd, bytes);
      const body = toRecord({ type: 'audit', time: now, what: 'recovered', detail: torn, id: segment }, shapeOnly());
      // A segment begins with a record of its own opening: one that lost its first line stays empty.
      if (body && bytes > 0) {
        const linked = chainLine(body, place.seq + 1, place.hash, seal.hash);
        const data = Buffer.from(`${linked.line}\n`);
        writeAll(files, fd, data, bytes);
        place = { seq: place.seq + 1, hash: linked.hash };
        bytes += data.length;
      }
    }
    return close(place, bytes);
  } finally {
    files.close(fd);
  }
}

/** The record whose line ends at a byte, read without reading the whole file. */
function lineBefore(files: AuditFs, fd: number, end: number): ReturnType<typeof parseRecord> {
  for (let length = Math.min(end, 65_536); ; length = Math.min(end, length * 4)) {
    const data = Buffer.alloc(length);
    files.read(fd, data, 0, length, end - length);
    if (data[length - 1] !== 10) return undefined;
    const start = length > 1 ? data.lastIndexOf(10, length - 2) : -1;
    if (start >= 0 || length === end) return parseRecord(data.toString('utf8', start + 1, length - 1));
  }
}
