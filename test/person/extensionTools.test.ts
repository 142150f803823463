import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);
const owner = 'agent-capabilities-test.fixture';

describe('tools of other extensions', () => {
  const editor = useEditor({ fixtureExtension: true, viewport: { width: 1280, height: 1000 } });
  const run = (command: string): Promise<void> => editor.workbench.runCommand(`Agent Capabilities: ${command}`);
  const row = (label: string): Locator => editor.page.locator(`.monaco-list-row[aria-label^="${label}"]`).first();
  const title = (text: string): Promise<void> => editor.page.locator('.quick-input-title').filter({ hasText: text }).waitFor();
  const settings = async (): Promise<any> =>
    JSON.parse(await readFile(join(editor.server.folder, 'user', 'User', 'settings.json'), 'utf8'));
  const add = (): Promise<any> =>
    editor.host.evaluate(async (vscode) => {
      const api: any = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
      return api.invokeTool('test.person', 'fixture_add', { a: 20, b: 22 });
    });

  it('S1.unified: stand in the tree with the extension that brings them, judged by what they say, and pass the gate', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    await row('Fixture, disabled').waitFor();
    await workbench.setCheckbox('Capabilities', 'Fixture', true);
    await row('Fixture, enabled').waitFor();
    await workbench.expand('Capabilities', 'Fixture');
    await row('fixture_add, enabled').waitFor();
    assert.match((await row('fixture_add').textContent()) ?? '', /medium · asks/);
    const running = add();
    const text = await workbench.modalText();
    assert.match(text, /Allow "Fixture: fixture_add" to change what it does not name\?/);
    await workbench.screenshot(shot('extension-modal'));
    await workbench.pressModalButton('Allow Once');
    const result = await running;
    assert.equal(result.success, true, JSON.stringify(result));
    assert.match(JSON.stringify(result), /the sum is 42/);
  });

  it('S1.risk: are judged by the person instead, which is shown as such and written into the settings', async () => {
    const { workbench } = editor;
    // The row moves while the view's message changes its height.
    await until(async () => {
      await editor.page.keyboard.press('Escape');
      await row('fixture_add').click({ button: 'right' });
      await editor.page.locator('.context-view .action-label').filter({ hasText: 'Judge Tool…' }).click({ timeout: 2_000 });
    }, 20_000);
    await title('Judge');
    await workbench.screenshot(shot('judge'));
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'Risk' }).first().click();
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'critical' }).waitFor();
    await workbench.pick('low');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'low · set by you' }).waitFor();
    await workbench.screenshot(shot('judge-set'));
    await editor.page.keyboard.press('Escape');
    await until(async () => assert.match((await row('fixture_add').textContent()) ?? '', /low · allowed · set by you/));
    assert.deepEqual((await settings())['agentCapabilities.extensionTools'], { [owner]: { tools: { fixture_add: { risk: 'low' } } } });
    assert.match(JSON.stringify(await add()), /the sum is 42/, 'a low risk asks nobody');
    await row('fixture_add').hover();
    const hover = editor.page.locator('.monaco-hover').filter({ hasText: 'set by you' });
    await hover.waitFor();
    assert.match(await hover.innerText(), /Risk low, set by you; without that it is medium/);
    await workbench.screenshot(shot('judge-tooltip'));
    await editor.page.mouse.move(900, 500);
  });

  it('S1.risk: can be forbidden, and go back to what is inferred', async () => {
    const { workbench } = editor;
    await run('Judge Tool…');
    await title('Judge Which Tool?');
    await workbench.pick('fixture_add');
    await workbench.pick('What agents meet');
    await workbench.pick('forbidden');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'forbidden · set by you' }).waitFor();
    const refused = await add();
    assert.equal(refused.success, false);
    assert.equal(refused.error.code, 'permission_denied');
    await workbench.pick('Back to what is inferred');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'medium · inferred' }).waitFor();
    await editor.page.keyboard.press('Escape');
    await until(async () => assert.equal((await settings())['agentCapabilities.extensionTools'], undefined));
  });

  it('S1.risk: a mistake in what the person wrote is shown at the extension', async () => {
    const { workbench } = editor;
    await editor.host.evaluate(async (vscode, id) => {
      const value = { [id]: { tools: { fixture_add: { risk: 'tiny' } } } };
      await vscode.workspace.getConfiguration().update('agentCapabilities.extensionTools', value, vscode.ConfigurationTarget.Global);
    }, owner);
    await until(async () =>
      assert.match((await row('Fixture').getAttribute('aria-label')) ?? '', /problem: .*\/tools\/fixture_add\/risk.* must be one of/),
    );
    await workbench.screenshot(shot('extension-problem'));
    // The settings editor knows it too, and completes what may stand there.
    await until(async () => {
      const words = await editor.host.evaluate(async (vscode) => {
        await vscode.commands.executeCommand('workbench.action.openSettingsJson');
        const document = vscode.window.activeTextEditor?.document;
        if (!document) return [];
        const at = document.positionAt(document.getText().indexOf('"tiny"') + 1);
        const list = await vscode.commands.executeCommand<{ items: { label: unknown }[] }>(
          'vscode.executeCompletionItemProvider',
          document.uri,
          at,
        );
        return list.items.map((one) => String(one.label));
      });
      assert.deepEqual(
        ['"low"', '"medium"', '"high"', '"critical"'].filter((word) => !words.includes(word)),
        [],
        words.join(' '),
      );
    }, 30_000);
  });
});
