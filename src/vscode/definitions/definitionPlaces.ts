import * as vscode from 'vscode';
import { definitionFolder } from '../../core/definitions/files';
import { formatOf } from '../../core/definitions/spec';
import { workspaceFolders } from '../files/workspaceFiles';

/** The path by which core names a definition's document; undefined for any other document. */
export function definitionFile(uri: vscode.Uri): string | undefined {
  const name = uri.path.split('/').at(-1) ?? '';
  if (formatOf(name) === undefined || !uri.path.endsWith(`/${definitionFolder}/${name}`)) return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const known = workspaceFolders();
  const own = folder && known[folder.index];
  if (!own) return undefined;
  return known.length > 1 ? `${own.name}/${definitionFolder}/${name}` : `${definitionFolder}/${name}`;
}

/** The document of a file that a problem names; undefined for what is no file of the workspace. */
export function definitionUri(file: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const known = workspaceFolders();
  const at = known.length > 1 ? known.findIndex((one) => file.startsWith(`${one.name}/`)) : 0;
  const folder = folders[at];
  const own = known[at];
  if (!folder || !own) return undefined;
  return vscode.Uri.joinPath(folder.uri, ...(known.length > 1 ? file.slice(own.name.length + 1) : file).split('/'));
}
