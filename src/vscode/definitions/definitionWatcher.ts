import * as vscode from 'vscode';
import type { DefinitionWatcher } from '../../core/definitions/files';
import type { PolicyFolders } from '../files/policyFolders';

/** Hears of every file below the definitions' folders, handlers included, and of folders that come and go. */
export const editorDefinitionWatcher = (folders: Pick<PolicyFolders, 'onDidChange'>): DefinitionWatcher => ({
  watch: (onChange) =>
    vscode.Disposable.from(
      folders.onDidChange(() => onChange()),
      vscode.workspace.onDidChangeWorkspaceFolders(onChange),
      vscode.workspace.onDidGrantWorkspaceTrust(onChange),
    ),
});
