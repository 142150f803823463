import fs from 'node:fs';
import os from 'node:os';
import type { Head } from '../../core/audit/chain';
import { isRunning } from './alive';
import { headBytes, headPath, indexPath, listSegments, parseSegmentName, readHead, segmentName, segmentPath } from './layout';

export interface Removed {
  readonly segments: readonly string[];
  readonly records: number;
  readonly bytes: number;
}

/** Says how long the log is kept; 0 stands for no limit. */
export interface RetentionLimits {
  readonly retentionDays: number;
  readonly maxMegabytes: number;
}

/**
 * Removes the oldest closed segments beyond the age or the size limit. Their heads stay, marked as retired, so that verify can tell
 * a removal by rule from one by hand. Segments that a living window writes are never touched.
 */
export function retire(dir: string, limits: RetentionLimits, now: number, keep: readonly string[] = []): Removed {
  const segments = listSegments(dir).flatMap((name) => {
    try {
      const { size, mtimeMs } = fs.statSync(segmentPath(dir, name));
      return [{ name, size, mtimeMs }];
    } catch {
      return [];
    }
  });
  segments.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
  const oldest = now - limits.retentionDays * 86_400_000;
  let total = segments.reduce((sum, segment) => sum + segment.size, 0);
  const limit = limits.maxMegabytes * 1024 * 1024;
  const removed: string[] = [];
  let records = 0;
  let bytes = 0;
  for (const { name, size, mtimeMs } of segments) {
    const tooOld = limits.retentionDays > 0 && mtimeMs < oldest;
    const tooMuch = limits.maxMegabytes > 0 && total > limit;
    if (!tooOld && !tooMuch) continue;
    if (keep.includes(name)) continue;
    const head = readHead(dir, name);
    // One that a living window still writes stays; one that nobody has touched for a day was left behind under a number used again.
    if (head?.state === 'open' && now - mtimeMs < 86_400_000 && (head.host !== os.hostname() || isRunning(head.pid))) continue;
    removeSegment(dir, name, head, 'retired');
    removed.push(name);
    records += head ? recordsOf(dir, head) : 0;
    bytes += size;
    total -= size;
  }
  return { segments: removed, records, bytes };
}

/** Removes every segment that no other living window writes. The caller notes the reason in its own chain, before and after. */
export function clearFolder(dir: string, keep: readonly string[]): Removed {
  const removed: string[] = [];
  let records = 0;
  let bytes = 0;
  for (const name of listSegments(dir)) {
    const head = readHead(dir, name);
    if (keep.includes(name)) continue;
    if (head?.state === 'open' && (head.host !== os.hostname() || (head.pid !== process.pid && isRunning(head.pid)))) continue;
    bytes += fs.statSync(segmentPath(dir, name), { throwIfNoEntry: false })?.size ?? 0;
    records += head ? recordsOf(dir, head) : 0;
    removeSegment(dir, name, head, 'cleared');
    removed.push(name);
  }
  return { segments: removed, records, bytes };
}

/** The mark comes first: a crash in between leaves a segment that is marked and there, which the next run removes. */
function removeSegment(dir: string, name: string, head: Head | undefined, state: 'retired' | 'cleared'): void {
  const mark: Head = head ?? {
    segment: name,
    seq: 0,
    hash: '0'.repeat(64),
    bytes: 0,
    state,
    alg: 'sha256',
    pid: process.pid,
    host: os.hostname(),
  };
  fs.mkdirSync(`${dir}/heads`, { recursive: true, mode: 0o700 });
  fs.writeFileSync(headPath(dir, name), headBytes({ ...mark, state }), { mode: 0o600 });
  fs.rmSync(segmentPath(dir, name), { force: true });
  fs.rmSync(indexPath(dir, name), { force: true });
}

/** Numbers run through a window, so a segment holds what its head counts beyond the one before. */
function recordsOf(dir: string, head: Head): number {
  const name = parseSegmentName(head.segment);
  if (!name || name.number === 1) return head.seq;
  const before = readHead(dir, segmentName(name.window, name.number - 1));
  return Math.max(0, head.seq - (before?.seq ?? 0));
}
