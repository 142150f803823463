import * as vscode from 'vscode';

/** The editor's modal: the first label is the default button; Cancel, Escape and closing answer undefined. */
export async function showModal(title: string, detail: string, labels: readonly string[]): Promise<string | undefined> {
  return vscode.window.showWarningMessage(title, { modal: true, detail }, ...labels);
}
