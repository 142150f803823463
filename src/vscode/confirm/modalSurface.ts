import * as vscode from 'vscode';
import { showInformation } from '../notices';

/** The editor's modal: the first label is the default button; Cancel, Escape and closing answer undefined. */
export async function showModal(title: string, detail: string, labels: readonly string[]): Promise<string | undefined> {
  return vscode.window.showWarningMessage(title, { modal: true, detail }, ...labels);
}

/** Asks before something that cannot be taken back: whether the person chose the one button. */
export async function agrees(question: string, detail: string, button: string): Promise<boolean> {
  return (await showModal(question, detail, [button])) === button;
}

/** Offers to decide about a text that is open in an editor; false where the person sends the offer away. */
export async function offerToDecide(title: string): Promise<boolean> {
  return (await showInformation(title, vscode.l10n.t('Decide…'))) !== undefined;
}
