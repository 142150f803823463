import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);
const command = (name: string): string => `Agent Capabilities: ${name}`;

describe('the life of a profile, from the palette', () => {
  const editor = useEditor();
  const outside = (name: string): string => join(dirname(editor.folder), name);

  /** The profiles that the person sees in Switch Profile, by their names. */
  const names = (): Promise<string[]> =>
    editor.host.evaluate(async (vscode) => {
      const profiles: any = vscode.workspace.getConfiguration('agentCapabilities').get('profiles');
      return Object.values(profiles ?? {}).map((one: any) => one.name);
    });
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
    const { workbench } = editor;
    await ask('New Profile…', 'Name of the new profile');
    await workbench.answerInput('Reviewer');
    await workbench.quickInput.filter({ hasText: 'What does "Reviewer" begin with?' }).waitFor();
    await workbench.pick('Like Read only');
    await workbench.statusBarItem(/Reviewer · plan/).waitFor();
    await has('Reviewer');
    await ask('Duplicate Profile…', 'Duplicate which profile?');
    await workbench.pick('Reviewer');
    await workbench.quickInput.filter({ hasText: 'Name of the copy' }).waitFor();
    await workbench.answerInput('Second reviewer');
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
    await workbench.screenshot(shot('edit-profile'));
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
    await page.keyboard.insertText('You look for faults.');
    await until(async () => {
      await host.execute('notifications.showList');
      await page.getByRole('button', { name: 'Use as Prompt' }).first().click({ timeout: 3000 });
    }, 20_000);
    const written = (): Promise<any> =>
      host.evaluate((vscode) => vscode.workspace.getConfiguration('agentCapabilities').get('profiles') as any);
    await until(async () => {
      const critic = (await written()).secondReviewer;
      assert.deepEqual(
        [critic.name, critic.description, critic.scopes, critic.systemPrompt],
        ['Critic', 'Says what is wrong', undefined, 'You look for faults.'],
      );
    });
    await host.execute('workbench.action.revertAndCloseActiveEditor');
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
    await workbench.screenshot(shot('profile-import'));
    await workbench.pressModalButton('Cancel');
    assert.deepEqual(await names(), before, 'a no imports nothing');
    await workbench.runCommand(command('Import Profile…'));
    await choosePath(outside('given.json'), () => workbench.modal.isVisible());
    await workbench.pressModalButton('Import');
    await workbench.statusBarItem(/Writer · execute/).waitFor();
    await has(...before, 'Writer');
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
