import * as vscode from 'vscode';
import type { DefinitionWatcher } from '../../core/definitions/files';
import { policyFolders, watchFiles } from '../files/watchFiles';

/** Hears of every file below the definitions' folders, handlers included, and of folders that come and go. */
export const editorDefinitionWatcher: DefinitionWatcher = {
  watch: (onChange) =>
    vscode.Disposable.from(
      watchFiles('**/.vscode/capabilities/**', onChange),
      watchFiles(policyFolders, onChange),
      // A save is heard at once; the watcher of the file system may take its time.
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.uri.path.includes('/.vscode/capabilities/')) onChange();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(onChange),
      vscode.workspace.onDidGrantWorkspaceTrust(onChange),
    ),
};
