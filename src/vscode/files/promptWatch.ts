import * as vscode from 'vscode';
import type { PromptWatch } from '../../core/agent/promptFiles';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { uriOf, workspaceFolders } from './workspaceFiles';
import type { WorkspacePath } from '../../core/ports/workspacePath';

/** Follows prompt files with the editor's watchers. */
export const promptWatch: PromptWatch = {
  file(path: WorkspacePath, changed: () => void): Disposable {
    const store = new DisposableStore();
    // The folder is watched for one name: the characters of a glob in the path are ordinary ones.
    const slash = path.path.lastIndexOf('/');
    // A folder may have gone since it was looked at; then there is nothing to follow.
    if (!workspaceFolders().some((one) => one.name === path.folder.name && one.path === path.folder.path)) return store;
    const parent = uriOf({ folder: path.folder, path: path.path.slice(0, Math.max(slash, 0)) });
    const name = path.path.slice(slash + 1).replace(/[*?[\]{}\\]/g, '?');
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(parent, name)));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(changed));
    return store;
  },
  onDidChangePlaces(listener) {
    const store = new DisposableStore();
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => listener()));
    store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => listener()));
    return store;
  },
};
