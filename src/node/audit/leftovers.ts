import fs from 'node:fs';
import path from 'node:path';
import { isRunning } from '../processes/isRunning';
import { headPath } from './layout';
import { heldMostMs, withSegmentLock } from './segmentLock';

/**
 * Nothing younger is looked at: to write a head takes milliseconds, and over a network share another machine may be at
 * it, of whose processes nobody here knows anything.
 */
const restMs = 3_600_000;

const unplaced = /\.json\.(\d+)\.tmp$/;
const lock = /^(.+\.jsonl)\.lock$/;
const setAside = /\.jsonl\.lock\.[0-9a-f]{12}$/;

/**
 * Removes what killed processes left beside the heads: a head that was not yet in place, a lock, and a lock that was
 * set aside to be taken over.
 */
export function removeLeftovers(dir: string, now: number): void {
  const folder = path.dirname(headPath(dir, ''));
  for (const name of fs.readdirSync(folder)) {
    const [pid, segment] = [unplaced.exec(name)?.[1], lock.exec(name)?.[1]];
    const isAside = setAside.test(name);
    if (pid === undefined && segment === undefined && !isAside) continue;
    const file = path.join(folder, name);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    const age = stat?.isFile() ? now - stat.mtimeMs : 0;
    if (age <= restMs) continue;
    // Another window may take the lock over just now: only who holds it removes it.
    if (segment !== undefined) withSegmentLock(dir, segment, () => undefined);
    // What is set aside holds nothing, whoever runs; of a number, another process may have it by now.
    else if (isAside || age > heldMostMs || !isRunning(Number(pid))) fs.rmSync(file, { force: true });
  }
}
