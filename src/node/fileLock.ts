import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pause } from '../core/base/pause';
import { makeFolder } from './folders/makeFolder';
import { releaseProcessLock, takeProcessLock } from './processes/processLock';

/**
 * In milliseconds: how often to look again, how long to wait at most, and when a lock is taken for left behind by a
 * process that is gone.
 */
const times = { poll: 15, wait: 10_000, stale: 15_000 };

/** So long a process stands still for a lock at most, and so often it looks again, in milliseconds. */
const mostSyncMs = 1000;
const syncPollMs = 2;
const standStill = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, syncPollMs);

/**
 * Lets work of several processes on this machine happen one after the other, by a file that exists while somebody is at
 * it. The work runs in any case: where the lock cannot be had in 10 s, or not be made at all, waiting longer would only
 * be worse.
 */
export class FileLock {
  readonly #file: string;
  readonly #times: typeof times;

  constructor(file: string, limits: Partial<typeof times> = {}) {
    this.#file = file;
    this.#times = { ...times, ...limits };
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const isHeld = await this.#take();
    try {
      return await work();
    } finally {
      if (isHeld) releaseProcessLock(this.#file);
    }
  }

  /**
   * The same for work that must not happen without the lock, and waits for it without letting anything else happen in
   * this process; so it has to be short. Throws where the lock cannot be had in 1 s.
   * @param work is told by `isHeld` whether the lock is still held: one of a process that stood still was taken over.
   */
  runSync<T>(work: (isHeld: () => boolean) => T): T {
    const { stale } = this.#times;
    const isHeld = (): boolean => readFileSync(this.#file, 'utf8') === String(process.pid);
    for (const deadline = Date.now() + mostSyncMs; !takeProcessLock(this.#file, stale); standStill())
      if (Date.now() >= deadline) throw new Error(`\`${this.#file}\` is held by another process`);
    try {
      return work(isHeld);
    } finally {
      releaseProcessLock(this.#file);
    }
  }

  async #take(): Promise<boolean> {
    const { poll, wait, stale } = this.#times;
    const deadline = Date.now() + wait;
    try {
      makeFolder(path.dirname(this.#file));
      while (!takeProcessLock(this.#file, stale)) {
        if (Date.now() >= deadline) return false;
        await pause(poll);
      }
      return true;
    } catch {
      return false;
    }
  }
}
