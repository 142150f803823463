import * as vscode from 'vscode';

/** The file that a problem or a rule names: by its path, one of another file system by its address. */
export function namedFile(file: string): vscode.Uri {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(file) ? vscode.Uri.parse(file) : vscode.Uri.file(file);
}

/** How it names a file. */
export const shownPath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());

/**
 * The file that the resource of an access names: relative to the only folder, or prefixed by a folder's name where
 * there are several. A record may name anything; only what lies in a folder is answered.
 */
export function touchedFile(resource: string): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const parts = resource.split('/').filter((part) => part !== '' && part !== '.');
  const named = folders.length > 1 ? folders.find((folder) => folder.name === parts[0]) : undefined;
  const root = named ?? folders[0];
  if (!root || parts.includes('..')) return undefined;
  return vscode.Uri.joinPath(root.uri, ...(named ? parts.slice(1) : parts));
}
