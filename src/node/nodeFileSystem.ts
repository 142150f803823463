import { fstatSync } from 'node:fs';
import path from 'node:path';
import { Turns } from '../core/base/turns';
import type { StopSign } from '../core/base/stopSign';
import { isToolError, toolError } from '../core/vocabulary/errors';
import type { SettingGlob } from '../core/files/globs';
import { alreadyThere, displayPath, folderInTheWay, splitPath } from '../core/files/paths';
import { readWhole } from '../core/files/readWhole';
import type { LeftOutCounts, ListEntry, ListQuery, SearchFile, SearchQuery, Sink } from '../core/ports/fileSearch';
import type {
  DeleteOptions,
  DirectoryEntry,
  FileStat,
  FileSystem,
  OpenFile,
  PathStyle,
  WriteOptions,
} from '../core/ports/files';
import type { Disk } from './files/atomicWrite';
import { type FileChanges, inPlace, pooledChanges } from './files/calls';
import { errnoOf, fileError, swapped } from './files/errors';
import { facts, typeOf } from './files/fileStat';
import {
  type FileHooks,
  Folder,
  type HandleMode,
  handleMode,
  openVerified,
  type OpenWay,
  putBack,
  stillThere,
} from './files/handles';
import type { FolderMemory } from './files/folderMemory';
import type { LateSync } from './files/lateSync';
import { OpenedFile } from './files/openedFile';
import { realPathOf } from './files/realPath';
import { Roots } from './files/roots';
import type { SearchEngine } from './files/search/engine';
import { SessionRoots } from './files/sessionRoots';
import { isTemporaryName } from './files/temporaryNames';
import type { Trash } from './files/trash';
import type { walk, WalkedFolders } from '../core/files/walk';
import type { WriteJournal } from './files/writeJournal';
import type * as Writing from './files/writeOperations';
import type { WorkspaceFolder, WorkspacePath } from '../core/ports/workspacePath';

export interface NodeFileSystemOptions {
  /** The folders of scheme `file` that tools may work in; asked anew for each call. */
  readonly folders: () => readonly WorkspaceFolder[];
  /**
   * Where session roots are made; without it `session` answers `not_available`. A folder's name alone leaves their end
   * to its owner.
   */
  readonly sessionStorage?: SessionRoots | string;
  /** What the editor leaves out of listings and searches of a folder (`files.exclude`, `search.exclude`). */
  readonly excludes?: (folder: WorkspaceFolder) => readonly SettingGlob[];
  /** Default: the desktop’s on Linux, elsewhere none. */
  readonly trash?: Trash;
  /** Remembers where temporary files are made, so that those of a killed process are found at the next start. */
  readonly journal?: WriteJournal;
  /** Builds the search engine on first use. */
  readonly search?: () => Promise<SearchEngine>;
  readonly disk?: Disk;
  /**
   * When a written file is synced to the disk: `before` it takes its name, or `after`, so that no caller waits for the
   * disk. Without it the machine's own disks are synced after, which refuse a write that has no room, and all others
   * before.
   */
  readonly sync?: 'before' | 'after';
  /**
   * How the machine's own disks are changed. Default: through the thread pool; `changesInPlace` saves the trips through
   * it, for a process in which nobody else has to wait while the disk is slow, so not for the editor's extension host.
   */
  readonly changes?: FileChanges;
  /** Told when a sync after a write failed. */
  readonly onSyncFailure?: (error: unknown) => void;
  /** Shared with the session roots, which are made anew for each call. */
  readonly turns?: Turns;
  readonly hooks?: FileHooks;
  readonly handles?: HandleMode;
  readonly caseInsensitive?: boolean;
  readonly labelPrefix?: string;
}

const orphanAgeMs = 60_000;

interface Walked {
  readonly folder: string;
  readonly excludes: readonly SettingGlob[];
  readonly caseInsensitive: boolean;
  readonly folders: WalkedFolders;
}

/** The files of scheme `file`, with containment by handle and atomic writes. */
export class NodeFileSystem implements FileSystem {
  readonly #options: NodeFileSystemOptions;
  readonly #roots: Roots;
  readonly #hooks: FileHooks;
  readonly #disk: Disk | undefined;
  readonly #mode: HandleMode;
  readonly #turns: Turns;
  readonly #swept = new Set<string>();
  readonly #sessions = new Map<string, FileSystem>();
  readonly #late: { sync?: LateSync };
  #sessionRoots: SessionRoots | undefined;
  #writing: typeof Writing | undefined;
  #engine: Promise<SearchEngine> | undefined;
  #memory: FolderMemory | undefined;
  #walk: typeof walk | undefined;
  readonly caseInsensitive: boolean;
  readonly style: PathStyle = process.platform === 'win32' ? 'windows' : 'posix';
  readonly labelPrefix?: string;

  /** @param late what is still to be synced; a session root shares it with the files that it belongs to. */
  constructor(options: NodeFileSystemOptions, late: { sync?: LateSync } = {}) {
    this.#options = options;
    this.#turns = options.turns ?? new Turns();
    this.#late = late;
    this.#roots = new Roots(this);
    this.#hooks = options.hooks ?? {};
    this.#disk = options.disk;
    this.#mode = options.handles ?? handleMode();
    this.caseInsensitive = options.caseInsensitive ?? (process.platform === 'win32' || process.platform === 'darwin');
    if (options.labelPrefix !== undefined) this.labelPrefix = options.labelPrefix;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#options.folders();
  }

  canonical(where: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    return this.#roots.canonical(where, options?.follow ?? true);
  }

  realPath(absolute: string, cwd: string | undefined): Promise<string | null> {
    return realPathOf(absolute, cwd);
  }

  /** The machine's path of a canonical path; for what has to hand a path to another program. */
  absolute(where: WorkspacePath): Promise<string> {
    return this.#roots.absolute(where);
  }

  async stat(where: WorkspacePath): Promise<FileStat | undefined> {
    const shown = displayPath(where, this);
    return this.#named(where, async () => {
      const split = splitPath(where);
      const absolute = await this.#roots.absolute(where);
      try {
        const way = await this.#way(where.folder);
        if (!split) {
          const root = await way.calls.lstat(absolute);
          return root && facts(root);
        }
        const folder = await Folder.open(path.dirname(absolute), shown, way);
        try {
          const there = await way.calls.lstat(folder.at(split.name));
          return there && facts(there);
        } finally {
          folder.close();
        }
      } catch (error) {
        const code = errnoOf(error);
        if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
        throw error;
      }
    });
  }

  async open(where: WorkspacePath): Promise<OpenFile> {
    return this.#named(where, async (shown) => {
      const absolute = await this.#roots.absolute(where);
      const way = await this.#way(where.folder);
      const descriptor = await openVerified(absolute, shown, way);
      try {
        // The file is open, so its facts are at hand.
        const stat = facts(fstatSync(descriptor));
        if (stat.type === 'directory')
          throw toolError('is_a_directory', `\`${shown}\` is a folder; list_directory shows what is in it`);
        if (stat.type !== 'file') throw toolError('unsupported', `\`${shown}\` is neither a file nor a folder`);
        return new OpenedFile(descriptor, stat, way);
      } catch (error) {
        await way.calls.close(descriptor);
        throw error;
      }
    });
  }

  async writeFile(
    where: WorkspacePath,
    content: Uint8Array,
    options: WriteOptions = {},
  ): Promise<{ readonly created: boolean }> {
    this.#roots.forget();
    return this.#named(where, async (shown) => {
      const split = splitPath(where);
      if (!split) throw toolError('is_a_directory', `\`${shown}\` is a folder`);
      const folder = await this.#makeFolder(split.parent);
      try {
        const writing = (this.#writing ??= await import('./files/writeOperations'));
        await this.#sweep(folder, writing);
        const disk = this.#disk ?? { write: folder.way.changes.write, sync: writing.realDisk.sync };
        const late = (this.#late.sync ??= new writing.LateSync({
          sync: disk.sync,
          onFailure: this.#options.onSyncFailure,
        }));
        const there = await folder.way.calls.lstat(folder.at(split.name));
        if (there) await writing.checkReplaceable(folder, split.name, there, shown, options);
        const current = there && options.append ? await this.open(where) : undefined;
        try {
          await writing.writeAtomically(
            {
              folder,
              name: split.name,
              shown,
              ...(this.#options.journal && { run: this.#options.journal.run }),
              like: there,
              content: () => (current ? writing.pieces(current, content) : [content]),
              syncLater: (await this.#syncsLater(where.folder)) ? (descriptor) => late.add(descriptor) : undefined,
              beforeRename: async () => {
                if (!options.check) return options.mustCreate ? 'new' : 'replace';
                // Opened anew: whoever changed it meanwhile may have put another file in its place.
                const now = await this.#contentOf(where);
                options.check(now);
                return now === undefined ? 'new' : 'replace';
              },
            },
            disk,
          );
        } finally {
          await current?.close();
        }
        return { created: there === undefined };
      } finally {
        folder.close();
      }
    });
  }

  async inTurn<T>(where: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.#turns.take(await this.#roots.absolute(where), change);
  }

  async makeDirectory(where: WorkspacePath): Promise<{ readonly created: boolean }> {
    this.#roots.forget();
    return this.#named(where, async (shown) => {
      const stat = await this.stat(where);
      if (stat && stat.type !== 'directory') throw toolError('already_exists', `\`${shown}\` is a file`);
      (await this.#makeFolder(where)).close();
      return { created: stat === undefined };
    });
  }

  /** Undefined where nothing is. */
  async #contentOf(where: WorkspacePath): Promise<Uint8Array | undefined> {
    return readWhole(this, where).catch((error: unknown) => {
      if (isToolError(error) && error.data.code === 'not_found') return undefined;
      throw error;
    });
  }

  async readDirectory(where: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#named(where, async (shown) => {
      const folder = await Folder.open(await this.#roots.absolute(where), shown, await this.#way(where.folder));
      try {
        const entries = await folder.way.calls.readdir(folder.self);
        await this.#checkAfter(folder);
        return entries
          .filter((entry) => !isTemporaryName(entry.name))
          .map((entry) => ({ name: entry.name, type: typeOf(entry) }));
      } finally {
        folder.close();
      }
    });
  }

  async delete(where: WorkspacePath, options: DeleteOptions): Promise<void> {
    this.#roots.forget();
    return this.#named(where, async (shown) => {
      const split = splitPath(where);
      if (!split) throw toolError('path_invalid', `\`${shown}\` is a workspace folder itself, which cannot be deleted`);
      await this.#keepFolders(where, shown, 'deleted');
      const absolute = await this.#roots.absolute(where);
      const folder = await Folder.open(path.dirname(absolute), shown, await this.#way(where.folder));
      try {
        const { deleteIn } = await import('./files/writeOperations');
        await deleteIn(folder, split.name, where, options, { shown, trash: this.#options.trash });
      } finally {
        folder.close();
      }
    });
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: { readonly overwrite: boolean }): Promise<void> {
    this.#roots.forget();
    const shownTo = displayPath(to, this);
    return this.#named(from, async (shown) => {
      const [source, target] = [splitPath(from), splitPath(to)];
      if (!source || !target)
        throw toolError(
          'path_invalid',
          `\`${source ? shownTo : shown}\` is a workspace folder itself, which cannot be moved`,
        );
      await this.#keepFolders(from, shown, 'moved');
      const fromFolder = await Folder.open(
        path.dirname(await this.#roots.absolute(from)),
        shown,
        await this.#way(from.folder),
      );
      let toFolder: Folder | undefined;
      try {
        const moving = present(await fromFolder.way.calls.lstat(fromFolder.at(source.name)));
        const { checkDevice, deleteIn, moveBetween, moveOnto } = await import('./files/writeOperations');
        await checkDevice(fromFolder, await this.#roots.absolute(target.parent));
        toFolder = await this.#named(to, () => this.#makeFolder(target.parent));
        const onto = await moveOnto(fromFolder, source.name, toFolder, target.name, moving);
        if (onto.kind === 'taken') {
          if (onto.isFolder) throw folderInTheWay(shownTo, source.name);
          if (!options.overwrite) throw alreadyThere(shownTo);
          if (moving.isDirectory())
            throw toolError('not_a_directory', `\`${shownTo}\` is a file, which a folder cannot replace`);
          // Renaming one name of a file to another name of it does nothing, so the old name is taken away.
          if (onto.isSameContent)
            return await deleteIn(
              fromFolder,
              source.name,
              from,
              { recursive: false, toTrash: false },
              { shown, trash: undefined },
            );
        }
        await moveBetween(fromFolder, source.name, toFolder, target.name, moving, shown);
      } finally {
        fromFolder.close();
        toFolder?.close();
      }
    });
  }

  async list(query: ListQuery, sink: Sink<ListEntry>, stopped: StopSign): Promise<void> {
    return this.#named(query.root, async (shown) => {
      const walked = await this.#walked(query.root, shown);
      this.#walk ??= (await import('../core/files/walk')).walk;
      await this.#walk({ ...walked, start: query.root.path, query }, sink, stopped);
    });
  }

  async search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    return this.#named(query.root, async (shown) => {
      const stat = present(await this.stat(query.root));
      const walked = await this.#walked(stat.type === 'directory' ? query.root : { ...query.root, path: '' }, shown);
      this.#engine ??= (this.#options.search ?? builtInSearch)();
      return (await this.#engine).search({ ...walked, query, handles: this.#mode }, sink, signal);
    });
  }

  /** Resolves when what was written, in session roots too, is on the disk; for a process that ends. */
  synced(): Promise<void> {
    return this.#late.sync?.flush() ?? Promise.resolve();
  }

  session(key: string): FileSystem {
    const known = this.#sessions.get(key);
    if (known) return known;
    const storage = this.#options.sessionStorage;
    if (storage === undefined)
      throw toolError('not_available', 'session files need a place to be kept, and none is set');
    this.#sessionRoots ??= typeof storage === 'string' ? new SessionRoots(storage) : storage;
    const root = this.#sessionRoots.root(key);
    const made = new SessionFileSystem(
      {
        ...this.#options,
        turns: this.#turns,
        folders: () => [{ name: 'session', path: root, scheme: 'file' }],
        excludes: () => [],
        labelPrefix: 'session:/',
      },
      this.#late,
    );
    this.#sessions.set(key, made);
    return made;
  }

  /** A folder of the workspace may lie within another: it goes neither by itself nor with what holds it. */
  async #keepFolders(where: WorkspacePath, shown: string, what: string): Promise<void> {
    const name = await this.#roots.folderWithin(where);
    if (name !== undefined)
      throw toolError('path_invalid', `\`${shown}\` holds the workspace folder \`${name}\`, so it cannot be ${what}`);
  }

  async #way(folder: WorkspaceFolder): Promise<OpenWay> {
    const calls = await this.#roots.calls(folder);
    const changes = (calls === inPlace && this.#options.changes) || pooledChanges;
    return { calls, changes, mode: this.#mode, hooks: this.#hooks };
  }

  async #syncsLater(folder: WorkspaceFolder): Promise<boolean> {
    return this.#options.sync === undefined ? this.#roots.isOnOwnDisk(folder) : this.#options.sync === 'after';
  }

  /** Runs an operation with its errors worded for the path that the caller gave. */
  async #named<T>(where: WorkspacePath, work: (shown: string) => Promise<T>): Promise<T> {
    const shown = displayPath(where, this);
    try {
      return await work(shown);
    } catch (error) {
      throw fileError(error, shown);
    }
  }

  /** What a walk or a search goes through: the workspace folder of a place that is verified to be a folder. */
  async #walked(where: WorkspacePath, shown: string): Promise<Walked> {
    (await Folder.open(await this.#roots.absolute(where), shown, await this.#way(where.folder))).close();
    const folder = await this.#roots.absolute({ folder: where.folder, path: '' });
    const { FolderMemory } = await import('./files/folderMemory');
    this.#memory ??= new FolderMemory({ handles: this.#mode });
    return {
      folder,
      excludes: this.#options.excludes?.(where.folder) ?? [],
      caseInsensitive: this.caseInsensitive,
      folders: this.#memory.below(folder),
    };
  }

  /** Opens a folder, making what is missing step by step, each step below a verified folder. */
  async #makeFolder(where: WorkspacePath): Promise<Folder> {
    const shown = displayPath(where, this);
    const absolute = await this.#roots.absolute(where);
    const way = await this.#way(where.folder);
    try {
      return await Folder.open(absolute, shown, way);
    } catch (error) {
      const split = splitPath(where);
      if (errnoOf(error) !== 'ENOENT' || !split) throw error;
      const parent = await this.#makeFolder(split.parent);
      try {
        await makeIn(parent, split.name);
        if (parent.mode === 'compare' && !(await stillThere(parent))) {
          await putBack(async () => parent.way.changes.rmdir(parent.at(split.name)));
          throw swapped(shown);
        }
      } finally {
        parent.close();
      }
      return await Folder.open(absolute, shown, way);
    }
  }

  /** Where the platform has no operations relative to a handle, a swap during the operation is noticed after it. */
  async #checkAfter(folder: Folder): Promise<void> {
    if (folder.mode === 'compare') await folder.check();
  }

  /** Removes what a killed process left, and remembers the folder for the next start; once per folder and run. */
  async #sweep(folder: Folder, writing: typeof Writing): Promise<void> {
    if (this.#swept.has(folder.absolute)) return;
    this.#swept.add(folder.absolute);
    this.#options.journal?.begin(folder.absolute);
    await writing.sweepFolder(folder.self, orphanAgeMs, Date.now());
  }
}

/** The files of a session; nothing leads from them to those of another one. */
class SessionFileSystem extends NodeFileSystem {
  override session(): FileSystem {
    return this;
  }
}

async function builtInSearch(): Promise<SearchEngine> {
  const { BuiltInSearch } = await import('./files/search/builtIn');
  return new BuiltInSearch();
}

async function makeIn(parent: Folder, name: string): Promise<void> {
  try {
    await parent.way.changes.mkdir(parent.at(name));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** What the operating system answers for a name that nothing has. */
function present<T>(there: T | undefined): T {
  if (!there) throw Object.assign(new Error('nothing is there'), { code: 'ENOENT' });
  return there;
}
