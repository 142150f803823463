import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { rm } from 'node:fs/promises';
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
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    if (!isLeft(file, mostMs)) return false;
    removeLeft(file, mostMs);
  }
  return false;
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
    await rm(file, { force: true });
  }
}

/** Another process may have taken the lock over between the look at it and this: it gets it back. */
function removeLeft(file: string, mostMs: number): void {
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
    const age = Date.now() - fs.statSync(file).mtimeMs;
    return owner > 0 ? !isRunning(owner) || age > mostMs : age > unnamedMs;
  } catch {
    return false;
  }
}
