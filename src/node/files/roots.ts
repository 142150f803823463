import type { Stats } from 'node:fs';
import path from 'node:path';
import { toolError } from '../../core/vocabulary/errors';
import { displayPath, pathOutside } from '../../core/files/paths';
import type { FileSystem } from '../../core/ports/files';
import { type FileCalls, inPlace, isOnOwnDisk, pooled } from './calls';
import { errnoOf, fileError } from './errors';
import { ShortMemory } from './shortMemory';
import type { WorkspaceFolder, WorkspacePath } from '../../core/ports/workspacePath';

/**
 * How long a resolved path is believed, in milliseconds: about one call, which resolves its path when it is judged and
 * again when it runs. What was resolved is compared with what was opened, so that an answer that is no longer true is
 * refused and never followed.
 */
const believedMs = 100;

/** Turns workspace paths into paths of the machine and back, following links with containment. */
export class Roots {
  readonly #files: Pick<FileSystem, 'folders'>;
  readonly #realRoots = new ShortMemory<string>(believedMs);
  readonly #resolved = new ShortMemory<WorkspacePath>(believedMs);
  readonly #ownDisks = new Map<string, Promise<boolean>>();

  constructor(files: Pick<FileSystem, 'folders'>) {
    this.#files = files;
  }

  /**
   * The machine's path of a canonical path: below the real place of its folder, which may itself be reached by a link.
   */
  async absolute(where: WorkspacePath): Promise<string> {
    const root = await this.#realRoot(where.folder);
    return where.path === '' ? root : path.join(root, ...where.path.split('/'));
  }

  /** The name of the workspace folder that a place is or holds, itself apart; undefined where there is none. */
  async folderWithin(where: WorkspacePath): Promise<string | undefined> {
    const start = await this.absolute(where);
    const prefix = start.endsWith(path.sep) ? start : start + path.sep;
    for (const folder of this.#files.folders()) {
      if (folder.scheme !== 'file' || folder.path === where.folder.path) continue;
      const root = await this.#realRoot(folder).catch(() => undefined);
      if (root !== undefined && (root === start || root.startsWith(prefix))) return folder.name;
    }
    return undefined;
  }

  /** True where a folder lies on one of the machine's own disks; asked once for each. */
  isOnOwnDisk({ path: folder }: WorkspaceFolder): Promise<boolean> {
    let known = this.#ownDisks.get(folder);
    if (!known) {
      known = isOnOwnDisk(folder);
      this.#ownDisks.set(folder, known);
    }
    return known;
  }

  /** The operations for what lies in a folder. */
  async calls(folder: WorkspaceFolder): Promise<FileCalls> {
    return (await this.isOnOwnDisk(folder)) ? inPlace : pooled;
  }

  /** Forgets what was resolved; called before anything is changed. */
  forget(): void {
    this.#realRoots.forget();
    this.#resolved.forget();
  }

  /** Follows links as `FileSystem.canonical` says. */
  canonical(where: WorkspacePath, follow: boolean): Promise<WorkspacePath> {
    return this.#resolved.getTwice(`${follow ? 'to' : 'at'} ${where.folder.path}\0${where.path}`, () =>
      this.#resolve(where, follow),
    );
  }

  async #resolve(where: WorkspacePath, follow: boolean): Promise<WorkspacePath> {
    const shown = displayPath(where, this.#files);
    const start = await this.absolute(where);
    try {
      const calls = await this.calls(where.folder);
      const real = follow || where.path === '' ? await realOrMissing(start, calls) : await realParent(start, calls);
      return await this.#inside(where, real, shown);
    } catch (error) {
      if (errnoOf(error) === 'ELOOP') throw pathOutside(shown, 'its links run in a circle');
      throw fileError(error, shown);
    }
  }

  /** Places a real path below one of the folders, the path's own folder first. */
  async #inside(where: WorkspacePath, real: string, shown: string): Promise<WorkspacePath> {
    const others = this.#files
      .folders()
      .filter((folder) => folder.scheme === 'file' && folder.path !== where.folder.path);
    for (const folder of [where.folder, ...others]) {
      const root = await this.#realRoot(folder).catch(() => undefined);
      if (root === undefined) continue;
      if (real === root) return { folder, path: '' };
      const prefix = root.endsWith(path.sep) ? root : root + path.sep;
      if (real.startsWith(prefix)) return { folder, path: real.slice(prefix.length).split(path.sep).join('/') };
    }
    throw pathOutside(shown, 'a link in it leads out');
  }

  #realRoot(folder: WorkspaceFolder): Promise<string> {
    return this.#realRoots.get(folder.path, async () => {
      try {
        return await (await this.calls(folder)).realpath(folder.path);
      } catch (error) {
        // The folder may come back on another disk.
        this.#ownDisks.delete(folder.path);
        throw errnoOf(error) === 'ENOENT'
          ? toolError('not_found', `the workspace folder \`${folder.name}\` is not there any more`)
          : error;
      }
    });
  }
}

async function realParent(absolute: string, calls: FileCalls): Promise<string> {
  return path.join(await realOrMissing(path.dirname(absolute), calls), path.basename(absolute));
}

/**
 * The real path of what exists, with the missing rest appended. A link that leads nowhere is refused: writing through
 * it would make its target.
 */
async function realOrMissing(absolute: string, calls: FileCalls): Promise<string> {
  const rest: string[] = [];
  let at = absolute;
  for (;;) {
    try {
      return path.join(await calls.realpath(at), ...rest);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      if ((await entryAt(calls, at))?.isSymbolicLink()) throw pathOutside(at, 'it is a link that leads nowhere');
      const parent = path.dirname(at);
      if (parent === at) throw error;
      rest.unshift(path.basename(at));
      at = parent;
    }
  }
}

async function entryAt(calls: FileCalls, at: string): Promise<Stats | undefined> {
  try {
    return await calls.lstat(at);
  } catch {
    return undefined;
  }
}
