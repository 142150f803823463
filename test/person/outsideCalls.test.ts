// @window quiet
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { drawnSecret } from '../support/secretSamples';
import { until } from '../support/editor/until';

const viewName = 'Capabilities';

describe('who calls a command that widens', () => {
  const editor = useEditor({ withoutChat: true });

  const choose = (row: string, entry: string): Promise<void> =>
    editor.workbench.chooseFromMenu(editor.workbench.treeRow(viewName, row), entry);

  it('D.tightens: a person who uses the menu of a row or a button of the view is asked nothing more', async () => {
    const { workbench, page } = editor;
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow(viewName, 'Math').waitFor();
    const isOn = await workbench.isChecked(viewName, 'Math');
    await choose('Math', isOn ? 'Disable Capability' : 'Enable Capability');
    await until(async () => assert.equal(await workbench.isChecked(viewName, 'Math'), !isOn), 15_000);
    await choose('Math', isOn ? 'Enable Capability' : 'Disable Capability');
    await until(async () => assert.equal(await workbench.isChecked(viewName, 'Math'), isOn), 15_000);
    assert.equal(await workbench.modal.count(), 0);
    assert.equal(await page.locator('.notification-list-item').filter({ hasText: 'failed' }).count(), 0);
  });

  it('D.tightens D.modal: a program that calls it with arguments waits for a person, who is shown what it is about', async () => {
    const { workbench, host } = editor;
    const isOn = await workbench.isChecked(viewName, 'Email');
    assert.equal(isOn, false);
    // The call answers once the person has: nobody waits for it here.
    await host.evaluate((vscode) => {
      void vscode.commands.executeCommand('agentCapabilities.enableCapability', 'email');
    });
    const text = await workbench.modalText();
    assert.match(text, /Another program asks for "Enable Capability…"/);
    assert.match(text, /send_email/);
    await workbench.pressModalButton('Cancel');
    assert.equal(await workbench.isChecked(viewName, 'Email'), false);
    await host.evaluate((vscode) => {
      void vscode.commands.executeCommand('runCommands', {
        commands: [{ command: 'agentCapabilities.enableCapability', args: 'email' }],
      });
    });
    await workbench.modalText();
    await workbench.pressModalButton('Do It');
    await until(async () => assert.equal(await workbench.isChecked(viewName, 'Email'), true), 15_000);
  });

  it('D.redaction D.modal: a hidden secret is shown to the chats once, after a person picked it and said yes in the modal', async () => {
    const { workbench, host } = editor;
    const { secret } = drawnSecret(42);
    await writeFile(join(editor.folder, 'key.ts'), `const key = "${secret}";\n`);
    const read = (): Promise<string> =>
      host.evaluate(async (vscode) => {
        const input = { path: 'key.ts' };
        const { content } = await vscode.lm.invokeTool('cap_read_file', { input, toolInvocationToken: undefined });
        return JSON.stringify(content);
      });
    const placeholder = /\{\{secret:[^}]+\}\}/.exec(await read())?.[0] ?? '';
    assert.notEqual(placeholder, '');
    // Whatever a program hands over, the list opens and nothing else happens. What the editor opens at this moment may
    // take the focus and close the list; then whoever asked for it asks once more.
    await until(async () => {
      await host.evaluate((vscode) => {
        void vscode.commands.executeCommand('agentCapabilities.showSecretOnce', { session: 'editor-chat' });
      });
      await workbench.pick('key.ts', 3000);
    }, 30_000);
    const modal = await workbench.modalText();
    assert.ok(modal.includes(placeholder) && modal.includes('Chats of this window') && !modal.includes(secret), modal);
    await workbench.pressModalButton('Show Once');
    await until(async () => assert.ok((await read()).includes(secret)), 15_000);
    assert.ok(!(await read()).includes(secret));
  });
});
