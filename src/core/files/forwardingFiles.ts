import { toolError } from '../vocabulary/errors';
import type { StopSign } from '../base/stopSign';
import type { LeftOutCounts, ListEntry, ListQuery, SearchFile, SearchQuery, Sink } from '../ports/fileSearch';
import type {
  DeleteOptions,
  DirectoryEntry,
  FileStat,
  FileSystem,
  FolderOptions,
  Made,
  MoveOptions,
  OpenFile,
  PathStyle,
  WriteOptions,
} from '../ports/files';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';

/** A layer over other files: what it does not do itself it hands on. */
export class ForwardingFiles implements FileSystem {
  protected readonly files: FileSystem;

  constructor(files: FileSystem) {
    this.files = files;
  }

  /** The files that a path belongs to; without a path those that answer for all. */
  protected below(_path?: WorkspacePath): FileSystem {
    return this.files;
  }

  get caseInsensitive(): boolean {
    return this.below().caseInsensitive;
  }

  get style(): PathStyle {
    return this.below().style;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.below().folders();
  }

  canonical(path: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    return this.below(path).canonical(path, options);
  }

  async realPath(absolute: string, cwd: string | undefined): Promise<string | null | undefined> {
    return this.below().realPath?.(absolute, cwd);
  }

  async foldersIn(absolute: string): Promise<readonly DirectoryEntry[]> {
    return (await this.below().foldersIn?.(absolute)) ?? [];
  }

  machinePaths(of: WorkspaceFolder | 'home'): readonly string[] {
    return this.below().machinePaths?.(of) ?? [];
  }

  async stat(path: WorkspacePath): Promise<FileStat | undefined> {
    return this.below(path).stat(path);
  }

  async open(path: WorkspacePath): Promise<OpenFile> {
    return this.below(path).open(path);
  }

  async writeFile(path: WorkspacePath, content: Uint8Array, options?: WriteOptions): Promise<Made> {
    return this.below(path).writeFile(path, content, options);
  }

  inTurn<T>(path: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.below(path).inTurn(path, change);
  }

  makeDirectory(path: WorkspacePath, options?: FolderOptions): Promise<Made> {
    return this.below(path).makeDirectory(path, options);
  }

  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.below(path).readDirectory(path);
  }

  async delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    return this.below(path).delete(path, options);
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void> {
    return this.below(from).rename(from, to, options);
  }

  async readLink(path: WorkspacePath): Promise<string | undefined> {
    return this.below(path).readLink?.(path);
  }

  async makeLink(path: WorkspacePath, target: string): Promise<void> {
    const files = this.below(path);
    if (!files.makeLink) throw toolError('unsupported', 'links cannot be made here');
    return files.makeLink(path, target);
  }

  list(query: ListQuery, sink: Sink<ListEntry>, stopped: StopSign): Promise<void> {
    return this.below(query.root).list(query, sink, stopped);
  }

  async search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    return this.below(query.root).search(query, sink, signal);
  }

  session(key: string): FileSystem {
    return this.below().session(key);
  }
}
