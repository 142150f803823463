// @window rules
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Keyboard } from '../support/editor/keyboard';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const lines = (word: string): string =>
  Array.from({ length: 40 }, (_, at) => `export const value${at} = '${word} ${at}';\n`).join('');

/**
 * The ten commonest tasks by keyboard alone. A step is a key, or a text that is typed; a command of the palette is
 * three: F1, its name, Enter.
 */
describe('the ten commonest tasks, by keyboard alone and counted', () => {
  const editor = useEditor({ viewport: { width: 1280, height: 1000 } });
  const counted = new Map<string, number>();
  let steps = 0;

  const press = async (...keys: string[]): Promise<void> => {
    steps += keys.length;
    await new Keyboard(editor.page).press(...keys);
  };
  const palette = async (name: string): Promise<void> => {
    steps += 3;
    await new Keyboard(editor.page).palette(`Agent Capabilities: ${name}`);
  };
  /** Types into the question that comes next and takes what it finds. */
  const choose = async (text: string): Promise<void> => {
    const keyboard = new Keyboard(editor.page);
    await keyboard.question();
    await editor.page.keyboard.type(text);
    await editor.workbench.quickInput.locator('.monaco-list-row.focused').filter({ hasText: text }).waitFor();
    steps += 1;
    await press('Enter');
  };
  /** Takes the row that the open list begins with. */
  const takeFirst = async (text: string): Promise<void> => {
    const row = editor.workbench.quickInput.locator('.monaco-list-row.focused');
    await row.filter({ hasText: text }).waitFor();
    await press('Enter');
  };
  /** Takes the row below. */
  const takeNext = async (text: string): Promise<void> => {
    await new Keyboard(editor.page).question();
    await press('ArrowDown');
    await takeFirst(text);
  };
  /** Goes to a button of the open modal and presses it, once it has been read. */
  const answer = async (label: string, key = 'Tab'): Promise<void> => {
    await editor.workbench.modalText();
    await editor.page.waitForTimeout(700);
    const focused = (): Promise<string> =>
      editor.page.evaluate('document.activeElement.textContent.trim()') as Promise<string>;
    for (let at = 0; (await focused()) !== label; at++) {
      assert.ok(at < 12, `${label} is reached by Tab; the focus is on ${await focused()}`);
      await press(key);
    }
    await press('Enter');
  };
  const task = (name: string, most: number, work: () => Promise<void>): void => {
    it(`D.commands: ${name}, in ${most} step${most === 1 ? '' : 's'}`, async () => {
      steps = 0;
      await work();
      counted.set(name, steps);
      assert.ok(steps <= most, `it took ${steps} steps`);
    });
  };
  /** What is done in between counts for no task. */
  const uncounted = async (work: () => Promise<void>): Promise<void> => {
    const before = steps;
    await work();
    steps = before;
  };
  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(editor.folder, path)), { recursive: true });
    await writeFile(join(editor.folder, path), content);
  };
  const text = (path: string): Promise<string> => readFile(join(editor.folder, path), 'utf8');
  const turn = (...calls: readonly { tool: string; input: object }[]) => {
    const running = editor.host
      .script([...calls, { text: 'Done.' }])
      .then(() => editor.host.runAgentTurn({ query: 'go on' }));
    // A test that fails ends the editor under its turn.
    running.catch(() => undefined);
    return running;
  };
  const edit = (path: string, from: string, to: string) => ({
    tool: 'cap_edit_file',
    input: { path, edits: [{ old_text: from, new_text: to }] },
  });
  const pages = async (): Promise<string> => {
    const bodies = editor.page.frames().map((frame) =>
      frame
        .locator('body')
        .innerText({ timeout: 1000 })
        .catch(() => ''),
    );
    return (await Promise.all(bodies)).join('\n');
  };

  afterEach(async () => {
    if (await editor.workbench.modal.isVisible()) await editor.page.keyboard.press('Escape');
    await editor.host.execute('workbench.action.closeAllEditors');
    await editor.host.execute('notifications.clearAll');
  });

  after(() => {
    for (const [name, count] of counted) console.log(`      ${String(count).padStart(2)} steps: ${name}`);
  });

  task('switch the profile', 5, async () => {
    await palette('Switch Profile…');
    await choose('Read only');
    await editor.workbench.statusBarItem(/Read only · plan/).waitFor();
    await uncounted(async () => {
      await palette('Switch Profile…');
      await choose('Default');
      await editor.workbench.statusBarItem(/Default · execute/).waitFor();
    });
  });

  task('see why a call was denied', 3, async () => {
    await put('.env', 'KEY=1\n');
    await turn({ tool: 'cap_read_file', input: { path: '.env' } });
    await palette('Why Was It Denied?');
    await until(async () => assert.match(await pages(), /read_file: denied[\s\S]*preset\.secrets/), 20_000);
    // The page is drawn before its tab is there, and the tab takes the focus.
    await editor.page.locator('.tabs-container .tab').filter({ hasText: 'Explanation.md' }).waitFor();
  });

  task('see all rules in force', 3, async () => {
    await palette('Show Rules in Force');
    await editor.workbench.treeRow('Capabilities', 'preset.secrets').waitFor();
  });

  task('allow a short edit once', 1, async () => {
    await put('src/short.ts', 'old\n');
    const running = turn(edit('src/short.ts', 'old', 'new'));
    await answer('Allow Once');
    await running;
    assert.equal(await text('src/short.ts'), 'new\n');
  });

  task('allow a long edit after reading it', 8, async () => {
    await put('src/long.ts', lines('old'));
    const running = turn(edit('src/long.ts', lines('old'), lines('new')));
    await answer('Show in Editor');
    // It takes the focus, and what is open then closes.
    await editor.page.locator('.editor-instance:focus-within .monaco-diff-editor').first().waitFor();
    await palette('Pending Approvals');
    await takeFirst('src/long.ts');
    await answer('Allow Once');
    await running;
    assert.equal(await text('src/long.ts'), lines('new'));
  });

  task('turn a denial into a rule', 5, async () => {
    await put('src/closed.ts', 'old\n');
    const running = turn(edit('src/closed.ts', 'old', 'new'));
    await uncounted(() => answer('Cancel'));
    await running;
    await palette('New Rule from a Call…');
    await takeFirst('edit_file');
    await takeFirst('Deny changing src/closed.ts');
    const file = join('.vscode', 'capabilities', 'boundaries.json');
    await until(async () => assert.match(await text(file), /deny-change-src-closed-ts/));
    await put(file, '[]\n');
  });

  task('allow all changes below src/ for the session', 5, async () => {
    await put('src/many.ts', 'old\n');
    const running = turn(edit('src/many.ts', 'old', 'new'), edit('src/many.ts', 'new', 'newer'));
    await answer('Allow for Session…', 'Shift+Tab');
    await takeNext('Allow All File Changes below src/ for Session');
    await running;
    assert.equal(await text('src/many.ts'), 'newer\n');
  });

  task('switch a tool off and take it back', 8, async () => {
    // A view that opens for the first time takes the focus once more when it is drawn.
    await editor.host.execute('agentCapabilities.capabilities.focus');
    await editor.workbench.treeRow('Capabilities', 'File System').waitFor();
    await palette('Focus on Capabilities View');
    const view = editor.page.locator('.pane:has(.pane-header[aria-label^="Capabilities"]) .monaco-list').first();
    await new Keyboard(editor.page).focusIn(view);
    await press('Home', 'ArrowRight');
    const row = editor.workbench.treeRow('Capabilities', 'read_file');
    await row.waitFor();
    await press('ArrowDown', 'Space');
    const settings = join('.vscode', 'settings.json');
    await until(async () => assert.match(await text(settings), /"tools": ?\{[^}]*false/));
    await until(async () => assert.match((await row.getAttribute('aria-label')) ?? '', /^read_file, disabled/));
    await press('Control+z');
    await until(async () => assert.doesNotMatch(await text(settings), /false/));
  });

  task('go to plan mode', 5, async () => {
    await palette('Set Mode…');
    await choose('plan');
    await editor.workbench.statusBarItem(/Default · plan/).waitFor();
  });

  task('read what agents did', 3, async () => {
    await palette('Open Audit View');
    await until(async () => assert.match(await pages(), /edit_file/), 20_000);
  });
});
