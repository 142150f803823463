import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';

/** Tells when a file changes that a view shows, whoever changes it: the editor, a terminal, another program. */
export class ShownPlaces implements Disposable {
  readonly #store = new DisposableStore();
  #places: ReadonlySet<string> = new Set();

  constructor(onChange: () => void) {
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const tell = (uri: vscode.Uri): void => {
      if (this.#places.has(uri.toString())) onChange();
    };
    this.#store.add(watcher.onDidChange(tell));
    this.#store.add(watcher.onDidCreate(tell));
    this.#store.add(watcher.onDidDelete(tell));
  }

  /** What is shown now, instead of what was before. */
  set(uris: Iterable<vscode.Uri>): void {
    this.#places = new Set([...uris].map(String));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
