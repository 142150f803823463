// @window edits
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keyboard } from '../support/editor/keyboard';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('pages in the preview', () => {
  const editor = useEditor({
    settings: {
      'agentCapabilities.policy.boundaries': [
        { id: 'test.allow', match: { accessAny: ['fs.*'], path: 'src/**' }, decision: 'allow', reason: 'a test' },
      ],
    },
  });

  it('D.commands: Why shows the call that was asked about, also minutes after another page, when the editor has closed its text', async () => {
    const { host, workbench } = editor;
    await host.script([{ tool: 'cap_read_file', input: { path: '.env' } }, { text: 'Done.' }]);
    await host.runAgentTurn({ query: 'read' });
    await workbench.runCommand('Agent Capabilities: Why Was It Denied?');
    await workbench.frameWith(/read \.env/);
    // Beyond fifty texts, or three minutes, the editor closes what only an extension asked for.
    await host.evaluate(async (vscode) => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      if (!folder) throw new Error('no folder');
      for (let at = 0; at < 60; at++) {
        const file = vscode.Uri.joinPath(folder.uri, `many-${at}.txt`);
        await vscode.workspace.fs.writeFile(file, new Uint8Array());
        await vscode.workspace.openTextDocument(file);
      }
    });
    const isOpen = () =>
      host.evaluate((vscode) => vscode.workspace.textDocuments.some(({ uri }) => uri.path === '/Explanation.md'));
    await until(async () => assert.equal(await isOpen(), false, 'the editor closed the text'));

    await host.script([{ tool: 'cap_read_file', input: { path: '.env.local' } }, { text: 'Done.' }]);
    await host.runAgentTurn({ query: 'read the other' });
    await workbench.runCommand('Agent Capabilities: Why Was It Denied?');
    await workbench.frameWith(/read \.env\.local/);
    assert.equal(await editor.page.locator('.tab').filter({ hasText: 'Explanation.md' }).count(), 1);
  });

  it('S1.audit: a path of the session’s summary is a link that opens the file', async () => {
    const { host, page, workbench } = editor;
    await host.script([
      { tool: 'cap_write_file', input: { path: 'src/with a #.ts', content: 'export {};\n' } },
      { text: 'Done.' },
    ]);
    await host.runAgentTurn({ query: 'write' });
    await workbench.runCommand('Agent Capabilities: Session Summary');
    const summary = await workbench.frameWith(/Session summary[\s\S]*with a #\.ts/);
    assert.doesNotMatch(await summary.locator('body').innerText(), /]\(/);
    await summary.getByText('src/with a #.ts').click();
    await page.locator('.tab.active').filter({ hasText: 'with a #.ts' }).waitFor({ timeout: 15_000 });
  });

  it('D.tree: a problem of a rules’ file names the file, and a click or Enter opens it', async () => {
    const { folder, page, workbench } = editor;
    const keyboard = new Keyboard(page);
    await editor.host.execute('workbench.action.closeAllEditors');
    await mkdir(join(folder, '.vscode', 'capabilities'), { recursive: true });
    await writeFile(join(folder, '.vscode', 'capabilities', 'boundaries.json'), '{ "boundaries": [] }\n');
    await editor.reload();
    await workbench.openContainer('Agent Capabilities');
    const row = workbench.treeRow('Capabilities', 'boundaries.json');
    await row.filter({ hasText: 'the boundaries must be an array' }).waitFor();
    const tab = page.locator('.tab.active').filter({ hasText: 'boundaries.json' });
    await until(async () => {
      await row.click({ timeout: 5000 });
      await tab.waitFor({ timeout: 5000 });
    }, 30_000);
    await workbench.picture('problem-clicked');
    await editor.host.execute('workbench.action.closeAllEditors');
    await tab.waitFor({ state: 'detached' });
    const list = page.locator('.pane:has(.pane-header[aria-label^="Capabilities"]) .monaco-list').first();
    // The editor that was closed may take the keyboard once more.
    await until(async () => {
      await editor.host.execute('agentCapabilities.capabilities.focus');
      await keyboard.focusIn(list);
      await keyboard.press('Home', 'Enter');
      await tab.waitFor({ timeout: 5000 });
    }, 30_000);
  });
});
