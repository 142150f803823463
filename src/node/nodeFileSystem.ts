import { lazy } from '../core/base/lazy';
import { fstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { Turns } from '../core/base/turns';
import type { StopSign } from '../core/base/stopSign';
import { say } from '../core/base/sentence';
import { refusal, toolError } from '../core/vocabulary/errors';
import type { SettingGlob } from '../core/files/globs';
import { splitPath } from '../core/files/paths';
import type { walk } from '../core/files/walk';
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
import type { WorkspaceFolder, WorkspacePath } from '../core/ports/workspacePath';
import { type FileChanges, inPlace, pooled, pooledChanges } from './files/calls';
import { errnoOf } from './errors/errno';
import { present } from './files/errors';
import { during, type FileHooks, type HandleMode, handleMode, openVerified } from './files/handles';
import type { FolderMemory } from './files/folderMemory';
import { facts, OpenedFile, typeOf } from './files/openedFile';
import { homePaths, realPathOf } from './files/realPath';
import { Roots } from './files/roots';
import type { SearchEngine, SearchJob } from './files/search/engine';
import type { SessionRoots } from './files/sessionRoots';
import { isTemporaryName } from './files/temporaryNames';
import type { WriteOperations, WriteSettings } from './files/writeOperations';

export interface NodeFileSystemOptions extends WriteSettings {
  /** The folders of scheme `file` that tools may work in; asked anew for each call. */
  readonly folders: () => readonly WorkspaceFolder[];
  /** Where session roots are made; without it `session` answers `not_available`. */
  readonly sessionStorage?: SessionRoots;
  /** What the editor leaves out of listings and searches of a folder (`files.exclude`, `search.exclude`). */
  readonly excludes?: (folder: WorkspaceFolder) => readonly SettingGlob[];
  /** Builds the search engine on first use. */
  readonly search?: () => Promise<SearchEngine>;
  /**
   * How the machine's own disks are changed. Default: through the thread pool; `changesInPlace` saves the trips through
   * it, for a process in which nobody else has to wait while the disk is slow, so not for the editor's extension host.
   */
  readonly changes?: FileChanges;
  /** True in a process in which nobody else waits: then links are looked at without the thread pool. */
  readonly isAlone?: boolean;
  readonly hooks?: FileHooks;
  readonly handles?: HandleMode;
  readonly caseInsensitive?: boolean;
}

/** What a walk or a search goes through. */
type Walked = Omit<SearchJob, 'query' | 'handles'>;

/** The files of scheme `file`, with containment by handle and atomic writes. */
export class NodeFileSystem implements FileSystem {
  readonly #options: NodeFileSystemOptions;
  readonly #mode: HandleMode;
  readonly #roots: Roots;
  readonly #turns = new Turns();
  readonly #sessions = new Map<string, SessionFileSystem>();
  #writing: WriteOperations | undefined;
  readonly #engine = lazy((): Promise<SearchEngine> => (this.#options.search ?? builtInSearch)());
  #homes: readonly string[] | undefined;
  #memory: FolderMemory | undefined;
  #walk: typeof walk | undefined;
  readonly caseInsensitive: boolean;
  readonly style: PathStyle = process.platform === 'win32' ? 'windows' : 'posix';

  constructor(options: NodeFileSystemOptions) {
    const { handles = handleMode(), hooks = {}, changes = pooledChanges } = options;
    this.#options = options;
    this.#mode = handles;
    this.#roots = new Roots(this, { handles, hooks, changes });
    this.caseInsensitive = options.caseInsensitive ?? (process.platform === 'win32' || process.platform === 'darwin');
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#options.folders();
  }

  canonical(where: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    return this.#roots.canonical(where, options?.follow ?? true);
  }

  realPath(absolute: string, cwd: string | undefined): Promise<string | null> {
    return realPathOf(absolute, cwd, this.#options.isAlone ? inPlace : pooled);
  }

  async foldersIn(absolute: string): Promise<readonly DirectoryEntry[]> {
    const all = await readdir(absolute, { withFileTypes: true }).catch(() => []);
    return all.map((one) => ({ name: one.name, type: typeOf(one) })).filter(({ type }) => type !== 'file');
  }

  machinePaths(of: WorkspaceFolder | 'home'): readonly string[] {
    if (of === 'home') return (this.#homes ??= homePaths());
    const real = this.#roots.lastReal(of);
    return real === undefined || real === of.path ? [of.path] : [of.path, real];
  }

  async stat(where: WorkspacePath): Promise<FileStat | undefined> {
    return this.#roots.named(where, async (shown) => {
      const split = splitPath(where);
      const absolute = await this.#roots.absolute(where);
      try {
        if (!split) {
          const { calls } = await this.#roots.way(where.folder);
          const root = await calls.lstat(absolute);
          return root && facts(root);
        }
        return await during(await this.#roots.open(where, shown, true), async (folder) => {
          const there = await folder.way.calls.lstat(folder.at(split.name));
          return there && facts(there);
        });
      } catch (error) {
        const code = errnoOf(error);
        if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
        throw error;
      }
    });
  }

  async open(where: WorkspacePath): Promise<OpenFile> {
    return this.#roots.named(where, async (shown) => {
      const absolute = await this.#roots.absolute(where);
      const way = await this.#roots.way(where.folder);
      const descriptor = await openVerified(absolute, shown, way);
      try {
        // The file is open, so its facts are at hand.
        const stat = facts(fstatSync(descriptor));
        if (stat.type === 'directory') throw refusal('is_a_directory', say('folder_to_list', shown));
        if (stat.type !== 'file') throw toolError('unsupported', `\`${shown}\` is neither a file nor a folder`);
        return new OpenedFile(descriptor, stat, way);
      } catch (error) {
        await way.calls.close(descriptor);
        throw error;
      }
    });
  }

  async readDirectory(where: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#roots.named(where, async (shown) =>
      during(await this.#roots.open(where, shown), async (folder) => {
        const entries = await folder.way.calls.readdir(folder.self);
        // Where the platform has no operations relative to a handle, a swap meanwhile is noticed here.
        if (folder.mode === 'compare') await folder.check();
        return entries
          .filter((entry) => !isTemporaryName(entry.name))
          .map((entry) => ({ name: entry.name, type: typeOf(entry) }));
      }),
    );
  }

  async writeFile(
    where: WorkspacePath,
    content: Uint8Array,
    options: WriteOptions = {},
  ): Promise<{ readonly created: boolean }> {
    return (await this.#writer()).writeFile(where, content, options);
  }

  async inTurn<T>(where: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.#turns.take(await this.#roots.absolute(where), change);
  }

  async makeDirectory(
    where: WorkspacePath,
    options: { readonly mode?: number | undefined } = {},
  ): Promise<{ readonly created: boolean }> {
    return (await this.#writer()).makeDirectory(where, options);
  }

  async delete(where: WorkspacePath, options: DeleteOptions): Promise<void> {
    return (await this.#writer()).delete(where, options);
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: { readonly overwrite: boolean }): Promise<void> {
    return (await this.#writer()).rename(from, to, options);
  }

  async readLink(where: WorkspacePath): Promise<string | undefined> {
    return (await this.#writer()).readLink(where);
  }

  async makeLink(where: WorkspacePath, target: string): Promise<void> {
    return (await this.#writer()).makeLink(where, target);
  }

  async list(query: ListQuery, sink: Sink<ListEntry>, stopped: StopSign): Promise<void> {
    return this.#roots.named(query.root, async (shown) => {
      const walked = await this.#walked(query.root, shown);
      this.#walk ??= (await import('../core/files/walk')).walk;
      const excludes = query.byRepository ? [] : walked.excludes;
      await this.#walk({ ...walked, excludes, start: query.root.path, query }, sink, stopped);
    });
  }

  async search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    return this.#roots.named(query.root, async (shown) => {
      const stat = present(await this.stat(query.root));
      const walked = await this.#walked(stat.type === 'directory' ? query.root : { ...query.root, path: '' }, shown);
      return (await this.#engine()).search({ ...walked, query, handles: this.#mode }, sink, signal);
    });
  }

  /** Resolves when what was written, in session roots too, is on the disk; for a process that ends. */
  async synced(): Promise<void> {
    await Promise.all([this.#writing?.synced(), ...[...this.#sessions.values()].map((one) => one.synced())]);
  }

  session(key: string): FileSystem {
    const known = this.#sessions.get(key);
    if (known) return known;
    const { sessionStorage } = this.#options;
    if (sessionStorage === undefined)
      throw toolError('not_available', 'session files need a place to be kept, and none is set');
    const root = sessionStorage.root(key);
    const folders = [{ name: 'session', path: root, scheme: 'file' }];
    const made = new SessionFileSystem({ ...this.#options, folders: () => folders, excludes: () => [] });
    this.#sessions.set(key, made);
    return made;
  }

  async #writer(): Promise<WriteOperations> {
    if (this.#writing) return this.#writing;
    const { WriteOperations } = await import('./files/writeOperations');
    return (this.#writing ??= new WriteOperations(this, this.#roots, this.#options));
  }

  /** Verifies that a place is a folder. */
  async #walked(where: WorkspacePath, shown: string): Promise<Walked> {
    (await this.#roots.open(where, shown)).close();
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
}

/** The files of a session; nothing leads from them to those of another one. */
class SessionFileSystem extends NodeFileSystem {
  readonly labelPrefix = 'session:/';

  override session(): FileSystem {
    return this;
  }
}

async function builtInSearch(): Promise<SearchEngine> {
  const { BuiltInSearch } = await import('./files/search/builtIn');
  return new BuiltInSearch();
}
