import * as vscode from 'vscode';

/** What a file holds; throws what the editor says. */
export async function fileText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Undefined where it cannot be read, mostly because there is none. */
export const fileTextIfAny = (uri: vscode.Uri): Promise<string | undefined> => fileText(uri).catch(() => undefined);

/** Undefined where there is none; throws where it cannot be read. */
export const fileTextIfThere = (uri: vscode.Uri): Promise<string | undefined> =>
  fileText(uri).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Undefined where there is none, or where nobody can tell. */
export async function statIfThere(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}

/** Replaces what a file holds; whoever reads it meanwhile finds the old text or the new one. */
export type WriteText = (uri: vscode.Uri, text: string) => Promise<void>;

/**
 * Only a file of this machine can be replaced in one step: the editor empties a file before it fills it.
 * @param replaceLocal writes a file of this machine, by its path.
 */
export function textWriter(replaceLocal: (file: string, text: string) => Promise<void>): WriteText {
  return async (uri, text) =>
    uri.scheme === 'file'
      ? replaceLocal(uri.fsPath, text)
      : vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

export const isMissing = (error: unknown): boolean =>
  error instanceof vscode.FileSystemError && error.code === 'FileNotFound';

/** Where a dialog begins: at a place from the first folder of the window, where one is open. */
export function startingIn(...path: readonly string[]): { readonly defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? { defaultUri: vscode.Uri.joinPath(folder, ...path) } : {};
}

/** True for a link; a file that is not there is none. Fails where nobody can tell. */
export async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
