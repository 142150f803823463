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
    await workbench.statusBarItem(/Reviewer · execute/).waitFor();
    await has('Reviewer');
    await ask('Duplicate Profile…', 'Duplicate which profile?');
    await workbench.pick('Reviewer');
    await workbench.quickInput.filter({ hasText: 'Name of the copy' }).waitFor();
    await workbench.answerInput('Second reviewer');
    await workbench.statusBarItem(/Second reviewer · execute/).waitFor();
    await has('Reviewer', 'Second reviewer');
    await ask('Rename Profile…', 'New name of Second reviewer');
    await workbench.answerInput('Critic');
    await workbench.statusBarItem(/Critic · execute/).waitFor();
    await has('Reviewer', 'Critic');
    await ask('Delete Profile…', 'Delete which profile?');
    await workbench.pick('Critic');
    await workbench.statusBarItem(/Default · execute/).waitFor();
    await has('Reviewer');
    await workbench.runCommand(command('Undo Last Change'));
    await has('Reviewer', 'Critic');
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
