import { lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { toolError } from '../../core/vocabulary/errors';
import { errnoOf } from '../errors/errno';
import { makeFolder } from '../folders/makeFolder';

/** What lies in a trash, as long as it can be taken out again. */
interface Trashed {
  /** Where it lies now. */
  readonly at: string;
  /** Moves it back to `reach`, where nothing may be. */
  giveBack(reach: string): Promise<void>;
}

/**
 * Moves something to where its owner can get it back. `reach` is the path to move it by; `absolute` is the place that
 * the trash remembers.
 */
export interface Trash {
  /** True where `move` answers what it moved, so that it can be looked at and taken back. */
  readonly givesBack?: boolean;
  move(absolute: string, reach: string): Promise<Trashed | undefined>;
}

/**
 * The trash of the freedesktop.org specification (version 1.0): the home trash for what lies on the same device, else
 * `.Trash-<uid>` at the top of the other device. On other systems the editor's own trash is used; without an editor
 * there it answers `unsupported`.
 */
export class FreedesktopTrash implements Trash {
  readonly #home: string;
  readonly #now: () => Date;
  readonly givesBack = true;

  constructor(
    home = path.join(process.env['XDG_DATA_HOME'] || path.join(homedir(), '.local', 'share'), 'Trash'),
    now: () => Date = () => new Date(),
  ) {
    this.#home = home;
    this.#now = now;
  }

  async move(absolute: string, reach: string): Promise<Trashed> {
    const { dev } = await lstat(reach);
    makeFolder(this.#home);
    if ((await stat(this.#home)).dev === dev) {
      try {
        return await this.#into(this.#home, absolute, reach, absolute);
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error;
      }
    }
    const top = await topFolder(path.dirname(absolute), dev);
    const trash = path.join(top, `.Trash-${process.getuid?.() ?? 0}`);
    await mkdir(trash, { mode: 0o700 }).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw noTrash();
    });
    if ((await lstat(trash)).isSymbolicLink()) throw noTrash();
    return this.#into(trash, absolute, reach, path.relative(top, absolute));
  }

  /** The info file comes first and claims the name, as the specification asks. */
  async #into(trash: string, absolute: string, reach: string, remembered: string): Promise<Trashed> {
    makeFolder(path.join(trash, 'info'));
    makeFolder(path.join(trash, 'files'));
    const date = localTime(this.#now());
    const text = `[Trash Info]\nPath=${remembered.split('/').map(encodeURIComponent).join('/')}\nDeletionDate=${date}\n`;
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `.${number}`;
      const name = shortened(path.basename(absolute), longestName - infoEnding.length - suffix.length) + suffix;
      const info = path.join(trash, 'info', name + infoEnding);
      try {
        await writeFile(info, text, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if (errnoOf(error) === 'EEXIST' && number < 10_000) continue;
        throw error;
      }
      try {
        const at = path.join(trash, 'files', name);
        await rename(reach, at);
        return { at, giveBack: (place) => giveBack(at, info, place) };
      } catch (error) {
        await rm(info, { force: true });
        throw error;
      }
    }
  }
}

const infoEnding = '.trashinfo';
/** In bytes, on all file systems that are in use. */
const longestName = 255;

/** A name of at most so many bytes; what it was called stands in the info file. */
function shortened(name: string, bytes: number): string {
  return name.slice(0, new TextEncoder().encodeInto(name, new Uint8Array(bytes)).read);
}

/** The specification wants the time of the user's clock. */
function localTime(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

async function giveBack(at: string, info: string, reach: string): Promise<void> {
  if (await lstat(reach).catch(() => undefined)) {
    throw toolError(
      'conflict',
      'something new stands where the deleted folder was, so it stays in the trash; tell the user to look there',
    );
  }
  await rename(at, reach);
  await rm(info, { force: true });
}

/** The highest folder above that is still on the device. */
async function topFolder(start: string, dev: number): Promise<string> {
  let top = start;
  for (;;) {
    const parent = path.dirname(top);
    if (parent === top || (await stat(parent)).dev !== dev) return top;
    top = parent;
  }
}

const noTrash = (): Error =>
  toolError(
    'unsupported',
    'there is no trash for this place; set to_trash to false to delete for good, which asks the user',
  );

/** The trash of a system where only the editor knows one. */
const missingTrash: Trash = {
  move: () => Promise.reject(noTrash()),
};

export function systemTrash(): Trash {
  return process.platform === 'linux' ? new FreedesktopTrash() : missingTrash;
}
