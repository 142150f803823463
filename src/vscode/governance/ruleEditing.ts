import * as vscode from 'vscode';
import { settingId } from '../../core/settings/settingTable';
import { openSettingsAt } from '../servers/serverSettings';
import { boundariesFile } from './ruleStore';

/** Opens the user's settings with a rule selected. */
export async function openOwnRule(id: string): Promise<void> {
  await openSettingsAt('user', id, settingId('policy.boundaries'));
}

/** Opens a folder's `boundaries.json` with a rule selected. */
export async function openRuleFile(folder: vscode.Uri, id: string): Promise<void> {
  await openFileAt(boundariesFile(folder), id);
}

/** Opens a file with the first mention of a rule's id selected; else at a line, which counts from 1. */
export async function openFileAt(file: vscode.Uri, id: string, line = 1): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const text = document.getText();
  const key = JSON.stringify(id);
  const from = document.offsetAt(new vscode.Position(Math.max(0, line - 1), 0));
  const at = [text.indexOf(key, from), text.indexOf(key)].find((one) => one >= 0);
  const start = at === undefined ? new vscode.Position(Math.max(0, line - 1), 0) : document.positionAt(at);
  const end = at === undefined ? start : document.positionAt(at + key.length);
  const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, end) });
  editor.revealRange(new vscode.Range(start, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
