import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);

describe('the Capabilities view, as a person', () => {
  const editor = useEditor();

  const settings = async (): Promise<any> => JSON.parse(await readFile(join(editor.folder, '.vscode', 'settings.json'), 'utf8'));

  it('D.tree: shows the active profile with its capabilities in order, each with its state', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow('Capabilities', 'File System').waitFor();
    await workbench.screenshot(shot('tree'));
    const labels = await workbench.tree('Capabilities').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
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

  it('D.commands: Read only takes the writing tools out of the next request', async () => {
    const { workbench, host } = editor;
    await workbench.runCommand('Agent Capabilities: Switch Profile…');
    await workbench.screenshot(shot('switch'));
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
    await workbench.runCommand('Agent Capabilities: Switch Profile…');
    await workbench.pick('Default');
    await workbench.statusBarItem(/Default · execute/).waitFor();
  });

  it('D.commands: shows the runtime agent, its prompt part by part and its tools in order', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Agent Capabilities: Show Runtime Agent');
    await workbench.page.waitForTimeout(2500);
    await workbench.screenshot(shot('runtime-agent'));
  });
});
