import * as vscode from 'vscode';
import { type Event, Emitter } from '../core/base/event';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';

/** The most characters of a prompt file that count. */
const mostCharacters = 100_000;

/**
 * Base prompts that stand in files of the workspace. A file is read when it is first asked for and followed from then on;
 * `onDidChange` tells when there is something new to ask for.
 */
export class PromptFiles implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #texts = new Map<string, string | undefined>();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        for (const path of this.#texts.keys()) void this.#load(path);
      }),
    );
  }

  /** The text of a workspace-relative file; undefined while it is not read yet and where it is not there or leads outside. */
  read(path: string): string | undefined {
    if (!this.#texts.has(path)) {
      this.#texts.set(path, undefined);
      void this.#load(path);
      this.#follow(path);
    }
    return this.#texts.get(path);
  }

  #follow(path: string): void {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (!folder || !isInside(path)) return;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path)));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#store.add(event(() => void this.#load(path)));
  }

  async #load(path: string): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    let text: string | undefined;
    if (folder && isInside(path)) {
      try {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, path));
        text = new TextDecoder().decode(bytes).slice(0, mostCharacters);
      } catch {
        text = undefined;
      }
    }
    const before = this.#texts.get(path);
    this.#texts.set(path, text);
    if (before !== text) this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** True for a relative path that never goes up. */
function isInside(path: string): boolean {
  return path !== '' && !/^[/\\]|^[A-Za-z]:|:\/\//.test(path) && !path.split(/[/\\]/).includes('..');
}
