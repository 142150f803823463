import * as vscode from 'vscode';
import type { Json } from '../../core/base/json';
import type { SaveTarget } from '../../core/profiles/profileEditor';
import { editSetting, readSetting } from '../../core/settings/settingsText';
import { fileTextIfAny, type WriteText } from '../files/fileText';

/** A file of settings; `inside` is the key under which they stand in it where it holds more. */
export interface SettingsFile {
  readonly target: SaveTarget;
  readonly uri: vscode.Uri;
  readonly inside?: string;
}

/**
 * Where the settings of a scope may stand. The user's lie beside the extensions' storage, in a window whose extensions
 * run on the same machine and that has no profile of the editor's. The desktop names its own folders on this machine by
 * a scheme of its own.
 */
export function settingsFile(target: SaveTarget, globalStorage: vscode.Uri): SettingsFile | undefined {
  if (target === 'user') {
    const own = globalStorage.scheme === 'vscode-userdata' ? globalStorage.with({ scheme: 'file' }) : globalStorage;
    return { target, uri: vscode.Uri.joinPath(own, '..', '..', 'settings.json') };
  }
  const { workspaceFile: uri, workspaceFolders } = vscode.workspace;
  if (uri) return uri.scheme === 'untitled' ? undefined : { target, uri, inside: 'settings' };
  const folder = workspaceFolders?.[0];
  return folder && { target, uri: vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json') };
}

/** The place of a setting in a file: its whole name, below `settings` in a workspace's file. */
const pathOf = ({ inside }: SettingsFile, id: string): readonly string[] =>
  inside === undefined ? [id] : [inside, id];

/**
 * A settings file that is open with changes that are not saved; the desktop has the user's under a scheme of its own.
 */
export const unsavedDocument = ({ fsPath }: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((one) => one.isDirty && one.uri.fsPath === fsPath);

/** What a file says of a setting now. */
export async function settingInFile(file: SettingsFile, id: string): Promise<Json | undefined> {
  const text = await fileTextIfAny(file.uri);
  return text === undefined ? undefined : readSetting(text, pathOf(file, id));
}

/**
 * Changes one setting where it stands in its file, in one step, after a last look whether somebody edited it meanwhile;
 * comments stay. The editor's own writing takes a moment between reading and saving; where the file changes in that
 * moment it keeps the file as an unsaved document and refuses every change from then on.
 * @param before the value that the editor has for the scope: by it a file is known, for the API names no place.
 * @param id the setting's whole name.
 * @returns the new text; `changed` where the file holds another value than `before`; `elsewhere` where the editor has
 * to write: there is no such file of this machine, it cannot be edited as it is, or it has changes that are not saved.
 */
export async function writeSetting(
  file: SettingsFile,
  id: string,
  before: Json | undefined,
  after: Json | undefined,
  write: WriteText,
): Promise<{ readonly text: string } | 'changed' | 'elsewhere'> {
  // A user's file that holds nothing of ours may be that of another place: a window on a remote machine has one too.
  if (file.uri.scheme !== 'file' || (file.target === 'user' && before === undefined)) return 'elsewhere';
  const old = unsavedDocument(file.uri) ? undefined : await fileTextIfAny(file.uri);
  if (old === undefined) return 'elsewhere';
  const edit = editSetting(old, pathOf(file, id), before, after);
  if (typeof edit === 'string') return edit === 'changed' ? edit : 'elsewhere';
  if ((await fileTextIfAny(file.uri)) !== old) return 'changed';
  await write(file.uri, edit.text);
  return edit;
}
