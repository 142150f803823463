import * as vscode from 'vscode';
import type { PromptWatch } from '../../core/agent/promptFiles';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { watchFiles } from './watchFiles';
import { uriOf, workspaceFolders } from './workspaceFiles';
import type { WorkspacePath } from '../../core/ports/workspacePath';

/** So long a watcher of the editor may take until it sees something, in milliseconds. */
const watcherStartsMs = 2000;

/** Looks once more when the watchers have begun: what changes before that, they never tell. */
function lookAgain(uri: vscode.Uri, changed: () => void): Disposable {
  const before = stampOf(uri);
  let isOver = false;
  const timer = setTimeout(async () => {
    const now = await stampOf(uri);
    if ((await before) !== now && !isOver) changed();
  }, watcherStartsMs);
  return {
    dispose: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** What stands at a place, as far as a look from outside tells. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  try {
    const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
    return `${type} ${size} ${mtime}`;
  } catch {
    return 'nothing';
  }
}

/** Follows prompt files with the editor's watchers. */
export const promptWatch: PromptWatch = {
  file(path: WorkspacePath, changed: () => void): Disposable {
    const store = new DisposableStore();
    // The folder is watched for one name: the characters of a glob in the path are ordinary ones.
    const slash = path.path.lastIndexOf('/');
    // A folder may have gone since it was looked at; then there is nothing to follow.
    if (!workspaceFolders().some((one) => one.name === path.folder.name && one.path === path.folder.path)) return store;
    const parent = uriOf({ folder: path.folder, path: path.path.slice(0, Math.max(slash, 0)) });
    const plain = path.path.replace(/[*?[\]{}\\]/g, '?');
    const places = [new vscode.RelativePattern(parent, plain.slice(slash + 1))];
    // A file that comes together with its folder is seen from above only, and mostly its folder alone.
    for (let end = plain.indexOf('/', 1); end > 0; end = plain.indexOf('/', end + 1))
      places.push(new vscode.RelativePattern(uriOf({ folder: path.folder, path: '' }), plain.slice(0, end)));
    if (slash > 0) places.push(new vscode.RelativePattern(uriOf({ folder: path.folder, path: '' }), plain));
    for (const place of places) store.add(watchFiles(place, () => changed()));
    store.add(lookAgain(uriOf(path), changed));
    return store;
  },
  onDidChangePlaces(listener) {
    const store = new DisposableStore();
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => listener()));
    store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => listener()));
    return store;
  },
};
