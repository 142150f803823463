import { parsedJson } from '../../core/base/json';
import { randomBytes } from 'node:crypto';
import { appendFileSync, rmdirSync, rmSync } from 'node:fs';
import { lstat, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../core/base/lifecycle';
import { temporaryRunOf } from './temporaryNames';
import { isRunning } from '../processes/isRunning';
import { makeFolder } from '../folders/makeFolder';

const fileName = /^([0-9a-f]{8})\.(\d{1,10})\.txt$/;
/** A record of another machine that shares the storage is left alone for so long. */
const foreignAgeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Remembers in which folders this process makes temporary files, so that the next start removes what a killed process
 * left in them, without looking through the whole workspace. The record lies in the extension's own storage, one small
 * file per process, named by its run and its process id; it goes with the process. A record that cannot be written
 * costs only this: the sweep then waits for the next write there.
 */
export class WriteJournal implements Disposable {
  /** Stands in the names of this process's temporary files. */
  readonly run = randomBytes(4).toString('hex');
  readonly #storage: string;
  readonly #folders = new Set<string>();

  constructor(storage: string) {
    this.#storage = storage;
  }

  /**
   * Called before the first temporary file is made in a folder. Synchronous, so that the record is there before the
   * file.
   */
  begin(folder: string): void {
    if (this.#folders.has(folder)) return;
    try {
      const first = this.#folders.size === 0 ? `${hostname()}\n` : '';
      if (first) makeFolder(this.#storage);
      appendFileSync(this.#file, `${first}${JSON.stringify(folder)}\n`, { mode: 0o600 });
    } catch {
      // Without the record the folder is swept when something is written there again.
    }
    this.#folders.add(folder);
  }

  /**
   * Removes what processes that are gone left behind, and their records; answers how many files that were. Never
   * throws.
   */
  async sweep(now = Date.now()): Promise<number> {
    const names = await readdir(this.#storage).catch(() => []);
    let swept = 0;
    for (const name of names) {
      const [, run = '', pid = ''] = fileName.exec(name) ?? [];
      if (run === '' || run === this.run) continue;
      swept += await sweepRecord(path.join(this.#storage, name), run, Number(pid), now).catch(() => 0);
    }
    return swept;
  }

  dispose(): void {
    try {
      if (this.#folders.size > 0) rmSync(this.#file, { force: true });
      // Fails where another process has a record there.
      rmdirSync(this.#storage);
    } catch {
      return;
    }
  }

  get #file(): string {
    return path.join(this.#storage, `${this.run}.${process.pid}.txt`);
  }
}

async function sweepRecord(record: string, run: string, pid: number, now: number): Promise<number> {
  const [host, ...lines] = (await readFile(record, 'utf8')).split('\n');
  // A kill right after the file was made leaves it empty: it names no folder, so that whose it is does not matter.
  const foreign = host !== '' && host !== hostname();
  if (foreign ? now - (await lstat(record)).mtimeMs < foreignAgeMs : isRunning(pid)) return 0;
  let swept = 0;
  let failed = false;
  for (const line of lines) {
    const folder = readFolder(line);
    // A folder that has been moved, or made a link since, is left alone.
    if (folder === undefined || (await realpath(folder).catch(() => undefined)) !== folder) continue;
    for (const name of await readdir(folder)) {
      if (temporaryRunOf(name) !== run) continue;
      const file = path.join(folder, name);
      if (!(await lstat(file)).isFile()) continue;
      await rm(file, { force: true }).then(
        () => swept++,
        () => (failed = true),
      );
    }
  }
  if (!failed) await rm(record, { force: true });
  return swept;
}

/** The last line may have been cut by the kill. */
function readFolder(line: string): string | undefined {
  const folder = parsedJson(line);
  return typeof folder === 'string' && path.isAbsolute(folder) ? folder : undefined;
}
