import * as vscode from 'vscode';
import { type Event, Emitter } from '../core/base/event';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { PolicyFile } from '../core/policy/policySources';
import type { Log } from '../core/ports';

/**
 * One policy file of every workspace folder, read before anything is judged and again whenever it changes. A file that is there but cannot
 * be read keeps its last content (invariant: nothing lost). Rules only tighten, so an untrusted workspace's count too.
 */
export class PolicyFiles implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #name: string;
  readonly #log: Log;
  #files: readonly PolicyFile[] = [];
  readonly onDidChange: Event<void> = this.#changed.event;

  private constructor(name: string, log: Log) {
    this.#name = name;
    this.#log = log;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(`**/.vscode/capabilities/${name}`));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.#store.add(event(() => void this.#refresh()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#refresh()));
  }

  static async open(name: string, log: Log): Promise<PolicyFiles> {
    const files = new PolicyFiles(name, log);
    await files.#read();
    return files;
  }

  read(): readonly PolicyFile[] {
    return this.#files;
  }

  async #refresh(): Promise<void> {
    await this.#read();
    this.#changed.fire();
  }

  async #read(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const read = await Promise.all(
      folders.map(async ({ uri }): Promise<PolicyFile | undefined> => {
        const file = vscode.Uri.joinPath(uri, '.vscode', 'capabilities', this.#name);
        const path = file.scheme === 'file' ? file.fsPath : file.toString();
        try {
          return { path, text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) };
        } catch (error) {
          if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
          this.#log.warn(`${path} cannot be read: ${String(error)}`);
          return this.#files.find((one) => one.path === path);
        }
      }),
    );
    this.#files = read.filter((file) => file !== undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
