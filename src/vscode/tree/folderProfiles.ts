import * as vscode from 'vscode';
import { readSetting } from '../../core/settings/settingsText';
import { fileText } from '../files/fileText';

/** The largest settings file of a folder that is looked into. */
const mostBytes = 1_000_000;

interface FolderProfiles {
  readonly name: string;
  readonly profiles: unknown;
}

/** What the settings of each folder say of profiles. */
export async function folderProfiles(folders: readonly vscode.WorkspaceFolder[]): Promise<readonly FolderProfiles[]> {
  return Promise.all(folders.map(profilesOf));
}

/** From the file, because the editor itself tells nothing of settings that it leaves out. */
async function profilesOf({ uri, name }: vscode.WorkspaceFolder): Promise<FolderProfiles> {
  try {
    const file = vscode.Uri.joinPath(uri, '.vscode', 'settings.json');
    if ((await vscode.workspace.fs.stat(file)).size > mostBytes) return { name, profiles: undefined };
    const text = await fileText(file);
    return { name, profiles: readSetting(text, ['agentCapabilities.profiles']) };
  } catch {
    // A folder without settings has none that are left out.
    return { name, profiles: undefined };
  }
}
