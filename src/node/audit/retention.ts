import fs from 'node:fs';
import { type Head, sealHead } from '../../core/audit/head';
import { dayMs, keepWithin } from '../folders/keepWithin';
import { isRunning } from '../processes/isRunning';
import type { SealedFolder } from './auditFs';
import {
  hostName,
  indexPath,
  listSegments,
  parseSegmentName,
  readHead,
  readHeads,
  replaceHead,
  segmentName,
  segmentPath,
} from './layout';
import { withSegmentLock } from './segmentLock';

export interface Removed {
  readonly segments: readonly string[];
  readonly records: number;
}

/** Says how long the log is kept; 0 stands for no limit. */
export interface RetentionLimits {
  readonly retentionDays: number;
  readonly maxMegabytes: number;
}

/**
 * Removes the oldest closed segments beyond the age or the size limit. Their heads stay, marked as retired, so that
 * verify can tell a removal by rule from one by hand. Segments that a living window writes are never touched.
 */
export function retire(folder: SealedFolder, limits: RetentionLimits, now: number, own: string): Removed {
  const { dir } = folder;
  const segments = listSegments(dir).flatMap((name) => {
    const stat = fs.statSync(segmentPath(dir, name), { throwIfNoEntry: false });
    return stat ? [{ name, size: stat.size, timeMs: stat.mtimeMs }] : [];
  });
  segments.sort((a, b) => a.timeMs - b.timeMs || (a.name < b.name ? -1 : 1));
  const limit = (given: number): number => (given > 0 ? given : Infinity);
  const bounds = { days: limit(limits.retentionDays), bytes: limit(limits.maxMegabytes) * 1024 * 1024 };
  const removed = new Map<string, number>();
  keepWithin(segments, bounds, now, ({ name, timeMs }) => {
    if (name === own) return false;
    const head = readHead(dir, name);
    // One that a living window still writes stays; one that nobody has touched for a day was left behind under a number
    // used again.
    if (head?.state === 'open' && now - timeMs < dayMs && isAlive(head)) return false;
    const records = removeSegment(folder, name, head, 'retired');
    if (records !== undefined) removed.set(name, records);
    return records !== undefined;
  });
  return summed(removed);
}

const isAlive = (head: Head): boolean => head.host !== hostName() || isRunning(head.pid);

/**
 * Removes every segment that no other living window writes, and marks the heads of those that are gone already, so that
 * a broken log can be started anew. The caller notes the reason in its own chain.
 */
export function clearFolder(folder: SealedFolder): Removed {
  const { dir } = folder;
  const removed = new Map<string, number>();
  for (const name of new Set([...listSegments(dir), ...readHeads(dir).keys()])) {
    const head = readHead(dir, name);
    if (head?.state === 'open' && (head.host !== hostName() || head.pid !== process.pid) && isAlive(head)) continue;
    const isGone = !fs.existsSync(segmentPath(dir, name));
    if (isGone && (head?.state === 'retired' || head?.state === 'cleared')) continue;
    const records = removeSegment(folder, name, head, 'cleared');
    if (records !== undefined) removed.set(name, isGone ? 0 : records);
  }
  return summed(removed);
}

const summed = (removed: ReadonlyMap<string, number>): Removed => ({
  segments: [...removed.keys()],
  records: [...removed.values()].reduce((sum, records) => sum + records, 0),
});

/**
 * Answers how many records its head counts; undefined where another window is at it. The mark comes first: a crash in
 * between leaves a segment that is marked and there, which the next start removes.
 */
function removeSegment(
  { dir, fs: files, seal }: SealedFolder,
  name: string,
  head: Head | undefined,
  state: 'retired' | 'cleared',
): number | undefined {
  return withSegmentLock(dir, name, () => {
    const unknown = { segment: name, seq: 0, hash: '0'.repeat(64), bytes: 0, pid: process.pid, host: hostName() };
    files.mkdir(`${dir}/heads`);
    replaceHead(files, dir, sealHead({ ...(head ?? unknown), state }, seal));
    fs.rmSync(segmentPath(dir, name), { force: true });
    fs.rmSync(indexPath(dir, name), { force: true });
    return head ? recordsOf(dir, head) : 0;
  });
}

/** Numbers run through a window, so a segment holds what its head counts beyond the one before. */
function recordsOf(dir: string, head: Head): number {
  const name = parseSegmentName(head.segment);
  if (!name || name.number === 1) return head.seq;
  const before = readHead(dir, segmentName(name.window, name.number - 1));
  return Math.max(0, head.seq - (before?.seq ?? 0));
}
