import type { StopSign } from '../base/stopSign';
import { toolError } from '../vocabulary/errors';
import { displayPath } from './paths';
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
import type { OpenDocuments } from '../ports/openDocuments';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';

/**
 * Puts what editors hold before what the disk holds: a file with unsaved changes is read from its editor and changed in
 * its editor, where the user sees it and can undo it, and is never written under it. Moving or deleting such a file is
 * refused.
 */
export class DocumentAwareFiles implements FileSystem {
  readonly #files: FileSystem;
  readonly #documents: OpenDocuments;

  constructor(files: FileSystem, documents: OpenDocuments) {
    this.#files = files;
    this.#documents = documents;
  }

  get caseInsensitive(): boolean {
    return this.#files.caseInsensitive;
  }

  get style(): PathStyle {
    return this.#files.style;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#files.folders();
  }

  canonical(path: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath> {
    return this.#files.canonical(path, options);
  }

  async realPath(absolute: string, cwd: string | undefined): Promise<string | null | undefined> {
    return this.#files.realPath?.(absolute, cwd);
  }

  async stat(path: WorkspacePath): Promise<FileStat | undefined> {
    const stat = await this.#files.stat(path);
    const text = this.#unsaved(path);
    return stat && text !== undefined ? { ...stat, size: new TextEncoder().encode(text).length, unsaved: true } : stat;
  }

  async open(path: WorkspacePath): Promise<OpenFile> {
    const text = this.#unsaved(path);
    if (text === undefined) return this.#files.open(path);
    // The file is opened all the same, so that its containment is checked like that of any other.
    const file = await this.#files.open(path);
    const bytes = new TextEncoder().encode(text);
    return {
      stat: { ...file.stat, size: bytes.length, unsaved: true },
      read: async (offset, length) => bytes.slice(offset, offset + length),
      close: () => file.close(),
    };
  }

  async readFile(
    path: WorkspacePath,
    range?: { readonly offset: number; readonly length: number },
  ): Promise<Uint8Array> {
    if (this.#unsaved(path) === undefined) return this.#files.readFile(path, range);
    const file = await this.open(path);
    try {
      return await file.read(range?.offset ?? 0, range?.length ?? file.stat.size);
    } finally {
      await file.close();
    }
  }

  async writeFile(
    path: WorkspacePath,
    content: Uint8Array,
    options: WriteOptions = {},
  ): Promise<{ readonly created: boolean }> {
    const held = this.#unsaved(path);
    if (held === undefined) {
      const check = (current: Uint8Array | undefined): void => {
        if (this.#unsaved(path) !== undefined) throw this.#refusal(path, 'write it');
        options.check?.(current);
      };
      return this.#files.writeFile(path, content, { ...options, check });
    }
    if (options.mustCreate) throw toolError('already_exists', `\`${displayPath(path, this)}\` is open in an editor`);
    const current = await this.readFile(path);
    options.check?.(current);
    const text = this.#decode(path, content);
    const done = await this.#documents.replace(this.#key(path), options.append ? held + text : text);
    if (!done) throw this.#refusal(path, 'change it');
    return { created: false };
  }

  inTurn<T>(path: WorkspacePath, change: () => Promise<T>): Promise<T> {
    return this.#files.inTurn(path, change);
  }

  makeDirectory(path: WorkspacePath): Promise<{ readonly created: boolean }> {
    return this.#files.makeDirectory(path);
  }

  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#files.readDirectory(path);
  }

  async delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    this.#refuseUnsaved(path, 'delete it');
    return this.#files.delete(path, options);
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: { readonly overwrite: boolean }): Promise<void> {
    this.#refuseUnsaved(from, 'move it');
    this.#refuseUnsaved(to, 'replace it');
    return this.#files.rename(from, to, options);
  }

  list(
    query: ListQuery,
    sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
    stopped: StopSign,
  ): Promise<void> {
    return this.#files.list(query, sink, stopped);
  }

  /** Searches what editors hold of the files that they have not saved, and what is on the disk of all others. */
  async search(
    query: SearchQuery,
    sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
    signal: AbortSignal,
  ): Promise<SearchSummary> {
    const { folder } = query.root;
    const unsaved = new Set(this.#documents.unsavedPaths(folder.scheme).map((path) => this.#comparable(path)));
    if (unsaved.size === 0) return this.#files.search(query, sink, signal);
    const { searchWithUnsaved } = await import('./unsavedSearch');
    const textOf = (path: string): string | undefined => {
      const place = { folder, path };
      return unsaved.has(this.#comparable(this.#key(place).path)) ? this.#unsaved(place) : undefined;
    };
    return searchWithUnsaved((asked, deliver) => this.#files.search(asked, deliver, signal), textOf, query, sink);
  }

  session(key: string): FileSystem {
    return this.#files.session(key);
  }

  #key(path: WorkspacePath): { readonly scheme: string; readonly path: string } {
    const separator = path.folder.path.endsWith('/') || path.folder.path.endsWith('\\') ? '' : '/';
    return {
      scheme: path.folder.scheme,
      path: path.path === '' ? path.folder.path : `${path.folder.path}${separator}${path.path}`,
    };
  }

  /**
   * A full path in the form in which two spellings of the same file are equal, so that few files are looked for in all
   * documents.
   */
  #comparable(path: string): string {
    const plain = path.replace(/\\/g, '/');
    return this.caseInsensitive ? plain.toLowerCase() : plain;
  }

  #unsaved(path: WorkspacePath): string | undefined {
    return this.#documents.unsaved(this.#key(path));
  }

  #refuseUnsaved(path: WorkspacePath, what: string): void {
    const { scheme, path: own } = this.#key(path);
    const plain = (text: string): string => text.replace(/\\/g, '/');
    const below = `${plain(own)}/`;
    if (this.#documents.unsavedPaths(scheme).some((one) => plain(one) === plain(own) || plain(one).startsWith(below))) {
      throw this.#refusal(path, what);
    }
  }

  #decode(path: WorkspacePath, content: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(content);
    } catch {
      throw this.#refusal(path, 'write bytes that are not text to it');
    }
  }

  #refusal(path: WorkspacePath, what: string): Error {
    return toolError(
      'conflict',
      `\`${displayPath(path, this)}\` has unsaved changes in an editor, so it is not possible to ${what}; ask the user to save or revert it first`,
      { retryable: true },
    );
  }
}
