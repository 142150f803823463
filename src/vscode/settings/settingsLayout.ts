import * as vscode from 'vscode';
import { canonicalJson, type Json } from '../../core/base/json';
import type { SaveTarget } from '../../core/profiles/profileEditor';
import { planIndentation, planSettingsEdit, readSetting } from '../../core/settings/settingsText';
import { fileTextIfAny, type WriteText } from '../files/fileText';

/** How a setting stands in its file, to be brought back once the editor has written the value in a layout of its own. */
export interface KeptLayout {
  restore(): Promise<void>;
}

interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/**
 * Remembers comments and indentation of a setting before the editor writes its value anew, which loses them. Answers
 * undefined where it is not safe: a file with unsaved changes, or none that can be found. A file is known by holding
 * the very value that the editor has for the scope, because the API names no place.
 * @param before undefined where the setting is new.
 */
export async function keepLayout(
  { uri, inside }: SettingsFile,
  key: string,
  before: Json | undefined,
  after: Json,
  write: WriteText,
): Promise<KeptLayout | undefined> {
  const path = inside === undefined ? [key] : [inside, key];
  const old = openDocument(uri)?.isDirty ? undefined : await fileTextIfAny(uri);
  if (old === undefined) return undefined;
  const edit = before === undefined ? undefined : planSettingsEdit(old, path, before, after);
  if (before !== undefined && !edit) return undefined;
  return {
    async restore() {
      const open = openDocument(uri);
      const text = open ? open.getText() : await fileTextIfAny(uri);
      const now = text === undefined ? undefined : readSetting(text, path);
      // Whoever was faster has the last word.
      if (text === undefined || !now || open?.isDirty || canonicalJson(now.value) !== canonicalJson(after)) return;
      const piece: Piece | undefined = edit ? { ...now, text: edit.text } : planIndentation(old, text, path);
      if (!piece || text.slice(piece.offset, piece.offset + piece.length) === piece.text) return;
      if (open) return replaceIn(open, piece);
      await write(uri, text.slice(0, piece.offset) + piece.text + text.slice(piece.offset + piece.length));
    },
  };
}

/** The settings file as an editor holds it. User settings open under a scheme of their own, with the same path. */
function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => !one.isClosed && one.uri.path === uri.path);
}

/**
 * Changes a file through the editor that holds it: behind its back, its next write would be refused because the file is
 * newer.
 */
async function replaceIn(open: vscode.TextDocument, { offset, length, text }: Piece): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(open.uri, new vscode.Range(open.positionAt(offset), open.positionAt(offset + length)), text);
  if (await vscode.workspace.applyEdit(edit)) await open.save();
}

/** A file of settings; `inside` is the key under which they stand in it where it holds more. */
interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly inside?: string;
}

/**
 * Where the settings of a scope may stand. The user's lie beside the extensions' storage, in a window whose extensions
 * run on the same machine.
 */
export function settingsFile(target: SaveTarget, globalStorage: vscode.Uri): SettingsFile | undefined {
  if (target === 'user') return { uri: vscode.Uri.joinPath(globalStorage, '..', '..', 'settings.json') };
  const { workspaceFile: uri, workspaceFolders } = vscode.workspace;
  if (uri) return uri.scheme === 'untitled' ? undefined : { uri, inside: 'settings' };
  const folder = workspaceFolders?.[0];
  return folder && { uri: vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json') };
}
