import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';

/** Tells when a file changes that a view shows, whoever changes it: the editor, a terminal, another program. */
export function followPlaces(places: () => ReadonlySet<string>, onChange: () => void): Disposable {
  const store = new DisposableStore();
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/*'));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
    store.add(event((uri) => places().has(uri.toString()) && onChange()));
  return store;
}
