import { constants, existsSync, fstatSync, readlinkSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FileCalls, FileChanges } from './calls';
import { errnoOf } from '../errors/errno';
import { swapped } from './errors';

/**
 * How an open handle is tied to the path that was judged. `proc`: Linux names every open handle's real place, and works
 * relative to an open folder, so nothing can be swapped in between. `compare`: elsewhere the path is resolved again
 * after opening, and device and inode are compared with the handle's.
 */
export type HandleMode = 'proc' | 'compare';

export function handleMode(): HandleMode {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'proc' : 'compare';
}

/** Where tests swap a link in. Called, and awaited, between two operations on the same path. */
export type Moment = 'judged' | 'opened' | 'verified' | 'written' | 'staged' | 'listed' | 'checked';
export interface FileHooks {
  at?(moment: Moment, path: string): Promise<void> | void;
}

const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlock = constants.O_NONBLOCK ?? 0;

/** By which operations files and folders are opened, and how what was opened is tied to its path. */
export interface OpenWay {
  readonly calls: FileCalls;
  readonly changes: FileChanges;
  readonly mode: HandleMode;
  readonly hooks: FileHooks;
}

/**
 * Opens a file for reading and makes sure that the descriptor is what stands at `absolute`, reached without any link.
 */
export async function openVerified(absolute: string, shown: string, { calls, mode, hooks }: OpenWay): Promise<number> {
  if (hooks.at) await hooks.at('judged', absolute);
  const descriptor = await calls.open(absolute, constants.O_RDONLY | noFollow | nonBlock);
  try {
    if (hooks.at) await hooks.at('opened', absolute);
    await verify(descriptor, absolute, shown, mode);
    return descriptor;
  } catch (error) {
    await calls.close(descriptor);
    throw error;
  }
}

/** Compares what is open with the path that it was opened by; throws `path_outside` where they differ. */
export function verify(
  descriptor: number,
  absolute: string,
  shown: string,
  mode: HandleMode,
): Promise<void> | undefined {
  if (mode === 'compare') return compare(descriptor, absolute, shown);
  // The kernel answers this from memory, so it is done in place: a trip through the thread pool costs ten times as
  // much.
  if (readlinkSync(`/proc/self/fd/${descriptor}`) !== absolute) throw swapped(shown);
  return undefined;
}

async function compare(descriptor: number, absolute: string, shown: string): Promise<void> {
  // The file is open, so its facts are at hand.
  const own = fstatSync(descriptor, { bigint: true });
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== absolute) throw swapped(shown);
  const there = await stat(real, { bigint: true });
  if (there.ino !== own.ino || there.dev !== own.dev) throw swapped(shown);
}

/** A folder that has been verified, for creating, renaming and removing what is in it. */
export class Folder {
  readonly absolute: string;
  readonly way: OpenWay;
  readonly #shown: string;
  #descriptor: number | undefined;

  private constructor(absolute: string, shown: string, way: OpenWay, descriptor: number | undefined) {
    this.absolute = absolute;
    this.way = way;
    this.#shown = shown;
    this.#descriptor = descriptor;
  }

  get mode(): HandleMode {
    return this.way.mode;
  }

  static async open(absolute: string, shown: string, way: OpenWay): Promise<Folder> {
    const { calls, mode, hooks } = way;
    if (hooks.at) await hooks.at('judged', absolute);
    if (mode === 'compare') {
      const folder = new Folder(absolute, shown, way, undefined);
      await folder.check();
      await hooks.at?.('verified', absolute);
      return folder;
    }
    const descriptor = await calls.open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    try {
      if (hooks.at) await hooks.at('opened', absolute);
      await verify(descriptor, absolute, shown, mode);
      if (hooks.at) await hooks.at('verified', absolute);
      return new Folder(absolute, shown, way, descriptor);
    } catch (error) {
      await calls.close(descriptor);
      throw error;
    }
  }

  /** Opens a folder by its name in a verified folder; a link of that name is refused. */
  static async below(parent: Folder, name: string, shown: string): Promise<Folder> {
    const { way } = parent;
    const absolute = path.join(parent.absolute, name);
    if (way.mode === 'compare') return Folder.open(absolute, shown, way);
    await way.hooks.at?.('judged', absolute);
    const descriptor = await way.calls.open(parent.at(name), constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    await way.hooks.at?.('opened', absolute);
    return new Folder(absolute, shown, way, descriptor);
  }

  /**
   * The path by which the operating system reaches a name in this very folder, wherever the folder's own path leads by
   * now.
   */
  at(name: string): string {
    return this.#descriptor === undefined
      ? path.join(this.absolute, name)
      : `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  /** This folder itself, for reading its names. */
  get self(): string {
    return this.#descriptor === undefined ? this.absolute : `/proc/self/fd/${this.#descriptor}/.`;
  }

  /** Makes sure that the folder's path still leads to it without a link. */
  async check(): Promise<void> {
    const real = await realpath(this.absolute).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') throw error;
      return undefined;
    });
    if (real !== this.absolute) throw swapped(this.#shown);
  }

  /**
   * Nothing is written through the descriptor, so nobody has to wait until it is closed. Closing twice does nothing.
   */
  close(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || descriptor === closed) return;
    this.#descriptor = closed;
    const closing = this.way.calls.close(descriptor);
    if (closing) closing.catch(() => undefined);
  }
}

/** Works in a folder, and closes it. */
export async function during<T>(folder: Folder, work: (folder: Folder) => Promise<T>): Promise<T> {
  try {
    return await work(folder);
  } finally {
    folder.close();
  }
}

/** True where the folder's path still leads to it without a link. */
export async function stillThere(folder: Folder): Promise<boolean> {
  return folder.check().then(
    () => true,
    () => false,
  );
}

/** Puts back what failed half-way; what is reported is the failure. */
export async function putBack(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}

/** Stands for a closed descriptor, whose number may belong to another file by now: the system refuses it. */
const closed = -1;
