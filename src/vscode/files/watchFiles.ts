import * as vscode from 'vscode';

/** Hears of every file of a pattern that comes, changes or goes. */
export function watchFiles(pattern: vscode.GlobPattern, changed: (uri: vscode.Uri) => unknown): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
  return vscode.Disposable.from(watcher, ...events.map((event) => event(changed)));
}
