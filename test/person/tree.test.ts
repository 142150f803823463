// @window states
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('the Capabilities view, as a person', () => {
  const editor = useEditor();

  const settings = async (): Promise<any> =>
    JSON.parse(await readFile(join(editor.folder, '.vscode', 'settings.json'), 'utf8'));

  it('D.tree: shows the active profile with its capabilities in order, each with its state', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow('Capabilities', 'File System').waitFor();
    await workbench.picture('tree');
    const labels = await workbench
      .tree('Capabilities')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    assert.match(labels[0] ?? '', /^File System, enabled, position 1 of \d+, \d+ tools, \d+ need confirmation/);
    const states = labels.map((label) => label.split(', ').slice(0, 2).join(' '));
    assert.deepEqual(states.slice(0, 5), [
      'File System enabled',
      'Web Fetch enabled',
      'Task Management enabled',
      'Current Time enabled',
      'Math enabled',
    ]);
    assert.ok(states.includes('Email disabled'), 'what the profile does not name is shown, off');
  });

  it('D.tree: a click on a checkbox is written to the workspace settings and takes the tools from the model', async () => {
    const { workbench, host } = editor;
    await workbench.setCheckbox('Capabilities', 'Math', false);
    await until(async () => {
      const list: any[] = (await settings())['agentCapabilities.profiles'].default.capabilities;
      assert.ok(list.some((entry) => entry.ref === 'math' && entry.enabled === false));
    });
    await host.script([{ text: 'Nothing to do.' }]);
    const turn = await host.runAgentTurn({ query: 'which tools do you have?' });
    const names = turn.requests[0]?.tools.map((tool) => tool.name) ?? [];
    assert.ok(names.includes('cap_read_file'));
    assert.deepEqual(
      names.filter((name) => /^cap_(add|subtract|multiply|divide|calculate)$/.test(name)),
      [],
    );
    await workbench.openContainer('Agent Capabilities');
    await workbench.setCheckbox('Capabilities', 'Math', true);
  });

  it('D.tree: drags several selected rows to a new place, and undoes it', async () => {
    const { workbench, page } = editor;
    const names = async (): Promise<string[]> =>
      (await workbench.tree('Capabilities').locator('.label-name').allInnerTexts())
        .slice(0, 5)
        .map((name) => name.trim());
    const before = await names();
    assert.deepEqual(before, ['File System', 'Web Fetch', 'Task Management', 'Current Time', 'Math']);
    const label = (name: string) => workbench.treeRow('Capabilities', name).locator('.label-name');
    await label('Math').click();
    await label('Current Time').click({ modifiers: ['ControlOrMeta'] });
    const selected = workbench.tree('Capabilities').and(page.locator('[aria-selected="true"]')).locator('.label-name');
    await until(async () =>
      assert.deepEqual((await selected.allInnerTexts()).map((name) => name.trim()).sort(), ['Current Time', 'Math']),
    );
    await label('Math').hover();
    await page.mouse.down();
    await label('Web Fetch').hover();
    await label('Web Fetch').hover();
    await page.mouse.up();
    await until(async () =>
      assert.deepEqual(await names(), ['File System', 'Current Time', 'Math', 'Web Fetch', 'Task Management']),
    );
    await editor.host.execute('agentCapabilities.undo');
    await until(async () => assert.deepEqual(await names(), before));
  });

  it('D.tree: a screen reader gets name, state and place of every row, and a tooltip says what a tool touches', async () => {
    const { workbench, page } = editor;
    await workbench.expand('Capabilities', 'File System');
    const tool = workbench.treeRow('Capabilities', 'write_file');
    await tool.waitFor();
    const heard = async (row: typeof tool): Promise<Record<string, string | null>> => ({
      role: await row.getAttribute('role'),
      level: await row.getAttribute('aria-level'),
      expanded: await row.getAttribute('aria-expanded'),
      label: ((await row.getAttribute('aria-label')) ?? '').replace(/\d+/g, 'N'),
      box: await row.locator('[role="checkbox"]').getAttribute('aria-checked'),
      boxLabel: await row.locator('[role="checkbox"]').getAttribute('aria-label'),
    });
    assert.deepEqual(await heard(workbench.treeRow('Capabilities', 'File System')), {
      role: 'treeitem',
      level: '1',
      expanded: 'true',
      label: 'File System, enabled, position N of N, N tools, N need confirmation',
      box: 'true',
      boxLabel: 'Disable File System',
    });
    assert.deepEqual(await heard(tool), {
      role: 'treeitem',
      level: '2',
      expanded: null,
      label: 'write_file, enabled, position N of N, medium risk, agents need a confirmation',
      box: 'true',
      boxLabel: 'Disable write_file',
    });
    await tool.locator('.label-name').hover();
    const tooltip = page.locator('.workbench-hover').filter({ hasText: 'Risk' });
    await tooltip.waitFor();
    const words = await tooltip.innerText();
    for (const part of [
      /Risk: medium; for agents: asks; for you: allowed/,
      /Touches: fs\.write/,
      /Scopes: file:write/,
      /cap:file_system:write_file/,
    ])
      assert.match(words, part);
    await workbench.picture('tree-tooltip');
    await page.mouse.move(700, 5);
    await workbench.treeRow('Capabilities', 'File System').locator('.monaco-tl-twistie').click();
  });

  it('D.tree: a filter stands in words above what it leaves, Esc clears it, and what was open stays open', async () => {
    const { workbench, page, host } = editor;
    await workbench.openContainer('Agent Capabilities');
    await workbench.expand('Capabilities', 'Math');
    await workbench.treeRow('Capabilities', 'multiply').waitFor();
    await host.execute('agentCapabilities.filterCapabilities', 'asks high');
    const filter = workbench.treeRow('Capabilities', 'Filter: asks high');
    await filter.waitFor();
    await workbench.treeRow('Capabilities', 'delete_file').waitFor();
    assert.match(
      (await filter.getAttribute('aria-label')) ?? '',
      /^Filter: asks high, \d+ of \d+ tools · Esc clears it/,
    );
    assert.equal(await workbench.treeRow('Capabilities', 'multiply').count(), 0);
    await workbench.picture('tree-filtered');
    await filter.locator('.label-name').click();
    await page.keyboard.press('Escape');
    await workbench.treeRow('Capabilities', 'multiply').waitFor();
    assert.equal(await filter.count(), 0);
    await workbench.treeRow('Capabilities', 'Math').locator('.monaco-tl-twistie').click();
  });

  it('D.commands: Read only takes the writing tools out of the next request', async () => {
    const { workbench, host } = editor;
    await workbench.runCommand('Agent Capabilities: Switch Profile…');
    await workbench.picture('switch');
    await workbench.pick('Read only');
    await workbench.statusBarItem(/Read only · plan/).waitFor();
    await host.script([{ text: 'Nothing to do.' }]);
    const turn = await host.runAgentTurn({ query: 'which tools do you have now?' });
    const names = turn.requests[0]?.tools.map((tool) => tool.name) ?? [];
    assert.ok(names.includes('cap_read_file'));
    assert.deepEqual(
      names.filter((name) => ['cap_write_file', 'cap_edit_file', 'cap_move_file', 'cap_delete_file'].includes(name)),
      [],
    );
    await workbench.openContainer('Agent Capabilities');
    await workbench.setCheckbox('Capabilities', 'HTTP', true);
    await workbench.expand('Capabilities', 'HTTP');
    const request = workbench.treeRow('Capabilities', 'http_request');
    await until(async () => assert.match((await request.textContent()) ?? '', /only reads in plan mode · high risk/));
    await workbench.expand('Capabilities', 'File System');
    await until(async () =>
      assert.match((await workbench.treeRow('Capabilities', 'File System').textContent()) ?? '', /\d of \d+ tools on/),
    );
    await workbench.picture('tree-plan');
    await host.execute('agentCapabilities.undo');
    await workbench.runCommand('Agent Capabilities: Switch Profile…');
    assert.match(
      (await workbench.quickInput.locator('.monaco-list-row').first().textContent()) ?? '',
      /Read only/,
      'the list starts at the active profile',
    );
    await workbench.pick('Default');
    await workbench.statusBarItem(/Default · execute/).waitFor();
  });

  it('D.commands: shows the runtime agent, its prompt part by part and its tools in order', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Agent Capabilities: Show Runtime Agent');
    const frame = await workbench.frameWith(/Mode: execute/);
    await frame.getByRole('heading', { name: 'Prompt', exact: true }).waitFor();
    const tools = await frame.getByRole('table').getByRole('row').allInnerTexts();
    const places = ['read_file', 'web_fetch', 'multiply'].map((name) => tools.findIndex((row) => row.includes(name)));
    assert.ok(!places.includes(-1), tools.join('\n'));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    await workbench.picture('runtime-agent');
  });
});
