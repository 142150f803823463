import type { StopSign } from '../base/stopSign';
import { say } from '../base/sentence';
import { isToolError, refusal, toolError } from '../vocabulary/errors';
import type { SettingGlob } from './globs';
import { readWhole } from './readWhole';
import { joinedBytes } from '../base/bytes';
import { Turns } from '../base/turns';
import { alreadyThere, displayPath, folderInTheWay, joinPath, missingFolders, pathOutside, splitPath } from './paths';
import type { LeftOutCounts, ListEntry, ListQuery, SearchFile, SearchQuery, Sink } from '../ports/fileSearch';
import type {
  DeleteOptions,
  DirectoryEntry,
  FileStat,
  FileSystem,
  Made,
  MoveOptions,
  OpenFile,
  PathStyle,
  WriteOptions,
} from '../ports/files';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';
import type { RawFiles } from './rawFiles';

interface VirtualFilesOptions {
  readonly raw: RawFiles;
  readonly folders: () => readonly WorkspaceFolder[];
  readonly excludes?: (folder: WorkspaceFolder) => readonly SettingGlob[];
}

/**
 * Files of schemes that only the editor reaches: virtual and remote workspaces. There are no handles to check, so links
 * are refused wherever they show: such a file system is not the machine's, and what a link there means is its own
 * affair. Writes are as atomic as it makes them.
 */
export class VirtualFiles implements FileSystem {
  readonly #options: VirtualFilesOptions;
  readonly #raw: RawFiles;
  readonly #turns = new Turns();
  readonly caseInsensitive = false;
  readonly style: PathStyle = 'posix';

  constructor(options: VirtualFilesOptions) {
    this.#options = options;
    this.#raw = options.raw;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#options.folders();
  }

  async canonical(path: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    const names = path.path === '' ? [] : path.path.split('/');
    const checked = options?.follow === false ? names.length - 1 : names.length;
    for (let count = 1; count <= checked; count++) {
      const stat = await this.stat({ folder: path.folder, path: names.slice(0, count).join('/') });
      if (!stat) break;
      if (stat.type === 'symlink') throw pathOutside(displayPath(path, this), say('path_link_unchecked'));
    }
    return path;
  }

  async stat(path: WorkspacePath): Promise<FileStat | undefined> {
    try {
      return await this.#raw.stat(path);
    } catch (error) {
      if (isToolError(error) && error.data.code === 'not_found') return undefined;
      throw error;
    }
  }

  async open(path: WorkspacePath): Promise<OpenFile> {
    const stat = await this.#raw.stat(path);
    if (stat.type === 'directory')
      throw toolError(
        'is_a_directory',
        `\`${displayPath(path, this)}\` is a folder; list_directory shows what is in it`,
      );
    const bytes = await this.#raw.readFile(path);
    return {
      stat: { ...stat, size: bytes.length },
      read: async (offset, length) => bytes.slice(offset, offset + length),
      close: async () => undefined,
    };
  }

  async writeFile(path: WorkspacePath, content: Uint8Array, options: WriteOptions = {}): Promise<Made> {
    const shown = displayPath(path, this);
    const split = splitPath(path);
    const stat = await this.stat(path);
    if (!split || stat?.type === 'directory') throw toolError('is_a_directory', `\`${shown}\` is a folder`);
    if (stat && options.mustCreate) throw refusal('already_exists', say('file_there', shown));
    if (stat?.readonly) throw refusal('permission_denied', say('file_read_only', shown));
    const before = stat && (options.append || options.check) ? await this.#raw.readFile(path) : undefined;
    if (!stat && options.onFolder)
      for (const folder of await missingFolders(this, split.parent)) options.onFolder(folder);
    options.check?.(before);
    if (!stat && split.parent.path !== '') await this.#raw.createDirectory(split.parent);
    await this.#raw.writeFile(path, options.append && before ? joinedBytes(before, content) : content);
    return { created: stat === undefined };
  }

  inTurn<T>(path: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.#turns.take(`${path.folder.scheme}:${joinPath(path.folder.path, path.path)}`, change);
  }

  async makeDirectory(path: WorkspacePath): Promise<Made> {
    const stat = await this.stat(path);
    if (stat && stat.type !== 'directory')
      throw toolError('already_exists', `\`${displayPath(path, this)}\` is a file`);
    if (!stat) await this.#raw.createDirectory(path);
    return { created: stat === undefined };
  }

  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#raw.readDirectory(path);
  }

  async delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    const shown = displayPath(path, this);
    if (path.path === '')
      throw toolError('path_invalid', `\`${shown}\` is a workspace folder itself, which cannot be deleted`);
    const stat = await this.#raw.stat(path);
    if (stat.type === 'directory' && !options.recursive && (await this.#raw.readDirectory(path)).length > 0) {
      throw toolError(
        'not_empty',
        `\`${shown}\`: the folder is not empty; set recursive to true to delete it with its content`,
      );
    }
    if (stat.type === 'directory' && options.judge) await this.#judgeBelow(path, options.judge);
    if (options.check) options.check(await readWhole(this, path));
    await this.#raw.delete(path, { toTrash: options.toTrash, recursive: stat.type === 'directory' });
  }

  /** The provider deletes a folder whole, so everything in it is judged right before; a refusal leaves it as it is. */
  async #judgeBelow(path: WorkspacePath, judge: NonNullable<DeleteOptions['judge']>): Promise<void> {
    const stack = [path];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { folder, path: at } = next;
      const entries = await this.#raw.readDirectory(next);
      const paths = entries.map((entry) => ({ folder, path: joinPath(at, entry.name) }));
      const allowed = paths.length === 0 ? [] : await judge(paths);
      for (const [index, below] of paths.entries()) {
        if (allowed[index] !== true) {
          throw toolError(
            'conflict',
            `\`${displayPath(path, this)}\`: \`${displayPath(below, this)}\` appeared while it was deleted and may not be deleted, so nothing was; look at the folder again`,
          );
        }
        if (entries[index]?.type === 'directory') stack.push(below);
      }
    }
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void> {
    const there = await this.stat(to);
    if (there?.type === 'directory') throw folderInTheWay(displayPath(to, this), splitPath(from)?.name ?? '');
    if (there && !options.overwrite) throw alreadyThere(displayPath(to, this));
    const split = splitPath(to);
    if (!there && split && split.parent.path !== '') await this.#raw.createDirectory(split.parent);
    await this.#raw.rename(from, to, options);
  }

  async list(query: ListQuery, sink: Sink<ListEntry>, stopped: StopSign): Promise<void> {
    const { listVirtual } = await import('./virtualWalk');
    return listVirtual(this.#raw, this.#excludes(query.root), query, sink, stopped);
  }

  async search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    const { searchVirtual } = await import('./virtualWalk');
    return searchVirtual(this.#raw, this.#excludes(query.root), query, sink, signal);
  }

  session(): FileSystem {
    throw toolError('not_available', 'session files are kept on the machine only');
  }

  #excludes({ folder }: WorkspacePath): readonly SettingGlob[] {
    return this.#options.excludes?.(folder) ?? [];
  }
}
