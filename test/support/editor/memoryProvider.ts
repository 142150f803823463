import * as vscode from 'vscode';

type Entry =
  | { readonly type: vscode.FileType.File; content: Uint8Array; mtime: number }
  | { readonly type: vscode.FileType.Directory };

/** The same path under another authority is another place. */
function keyOf(uri: vscode.Uri): string {
  return uri.authority === '' ? uri.path : `//${uri.authority}${uri.path}`;
}

/** A file system that only the editor reaches, as a remote or virtual workspace has it: everything lies in memory. */
export class MemoryProvider implements vscode.FileSystemProvider {
  readonly #entries = new Map<string, Entry>([['/', { type: vscode.FileType.Directory }]]);
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  #time = 1;

  /** Writes files by their keys, as `keyOf` makes them, folders above them included. */
  put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1))
        this.#entries.set(path.slice(0, slash), { type: vscode.FileType.Directory });
      this.#entries.set(path, { type: vscode.FileType.File, content: Buffer.from(text), mtime: this.#time++ });
    }
  }

  text(path: string): string | undefined {
    const found = this.#entries.get(path);
    return found?.type === vscode.FileType.File ? Buffer.from(found.content).toString() : undefined;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const found = this.#get(uri);
    const file = found.type === vscode.FileType.File;
    return { type: found.type, ctime: 1, mtime: file ? found.mtime : 1, size: file ? found.content.length : 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    if (this.#get(uri).type === vscode.FileType.File) throw vscode.FileSystemError.FileNotADirectory(uri);
    const prefix = uri.path === '/' ? keyOf(uri) : `${keyOf(uri)}/`;
    return [...this.#entries].flatMap(([path, entry]) => {
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : '';
      return name === '' || name.includes('/') ? [] : [[name, entry.type] as [string, vscode.FileType]];
    });
  }

  createDirectory(uri: vscode.Uri): void {
    this.#entries.set(keyOf(uri), { type: vscode.FileType.Directory });
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const found = this.#get(uri);
    if (found.type !== vscode.FileType.File) throw vscode.FileSystemError.FileIsADirectory(uri);
    return found.content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const key = keyOf(uri);
    const parent = key.slice(0, key.lastIndexOf('/')) || '/';
    if (!this.#entries.has(parent)) throw vscode.FileSystemError.FileNotFound(parent);
    this.#entries.set(keyOf(uri), { type: vscode.FileType.File, content, mtime: this.#time++ });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  delete(uri: vscode.Uri): void {
    this.#get(uri);
    for (const path of [...this.#entries.keys()])
      if (path === keyOf(uri) || path.startsWith(`${keyOf(uri)}/`)) this.#entries.delete(path);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const [path, entry] of [...this.#entries]) {
      if (path !== keyOf(from) && !path.startsWith(`${keyOf(from)}/`)) continue;
      this.#entries.delete(path);
      this.#entries.set(keyOf(to) + path.slice(keyOf(from).length), entry);
    }
  }

  #get(uri: vscode.Uri): Entry {
    const found = this.#entries.get(keyOf(uri));
    if (!found) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}
