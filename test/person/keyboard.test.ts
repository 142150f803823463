import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const view = 'Capabilities';
const shot = (name: string): string => join(projectRoot(), '.build', 'person', `${name}.png`);

describe('by keyboard alone', () => {
  const editor = useEditor({ viewport: { width: 1280, height: 1000 } });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await editor.page.keyboard.press(key);
      // The editor fetches the tree's rows anew after a change; a key within that moment finds the focus where it was before.
      if (/^(Alt|Control|Space|Home|Arrow)/.test(key)) await editor.page.waitForTimeout(700);
    }
  };
  const profiles = async (): Promise<any> =>
    JSON.parse(await readFile(join(editor.folder, '.vscode', 'settings.json'), 'utf8'))['agentCapabilities.profiles'];
  const focused = async (): Promise<string> => {
    const row = editor.page.locator('.pane-body .monaco-list-row.focused').first();
    return (await row.getAttribute('aria-label', { timeout: 2000 })) ?? '';
  };

  /** Runs a command as somebody without a mouse does: palette, type, Enter. */
  async function palette(name: string): Promise<void> {
    await editor.workbench.openPalette(name);
    await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().waitFor();
    await press('Enter');
  }
  /** Types into the question that follows the palette. */
  const type = async (text: string): Promise<void> => {
    const input = editor.page
      .locator('.quick-input-widget:visible input[type=text], .quick-input-widget:visible .quick-input-box input')
      .first();
    await until(async () => assert.doesNotMatch(await input.inputValue(), /^>/));
    await editor.page.waitForTimeout(300);
    await editor.page.keyboard.type(text);
    await editor.page.waitForTimeout(300);
    await press('Enter');
  };

  it('D.tree: toggles, moves, undoes, opens details, filters and renames', async () => {
    const { workbench, page } = editor;
    await palette('Agent Capabilities: Focus on Capabilities View');
    await workbench.treeRow(view, 'File System').waitFor();
    // While the window starts, other extensions' tools arrive; a view that is still filling gives the focus back to where it was.
    for (let before = -1, rows = 0; rows !== before;) {
      before = rows;
      await page.waitForTimeout(2500);
      rows = await workbench.tree(view).count();
    }
    await palette('Agent Capabilities: Focus on Capabilities View');
    // The palette gives the focus back a moment after its command has run.
    await page.locator('.pane-body .monaco-list:focus').first().waitFor();
    await page.waitForTimeout(500);
    await press('Home');
    await until(async () => assert.match(await focused(), /^File System, enabled/));

    await press('ArrowDown');
    await until(async () => assert.match(await focused(), /^Web Fetch, enabled/));
    await press('Space');
    await until(async () => assert.match(await focused(), /^Web Fetch, disabled/));
    assert.deepEqual((await profiles()).default.capabilities[1], { ref: 'web_fetch', enabled: false });

    await press('Alt+ArrowUp');
    await until(async () => assert.match(await focused(), /^Web Fetch, disabled, position 1 of/));
    await press('Alt+ArrowDown');
    await until(async () => assert.match(await focused(), /^Web Fetch, disabled, position 2 of/));

    await press('Control+z', 'Control+z', 'Control+z');
    await until(async () => assert.match(await focused(), /^Web Fetch, enabled, position 2 of/));

    await press('Enter');
    await page.locator('.tab').filter({ hasText: 'Web Fetch' }).waitFor();
    await palette('Agent Capabilities: Focus on Capabilities View');

    await press('Control+f');
    await type('risk:high');
    await workbench.treeRow(view, 'delete_file').waitFor();
    assert.equal(await workbench.treeRow(view, 'read_file').count(), 0);
    await palette('Agent Capabilities: Clear Filter');
    await workbench.treeRow(view, 'Math').waitFor();

    await palette('Agent Capabilities: Focus on Capabilities View');
    await press('F2');
    await page.waitForTimeout(500);
    await press('Control+a');
    await type('Mine');
    await workbench.statusBarItem(/Mine · execute/).waitFor();
  });

  it('D.commands: manages profiles, sets the mode, runs a tool and switches, all from the palette', async () => {
    const { workbench, page } = editor;
    await palette('Agent Capabilities: New Profile…');
    await type('Night Shift');
    await workbench.statusBarItem(/Night Shift · execute/).waitFor();
    assert.deepEqual((await profiles()).nightShift, { name: 'Night Shift', capabilities: [] });

    await palette('Agent Capabilities: Enable Capability…');
    await page.waitForTimeout(800);
    await page.keyboard.type('Math');
    await page.waitForTimeout(300);
    await press('ArrowDown', 'Space', 'Enter');
    await until(async () => assert.deepEqual((await profiles()).nightShift.capabilities, ['math']));

    await palette('Agent Capabilities: Set Mode…');
    await type('plan');
    await workbench.statusBarItem(/Night Shift · plan/).waitFor();

    await palette('Agent Capabilities: Run Tool…');
    await type('multiply');
    await page.waitForTimeout(300);
    await type('6');
    await page.waitForTimeout(300);
    await type('7');
    await page.locator('.tab').filter({ hasText: 'multiply' }).waitFor();
    await until(async () => assert.match(await page.locator('.monaco-editor .view-lines').first().innerText(), /42/));

    await palette('Agent Capabilities: Delete Profile…');
    await type('Night Shift');
    await workbench.statusBarItem(/Mine · execute/).waitFor();
    await palette('Agent Capabilities: Reset Profile to Default');
    await workbench.statusBarItem(/Default · execute/).waitFor();
  });

  it('S3.runtime-agent: the page of the runtime agent has no accessibility violations, and follows changes', async () => {
    const { page, workbench, host } = editor;
    await palette('Agent Capabilities: Show Runtime Agent');
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
    const frame = await until(inner, 20_000);
    assert.equal(await frame.locator('main h1').innerText(), 'Default');
    await workbench.screenshot(shot('runtime-agent'));
    // Scripts are off in the page, axe itself would not run: the same document is checked beside it, with the editor's colours in it.
    const html = (await (await until(inner)).content())
      .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, '')
      .replace(/ nonce="[^"]*"/g, '');
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
});
