import fs from 'node:fs';
import { chainStart } from '../../core/audit/chain';
import { type ChainSeal, type Head, headProblem } from '../../core/audit/head';
import type { AuditFault, Verification } from '../../core/audit/reader';
import type { SegmentPlace } from '../../core/audit/report';
import { say } from '../../core/base/sentence';
import { errnoOf } from '../errors/errno';
import {
  headPath,
  listSegments,
  parseSegmentName,
  readHead,
  readHeads,
  segmentName,
  segmentPath,
  UnreadableLog,
} from './layout';
import { openingNotes } from './openingNotes';
import type { ChainPlace } from './segmentWriter';
import { verifySegment, type Witness } from './verifySegment';

interface VerifyOptions extends ChainSeal {
  /** Heads that were kept elsewhere, such as in the editor's storage; they must fit too. */
  readonly heads?: Iterable<Head>;
}

/** What was verified, with the place that each segment had reached. */
export interface VerifiedFolder extends Verification {
  readonly ends: readonly SegmentPlace[];
}

/**
 * Follows every chain of a folder: each line's hash, the order, the links from segment to segment, the heads that are
 * kept apart, and what windows noted of one another: the heads that they took in, and the breaks that they found. It
 * reads in pieces, so memory does not grow with the log. A chain without a key shows partial edits; who may write the
 * folder could build it anew whole, which a key (HMAC) or heads that are kept elsewhere prevent.
 */
export async function verifyFolder(dir: string, options: VerifyOptions): Promise<VerifiedFolder> {
  try {
    return await verifyReadable(dir, options);
  } catch (error) {
    if (!(error instanceof UnreadableLog)) throw error;
    const faults = [{ file: error.place, said: say('chain_unreadable', error.code) }];
    return { ok: false, isEmpty: false, segments: 0, records: 0, removed: 0, faults, ends: [] };
  }
}

async function verifyReadable(dir: string, options: VerifyOptions): Promise<VerifiedFolder> {
  // Names come first: a window that opens a segment meanwhile has put its head before it, and what it wrote after its
  // head is more, not less.
  const segments = listSegments(dir);
  const heads = readHeads(dir);
  const { witnesses, broken } = notesOf(dir, segments, options.heads ?? []);
  const state = (segment: string): Head['state'] | undefined => heads.get(segment)?.state;
  const isRemoved = (segment: string): boolean => state(segment) === 'retired' || state(segment) === 'cleared';

  const faults: AuditFault[] = [];
  for (const [segment, head] of heads) faults.push(...headFaults(dir, segment, head, options));
  for (const [segment, [witness]] of witnesses)
    if (witness && !heads.has(segment) && !segments.includes(segment))
      faults.push({ file: segment, said: say('chain_missing_named', witness.by) });
  for (const { segment, said, time, by } of broken)
    if (!isRemoved(segment)) faults.push({ file: segment, said: say('chain_found_broken', time, by, said) });

  const chains = await followChains(dir, { segments, heads, witnesses }, options);
  faults.push(...chains.faults);
  for (const { segment } of options.heads ?? [])
    if (isRemoved(segment) && !chains.removed.has(segment))
      faults.push({
        file: segment,
        said: say(state(segment) === 'retired' ? 'chain_marked_retired' : 'chain_marked_cleared'),
      });
  return {
    ok: faults.length === 0,
    isEmpty: segments.length === 0 && heads.size === 0,
    segments: segments.length,
    records: chains.records,
    removed: [...heads.keys()].filter(isRemoved).length,
    faults: eachOnce(faults),
    ends: chains.reached,
  };
}

interface FolderNotes {
  readonly segments: readonly string[];
  readonly heads: ReturnType<typeof readHeads>;
  readonly witnesses: ReadonlyMap<string, readonly Witness[]>;
}

/** Follows each segment's lines from where the one before it ended. */
async function followChains(dir: string, { segments, heads, witnesses }: FolderNotes, options: VerifyOptions) {
  const faults: AuditFault[] = [];
  const ends = new Map<string, ChainPlace>();
  const reached: SegmentPlace[] = [];
  /** Segments whose removal a record names. */
  const removed = new Set<string>();
  let records = 0;
  for (const segment of segments) {
    const name = parseSegmentName(segment);
    if (!name) continue;
    const head = heads.get(segment);
    // Without its key nothing can be said about its lines, and the fault of its head says so.
    if (head && (head.alg !== options.alg || head.key !== options.key)) continue;
    const before = segmentName(name.window, name.number - 1);
    const start = name.number === 1 ? { seq: 0, hash: chainStart } : (ends.get(before) ?? heads.get(before));
    if (!start) faults.push({ file: segment, said: say('chain_follows_nothing', before) });
    try {
      const seen = witnesses.get(segment) ?? [];
      const result = await verifySegment(dir, segment, { hash: options.hash, start, head, witnesses: seen });
      records += result.records;
      if (result.records > 0) reached.push({ segment, ...result.end });
      faults.push(...result.faults);
      // What follows a broken segment is held against its head, so that one cut is one fault and not one in each that
      // follows.
      const isBroken = result.faults.length > 0;
      ends.set(segment, isBroken && head && headProblem(head, options) === undefined ? head : result.end);
      for (const one of result.removed) removed.add(one);
    } catch (error) {
      const isThere = fs.existsSync(segmentPath(dir, segment));
      const code = errnoOf(error);
      if (isThere && code !== undefined) faults.push({ file: segment, said: say('chain_unreadable', code) });
      // Retention may have taken it meanwhile.
      else if (isThere || readHead(dir, segment)?.state === head?.state) throw error;
    }
  }
  return { faults, reached, removed, records };
}

/** What windows and keepers say about the segments of others. */
function notesOf(dir: string, segments: readonly string[], kept: Iterable<Head>) {
  const { witnessed, broken } = openingNotes(dir, segments);
  const held = [...kept].filter(({ bytes }) => bytes > 0).map((head) => ({ ...head, by: say('chain_by_kept_head') }));
  const witnesses = new Map<string, Witness[]>();
  for (const { segment, seq, hash, by } of [...held, ...witnessed])
    witnesses.set(segment, [...(witnesses.get(segment) ?? []), { seq, hash, by }]);
  return { witnesses, broken };
}

function headFaults(
  dir: string,
  segment: string,
  head: Head | undefined,
  options: VerifyOptions,
): readonly AuditFault[] {
  if (!head) return [{ file: headName(segment), said: say('chain_no_such_head') }];
  const problem = headProblem(head, options);
  if (problem !== undefined) return [{ file: segment, said: problem }];
  const isThere = fs.existsSync(segmentPath(dir, segment));
  const faults: AuditFault[] = [];
  if (head.state === 'retired' || head.state === 'cleared') {
    const said = say(head.state === 'retired' ? 'chain_retired_again' : 'chain_cleared_again');
    return isThere ? [{ file: segment, said }] : [];
  }
  if (!isThere && head.bytes > 0 && readHead(dir, segment)?.state === head.state)
    faults.push({ file: segment, said: say('chain_missing') });
  if (head.seen !== undefined && !fs.existsSync(headPath(dir, head.seen)))
    faults.push({ file: head.seen, said: say('chain_missing_named', say('chain_by_head_of', segment)) });
  return faults;
}

const headName = (segment: string): string => `heads/${segment.replace(/l$/, '')}`;

/** What several windows saw is one fault. */
function eachOnce(faults: readonly AuditFault[]): readonly AuditFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
