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

export const isMissing = (error: unknown): boolean =>
  error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
