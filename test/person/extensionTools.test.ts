import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { readLastAnswers } from '../../src/node/hooks/lastAnswers';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const owner = 'agent-capabilities-test.fixture';

describe('tools of other extensions', () => {
  const editor = useEditor({ fixtureExtension: true, viewport: { width: 1280, height: 1000 } });
  const row = (label: string): Locator => editor.page.locator(`.monaco-list-row[aria-label^="${label}"]`).first();
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
    assert.match((await row('fixture_add').textContent()) ?? '', /asks · medium risk/);
    const running = add();
    const text = await workbench.modalText();
    assert.match(text, /Allow "Fixture: fixture_add" to change files that it does not name\?/);
    await workbench.picture('extension-modal');
    await workbench.pressModalButton('Allow Once');
    const result = await running;
    assert.equal(result.success, true, JSON.stringify(result));
    assert.match(JSON.stringify(result), /the sum is 42/);
  });

  it("S1.risk: are judged by the person from the row's menu, which the row says and the settings hold", async () => {
    const { workbench } = editor;
    const choice = (text: string): Locator =>
      workbench.quickInput.locator('.monaco-list-row').filter({ hasText: text }).first();
    await workbench.chooseFromMenu(row('fixture_add'), 'Judge Tool…');
    await workbench.pick('Risk');
    await choice('critical').waitFor();
    await workbench.pick('low');
    await choice('low · set by you').waitFor();
    await editor.page.keyboard.press('Escape');
    await until(async () => assert.match((await row('fixture_add').textContent()) ?? '', /low .*set by you/), 30_000);
    const written = await editor.host.evaluate(
      (vscode) => vscode.workspace.getConfiguration().inspect('agentCapabilities.extensionTools')?.globalValue,
    );
    assert.deepEqual(written, { [owner]: { tools: { fixture_add: { risk: 'low' } } } });
  });

  it('S1.risk: a mistake in what the person wrote is shown at the extension', async () => {
    const { workbench } = editor;
    await editor.host.evaluate(async (vscode, id) => {
      const value = { [id]: { tools: { fixture_add: { risk: 'tiny' } } } };
      await vscode.workspace
        .getConfiguration()
        .update('agentCapabilities.extensionTools', value, vscode.ConfigurationTarget.Global);
    }, owner);
    await until(async () =>
      assert.match(
        (await row('Fixture').getAttribute('aria-label')) ?? '',
        /problem: .*\/tools\/fixture_add\/risk.* must be one of/,
      ),
    );
    await workbench.picture('extension-problem');
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

  it("D.hooks: `.env` stays closed to one in the editor's agent mode, by the rule that holds for the editor's own tools", async function () {
    this.timeout(180_000);
    const { host, workbench, folder } = editor;
    const file = join(folder, '.env');
    writeFileSync(file, 'KEY=do-not-tell\n');
    const told = async (): Promise<string> => {
      await host.script([{ tool: 'fixture_read', input: { path: file } }, { text: 'seen' }]);
      const { toolResults } = await host.runAgentTurn({ query: 'read it', confirm: 'accept' });
      assert.equal(toolResults.length, 1);
      return toolResults[0]?.text ?? '';
    };
    const protect = async (button: string): Promise<void> => {
      const done = host.evaluate(async (vscode) => {
        await vscode.commands.executeCommand('agentCapabilities.protectAgent', 'vscode');
      });
      await workbench.pressModalButton(button);
      await done;
    };
    assert.match(await told(), /do-not-tell/, 'without a hook it reads what it likes');
    const from = Date.now();
    await protect('Install Hook');
    try {
      // The editor reads such a file a moment after it is there.
      const home = await host.evaluate(async () => process.env['HOME'] ?? '');
      await until(async () => {
        await host.script([{ tool: 'list_dir', input: { path: folder } }, { text: 'seen' }]);
        await host.runAgentTurn({ query: 'what is here?', confirm: 'accept' });
        const last = readLastAnswers(join(home, '.agent-capabilities'));
        assert.ok(last.some(({ at, isCanary }) => at >= from && !isCanary));
      }, 60_000);
      const text = await told();
      assert.match(text, /preset\.secrets/);
      assert.doesNotMatch(text, /do-not-tell/);
    } finally {
      await protect('Remove Hook');
    }
  });
});
