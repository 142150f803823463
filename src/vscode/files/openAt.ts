import * as vscode from 'vscode';
import { type SettingKey, settingId } from '../../core/settings/settingTable';

/** Opens the settings file of a scope with an entry of a setting selected, so that typing starts where it is meant. */
export async function openSettingsAt(origin: 'user' | 'workspace', name: string, setting: SettingKey): Promise<void> {
  await vscode.commands.executeCommand(
    origin === 'user' ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile',
  );
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document } = editor;
  const from = Math.max(0, document.getText().indexOf(JSON.stringify(settingId(setting))));
  const range = mentionOf(document, name, from);
  if (!range) return;
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
}

/** Opens a file with the first mention of a rule's id selected; else at a line, which counts from 1. */
export async function openFileAt(file: vscode.Uri, id: string, line = 1): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const start = new vscode.Position(Math.max(0, line - 1), 0);
  const selection =
    mentionOf(document, id, document.offsetAt(start)) ?? mentionOf(document, id, 0) ?? new vscode.Range(start, start);
  const editor = await vscode.window.showTextDocument(document, { selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The first place from an offset on where a name stands as JSON. */
function mentionOf(document: vscode.TextDocument, name: string, from: number): vscode.Range | undefined {
  const key = JSON.stringify(name);
  const at = document.getText().indexOf(key, from);
  return at < 0 ? undefined : new vscode.Range(document.positionAt(at), document.positionAt(at + key.length));
}
