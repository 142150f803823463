// @window keys
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const views = ['Capabilities', 'Changes by Agents'] as const;
const themes = ['Light 2026', 'Dark 2026', 'Default High Contrast', 'Default High Contrast Light'];
const sizes = [
  { name: '100', width: 1280, height: 1000 },
  // What an editor at 150 % has of such a window.
  { name: '150', width: 853, height: 667 },
];
const wanted = 200;

describe('our views in a side bar of 200 points', () => {
  const editor = useEditor({
    viewport: { width: 1280, height: 1000 },
    settings: {
      'agentCapabilities.policy.boundaries': [
        {
          id: 'test.allow',
          match: { accessAny: ['fs.*'], path: '**' },
          decision: 'allow',
          reason: 'a test works here',
        },
      ],
    },
  });
  const pane = (view: string): string => `.pane:has(.pane-header[aria-label^="${view}"])`;

  before(async () => {
    await mkdir(join(editor.folder, 'src', 'a-folder-with-a-long-name'), { recursive: true });
    await writeFile(join(editor.folder, 'src', 'a.ts'), 'one\n');
    await writeFile(join(editor.folder, 'src', 'a-folder-with-a-long-name', 'a-file-with-a-long-name.ts'), 'two\n');
    await editor.host.script([
      { tool: 'cap_edit_file', input: { path: 'src/a.ts', edits: [{ old_text: 'one', new_text: 'ONE' }] } },
      {
        tool: 'cap_write_file',
        input: { path: 'src/a-folder-with-a-long-name/a-file-with-a-long-name.ts', content: 'TWO\n' },
      },
      { tool: 'cap_write_file', input: { path: 'made.md', content: 'made\n' } },
      { tool: 'cap_read_file', input: { path: '.env' } },
      { text: 'Done.' },
    ]);
    await editor.host.runAgentTurn({ query: 'change it', confirm: 'accept' });
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.workbench.treeRow('Capabilities', 'File System').waitFor();
    await editor.workbench.expand('Capabilities', 'File System');
    await editor.workbench.runCommand('Agent Capabilities: Focus on Changes by Agents View');
    await editor.workbench.treeRow('Changes by Agents', 'files').waitFor();
  });

  /** Drags the side bar's edge. */
  const narrow = async (): Promise<void> => {
    const { page } = editor;
    const bar = page.locator('.part.sidebar');
    await until(async () => {
      const box = await bar.boundingBox();
      assert.ok(box);
      if (Math.abs(box.width - wanted) > 4) {
        await page.mouse.move(box.x + box.width, 300);
        await page.mouse.down();
        await page.mouse.move(box.x + wanted, 300, { steps: 5 });
        await page.mouse.up();
        await page.mouse.move(600, 500);
      }
      const width = (await bar.boundingBox())?.width ?? 0;
      assert.ok(Math.abs(width - wanted) <= 4, `the side bar has ${width} points`);
    }, 20_000);
  };

  /**
   * What axe finds in a view, by rule and row. The boxes' places in the order of keys are the editor's own, and its
   * headers too are read otherwise than they look; that our rows are read with their name first is looked at here.
   */
  const violations = (view: string): Promise<string[]> =>
    editor.page.evaluate(`(async () => {
      if (!window.axe) { ${axe.source} }
      const found = await window.axe.run(document.querySelector(${JSON.stringify(pane(view))}), { resultTypes: ['violations'], preload: false, rules: { tabindex: { enabled: false }, 'label-content-name-mismatch': { enabled: false } } });
      return found.violations.flatMap((one) => one.nodes.map((node) => one.id + ': ' + node.html.slice(0, 300) + ' ' + node.failureSummary));
    })()`);

  for (const size of sizes)
    for (const theme of themes)
      it(`D.tree: at ${size.name} % in ${theme} each row says its name, and axe finds nothing`, async () => {
        const { host, page, workbench } = editor;
        await host.evaluate(async (vscode, name) => {
          await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, 1);
        }, theme);
        await page.setViewportSize(size);
        await page.waitForTimeout(1000);
        await narrow();
        await page.waitForTimeout(500);
        await workbench.picture(`narrow-${size.name}-${theme.replaceAll(' ', '-')}`);
        const faults: string[] = [];
        for (const view of views) {
          const rows = await page.locator(`${pane(view)} .monaco-list-row`).evaluateAll((all) =>
            all.map((row) => {
              const name = row.querySelector('.label-name');
              const full = name?.textContent ?? '';
              return {
                full,
                width: name?.getBoundingClientRect().width ?? 0,
                read: row.getAttribute('aria-label') ?? '',
              };
            }),
          );
          assert.ok(rows.length > 0, view);
          faults.push(
            ...rows
              .filter(({ full, width }) => width < Math.min(24, full.length * 4))
              .map((row) => `${view}: ${JSON.stringify(row)}`),
          );
          faults.push(...rows.filter(({ read, full }) => !read.includes(full)).map((row) => JSON.stringify(row)));
          faults.push(...(await violations(view)).map((one) => `${view}: ${one}`));
        }
        assert.deepEqual(faults, []);
      });
});
