import { constants, existsSync, readlinkSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, swapped } from './errors';

/**
 * How an open handle is tied to the path that was judged.
 * `proc`: Linux names every open handle's real place, and works relative to an open folder, so nothing can be swapped in between.
 * `compare`: elsewhere the path is resolved again after opening, and device and inode are compared with the handle's.
 */
export type HandleMode = 'proc' | 'compare';

export function handleMode(): HandleMode {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'proc' : 'compare';
}

/** Where tests swap a link in. Called, and awaited, between two operations on the same path. */
export type Boundary = 'judged' | 'opened' | 'verified' | 'written' | 'staged' | 'listed' | 'checked';
export interface FileHooks {
  at?(boundary: Boundary, path: string): Promise<void> | void;
}

const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlock = constants.O_NONBLOCK ?? 0;

/** Opens a file for reading and makes sure that the handle is what stands at `absolute`, reached without any link. */
export async function openVerified(absolute: string, shown: string, mode: HandleMode, hooks: FileHooks): Promise<FileHandle> {
  await hooks.at?.('judged', absolute);
  const handle = await open(absolute, constants.O_RDONLY | noFollow | nonBlock);
  try {
    await hooks.at?.('opened', absolute);
    await verify(handle, absolute, shown, mode);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Compares an open handle with the path that it was opened by; throws `path_outside` where they differ. */
export async function verify(handle: FileHandle, absolute: string, shown: string, mode: HandleMode): Promise<void> {
  if (mode === 'proc') {
    // The kernel answers this from memory, so it is done in place: a trip through the thread pool costs ten times as much.
    if (readlinkSync(`/proc/self/fd/${handle.fd}`) !== absolute) throw swapped(shown);
    return;
  }
  const [own, real] = await Promise.all([handle.stat({ bigint: true }), realpath(absolute).catch(() => undefined)]);
  if (real !== absolute) throw swapped(shown);
  const there = await stat(real, { bigint: true });
  if (there.ino !== own.ino || there.dev !== own.dev) throw swapped(shown);
}

/** A folder that has been verified, for creating, renaming and removing what is in it. */
export class Folder {
  readonly absolute: string;
  readonly #shown: string;
  readonly #handle: FileHandle | undefined;
  readonly mode: HandleMode;

  private constructor(absolute: string, shown: string, mode: HandleMode, handle: FileHandle | undefined) {
    this.absolute = absolute;
    this.#shown = shown;
    this.mode = mode;
    this.#handle = handle;
  }

  static async open(absolute: string, shown: string, mode: HandleMode, hooks: FileHooks): Promise<Folder> {
    await hooks.at?.('judged', absolute);
    if (mode === 'compare') {
      const folder = new Folder(absolute, shown, mode, undefined);
      await folder.check();
      await hooks.at?.('verified', absolute);
      return folder;
    }
    const handle = await open(absolute, constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    try {
      await hooks.at?.('opened', absolute);
      await verify(handle, absolute, shown, mode);
      await hooks.at?.('verified', absolute);
      return new Folder(absolute, shown, mode, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens a folder by its name in a verified folder; a link of that name is refused. */
  static async below(parent: Folder, name: string, shown: string, hooks: FileHooks): Promise<Folder> {
    const absolute = path.join(parent.absolute, name);
    if (!parent.#handle) return Folder.open(absolute, shown, parent.mode, hooks);
    await hooks.at?.('judged', absolute);
    const handle = await open(parent.at(name), constants.O_RDONLY | constants.O_DIRECTORY | noFollow);
    await hooks.at?.('opened', absolute);
    return new Folder(absolute, shown, parent.mode, handle);
  }

  /** The path by which the operating system reaches a name in this very folder, wherever the folder's own path leads by now. */
  at(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : path.join(this.absolute, name);
  }

  /** This folder itself, for reading its names. */
  get self(): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/.` : this.absolute;
  }

  /** Makes sure that the folder's path still leads to it without a link. */
  async check(): Promise<void> {
    const real = await realpath(this.absolute).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') throw error;
      return undefined;
    });
    if (real !== this.absolute) throw swapped(this.#shown);
  }

  /** Nothing is written through the handle, so nobody has to wait until it is closed. */
  close(): void {
    this.#handle?.close().catch(ignore);
  }
}

function ignore(): undefined {
  return undefined;
}
