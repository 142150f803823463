import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';

/** Tells when a file changes that a view shows, whoever changes it: the editor, a terminal, another program. */
export class ShownPlaces extends DisposableStore {
  #places: ReadonlySet<string> = new Set();

  constructor(onChange: () => void) {
    super();
    const watcher = this.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const tell = (uri: vscode.Uri): void => {
      if (this.#places.has(uri.toString())) onChange();
    };
    this.add(watcher.onDidChange(tell));
    this.add(watcher.onDidCreate(tell));
    this.add(watcher.onDidDelete(tell));
  }

  /** What is shown now, instead of what was before. */
  set(uris: Iterable<vscode.Uri>): void {
    this.#places = new Set([...uris].map(String));
  }
}
