// @window calls
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { axeViolations, frameWith } from '../support/axe';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('a call in the audit view, as a person finds it and runs it again', () => {
  const editor = useEditor({ viewport: { width: 1200, height: 800 } });
  const view = (): Promise<Frame> => until(() => frameWith(editor.page, '[role="treegrid"]'), 20_000);

  // Windows of one server share their log, so the calls of this one are known by names that no other call has.
  const seen = `seen-at-150-${Date.now().toString(36)}.txt`;
  const secret = `.env.${seen}`;
  afterEach(() => editor.page.setViewportSize({ width: 1200, height: 800 }));

  it('D.audit-channel: enlarged to 150 % between two side bars the rows come first, a search finds a path, and the details speak in words', async () => {
    await writeFile(join(editor.folder, seen), 'seen\n');
    await editor.host.script([
      { tool: 'cap_read_file', input: { path: seen } },
      { tool: 'cap_read_file', input: { path: secret } },
      { text: 'Done.' },
    ]);
    await editor.host.runAgentTurn({ query: 'read' });
    await editor.host.execute('workbench.action.closeAllEditors');
    await editor.page.setViewportSize({ width: 800, height: 533 });
    await editor.workbench.runCommand('Agent Capabilities: Open Audit View');
    const frame = await view();
    await frame.getByRole('searchbox').fill(seen);
    await until(async () => assert.equal(await frame.locator('[role=status]').innerText(), '2 calls'), 20_000);
    const row = frame.locator('.row:not(.head):not(.burst)').filter({ visible: true });
    // The rows are drawn a moment after they are counted.
    await until(async () => assert.equal(await row.count(), 2, 'one line a call'));
    await until(async () => {
      const top = await row.first().evaluate((one) => one.getBoundingClientRect().top);
      assert.ok(top < 160, `the first call stands at ${top}`);
    });
    assert.deepEqual(await axeViolations(frame), []);
    await editor.workbench.picture('audit-150-percent');
    await frame.getByRole('searchbox').fill(secret.toUpperCase());
    await until(async () => assert.equal(await frame.locator('[role=status]').innerText(), '1 call'), 20_000);
    await until(async () => assert.equal(await row.count(), 1));
    await row.click();
    const details = frame.locator('section.details');
    await until(async () => assert.match(await details.innerText(), /read_file denied[\s\S]*Who\s+agent/));
    assert.doesNotMatch(await details.innerText(), /gen_ai|invocation\.|denied_by_policy/);
    await editor.workbench.picture('audit-150-details');
  });

  it('D.audit-channel: Run Again brings the arguments, and one key runs the call', async () => {
    const frame = await view();
    await frame.getByRole('searchbox').fill(seen);
    await until(async () => assert.equal(await frame.locator('[role=status]').innerText(), '2 calls'), 20_000);
    // The row of the denied call holds this name too, and either may stand last.
    await frame.locator('.row').filter({ hasText: seen, hasNotText: '.env' }).filter({ visible: true }).last().click();
    await frame.locator('section.details').getByText(`read ${seen}`, { exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Run Again…' }).click();
    await editor.workbench.quickInput.getByText(`"path":"${seen}"`).waitFor();
    await editor.workbench.picture('run-again');
    await editor.workbench.quickInput.locator('.quick-input-box input').press('Enter');
    await editor.page.locator('.tab').filter({ hasText: 'read_file' }).waitFor();
  });

  it('D.commands: Run Tool offers the files of the workspace where it asks for a path', async () => {
    await editor.host.execute('workbench.action.closeAllEditors');
    await editor.workbench.runCommand('Agent Capabilities: Run Tool…');
    await editor.workbench.quickInput.getByText('Run a tool').waitFor();
    await editor.page.keyboard.type('stat_file');
    await editor.workbench.quickInput.locator('.monaco-list-row.focused').filter({ hasText: 'stat_file' }).waitFor();
    await editor.page.keyboard.press('Enter');
    const file = editor.workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'README.md' });
    await file.waitFor();
    await editor.page.keyboard.type('readme');
    await editor.workbench.quickInput.locator('.monaco-list-row.focused').filter({ hasText: 'README.md' }).waitFor();
    await editor.workbench.picture('run-tool-path');
    await editor.page.keyboard.press('Enter');
    await editor.workbench.quickInput.getByText('{"path":"README.md"}').waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('.tab').filter({ hasText: 'stat_file' }).waitFor();
  });

  it('D.definitions: a new definition is asked about once its template was changed and saved', async () => {
    await editor.host.execute('notifications.clearAll');
    await editor.workbench.runCommand('Agent Capabilities: New Capability Definition…');
    await editor.workbench.quickInput.getByText('Call a web API').waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.workbench.quickInput.getByText('Id of the capability').waitFor();
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('.tab').filter({ hasText: 'my_tools.capability.json' }).waitFor();
    const asked = editor.workbench.notification(/waits for your approval/);
    await editor.page.waitForTimeout(3000);
    await editor.host.execute('notifications.showList');
    await editor.workbench.notification(/Change the template and save it/).waitFor();
    assert.equal(await asked.count(), 0);
    await editor.host.evaluate(async (vscode) => {
      const document = vscode.window.activeTextEditor?.document;
      if (!document) throw new Error('no editor is active');
      const edit = new vscode.WorkspaceEdit();
      const at = document.positionAt(document.getText().indexOf('What it is for'));
      edit.replace(document.uri, new vscode.Range(at, at.translate(0, 'What it is for'.length)), 'Looks up ferries');
      await vscode.workspace.applyEdit(edit);
      await document.save();
    });
    await asked.first().waitFor({ timeout: 20_000 });
  });
});
