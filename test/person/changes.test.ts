// @window views
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { useChangesView } from '../support/editor/changesView';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const view = 'Changes by Agents';
const lines = (first: string, last = 'last'): string =>
  [first, ...Array.from({ length: 20 }, (_, at) => `line ${at}`), last, ''].join('\n');

describe('the view Changes by Agents', () => {
  const editor = useEditor({
    viewport: { width: 1400, height: 1000 },
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
  const { keys, at, text, put, hear, focusView, useTheme } = useChangesView(editor);
  /** The list of notifications, because a window under test shows no toasts. */
  const notified = async (words: RegExp) => {
    await editor.host.execute('notifications.showList');
    const told = editor.workbench.notification(words);
    await told.waitFor();
    return told;
  };
  const forget = (): Promise<unknown> => editor.host.execute('notifications.clearAll');

  before(async () => {
    await put('src/a.ts', lines('one'));
    await put('src/b.ts', lines('two'));
    await put('src/c.ts', 'three\n');
    await put('src/gone.ts', 'gone\n');
    const edit = (path: string, from: string, to: string) => ({
      tool: 'cap_edit_file',
      input: { path, edits: [{ old_text: from, new_text: to }] },
    });
    await editor.host.script([
      edit('src/a.ts', 'one', 'ONE'),
      edit('src/b.ts', 'two', 'TWO'),
      edit('src/c.ts', 'three', 'THREE'),
      { tool: 'cap_write_file', input: { path: 'src/made.ts', content: 'made\n' } },
      { tool: 'cap_delete_file', input: { path: 'src/gone.ts', to_trash: false } },
      { text: 'Done.' },
    ]);
    await editor.host.runAgentTurn({ query: 'change it', confirm: 'accept' });
    assert.equal(await text('src/a.ts'), lines('ONE'));
  });

  it('D.undo: from the palette, before the view was ever opened, one picks what is taken back and made again', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Agent Capabilities: Undo Changes by Agents');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: '5 files' }).waitFor();
    await workbench.picture('changes-picked');
    await workbench.pick('5 files');
    await notified(/5 changes were taken back/);
    await forget();
    assert.equal(await text('src/a.ts'), lines('one'));
    await workbench.runCommand('Agent Capabilities: Redo Changes by Agents');
    await workbench.pick('5 files');
    await notified(/5 changes were made again/);
    await forget();
    assert.equal(await text('src/a.ts'), lines('ONE'));
  });

  it('D.undo: five files by an agent and two of them by a person: Undo Since by keyboard takes back the agent’s part alone, and Redo makes it again', async () => {
    const keyboard = keys();
    const { workbench } = editor;
    await put('src/a.ts', lines('ONE', 'a person wrote this'));
    await put('src/b.ts', lines('TWO', 'and this'));
    await focusView();
    await workbench.treeRow(view, 'made.ts').waitFor();
    await keyboard.press('Home');
    await hear(/, 5 files, not looked at yet/);
    await keyboard.press('ArrowDown');
    await hear(/^src\/a\.ts, changed, lines: 1 added, 1 removed, changed since, not looked at yet, 1 of 5/);
    await keyboard.press('ArrowDown', 'ArrowDown');
    await hear(/^src\/c\.ts, changed, .* as the agent left it/);
    await keyboard.palette('View: Close All Editors');
    for (const [theme, look] of [
      ['Light 2026', 'vs'],
      ['Dark 2026', 'vs-dark'],
      ['Default High Contrast', 'hc-black'],
    ] as const) {
      await useTheme(theme, look);
      await workbench.picture(`changes-${theme.replaceAll(' ', '-').toLowerCase()}`);
    }

    await focusView();
    await keyboard.press('Home');
    await hear(/, 5 files/);
    await keyboard.press('Control+Alt+z');
    await until(async () => assert.equal(await text('src/a.ts'), lines('one', 'a person wrote this')));
    await notified(/5 changes were taken back\. Kept with what was changed since: src\/b\.ts, src\/a\.ts/);
    await workbench.picture('changes-told');
    await forget();
    assert.equal(await text('src/a.ts'), lines('one', 'a person wrote this'));
    assert.equal(await text('src/b.ts'), lines('two', 'and this'));
    assert.equal(await text('src/c.ts'), 'three\n');
    assert.equal(await text('src/gone.ts'), 'gone\n');
    assert.ok(!existsSync(at('src/made.ts')));

    // The rows were made anew, and the one that had the focus may be another now.
    await focusView();
    await keyboard.press('Home');
    await hear(/, 5 files, taken back$/);
    await keyboard.press('Control+Shift+z');
    await until(async () => assert.equal(await text('src/a.ts'), lines('ONE', 'a person wrote this')));
    await notified(/5 changes were made again/);
    await forget();
    assert.equal(await text('src/a.ts'), lines('ONE', 'a person wrote this'));
    assert.equal(await text('src/made.ts'), 'made\n');
    assert.ok(!existsSync(at('src/gone.ts')));
  });

  it('D.undo: a file opens in the editor’s comparison, a burst in one for all files; what is in the way is put together by the person', async () => {
    const keyboard = keys();
    const { page, workbench } = editor;
    await focusView();
    await keyboard.press('Home');
    await hear(/, 5 files/);
    await keyboard.press('Enter');
    await page.locator('.multiDiffEditor .view-line').first().waitFor();
    await workbench.picture('changes-burst');
    // The editor of several files takes the keyboard again while its parts load, as a person sees.
    await until(async () => {
      await focusView();
      await keyboard.press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await hear(/^src\/c\.ts/);
      await keyboard.press('Enter');
      await page.locator('.tab').filter({ hasText: 'c.ts (what the agent changed)' }).waitFor({ timeout: 4000 });
    }, 30_000);
    await page.locator('.editor-instance:focus-within .monaco-diff-editor').first().waitFor();
    await workbench.picture('changes-file');

    await put('src/c.ts', 'a person was here\n');
    // The view is drawn anew for it, and a key may meet that.
    await until(async () => {
      await focusView();
      await keyboard.press('Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await hear(/^src\/c\.ts, .* changed since/);
    }, 40_000);
    await keyboard.press('Control+z');
    const left = await notified(/Left as it is, because it was changed since: src\/c\.ts/);
    assert.equal(await text('src/c.ts'), 'a person was here\n');
    await left.getByRole('button', { name: 'Put Together…' }).press('Enter');
    // The comparison that stood there before has the words of its own tab.
    await page.locator('.merge-editor .view-line').first().waitFor();
    await workbench.picture('changes-conflict');
    assert.equal(await text('src/c.ts'), 'a person was here\n');
  });
});
