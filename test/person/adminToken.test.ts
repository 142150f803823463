// @window calls
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const token = 'correct horse battery';

describe('admin approvals', () => {
  const editor = useEditor({ settings: { 'agentCapabilities.policy.adminApproval': 'high' } });
  const file = (name: string): string => join(editor.folder, name);
  const turn = async (...steps: object[]) => {
    await editor.host.script([...steps, { text: 'Done.' }] as never);
    return editor.host.runAgentTurn({ query: 'go on' });
  };
  const remove = (path: string) => ({ tool: 'cap_delete_file', input: { path } });
  /** Types a token into the input that asks for it, which shows dots only. */
  const typeToken = async (title: string, text: string): Promise<void> => {
    const { quickInput } = editor.workbench;
    await quickInput.getByText(title).first().waitFor();
    assert.equal(await quickInput.locator('.quick-input-box input').getAttribute('type'), 'password');
    await editor.workbench.answerInput(text);
  };
  const notified = async (text: string): Promise<void> => {
    await editor.host.execute('notifications.showList');
    await editor.workbench.notification(text).waitFor();
  };

  it('S1.policy: Set Admin Token asks twice, refuses a short one and keeps no token that could be read', async () => {
    const { workbench, page } = editor;
    await workbench.openContainer('Agent Capabilities');
    await workbench.runCommand('Agent Capabilities: Set Admin Token…');
    await typeToken('A new admin token', 'short');
    await workbench.quickInput.getByText('At least 8 characters').last().waitFor();
    await workbench.answerInput(token);
    await typeToken('The new admin token again', 'another horse battery');
    await workbench.quickInput.getByText('The two are not the same').waitFor();
    await workbench.answerInput(token);
    await notified('The admin token is set.');
    await workbench.picture('admin-token-set');
    // Neither the browser nor the server's folders hold it; what is kept is a hash (its form is proven in the unit
    // tests).
    const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'));
    assert.equal(kept.includes(token), false);
    for (const name of await readdir(editor.server.folder, { recursive: true })) {
      if (!/\.(?:json|log|vscdb|txt)$/.test(name)) continue;
      const text = await readFile(join(editor.server.folder, name), 'latin1').catch(() => '');
      assert.equal(text.includes(token), false, name);
    }
  });

  it('S1.policy: a wrong token allows nothing and the person hears so; the right one lets the call through', async () => {
    const { workbench } = editor;
    await writeFile(file('precious.txt'), 'x');
    const refused = turn(remove('precious.txt'));
    const modal = await workbench.modalText();
    assert.match(modal, /Allow "delete_file" to delete precious\.txt\?/);
    assert.match(modal, /tools of high and critical risk need the admin token/);
    await workbench.picture('admin-modal');
    await workbench.pressModalButton('Allow Once');
    await typeToken('Admin token', 'wrong horse battery');
    await workbench.pick('For this call');
    const { toolResults } = await refused;
    assert.match(toolResults.at(-1)?.text ?? '', /^the user declined to let delete_file delete precious\.txt/);
    await notified('delete_file was not allowed. The admin token was wrong.');
    await workbench.picture('admin-wrong');
    assert.ok(existsSync(file('precious.txt')));

    const allowed = turn(remove('precious.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Allow Once');
    await typeToken('Admin token', token);
    await workbench.pick('For 15 minutes');
    await allowed;
    await until(() => assert.equal(existsSync(file('precious.txt')), false));
  });

  it('S1.policy: while a token holds, the question still comes and the token is not asked again; locking ends that', async () => {
    const { workbench } = editor;
    await writeFile(file('second.txt'), 'x');
    const running = turn(remove('second.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Allow Once');
    await running;
    await until(() => assert.equal(existsSync(file('second.txt')), false));
    await workbench.runCommand('Agent Capabilities: Set Admin Token…');
    await workbench.pick('Lock now');
    await writeFile(file('third.txt'), 'x');
    const locked = turn(remove('third.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Allow Once');
    await workbench.quickInput.getByText('Admin token').first().waitFor();
    await editor.page.keyboard.press('Escape');
    // Without a token the question comes back.
    await workbench.modalText();
    await workbench.pressModalButton('Cancel');
    await locked;
    assert.ok(existsSync(file('third.txt')));
  });
});
