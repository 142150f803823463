import * as vscode from 'vscode';

/**
 * The folders in which a workspace keeps its rules and definitions. Where one comes with its files, as from `git`, the
 * editor tells of the folder and mostly of none of the files.
 */
export const policyFolderPattern = '**/{.vscode,.vscode/capabilities}';

/** Hears of every file of a pattern that comes, changes or goes. */
export function watchFiles(pattern: vscode.GlobPattern, changed: (uri: vscode.Uri) => unknown): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
  return vscode.Disposable.from(watcher, ...events.map((event) => event(changed)));
}
