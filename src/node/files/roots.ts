import path from 'node:path';
import { say } from '../../core/base/sentence';
import { toolError } from '../../core/vocabulary/errors';
import { displayPath, leadsNowhere, pathOutside, splitPath } from '../../core/files/paths';
import type { FileSystem } from '../../core/ports/files';
import { entryAt, type FileCalls, type FileChanges, inPlace, isOnOwnDisk, pooled, pooledChanges } from './calls';
import { errnoOf } from '../errors/errno';
import { fileError } from './errors';
import { type FileHooks, Folder, type HandleMode, type OpenWay } from './handles';
import type { WorkspaceFolder, WorkspacePath } from '../../core/ports/workspacePath';

/** How long the real place of a workspace folder is believed, in milliseconds: about one call. */
const believedMs = 100;

interface RootOptions {
  readonly handles: HandleMode;
  readonly hooks: FileHooks;
  /** How the machine's own disks are changed. */
  readonly changes: FileChanges;
}

/**
 * Turns workspace paths into paths of the machine and back, following links with containment, and says how what lies
 * there is opened. What was resolved is compared with what was opened, so that an answer that is no longer true is
 * refused and never followed.
 */
export class Roots {
  readonly #files: Pick<FileSystem, 'folders'>;
  readonly #options: RootOptions;
  readonly #realRoots = new Map<string, { readonly until: number; readonly root: Promise<string> }>();
  readonly #lastReal = new Map<string, string>();
  readonly #ownDisks = new Map<string, Promise<boolean>>();

  constructor(files: Pick<FileSystem, 'folders'>, options: RootOptions) {
    this.#files = files;
    this.#options = options;
  }

  /** Runs an operation with its errors worded for the path that the caller gave. */
  async named<T>(where: WorkspacePath, work: (shown: string) => Promise<T>): Promise<T> {
    const shown = displayPath(where, this.#files);
    try {
      return await work(shown);
    } catch (error) {
      throw fileError(error, shown);
    }
  }

  /** By which operations what lies in a folder is opened. */
  async way(folder: WorkspaceFolder): Promise<OpenWay> {
    const { handles, hooks, changes } = this.#options;
    if (!(await this.isOnOwnDisk(folder))) return { calls: pooled, changes: pooledChanges, mode: handles, hooks };
    return { calls: inPlace, changes, mode: handles, hooks };
  }

  /** Opens and verifies the folder at a canonical path, or with `holding` the one that holds it. */
  async open(where: WorkspacePath, shown: string, holding = false): Promise<Folder> {
    const absolute = await this.absolute(where);
    return Folder.open(holding ? path.dirname(absolute) : absolute, shown, await this.way(where.folder));
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

  /** Where a folder was when a call last followed its links; undefined where none did yet. */
  lastReal(folder: WorkspaceFolder): string | undefined {
    return this.#lastReal.get(folder.path);
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

  /** Forgets where folders are; called before anything is changed. */
  forget(): void {
    this.#realRoots.clear();
  }

  /** Follows links as `FileSystem.canonical` says. */
  async canonical(where: WorkspacePath, follow: boolean): Promise<WorkspacePath> {
    const shown = displayPath(where, this.#files);
    const split = follow ? undefined : splitPath(where);
    try {
      const { calls } = await this.way(where.folder);
      const real = await this.#realOrMissing(split?.parent ?? where, calls, shown);
      return await this.#inside(where, split ? path.join(real, split.name) : real, shown);
    } catch (error) {
      if (errnoOf(error) === 'ELOOP') throw pathOutside(shown, say('path_link_circle'));
      throw fileError(error, shown);
    }
  }

  /**
   * The real path of what exists, with the missing rest appended. A link that leads nowhere is refused: writing through
   * it would make its target.
   */
  async #realOrMissing(where: WorkspacePath, calls: FileCalls, shown: string): Promise<string> {
    const rest: string[] = [];
    let at = where;
    let absolute = await this.absolute(where);
    for (;;) {
      try {
        return path.join(await calls.realpath(absolute), ...rest);
      } catch (error) {
        const split = splitPath(at);
        if (errnoOf(error) !== 'ENOENT' || !split) throw error;
        if ((await entryAt(calls, absolute))?.isSymbolicLink()) {
          // Of a link that lies outside itself nothing is told.
          await this.#inside(where, await calls.realpath(path.dirname(absolute)), shown);
          throw leadsNowhere(displayPath(at, this.#files));
        }
        rest.unshift(split.name);
        at = split.parent;
        absolute = path.dirname(absolute);
      }
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
    throw pathOutside(shown, say('path_link_out'));
  }

  #realRoot(folder: WorkspaceFolder): Promise<string> {
    const known = this.#realRoots.get(folder.path);
    if (known && known.until > performance.now()) return known.root;
    const root = this.#findRoot(folder);
    this.#realRoots.set(folder.path, { until: performance.now() + believedMs, root });
    root.catch(() => this.#realRoots.delete(folder.path));
    return root;
  }

  async #findRoot(folder: WorkspaceFolder): Promise<string> {
    try {
      const root = await (await this.way(folder)).calls.realpath(folder.path);
      this.#lastReal.set(folder.path, root);
      return root;
    } catch (error) {
      // The folder may come back on another disk.
      this.#ownDisks.delete(folder.path);
      throw errnoOf(error) === 'ENOENT'
        ? toolError('not_found', `the workspace folder \`${folder.name}\` is not there any more`)
        : error;
    }
  }
}
