import { toolError } from '../vocabulary/errors';
import { displayPath } from './paths';
import { ForwardingFiles } from './forwardingFiles';
import { readWhole } from './readWhole';
import type { DeleteOptions, FileStat, FileSystem, Made, MoveOptions, OpenFile, WriteOptions } from '../ports/files';
import type { LeftOutCounts, SearchFile, SearchQuery, Sink } from '../ports/fileSearch';
import type { OpenDocuments } from '../ports/openDocuments';
import type { WorkspacePath } from '../ports/workspacePath';

/**
 * Puts what editors hold before what the disk holds: a file with unsaved changes is read from its editor and changed in
 * its editor, where the user sees it and can undo it, and is never written under it. Moving or deleting such a file is
 * refused.
 */
export class DocumentAwareFiles extends ForwardingFiles {
  readonly #documents: OpenDocuments;

  constructor(files: FileSystem, documents: OpenDocuments) {
    super(files);
    this.#documents = documents;
  }

  override async stat(path: WorkspacePath): Promise<FileStat | undefined> {
    const stat = await this.files.stat(path);
    const text = this.#unsaved(path);
    return stat && text !== undefined ? { ...stat, size: new TextEncoder().encode(text).length, unsaved: true } : stat;
  }

  override async open(path: WorkspacePath): Promise<OpenFile> {
    const text = this.#unsaved(path);
    if (text === undefined) return this.files.open(path);
    // The file is opened all the same, so that its containment is checked like that of any other.
    const file = await this.files.open(path);
    const bytes = new TextEncoder().encode(text);
    return {
      stat: { ...file.stat, size: bytes.length, unsaved: true },
      read: async (offset, length) => bytes.slice(offset, offset + length),
      close: () => file.close(),
    };
  }

  override async writeFile(path: WorkspacePath, content: Uint8Array, options: WriteOptions = {}): Promise<Made> {
    const held = this.#unsaved(path);
    if (held === undefined) {
      const check = (current: Uint8Array | undefined): void => {
        if (this.#unsaved(path) !== undefined) throw this.#refusal(path, 'write it');
        options.check?.(current);
      };
      return this.files.writeFile(path, content, { ...options, check });
    }
    if (options.mustCreate) throw toolError('already_exists', `\`${displayPath(path, this)}\` is open in an editor`);
    const current = await readWhole(this, path);
    options.check?.(current);
    const text = this.#decode(path, content);
    const done = await this.#documents.replace(this.#key(path), options.append ? held + text : text);
    if (!done) throw this.#refusal(path, 'change it');
    return { created: false };
  }

  override async delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    this.#refuseUnsaved(path, 'delete it');
    return this.files.delete(path, options);
  }

  override async rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void> {
    this.#refuseUnsaved(from, 'move it');
    this.#refuseUnsaved(to, 'replace it');
    return this.files.rename(from, to, options);
  }

  /** Searches what editors hold of the files that they have not saved, and what is on the disk of all others. */
  override async search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts> {
    const { folder } = query.root;
    const unsaved = new Set(this.#documents.unsavedPaths(folder.scheme).map((path) => this.#comparable(path)));
    if (unsaved.size === 0) return this.files.search(query, sink, signal);
    const { searchWithUnsaved } = await import('./unsavedSearch');
    const textOf = (path: string): string | undefined => {
      const place = { folder, path };
      return unsaved.has(this.#comparable(this.#key(place).path)) ? this.#unsaved(place) : undefined;
    };
    return searchWithUnsaved((asked, deliver) => this.files.search(asked, deliver, signal), textOf, query, sink);
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
    const place = this.#comparable(own);
    const unsaved = this.#documents.unsavedPaths(scheme).map((one) => this.#comparable(one));
    if (unsaved.some((one) => one === place || one.startsWith(`${place}/`))) throw this.#refusal(path, what);
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
