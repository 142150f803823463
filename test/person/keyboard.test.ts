// @window keys
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { Keyboard } from '../support/editor/keyboard';
import { meant } from '../support/editor/meant';
import { agentIs, agentPicker } from '../support/editor/agentPicker';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const view = 'Capabilities';

describe('by keyboard alone', () => {
  const editor = useEditor({ viewport: { width: 1280, height: 1000 } });
  const keys = (): Keyboard => new Keyboard(editor.page);
  const profiles = async (): Promise<any> =>
    JSON.parse(await readFile(join(editor.folder, '.vscode', 'settings.json'), 'utf8'))['agentCapabilities.profiles'];
  const list = () => editor.page.locator('.pane:has(.pane-header[aria-label^="Capabilities"]) .monaco-list').first();
  /** What a screen reader reads: the label of the row that the focused list names as its active one. */
  const heard = async (): Promise<string> => {
    const id = await list().getAttribute('aria-activedescendant', { timeout: 2000 });
    return (await editor.page.locator(`[id="${id}"]`).getAttribute('aria-label', { timeout: 2000 })) ?? '';
  };
  const hear = (words: RegExp): Promise<void> => until(async () => assert.match(await heard(), words));
  const focusView = async (): Promise<void> => {
    await keys().palette('Agent Capabilities: Focus on Capabilities View');
    await keys().focusIn(list());
  };
  const capabilities = async (profile = 'default'): Promise<any[]> => (await profiles())[profile].capabilities;

  /** The tree as a new window shows it: the shipped profile, every row closed, no filter. */
  async function startAnew(): Promise<void> {
    await editor.host.execute('agentCapabilities.clearFilter');
    await (
      await meant(editor, 'resetProfile', 'default')
    ).result;
    await editor.workbench.statusBarItem(/Default · execute/).waitFor();
    await focusView();
    // Home goes to the first row as it is drawn; where the profile was not drawn anew yet, that is another one.
    await until(async () => {
      await keys().press('Control+ArrowLeft', 'Home');
      assert.match(await heard(), /^File System, enabled, position 1 of/);
    });
  }

  it('D.tree: toggles, moves, undoes, opens details, filters and renames', async () => {
    const { workbench, page } = editor;
    const keyboard = keys();
    await keyboard.palette('Agent Capabilities: Focus on Capabilities View');
    await workbench.treeRow(view, 'File System').waitFor();
    await focusView();
    await keyboard.press('Home');
    await hear(/^File System, enabled/);

    await keyboard.press('ArrowDown', 'Space');
    await hear(/^Web Fetch, disabled/);
    await until(async () => assert.deepEqual((await capabilities())[1], { ref: 'web_fetch', enabled: false }));

    await keyboard.press('Alt+ArrowUp');
    await hear(/^Web Fetch, disabled, position 1 of/);
    await keyboard.press('Alt+ArrowDown');
    await hear(/^Web Fetch, disabled, position 2 of/);

    await keyboard.press('Control+z', 'Control+z', 'Control+z');
    await hear(/^Web Fetch, enabled, position 2 of/);

    await keyboard.press('Enter');
    const details = page.locator('.tab').filter({ hasText: 'Web Fetch' });
    await details.waitFor();
    // A page takes the focus whenever it has finished loading, which may be in the middle of what comes next.
    await keyboard.palette('View: Close All Editors');
    await details.waitFor({ state: 'detached' });
    await focusView();

    // The list is not there while nothing fits: the focus goes back to it all the same, however fast the rest follows.
    await keyboard.press('Control+f');
    await (await keyboard.question()).fill('risk:hi nothing');
    await page.getByText('No capability or tool fits the filter.').waitFor();
    await keyboard.answer('risk:high');
    await workbench.treeRow(view, 'delete_file').waitFor();
    await until(async () => assert.equal(await workbench.treeRow(view, 'read_file').count(), 0));
    await keyboard.focusIn(list());
    await keyboard.press('Escape');
    await workbench.treeRow(view, 'Math').waitFor();
    // So too where the rows are there again before the filter is kept.
    await keyboard.press('Control+f');
    await (await keyboard.question()).fill('risk:hi nothing');
    await page.getByText('No capability or tool fits the filter.').waitFor();
    await workbench.quickInput.locator('input').fill('risk:high');
    await workbench.treeRow(view, 'delete_file').waitFor();
    await keyboard.press('Enter');
    await keyboard.focusIn(list());
    await keyboard.press('Escape');
    await workbench.treeRow(view, 'Math').waitFor();
    await keyboard.press('Control+f');
    await (await keyboard.question()).fill('nothing fits');
    await page.getByText('No capability or tool fits the filter.').waitFor();
    await keyboard.press('Escape');
    await keyboard.focusIn(list());

    await keyboard.press('F2');
    await keyboard.answer('Mine');
    await workbench.statusBarItem(/Mine · execute/).waitFor();
  });

  it('D.tree: loses no key, however fast they follow each other', async () => {
    const keyboard = keys();
    await startAnew();
    await keyboard.press('ArrowDown');
    await hear(/^Web Fetch, enabled/);
    // Off, and the three after it; then off and on again; then three places down.
    await keyboard.press('Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space');
    await hear(/^Math, disabled/);
    const on = (all: any[]): string[] => all.filter((one) => one.enabled !== false).map((one) => one.ref ?? one);
    const off = (all: any[]): string[] => all.filter((one) => one.enabled === false).map((one) => one.ref);
    await until(async () =>
      assert.deepEqual(off(await capabilities()), ['web_fetch', 'todo_list', 'current_time', 'math']),
    );
    await keyboard.press('Space', 'Space', 'Space');
    await until(async () => assert.ok(on(await capabilities()).includes('math')));
    await hear(/^Math, enabled/);
    await keyboard.press('Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp');
    await hear(/^Math, enabled, position 1 of/);
    // Into its tools: one after the other off.
    await keyboard.press('ArrowRight');
    await editor.workbench.treeRow(view, 'subtract').waitFor();
    await keyboard.press('ArrowDown', 'Space');
    await hear(/^add, disabled, position 1 of \d+, low risk/);
    await keyboard.press('ArrowDown', 'Space', 'ArrowDown', 'Space');
    await until(async () => assert.equal(Object.keys((await capabilities())[0].tools).length, 3));
    await keyboard.press('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowLeft');
    await hear(/^Math, enabled, position 1 of/);
    await keyboard.palette('Agent Capabilities: Reset Profile to Default');
    await until(async () => assert.equal((await profiles())?.default, undefined));
  });

  it('D.tree: selects several with Shift and switches and moves them together', async () => {
    const keyboard = keys();
    await startAnew();
    const selected = (): Promise<string[]> =>
      list().locator('.monaco-list-row[aria-selected="true"] .label-name').allInnerTexts();
    const off = async (): Promise<string[]> =>
      ((await profiles())?.default?.capabilities ?? [])
        .filter((one: any) => one.enabled === false)
        .map((one: any) => one.ref);
    // The editor forgets a selection that is made while it draws the rows of the last change: one looks, and selects
    // again.
    await until(async () => {
      if ((await off()).length === 0) {
        await keyboard.press('Escape', 'Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
        await until(
          async () =>
            assert.deepEqual((await selected()).map((name) => name.trim()).sort(), ['Task Management', 'Web Fetch']),
          2000,
        );
        await keyboard.press('Space');
      }
      await until(async () => assert.deepEqual(await off(), ['web_fetch', 'todo_list']), 5000);
    }, 30_000);
    await keyboard.press('Alt+ArrowUp');
    await until(async () =>
      assert.deepEqual(
        (await capabilities()).slice(0, 3).map((one) => one.ref ?? one),
        ['web_fetch', 'todo_list', 'file_system'],
      ),
    );
    await keyboard.press('Control+z', 'Control+z');
    await until(async () => assert.equal((await profiles())?.default, undefined));
  });

  it('D.tree: groups by category and by source, and shows an empty filter with a way on', async () => {
    const keyboard = keys();
    const { workbench } = editor;
    await keyboard.palette('Agent Capabilities: Group Capabilities By…');
    await keyboard.answer('Source');
    const group = workbench.treeRow(view, 'Built in');
    await group.waitFor();
    assert.match((await group.getAttribute('aria-label')) ?? '', /^Built in, group of \d+ capabilities/);
    assert.equal(await group.getAttribute('aria-expanded'), 'true');
    await workbench.picture('tree-by-source');
    await keyboard.palette('Agent Capabilities: Group Capabilities By…');
    await keyboard.answer('Order');
    await group.waitFor({ state: 'detached' });
    await keyboard.palette('Agent Capabilities: Filter Capabilities…');
    await keyboard.answer('nothing is called so');
    const welcome = editor.page
      .locator('.welcome-view:visible')
      .filter({ hasText: 'No capability or tool fits the filter' });
    await welcome.waitFor();
    await workbench.picture('tree-filter-empty');
    await welcome.getByRole('button', { name: 'Clear Filter' }).press('Enter');
    await workbench.treeRow(view, 'Math').waitFor();
  });

  it('D.commands: manages profiles, sets the mode, runs a tool and switches, all from the palette', async () => {
    const { workbench, page } = editor;
    const keyboard = keys();
    await keyboard.palette('Agent Capabilities: New Profile…');
    await keyboard.answer('Night Shift');
    await keyboard.answer('Empty');
    await keyboard.answer('This Workspace');
    await workbench.statusBarItem(/Night Shift · execute/).waitFor();
    assert.deepEqual((await profiles()).nightShift, { name: 'Night Shift', capabilities: [] });

    await keyboard.palette('Agent Capabilities: Enable Capability…');
    await keyboard.question();
    await page.keyboard.type('Math');
    await workbench.quickInput.locator('.monaco-list-row[data-index="0"]').filter({ hasText: 'Math' }).waitFor();
    await keyboard.press('ArrowDown');
    await workbench.quickInput.locator('.monaco-list-row.focused').filter({ hasText: 'Math' }).waitFor();
    await keyboard.press('Space', 'Enter');
    await until(async () => assert.deepEqual((await profiles()).nightShift.capabilities, ['math']));

    await keyboard.palette('Agent Capabilities: Set Mode…');
    await keyboard.answer('plan');
    await workbench.statusBarItem(/Night Shift · plan/).waitFor();

    await keyboard.palette('Agent Capabilities: Run Tool…');
    await keyboard.answer('multiply');
    await keyboard.answer('6');
    await keyboard.answer('7');
    await page.locator('.tab').filter({ hasText: 'multiply' }).waitFor();
    await until(async () => assert.match(await page.locator('.monaco-editor .view-lines').first().innerText(), /42/));

    // What may be left out is offered as a list, of which going on is the first.
    await keyboard.palette('Agent Capabilities: Run Tool…');
    await keyboard.answer('calculate');
    await keyboard.answer('expression');
    await keyboard.answer('6 * 8');
    await workbench.quickInput.getByText('{"expression":"6 * 8"}').waitFor();
    await keyboard.press('Enter');
    await page.locator('.tab').filter({ hasText: 'calculate' }).waitFor();
    await until(async () => assert.match(await page.locator('.monaco-editor .view-lines').first().innerText(), /48/));

    await keyboard.palette('Agent Capabilities: Switch Profile…');
    await keyboard.question();
    await page.keyboard.type('Read only');
    const preview = workbench.quickInput.locator('.monaco-list-row.focused').filter({ hasText: 'Read only' });
    await preview.waitFor();
    assert.match(await preview.innerText(), /\+ [a-z_]+, /, 'it says which tools come');
    await workbench.picture('switch');
    await keyboard.press('Escape');

    await keyboard.palette('Agent Capabilities: Delete Profile…');
    await keyboard.answer('Night Shift');
    await workbench.statusBarItem(/Default · execute/).waitFor();
  });

  it('S3.runtime-agent: the page of the runtime agent has no accessibility violations, and follows changes', async () => {
    const { page, workbench, host } = editor;
    await keys().palette('Agent Capabilities: Show Runtime Agent');
    const inner = async () => {
      for (const frame of page.frames())
        if (
          (await frame
            .locator('main h1')
            .count()
            .catch(() => 0)) > 0
        )
          return frame;
      throw new Error('the page is not there yet');
    };
    // A redraw between the two takes the frame away.
    await until(async () => {
      assert.equal(await (await inner()).locator('main h1').innerText({ timeout: 2000 }), 'Default');
    }, 20_000);
    await workbench.picture('runtime-agent');
    // Scripts are off in the page, axe itself would not run: the same document is checked beside it, with the editor's
    // colours in it.
    // A page that is drawn anew just then has a frame that is still empty.
    const drawn = await until(async () => {
      const text = await (await inner()).content();
      assert.match(text, /<main/);
      return text;
    });
    const html = drawn.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, '').replace(/ nonce="[^"]*"/g, '');
    const beside = await editor.context.newPage();
    await beside.setContent(html);
    await beside.addScriptTag({ content: axe.source });
    const violations = await beside.evaluate(async () => {
      const found = await (globalThis as any).axe.run({ resultTypes: ['violations'] });
      return found.violations.map((one: any) => `${one.id}: ${one.nodes.map((node: any) => node.html).join(' ')}`);
    });
    await beside.close();
    assert.deepEqual(violations, []);
    await host.execute('agentCapabilities.disableCapability', 'math');
    await until(async () => assert.equal(await (await inner()).getByText('cap:math:add').count(), 0), 20_000);
    await host.execute('agentCapabilities.undo');
  });

  it('D.follow: opens the chat, which was closed since the window opened, with the agent of the profile', async () => {
    const { workbench } = editor;
    assert.equal(await agentPicker(workbench).count(), 0);
    await keys().palette('Agent Capabilities: Open Chat with Profile');
    await agentIs(workbench, 'Agent Capabilities (this workspace)');
    await workbench.picture('chat-was-closed');
  });
});
