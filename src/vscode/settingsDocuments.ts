import * as vscode from 'vscode';
import type { Json } from '../core/base/json';
import { canonicalJson } from '../core/base/json';
import type { SaveTarget } from '../core/profileEditor';
import { planSettingsEdit } from '../core/settingsText';

/** So long a change may take from the saved file to the editor's configuration. */
const settleMs = 5000;

export interface CommentedSetting {
  /** The setting's whole key. */
  readonly key: string;
  /** The value that the scope has now, by which its file is known. */
  readonly before: Json;
  readonly after: Json;
  /** Lets the editor read the file of the scope now: a file on another machine is looked at rarely. */
  readonly read: () => Thenable<void>;
  /** The value that the scope has, asked again and again until the change has arrived. */
  readonly now: () => unknown;
}

/**
 * Changes a setting in its file's text, where comments stand within the value: the editor's own way writes such a value anew, without them.
 * Answers false where that is not needed or not safe (no comment, a file that cannot be found, unsaved changes in it): then the editor's
 * own way is taken. The file is known by holding the very value that the editor has for the scope.
 */
export async function writeInDocument(
  places: readonly vscode.Uri[],
  path: (uri: vscode.Uri) => readonly string[],
  setting: CommentedSetting,
): Promise<boolean> {
  for (const uri of places) {
    const document = await openQuietly(uri);
    if (!document || document.isDirty) continue;
    const plan = planSettingsEdit(document.getText(), path(uri), setting.before, setting.after);
    if (!plan) continue;
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(plan.offset), document.positionAt(plan.offset + plan.length));
    edit.replace(document.uri, range, plan.text);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) return false;
    await setting.read();
    return arrived(setting.now, plan.value);
  }
  return false;
}

async function openQuietly(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open;
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // No settings file stands here.
    return undefined;
  }
}

/** Waits until the editor has read the file. */
async function arrived(now: () => unknown, wanted: Json): Promise<boolean> {
  const isThere = (): boolean => canonicalJson((now() ?? null) as Json) === canonicalJson(wanted);
  if (isThere()) return true;
  return new Promise((resolve) => {
    const end = (result: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(result);
    };
    const timer = setTimeout(() => end(isThere()), settleMs);
    const listener = vscode.workspace.onDidChangeConfiguration(() => {
      if (isThere()) end(true);
    });
  });
}

/** Where the settings of a scope may stand; the API names no place, so each is tried and known by its content. */
export function settingsPlaces(target: SaveTarget, globalStorage: vscode.Uri): readonly vscode.Uri[] {
  if (target === 'workspace') {
    const file = vscode.workspace.workspaceFile;
    if (file) return file.scheme === 'untitled' ? [] : [file];
    return (vscode.workspace.workspaceFolders ?? []).slice(0, 1).map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json'));
  }
  const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.path.endsWith('/settings.json') && !uri.path.includes('/.vscode/'));
  const beside = vscode.Uri.joinPath(globalStorage, '..', '..', 'settings.json');
  return [
    ...open.map(({ uri }) => uri),
    // The editor's own name of the file first: what is saved under it is read at once.
    beside.with({ scheme: 'vscode-userdata' }),
    beside,
  ];
}

/** The setting's place in a file: workspace files hold their settings below `settings`. */
export function settingPath(key: string): (uri: vscode.Uri) => readonly string[] {
  return (uri) => (uri.path.endsWith('.code-workspace') ? ['settings', key] : [key]);
}
