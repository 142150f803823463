// @window servers
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

const view = 'Capabilities';

describe('the Capabilities view over windows and restarts', () => {
  const editor = useEditor({ withoutChat: true });
  const entries = async (): Promise<any[]> =>
    JSON.parse(await readFile(join(editor.folder, '.vscode', 'settings.json'), 'utf8'))['agentCapabilities.profiles']
      .default.capabilities;
  const off = async (): Promise<string[]> =>
    (await entries()).filter((one) => one.enabled === false).map((one) => one.ref);
  const show = async (workbench = editor.workbench): Promise<void> => {
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow(view, 'Math').waitFor();
  };

  it('D.tree: a change in one window is seen in a second, and neither loses what the other changed', async function () {
    this.timeout(180_000);
    await show();
    const beside = await editor.openBeside();
    await show(beside);
    await editor.workbench.setCheckbox(view, 'Math', false);
    await until(async () => assert.equal(await beside.isChecked(view, 'Math'), false), 20_000);
    await beside.setCheckbox(view, 'Web Fetch', false);
    await until(async () => assert.equal(await editor.workbench.isChecked(view, 'Web Fetch'), false), 20_000);
    // At once, before either window can have seen what the other did.
    const here = async (): Promise<void> => {
      for (const name of ['Current Time', 'File System']) await editor.workbench.setCheckbox(view, name, false);
    };
    await Promise.all([here(), beside.setCheckbox(view, 'Task Management', false)]);
    await until(
      async () =>
        assert.deepEqual((await off()).sort(), ['current_time', 'file_system', 'math', 'todo_list', 'web_fetch']),
      20_000,
    );
    for (const name of ['Math', 'Web Fetch', 'Current Time', 'File System', 'Task Management'])
      for (const workbench of [editor.workbench, beside])
        await until(async () => assert.equal(await workbench.isChecked(view, name), false, name), 20_000);
    await beside.page.close();
  });

  it('S3.profiles: profile, order and what is on outlive a restart, and the last change can still be taken back', async function () {
    this.timeout(180_000);
    await editor.host.execute('agentCapabilities.moveUp', 'math');
    await chooseProfile(editor, 'readOnly');
    await editor.workbench.statusBarItem(/Read only · plan/).waitFor();
    const before = await entries();
    await editor.stored('"id":"readOnly"');
    await editor.restart();
    await show();
    await editor.workbench.statusBarItem(/Read only · plan/).waitFor();
    await chooseProfile(editor, 'default');
    assert.deepEqual(await entries(), before);
    const names = async (): Promise<string[]> =>
      (await editor.workbench.tree(view).locator('.label-name').allInnerTexts()).slice(0, 5).map((name) => name.trim());
    await until(async () =>
      assert.deepEqual(await names(), ['File System', 'Web Fetch', 'Task Management', 'Math', 'Current Time']),
    );
    assert.equal(await editor.host.execute('agentCapabilities.undo'), 'undone');
    await until(async () =>
      assert.deepEqual(await names(), ['File System', 'Web Fetch', 'Task Management', 'Current Time', 'Math']),
    );
    assert.equal(await editor.workbench.isChecked(view, 'Math'), false);
  });
});
