import * as vscode from 'vscode';
import type { ShowModal } from './modalQuestions';
import { showInformation } from '../notices';

/** The editor's modal: the first button is the default; Cancel, Escape and closing answer undefined. */
export const showModal: ShowModal = async (title, detail, buttons) => {
  const items = buttons.map((button) => ({ title: button.label, button }));
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, ...items))?.button;
};

/** Asks before something that cannot be taken back: whether the person chose the one button. */
export async function agrees(question: string, detail: string, button: string): Promise<boolean> {
  return (await showModal(question, detail, [{ label: button }])) !== undefined;
}

/** Offers to decide about a text that is open in an editor; false where the person sends the offer away. */
export async function offerToDecide(title: string): Promise<boolean> {
  return (await showInformation(title, vscode.l10n.t('Decide…'))) !== undefined;
}
