import * as vscode from 'vscode';

/** The file that a problem or a rule names: by its path, one of another file system by its address. */
export function namedFile(file: string): vscode.Uri {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(file) ? vscode.Uri.parse(file) : vscode.Uri.file(file);
}

/** How it names a file. */
export const shownPath = (uri: vscode.Uri): string => (uri.scheme === 'file' ? uri.fsPath : uri.toString());
