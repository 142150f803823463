import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { PersonEditor } from './person';
import { until } from './until';

/** Switches the profile as a person does: a program that wants a wider one has to ask them. */
export async function chooseProfile(
  { workbench, host }: Pick<PersonEditor, 'workbench' | 'host'>,
  id: string,
): Promise<void> {
  const active = async (): Promise<unknown> => (await profileInForce({ host })).profileId;
  if ((await active()) === id) return;
  await until(async () => {
    await workbench.runCommand('Agent Capabilities: Switch Profile…');
    await workbench.quickInput
      .locator('.monaco-list-row')
      .filter({ hasText: `· ${id}` })
      .first()
      .click({ timeout: 5000 });
    await until(async () => assert.equal(await active(), id), 5000);
  }, 40_000);
}

/** The profile in force, as the extension's API gives it to others. */
export const profileInForce = ({ host }: Pick<PersonEditor, 'host'>): Promise<any> =>
  host.evaluate(async (editor) => {
    const api: any = await editor.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    return api.resolveProfile();
  });

/** After each test that failed: takes its profiles back, since what it left would fail the next ones too. */
export function forgetFailed(editor: PersonEditor): void {
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await editor.page.keyboard.press('Escape');
    await editor.host.execute('workbench.action.revertAndCloseActiveEditor');
    await editor.host.evaluate(async (vscode) => {
      const settings = vscode.workspace.getConfiguration('agentCapabilities');
      for (const key of ['saveTo', 'profiles', 'activeProfile']) await settings.update(key, undefined, 1);
    });
    const file = join(editor.folder, '.vscode', 'settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{}');
    await chooseProfile(editor, 'default');
  });
}

/** The same in a window without a person, by the user's own setting: an edit of it switches at once. */
export async function setProfile(editor: typeof vscode, id: string): Promise<void> {
  const settings = (): vscode.WorkspaceConfiguration => editor.workspace.getConfiguration('agentCapabilities');
  const api: any = await editor.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
  const set = async (value: string): Promise<void> => {
    await settings().update('activeProfile', value, editor.ConfigurationTarget.Global);
    await until(async () => assert.equal((await api.resolveProfile()).profileId, value));
  };
  if ((await api.resolveProfile()).profileId === id) return;
  // Only what changes the setting counts.
  if (settings().get('activeProfile') === id) await set(id === 'readOnly' ? 'default' : 'readOnly');
  await set(id);
}
