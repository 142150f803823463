// @window views
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFolder } from '../support/auditSample';
import { useEditor } from '../support/editor/person';
import type { PersonEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const write = { tool: 'cap_write_file', input: { path: 'made.txt', content: 'by the agent\n' } };

/** Lets the agent write and leaves the modal to the person. */
async function askToWrite(editor: PersonEditor) {
  await rm(join(editor.folder, 'made.txt'), { force: true });
  await editor.host.script([write, { text: 'Done.' }]);
  return editor.host.runAgentTurn({ query: 'write made.txt' });
}

function modalTests(editor: PersonEditor): void {
  it('D.modal: cap_write_file opens the modal, and Allow Once writes', async () => {
    const turn = askToWrite(editor);
    const text = await editor.workbench.modalText();
    await editor.workbench.picture('modal');
    assert.match(text, /Allow "write_file" to create made\.txt\?/);
    assert.match(text, /The agent \(profile Default\) asks/);
    assert.match(text, /Why you are asked: the tool needs confirmation for agents/);
    assert.match(text, /by the agent/);
    assert.equal(existsSync(join(editor.folder, 'made.txt')), false);
    await editor.workbench.pressModalButton('Allow Once');
    const { toolResults } = await turn;
    assert.equal(await readFile(join(editor.folder, 'made.txt'), 'utf8'), 'by the agent\n');
    assert.match(toolResults.at(-1)?.text ?? '', /^created; hash [0-9a-f]{8}$/);
  });

  for (const [how, answer] of [
    ['Cancel', (one: PersonEditor) => one.workbench.pressModalButton('Cancel')],
    ['Escape', (one: PersonEditor) => one.page.keyboard.press('Escape')],
  ] as const)
    it(`D.modal: ${how} denies, nothing is written, and the model is told what to do instead`, async () => {
      const turn = askToWrite(editor);
      await editor.workbench.modalText();
      await answer(editor);
      const { toolResults } = await turn;
      assert.equal(
        toolResults.at(-1)?.text,
        'the user declined to let write_file change made.txt. do not retry; ask what to do instead',
      );
      assert.equal(existsSync(join(editor.folder, 'made.txt')), false);
    });
}

describe('before an agent writes', () => {
  const editor = useEditor();

  describe('the modal', () => {
    modalTests(editor);
    questionTests(editor);
  });

  describe('the confirmation in the chat', () => {
    before(() => editor.setSettings({ 'agentCapabilities.confirmation.surface': 'chat' }));
    chatTests(editor);
  });
});

describe("the modal, with the editor's auto-approve on", () => {
  const editor = useEditor({
    settings: { 'chat.tools.global.autoApprove': true, 'chat.permissions.default': 'autoApprove' },
  });
  before('the editor asks once whether it is meant', async () => {
    const turn = askToWrite(editor);
    await editor.workbench.pressModalButton('Enable');
    await editor.workbench.pressModalButton('Cancel');
    await turn;
  });
  modalTests(editor);
});

function questionTests(editor: PersonEditor): void {
  it('D.questions: the third question alike offers the smallest grant that would have saved them, and says what it means', async () => {
    const { host, workbench } = editor;
    // Windows of one server share their log: no other call goes to this folder, not even of another try.
    const notes = `notes-${Date.now().toString(36)}`;
    const paths = ['a', 'b', 'c', 'd'].map((name) => `${notes}/${name}.md`);
    await host.script([
      ...paths.map((path) => ({ tool: 'cap_write_file', input: { path, content: 'one\n' } })),
      { text: 'Done.' },
    ]);
    const turn = host.runAgentTurn({ query: 'make notes' });
    turn.catch(() => undefined);
    const shows = (text: string): Promise<void> =>
      until(async () => assert.ok((await workbench.modalText()).includes(text)), 30_000);
    for (const path of paths.slice(0, 2)) {
      await shows(`create ${path}?`);
      assert.match(await workbench.modalText(), /At stake: lines \+1 −0\./);
      await workbench.pressModalButton('Allow Once');
    }
    await shows(`create ${notes}/c.md?`);
    await workbench.picture('modal-learned');
    await workbench.pressModalButton('Stop Asking…');
    await shows(`Stop asking for ${notes}/*.md?`);
    const words = await workbench.modalText();
    assert.match(words, /: questions saved: 2 of \d+; denied calls allowed: none of \d+/);
    await workbench.picture('modal-learned-meaning');
    await workbench.pressModalButton('For This Session');
    await turn;
    for (const path of paths) assert.equal(await readFile(join(editor.folder, path), 'utf8'), 'one\n');
  });

  it('D.questions: calls that wait at the same moment stand in one list; by keys alone one is allowed and two are not', async () => {
    const { host, workbench, page, folder } = editor;
    const at = `together-${Date.now().toString(36)}`;
    // An agent calls one tool after the other; several wait where several agents work.
    const running = host.evaluate(
      async (vscode, given) => {
        const calls = ['a', 'b', 'c'].map((name) =>
          vscode.lm.invokeTool('cap_write_file', {
            input: { path: `${given.at}/${name}.md`, content: 'one\n' },
            toolInvocationToken: undefined,
          }),
        );
        return (await Promise.allSettled(calls)).length;
      },
      { at },
    );
    running.catch(() => undefined);
    // In a busy window one may come while the modal is open already: the list has it all the same.
    await until(async () => assert.match(await workbench.modalText(), /Decide All [23]…/), 30_000);
    await workbench.picture('modal-together');
    await workbench.pressModalButton(/^Decide All [23]…$/);
    const row = workbench.quickInput.locator('.monaco-list-row').filter({ hasText: `create ${at}/b.md` });
    await row.waitFor();
    await until(async () => {
      await page.keyboard.press('ArrowDown');
      await row.and(page.locator('.focused')).waitFor({ timeout: 1000 });
    });
    await page.keyboard.press('Space');
    await workbench.picture('modal-together-list');
    const heard = await workbench.quickInput.ariaSnapshot();
    // What a screen reader is told: each call is a box to tick, with what it does, its risk and what is at stake.
    for (const [name, state] of [
      ['a', ''],
      ['b', ' [checked]'],
      ['c', ''],
    ])
      assert.ok(
        heard.includes(`'checkbox "create ${at}/${name}.md, medium risk, At stake: lines +1 −0."${state}'`),
        heard,
      );
    assert.match(heard, /listbox "[^"]*those ticked are allowed once, all others are denied"/);
    await until(async () => {
      if (await row.isVisible()) await page.keyboard.press('Enter');
      await workbench.modal.waitFor({ timeout: 2000 });
    }, 30_000);
    const words = await workbench.modalText();
    assert.match(words, /Answer 3 calls\?[\s\S]*\+one[\s\S]*Denied: create/);
    const dialog = await page.locator('.monaco-dialog-modal-block').ariaSnapshot();
    assert.match(
      dialog,
      /^- dialog "Warning Answer 3 calls\?":\n {2}- button "Cancel"\n {2}- button "Allow 1 Once, Deny 2"/,
    );
    await workbench.picture('modal-together-answer');
    await workbench.pressModalButton('Allow 1 Once, Deny 2');
    assert.equal(await running, 3);
    const made = ['a', 'b', 'c'].filter((name) => existsSync(join(folder, at, `${name}.md`)));
    assert.deepEqual(made, ['b']);
  });
}

function chatTests(editor: PersonEditor): void {
  it('D.modal: says what the modal says, with the change; the chat names what is searched for, and calls that are denied', async () => {
    const { workbench, host } = editor;
    await host.script([
      {
        tools: [
          { tool: 'cap_grep_files', input: { pattern: 'answer' } },
          { tool: 'cap_read_file', input: { path: '.env' } },
        ],
      },
      { tool: 'cap_edit_file', input: { path: 'src/app.ts', edits: [{ old_text: '42', new_text: '43' }] } },
      { text: 'Done.' },
    ]);
    const turn = host.runAgentTurn({ query: 'change it' });
    const confirmation = workbench.page.locator('.chat-confirmation-widget2').first();
    await until(async () => {
      const words = (await confirmation.innerText({ timeout: 2000 })).replaceAll('\u00A0', ' ');
      assert.match(words, /Allow "Edit file" to change src\/app\.ts\?/);
      assert.match(words, /The agent \(profile Default\) asks to change src\/app\.ts \(medium risk, reversible\)\./);
      assert.match(words, /-export const answer = 42;\s*\+export const answer = 43;/);
    }, 30_000);
    await until(async () => {
      const said = (await workbench.chat.textContent()) ?? '';
      assert.match(said, /Search in files answer/);
      assert.match(
        said,
        /Read file \.env · ⊘ denied: boundary "preset\.secrets": this file usually holds secrets · Why\?/,
      );
    });
    await workbench.picture('chat-confirmation');
    await workbench.page.getByRole('button', { name: 'Skip' }).first().click();
    await turn;
    assert.match(await readFile(join(editor.folder, 'src', 'app.ts'), 'utf8'), /42/);
  });

  it('D.modal: no message loses a letter of a name, and the record tells a confirmation that was offered from one that the editor skipped', async () => {
    const { workbench, host } = editor;
    const names = ['src/my_file.ts', 'src/__init__.py'];
    for (const name of names) await writeFile(join(editor.folder, name), 'answer = 42\n');
    const edit = (name: string) => ({
      tool: 'cap_edit_file',
      input: { path: name, edits: [{ old_text: '42', new_text: '43' }] },
    });
    await host.script([...names.map(edit), { text: 'Done.' }]);
    const turn = host.runAgentTurn({ query: 'change both' });
    turn.catch(() => undefined);
    const confirmation = workbench.page.locator('.chat-confirmation-widget2').first();
    await until(async () => {
      const words = (await confirmation.innerText({ timeout: 2000 })).replaceAll('\u00A0', ' ');
      assert.match(words, /asks to change src\/my_file\.ts \(/);
    }, 30_000);
    // The editor drops `_` from the title that stands above the input box.
    await workbench.page
      .getByText('Allow "Edit file" to change src/my…file.ts?')
      .filter({ visible: true })
      .first()
      .waitFor();
    await workbench.picture('chat-confirmation-names');
    // As long as a person needs to read: what is answered sooner counts as skipped.
    await workbench.page.waitForTimeout(600);
    const button = workbench.page.locator('.chat-confirmation-widget2 .monaco-button');
    await button.filter({ hasText: 'Allow in this Session', visible: true }).first().click();
    await turn;
    for (const name of names) assert.match(await readFile(join(editor.folder, name), 'utf8'), /43/);
    assert.match((await workbench.chat.textContent()) ?? '', /src\/my_file\.ts[\s\S]*src\/__init__\.py/);
    const folder = await auditFolder(editor.server.folder);
    await until(async () => {
      const logs = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
      const lines = (await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8'))))
        .join('\n')
        .split('\n');
      const answered = names.map((name) => {
        const line = lines.find((one) => one.includes('"invocation.finished"') && one.includes(name));
        const record = JSON.parse(line ?? '{}') as Record<string, unknown>;
        return record['approval.by'];
      });
      assert.deepEqual(answered, ['editor', 'editor-skipped']);
    }, 20_000);
  });
}
