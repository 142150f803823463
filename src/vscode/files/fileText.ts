import * as vscode from 'vscode';

/** What a file holds; throws what the editor says. */
export async function fileText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Undefined where it cannot be read, mostly because there is none. */
export async function fileTextIfAny(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await fileText(uri);
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
