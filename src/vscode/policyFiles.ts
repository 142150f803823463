import * as vscode from 'vscode';
import { type Event, Emitter } from '../core/base/event';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { PolicyFile } from '../core/policy/policySources';
import type { Log } from '../core/ports';

/**
 * Files of `.vscode/capabilities` in every workspace folder, read before anything is judged and again whenever one changes. A file that is
 * there but cannot be read keeps its last content (invariant: nothing lost). Rules only tighten, so an untrusted workspace's count too.
 */
export class PolicyFiles implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #accepts: (name: string) => boolean;
  readonly #log: Log;
  #files: readonly PolicyFile[] = [];
  /** What the files' times and sizes were just before they were read. */
  #stamp = '';
  #latest = 0;
  #refreshing: Promise<void> = Promise.resolve();
  readonly onDidChange: Event<void> = this.#changed.event;

  private constructor(accepts: (name: string) => boolean, log: Log) {
    this.#accepts = accepts;
    this.#log = log;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher('**/.vscode/capabilities/*.json'));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#store.add(event((uri) => void (accepts(nameOf(uri)) && this.#refresh())));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#refresh()));
  }

  /** @param accepts picks the files by their names. */
  static async open(accepts: (name: string) => boolean, log: Log): Promise<PolicyFiles> {
    const files = new PolicyFiles(accepts, log);
    await files.#read();
    return files;
  }

  read(): readonly PolicyFile[] {
    return this.#files;
  }

  /**
   * Reads the files again where one changed since. The editor tells of changes late, and under load seconds late; what is judged now is judged
   * by what the files say now. Only files of this machine are looked at, because asking a virtual folder can take as long as the call.
   */
  async refresh(): Promise<void> {
    if ((await this.#currentStamp()) !== this.#stamp) await this.#refresh();
    else await this.#refreshing;
  }

  #refresh(): Promise<void> {
    return (this.#refreshing = this.#readAndTell());
  }

  async #readAndTell(): Promise<void> {
    if (await this.#read()) this.#changed.fire();
    // A later reading knows more than this one.
    else await this.#refreshing;
  }

  async #currentStamp(): Promise<string> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return (await Promise.all(folders.map(({ uri }) => this.#stampOf(vscode.Uri.joinPath(uri, '.vscode', 'capabilities'))))).join('\n');
  }

  async #stampOf(folder: vscode.Uri): Promise<string> {
    try {
      const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter(this.#accepts);
      const stats = await Promise.all(names.map((name) => vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name))));
      return stats.map(({ mtime, size }, index) => `${names[index]}:${mtime}:${size}`).join('|');
    } catch {
      return '';
    }
  }

  /** Answers false where a later change began another reading: what an earlier one saw may be older, whichever ends first. */
  async #read(): Promise<boolean> {
    const reading = ++this.#latest;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const stamp = await this.#currentStamp();
    const read = await Promise.all(folders.map(({ uri }) => this.#readFolder(vscode.Uri.joinPath(uri, '.vscode', 'capabilities'))));
    if (reading !== this.#latest) return false;
    this.#files = read.flat();
    this.#stamp = stamp;
    return true;
  }

  async #readFolder(folder: vscode.Uri): Promise<readonly PolicyFile[]> {
    let names: readonly string[];
    try {
      names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter(this.#accepts);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
      this.#log.warn(`${folder.toString()} cannot be read: ${String(error)}`);
      return this.#files.filter((file) => file.path.startsWith(shownPath(folder)));
    }
    const read = await Promise.all(
      names.map(async (name): Promise<PolicyFile | undefined> => {
        const file = vscode.Uri.joinPath(folder, name);
        const path = shownPath(file);
        try {
          return { path, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) };
        } catch (error) {
          if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
          this.#log.warn(`${path} cannot be read: ${String(error)}`);
          return this.#files.find((one) => one.path === path);
        }
      }),
    );
    return read.filter((file) => file !== undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const shownPath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());
const nameOf = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);
