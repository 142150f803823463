import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pause } from '../core/base/pause';
import { makeFolder } from './folders/makeFolder';
import { takeProcessLock } from './processes/processLock';

/**
 * In milliseconds: how often to look again, how long to wait at most, and when a lock is taken for left behind by a
 * process that is gone.
 */
const times = { poll: 15, wait: 10_000, stale: 15_000 };

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
      if (isHeld) await rm(this.#file, { force: true }).catch(() => undefined);
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
