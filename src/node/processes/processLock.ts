import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { pause } from '../../core/base/pause';
import { isRunning } from './isRunning';
import { errnoOf } from '../errors/errno';

/** How long a lock may be without the number of its process, in milliseconds: that is written right behind it. */
const unnamedMs = 2000;

/**
 * Takes a lock: a file that holds the number of the process at work. One that a process left behind that is gone is
 * taken over. Answers whether it is held now; whoever has it removes the file. Throws where the file cannot be made.
 * @param mostMs so long nobody holds it: an older one was left, though its number may be that of another process now.
 */
export function takeProcessLock(file: string, mostMs = Infinity): boolean {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (make(file)) return true;
    if (!isLeft(file, mostMs)) return false;
    removeLeft(file, mostMs);
  }
  return false;
}

/** Gives a lock back; one that another process took over meanwhile stays that one's. */
export function releaseProcessLock(file: string): void {
  try {
    if (fs.readFileSync(file, 'utf8') === String(process.pid)) fs.rmSync(file, { force: true });
  } catch {
    // It is gone, or nobody may look at it: it is taken over once this process ends.
  }
}

/** Makes the file with the number of this process; false where one stands there. */
function make(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? '';
    if (code === 'EEXIST') return false;
    // On a full disk it was made without its number, and would be in everybody's way.
    if (/^(?:ENOSPC|EDQUOT|EIO)$/.test(code)) fs.rmSync(file, { force: true });
    throw error;
  }
}

/** How often to look again, in milliseconds. */
const pollMs = 25;

/** Runs work while no other process runs such work. Waits until the signal aborts; fails where no lock can be made. */
export async function withProcessLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  mostMs?: number,
): Promise<T> {
  for (signal.throwIfAborted(); !takeProcessLock(file, mostMs); signal.throwIfAborted()) await pause(pollMs, signal);
  try {
    return await work();
  } finally {
    releaseProcessLock(file);
  }
}

/**
 * Removes a lock that was left, by one process alone: a second one that looked at the same time would set aside what
 * the first has put there meanwhile, and a third would find none and take it too.
 */
function removeLeft(file: string, mostMs: number): void {
  const mark = markOf(file);
  if (mark === undefined) return;
  if (!make(mark)) {
    // Who was at it may have been killed there.
    if (isLeft(mark, mostMs)) fs.rmSync(mark, { force: true });
    return;
  }
  try {
    if (markOf(file) === mark && isLeft(file, mostMs)) setAside(file, mostMs);
  } finally {
    fs.rmSync(mark, { force: true });
  }
}

/** A name that is that lock's alone, of those that once stood there too; undefined where none stands there. */
function markOf(file: string): string | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  return `${file}.${createHash('sha256').update(`${found.ino} ${found.mtimeMs}`).digest('hex').slice(0, 12)}`;
}

/** Another process may all the same have taken the lock over between the look at it and this: it gets it back. */
function setAside(file: string, mostMs: number): void {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    // Somebody else removed it.
    return;
  }
  try {
    if (!isLeft(aside, mostMs)) fs.linkSync(aside, file);
  } catch {
    // A third one has it now.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function isLeft(file: string, mostMs: number): boolean {
  try {
    const owner = Number(fs.readFileSync(file, 'utf8'));
    // The clock may have been set back since.
    const age = Math.abs(Date.now() - fs.statSync(file).mtimeMs);
    return owner > 0 ? !isRunning(owner) || age > mostMs : age > unnamedMs;
  } catch {
    return false;
  }
}
