import type { StopSign } from '../base/stopSign';
import { toolError } from '../vocabulary/errors';
import type {
  DeleteOptions,
  DirectoryEntry,
  FileStat,
  FileSystem,
  OpenFile,
  PathStyle,
  WriteOptions,
} from '../ports/files';
import type { ListEntry, ListQuery, SearchFile, SearchQuery, SearchSummary } from '../ports/fileSearch';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';

/**
 * Sends each path to the file system of its folder's scheme: `file` to the one of the machine, all others to the
 * editor's. Folders of both kinds may stand in one workspace.
 */
export class RoutedFiles implements FileSystem {
  readonly #local: FileSystem;
  readonly #virtual: FileSystem;
  readonly #folders: () => readonly WorkspaceFolder[];

  constructor(local: FileSystem, virtual: FileSystem, folders: () => readonly WorkspaceFolder[]) {
    this.#local = local;
    this.#virtual = virtual;
    this.#folders = folders;
  }

  get caseInsensitive(): boolean {
    return this.#local.caseInsensitive;
  }

  get style(): PathStyle {
    return this.#local.style;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#folders();
  }

  canonical(path: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    return this.#of(path).canonical(path, options);
  }

  async realPath(absolute: string, cwd: string | undefined): Promise<string | null | undefined> {
    return this.#local.realPath?.(absolute, cwd);
  }

  stat(path: WorkspacePath): Promise<FileStat | undefined> {
    return this.#of(path).stat(path);
  }

  open(path: WorkspacePath): Promise<OpenFile> {
    return this.#of(path).open(path);
  }

  readFile(path: WorkspacePath, range?: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    return this.#of(path).readFile(path, range);
  }

  writeFile(path: WorkspacePath, content: Uint8Array, options?: WriteOptions): Promise<{ readonly created: boolean }> {
    return this.#of(path).writeFile(path, content, options);
  }

  inTurn<T>(path: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.#of(path).inTurn(path, change);
  }

  makeDirectory(path: WorkspacePath): Promise<{ readonly created: boolean }> {
    return this.#of(path).makeDirectory(path);
  }

  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#of(path).readDirectory(path);
  }

  delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    return this.#of(path).delete(path, options);
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: { readonly overwrite: boolean }): Promise<void> {
    if (this.#of(from) !== this.#of(to)) {
      throw toolError(
        'unsupported',
        'the two places are on different file systems; write a copy with write_file and delete the original',
      );
    }
    return this.#of(from).rename(from, to, options);
  }

  list(
    query: ListQuery,
    sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
    stopped: StopSign,
  ): Promise<void> {
    return this.#of(query.root).list(query, sink, stopped);
  }

  search(
    query: SearchQuery,
    sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
    signal: AbortSignal,
  ): Promise<SearchSummary> {
    return this.#of(query.root).search(query, sink, signal);
  }

  session(key: string): FileSystem {
    return this.#local.session(key);
  }

  #of(path: WorkspacePath): FileSystem {
    return path.folder.scheme === 'file' ? this.#local : this.#virtual;
  }
}
