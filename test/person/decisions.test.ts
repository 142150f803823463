// @window calls
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const lines = (word: string, count = 40): string =>
  Array.from({ length: count }, (_, at) => `export const value${at} = '${word} ${at}';\n`).join('');

describe('deciding on a change', () => {
  const editor = useEditor();

  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(editor.folder, path)), { recursive: true });
    await writeFile(join(editor.folder, path), content);
  };
  const text = (path: string): Promise<string> => readFile(join(editor.folder, path), 'utf8');
  const edit = (path: string, from: string, to: string) => ({
    tool: 'cap_edit_file',
    input: { path, edits: [{ old_text: from, new_text: to }] },
  });
  const turn = (...steps: readonly { tool: string; input: object }[]) => {
    const running = editor.host
      .script([...steps, { text: 'Done.' }])
      .then(() => editor.host.runAgentTurn({ query: 'change it' }));
    // A test that fails ends the editor under its turn.
    running.catch(() => undefined);
    return running;
  };

  afterEach(async () => {
    if (await editor.workbench.modal.isVisible()) await editor.page.keyboard.press('Escape');
    await editor.host.execute('workbench.action.closeAllEditors');
  });

  const diff = () => editor.page.locator('.editor-instance .monaco-diff-editor');
  const button = (name: string) => editor.page.locator('.editor-actions').getByRole('button', { name }).first();
  const openTabs = (): Promise<readonly string[]> =>
    editor.host.evaluate((vscode) =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label)),
    );

  it('D.modal: a long edit is read in the diff editor and allowed there, in two clicks; the editor closes', async () => {
    const { workbench } = editor;
    await put('src/format.ts', lines('old'));
    const running = turn(edit('src/format.ts', lines('old'), lines('new')));
    await workbench.modalText();
    await workbench.picture('decision-modal-long');
    const offered = (await workbench.modal.getByRole('button').allInnerTexts()).filter((one) => one.trim() !== '');
    assert.deepEqual(offered.sort(), ['Allow Once', 'Cancel', 'Show in Editor']);
    await until(async () => {
      const said = (await workbench.chat.textContent())?.replaceAll('\u00A0', ' ') ?? '';
      assert.match(said, /Edit file src\/format\.ts · asks you first · Outcome/);
      assert.doesNotMatch(said, /Undo/);
    });
    await workbench.pressModalButton('Show in Editor');
    await diff().waitFor();
    await editor.page.waitForTimeout(800);
    await workbench.picture('decision-light');
    await editor.host.execute('workbench.action.toggleLightDarkThemes');
    await editor.page.waitForTimeout(800);
    await workbench.picture('decision-dark');
    await editor.host.execute('workbench.action.toggleLightDarkThemes');
    assert.match(await text('src/format.ts'), /old/);
    await button('Allow').click();
    await running;
    assert.equal(await text('src/format.ts'), lines('new'));
    await diff().waitFor({ state: 'detached' });
    assert.deepEqual(
      (await openTabs()).filter((one) => one.includes('waits for your answer')),
      [],
    );
  });

  it('D.modal: what is decided on is never offered to the chat as context, and its commands called by others only ask', async () => {
    const { workbench, host } = editor;
    await put('src/format.ts', lines('old'));
    const running = turn(edit('src/format.ts', lines('old'), lines('new')));
    await workbench.modalText();
    await workbench.pressModalButton('Show in Editor');
    await diff().waitFor();
    await editor.page.waitForTimeout(1500);
    const attached = await workbench.page.locator('.chat-attachments-container').allInnerTexts();
    assert.doesNotMatch(attached.join('\n'), /format\.ts|copilotmd/);
    await host.execute('agentCapabilities.allowDecision');
    await workbench.modalText();
    assert.match(await text('src/format.ts'), /old/);
    const buttons = await workbench.modal.getByRole('button').allInnerTexts();
    assert.ok(buttons.includes('Allow for Session…'), 'what was read may last');
    await workbench.picture('decision-modal-read');
    await workbench.pressModalButton('Cancel');
    await running;
    assert.match(await text('src/format.ts'), /old/);
    await diff().waitFor({ state: 'detached' });
  });

  it('D.modal: all file changes below src/ are allowed for the session in two clicks, for write, edit, move and delete', async () => {
    const { workbench } = editor;
    await put('src/format.ts', lines('old', 3));
    await put('src/gone.ts', 'gone\n');
    await put('src/moved.ts', 'moved\n');
    await put('docs/a.md', 'old\n');
    await rm(join(editor.folder, 'src', 'made.ts'), { force: true });
    const running = turn(
      edit('src/format.ts', 'old 1', 'new 1'),
      edit('src/format.ts', 'old 2', 'new 2'),
      { tool: 'cap_write_file', input: { path: 'src/made.ts', content: 'made\n' } },
      { tool: 'cap_move_file', input: { source: 'src/moved.ts', destination: 'src/deep/there.ts' } },
      { tool: 'cap_delete_file', input: { path: 'src/gone.ts' } },
      edit('docs/a.md', 'old', 'new'),
    );
    await workbench.modalText();
    await workbench.picture('decision-modal-short');
    const narrow = { width: 853, height: 533 };
    const usual = editor.page.viewportSize() ?? narrow;
    await editor.page.setViewportSize(narrow);
    const cut = await workbench.modal.locator('.monaco-button').evaluateAll((buttons) => {
      const sized = buttons as unknown as readonly { scrollWidth: number; clientWidth: number; textContent: string }[];
      return sized.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
    });
    await workbench.picture('decision-modal-150');
    assert.deepEqual(cut, [], 'every button can be read at 150 %');
    await editor.page.setViewportSize(usual);
    await workbench.pressModalButton('Allow for Session…');
    await workbench.picture('decision-modal-session');
    await workbench.pick('Allow All File Changes below src/ for Session');
    assert.match(await workbench.modalText(), /docs\/a\.md/);
    assert.match(await text('src/format.ts'), /new 1[^]*new 2/);
    assert.equal(await text('src/made.ts'), 'made\n');
    assert.equal(await text('src/deep/there.ts'), 'moved\n');
    await assert.rejects(text('src/gone.ts'));
    await workbench.pressModalButton('Cancel');
    await running;
    assert.equal(await text('docs/a.md'), 'old\n');
  });

  it('D.modal: a long edit is denied in the title bar, and allowed for longer from there', async () => {
    const { workbench } = editor;
    await put('lib/long.py', lines('old'));
    const denied = turn(edit('lib/long.py', lines('old'), lines('new')));
    await workbench.modalText();
    await workbench.pressModalButton('Show in Editor');
    await diff().waitFor();
    await editor.page.waitForTimeout(700);
    await button('Deny').click();
    const { toolResults } = await denied;
    assert.match(toolResults.at(-1)?.text ?? '', /the user declined to let edit_file change lib\/long\.py/);
    // The editor keeps the line from before the answer; its link tells what came of the call.
    await workbench.chat.getByText(/^Completed \d+ steps/).click();
    await until(async () => {
      await workbench.chat.getByText('Outcome', { exact: true }).last().click({ timeout: 5000 });
      await editor.host.execute('notifications.showList');
      const told = workbench.notification(/You declined this call: nothing was changed\./);
      await told.waitFor({ timeout: 5000 });
    }, 30_000);
    await workbench.picture('decision-declined');
    const allowed = turn(
      edit('lib/long.py', lines('old'), lines('new')),
      edit('lib/long.py', lines('new'), lines('newer')),
    );
    await workbench.modalText();
    await workbench.pressModalButton('Show in Editor');
    await diff().waitFor();
    await editor.page.waitForTimeout(700);
    await button('Allow for Session').click();
    await workbench.quickInput.getByText('What is allowed for longer?').waitFor();
    await workbench.picture('decision-session');
    await workbench.pick('Allow edit_file on lib/long.py for Session');
    await allowed;
    assert.equal(await text('lib/long.py'), lines('newer'));
  });
});
