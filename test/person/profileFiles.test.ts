// @window edits
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const command = (name: string): string => `Agent Capabilities: ${name}`;

describe('the life of a profile, from the palette', () => {
  // A browser's editor saves by itself after a second, which a desktop's does not.
  const editor = useEditor({ settings: { 'files.autoSave': 'off' } });
  const outside = (name: string): string => join(dirname(editor.folder), name);

  /** The profiles that the person sees in Switch Profile, by their names. */
  const names = (): Promise<string[]> =>
    editor.host.evaluate(async (vscode) => {
      const profiles: any = vscode.workspace.getConfiguration('agentCapabilities').get('profiles');
      return Object.values(profiles ?? {}).map((one: any) => one.name);
    });
  /** In whose settings profiles stand: their ids, or all of them. */
  const standing = (what: 'ids' | 'all' = 'ids'): Promise<unknown> =>
    editor.host.evaluate(async (vscode, wanted) => {
      const found = vscode.workspace.getConfiguration('agentCapabilities').inspect<object>('profiles');
      const [user, workspace] = [found?.globalValue ?? {}, found?.workspaceValue ?? {}];
      return wanted === 'all' ? { user, workspace } : { user: Object.keys(user), workspace: Object.keys(workspace) };
    }, what);
  const has = (...wanted: string[]): Promise<void> =>
    until(async () => assert.deepEqual((await names()).sort(), [...wanted].sort()));

  /** Types a path into the editor's own dialog for files, as often as it needs to take it, until `isDone`. */
  const choosePath = async (path: string, isDone: () => Promise<boolean>): Promise<void> => {
    const { quickInput } = editor.workbench;
    const input = quickInput.locator('.quick-input-box input');
    await until(async () => {
      if (await isDone()) return;
      assert.match(await input.inputValue({ timeout: 3000 }), /\//, 'the dialog asks for a path');
      if ((await input.inputValue()) !== path) await input.fill(path);
      await quickInput.getByRole('button', { name: 'OK', exact: true }).click({ timeout: 3000 });
      await until(async () => assert.ok(await isDone(), `${path} is taken`), 4000);
    }, 40_000);
  };

  /** Runs a command that asks, and waits until its own question stands where the palette was. */
  const ask = async (name: string, title: string): Promise<void> => {
    await editor.workbench.runCommand(command(name));
    await editor.workbench.quickInput.filter({ hasText: title }).waitFor();
  };

  afterEach(async () => {
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Escape');
  });

  it('S3.profiles: a profile is made, duplicated, renamed and deleted, and Undo brings it back', async () => {
    const { workbench, page } = editor;
    await ask('New Profile…', 'Name of the new profile');
    await workbench.answerInput('Reviewer');
    await workbench.quickInput.filter({ hasText: 'What does "Reviewer" begin with?' }).waitFor();
    await workbench.pick('Like Read only');
    await workbench.quickInput.filter({ hasText: 'Whose is "Reviewer"?' }).waitFor();
    await workbench.picture('new-profile-place');
    await page.keyboard.press('Enter');
    await workbench.statusBarItem(/Reviewer · plan/).waitFor();
    await has('Reviewer');
    assert.deepEqual(await standing(), { user: ['reviewer'], workspace: [] });
    await workbench.picture('new-profile-made');
    // What the person changes of a profile of their own stays in their settings, too.
    await workbench.openContainer('Agent Capabilities');
    await workbench.setCheckbox('Capabilities', 'Math', false);
    await until(async () => assert.match(JSON.stringify(await standing('all')), /"math","enabled":false/));
    assert.deepEqual(await standing(), { user: ['reviewer'], workspace: [] });
    await editor.host.execute('agentCapabilities.undo');
    const made = workbench.notification(/The profile "Reviewer" is made and active\. It stands in your user settings/);
    const undo = made.getByRole('button', { name: 'Undo', exact: true });
    await until(async () => {
      await editor.host.execute('notifications.showList');
      if ((await made.count()) === 0 && (await names()).length === 0) return;
      await undo.focus({ timeout: 3000 });
      await page.keyboard.press('Enter');
      await made.waitFor({ state: 'detached', timeout: 3000 });
    }, 20_000);
    await workbench.statusBarItem(/Default · execute/).waitFor();
    await has();
    await ask('New Profile…', 'Name of the new profile');
    await workbench.answerInput('Reviewer');
    await workbench.quickInput.filter({ hasText: 'What does "Reviewer" begin with?' }).waitFor();
    await workbench.pick('Like Read only');
    await workbench.quickInput.filter({ hasText: 'Whose is "Reviewer"?' }).waitFor();
    await workbench.pick("This Workspace's");
    await workbench.statusBarItem(/Reviewer · plan/).waitFor();
    assert.deepEqual(await standing(), { user: [], workspace: ['reviewer'] });
    await ask('Duplicate Profile…', 'Duplicate which profile?');
    await workbench.pick('Reviewer');
    await workbench.quickInput.filter({ hasText: 'Name of the copy' }).waitFor();
    await workbench.answerInput('Second reviewer');
    await workbench.quickInput.filter({ hasText: 'Whose is "Second reviewer"?' }).waitFor();
    await workbench.pick("This Workspace's");
    await workbench.statusBarItem(/Second reviewer · plan/).waitFor();
    await has('Reviewer', 'Second reviewer');
    await ask('Rename Profile…', 'New name of Second reviewer');
    await workbench.answerInput('Critic');
    await workbench.statusBarItem(/Critic · plan/).waitFor();
    await has('Reviewer', 'Critic');
    await ask('Delete Profile…', 'Delete which profile?');
    await workbench.pick('Critic');
    await workbench.statusBarItem(/Default · execute/).waitFor();
    await has('Reviewer');
    const deleted = workbench.notification(/Deleted the profile "Critic"/);
    await until(async () => {
      await editor.host.execute('notifications.showList');
      await deleted.getByRole('button', { name: 'Undo', exact: true }).click({ timeout: 3000 });
    }, 20_000);
    await has('Reviewer', 'Critic');
    await workbench.statusBarItem(/Critic · plan/).waitFor();
  });

  it('D.commands S3.profiles: Edit Profile changes description, scopes and prompt without JSON, and each can be undone', async () => {
    const { workbench, page, host } = editor;
    await ask('Edit Profile…', 'Edit the profile Critic');
    await workbench.picture('edit-profile');
    await workbench.pick('Description');
    await workbench.quickInput.filter({ hasText: 'Description of Critic' }).waitFor();
    await workbench.answerInput('Says what is wrong');
    await workbench.quickInput.filter({ hasText: 'Edit the profile Critic' }).waitFor();
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'Says what is wrong' }).waitFor();
    await workbench.pick('Scopes');
    await workbench.quickInput.filter({ hasText: 'Scopes of Critic' }).waitFor();
    await workbench.pick('What its tools need');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'what its tools need' }).waitFor();
    await workbench.pick('Prompt');
    await until(async () => {
      const language = await host.evaluate((vscode) => vscode.window.activeTextEditor?.document.languageId);
      assert.equal(language, 'markdown');
    });
    const tab = page.locator('.tab.active').filter({ hasText: 'Prompt of Critic' });
    await tab.waitFor();
    await page.locator('.editor-instance:focus-within').first().waitFor();
    await page.keyboard.insertText('You look for faults.');
    await tab.and(page.locator('.dirty')).waitFor();
    await workbench.picture('prompt-typed');
    assert.doesNotMatch(
      (await page.locator('.chat-attachments-container').allInnerTexts()).join(' '),
      /Prompt of|copilotmd/,
    );
    // What is left unsaved is asked about.
    const closing = host.execute('workbench.action.closeActiveEditor').catch(() => undefined);
    await workbench.modal.filter({ hasText: /Do you want to save the changes/ }).waitFor();
    await page.keyboard.press('Escape');
    await workbench.modal.waitFor({ state: 'detached' });
    await closing;
    await page.keyboard.press('Control+s');
    await tab.and(page.locator(':not(.dirty)')).waitFor();
    const written = (): Promise<any> =>
      host.evaluate((vscode) => vscode.workspace.getConfiguration('agentCapabilities').get('profiles') as any);
    await until(async () => {
      const critic = (await written()).secondReviewer;
      assert.deepEqual(
        [critic.name, critic.description, critic.scopes, critic.systemPrompt],
        ['Critic', 'Says what is wrong', undefined, 'You look for faults.'],
      );
    });
    await host.execute('workbench.action.closeActiveEditor');
    await tab.waitFor({ state: 'detached' });
    for (let times = 0; times < 3; times++) await host.execute('agentCapabilities.undo');
    await until(async () => assert.equal((await written()).secondReviewer.systemPrompt, undefined));
  });

  it('S3.profiles: an exported profile is imported only after the person saw what it would grant', async () => {
    const { workbench } = editor;
    const file = join(editor.folder, 'writer.profile.json');
    const profile = { name: 'Writer', mode: 'execute', capabilities: ['file_system', { ref: 'math', enabled: false }] };
    await writeFile(outside('given.json'), JSON.stringify({ agentCapabilitiesProfile: 1, id: 'writer', profile }));
    const before = await names();
    await workbench.runCommand(command('Import Profile…'));
    await choosePath(outside('given.json'), () => workbench.modal.isVisible());
    assert.match(await workbench.modalText(), /Import the profile "Writer"\?[^]*write_file/);
    await workbench.picture('profile-import');
    await workbench.pressModalButton('Cancel');
    assert.deepEqual(await names(), before, 'a no imports nothing');
    await workbench.runCommand(command('Import Profile…'));
    await choosePath(outside('given.json'), () => workbench.modal.isVisible());
    await workbench.pressModalButton('Import');
    await workbench.quickInput.filter({ hasText: 'Whose is "Writer"?' }).waitFor();
    await workbench.pick('Yours');
    await workbench.statusBarItem(/Writer · execute/).waitFor();
    await has(...before, 'Writer');
    assert.match(JSON.stringify(await standing()), /"user":\[[^\]]*"writer"/);
    await editor.host.execute('notifications.showList');
    await workbench.notification(/The profile "Writer" is made and active\. It stands in your user settings/).waitFor();
    await ask('Export Profile…', 'Export which profile?');
    await workbench.pick('Writer');
    await choosePath(file, async () => existsSync(file));
    await until(async () => {
      const { id, profile: exported } = JSON.parse(await readFile(file, 'utf8')) as {
        id: string;
        profile: Record<string, unknown>;
      };
      assert.deepEqual([id, exported['name'], exported['capabilities']], ['writer', 'Writer', profile.capabilities]);
    });
  });
});
