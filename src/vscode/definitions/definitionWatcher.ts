import * as vscode from 'vscode';
import { toDisposable } from '../../core/base/lifecycle';
import type { DefinitionWatcher } from '../../core/definitions/files';

/** Hears of every file below the definitions' folders, handlers included, and of folders that come and go. */
export const editorDefinitionWatcher: DefinitionWatcher = {
  watch(onChange) {
    const watcher = vscode.workspace.createFileSystemWatcher('**/.vscode/capabilities/**');
    const parts = [
      watcher,
      watcher.onDidChange(onChange),
      watcher.onDidCreate(onChange),
      watcher.onDidDelete(onChange),
      // A save is heard at once; the watcher of the file system may take its time.
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.uri.path.includes('/.vscode/capabilities/')) onChange();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(onChange),
      vscode.workspace.onDidGrantWorkspaceTrust(onChange),
    ];
    return toDisposable(() => {
      for (const part of parts) part.dispose();
    });
  },
};
