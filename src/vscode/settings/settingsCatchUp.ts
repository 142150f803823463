import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { canonicalJson, isObject, type Json } from '../../core/base/json';
import { readJsonDocument } from '../../core/base/jsonDocument';
import type { SaveTarget } from '../../core/profiles/profileEditor';
import { settingId } from '../../core/settings/settingTable';
import { heard } from '../heard';
import { type SettingsFile, settingsFile, unsavedDocument } from './settingsFile';
import { fileTextIfAny } from '../files/fileText';

/** How long to wait for the editor to notice what stands in a settings file. */
const catchUpMs = 2000;
/**
 * The editor's own writing of a setting, as at its start, too leaves the file unsaved for a moment. It is waited for,
 * shorter where a person has the file open and saves it by hand.
 */
const editorWritesMs = { unseen: 3000, open: 500 } as const;

/** What the settings know, and what they last waited for in vain. */
interface CatchUp {
  readonly target: SaveTarget;
  readonly globalStorage: vscode.Uri;
  readonly onDidChange: Event<void>;
  /** The profiles of the scope as the settings have them. */
  read(): unknown;
  /** The text of a file that the editor did not take over within the time; it is not waited for again. */
  readonly unlike: string;
  /** Has the editor read the files of the scope now; not each is watched. */
  letRead(): Promise<void>;
  /** True before a change: a file with changes that are not saved would refuse it, so the person is asked to save. */
  readonly writes: boolean;
}

/**
 * Waits until the editor has read the profiles as their file holds them, and answers the text that it does not take
 * over, or an empty one.
 */
export async function catchUpWithFile(asked: CatchUp): Promise<string> {
  const { target, globalStorage, onDidChange, read, letRead, unlike, writes } = asked;
  const file = settingsFile(target, globalStorage);
  if (!file) return '';
  if (writes) await saveFirst(file.uri);
  let isTold = false;
  for (const end = Date.now() + catchUpMs; ;) {
    // Somebody may write more than once meanwhile: what is waited for is what stands there now.
    const text = await fileTextIfAny(file.uri);
    if (text === undefined || canonicalJson((read() ?? null) as Json) === profilesIn(text, file)) return '';
    if (text === unlike) return text;
    if (isTold && !(await heard(onDidChange, end - Date.now()))) return text;
    if (!isTold) await letRead();
    isTold = true;
  }
}

function profilesIn(text: string, { uri, inside }: SettingsFile): string {
  const all = readJsonDocument(text, uri.path).value;
  const settings = inside && isObject(all) ? all[inside] : all;
  return canonicalJson(((isObject(settings) ? settings[settingId('profiles')] : undefined) ?? null) as Json);
}

async function saveFirst(uri: vscode.Uri): Promise<void> {
  const autoSave = vscode.workspace.getConfiguration('files', uri).get<string>('autoSave');
  const savesItself = autoSave === 'afterDelay' || autoSave === 'onFocusChange';
  for (const end = Date.now() + editorWritesMs[isInTab(uri) && !savesItself ? 'open' : 'unseen']; unsavedDocument(uri);)
    if (!(await heard(vscode.workspace.onDidChangeTextDocument, end - Date.now()))) break;
  const open = unsavedDocument(uri);
  if (!open) return;
  const save = vscode.l10n.t('Save and Go On');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Save the settings file first?'),
    {
      modal: true,
      detail: vscode.l10n.t('It is open with changes that are not saved, and the profile is kept in it.'),
    },
    save,
  );
  if (answer !== save || !(await open.save()))
    throw new Error(vscode.l10n.t('The profile was not changed: the settings file has changes that are not saved.'));
}

const isInTab = ({ fsPath }: vscode.Uri): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === fsPath),
  );
