// @window rules
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keyboard } from '../support/editor/keyboard';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const view = 'Capabilities';

describe('rules, as a person makes and reads them', () => {
  const editor = useEditor({ viewport: { width: 1400, height: 1000 } });
  const turn = async (...steps: object[]) => {
    await editor.host.script([...steps, { text: 'Done.' }] as never);
    return editor.host.runAgentTurn({ query: 'go on' });
  };
  const rulesFile = (): Promise<string> =>
    readFile(join(editor.folder, '.vscode', 'capabilities', 'boundaries.json'), 'utf8');

  it('S4.boundaries D.commands: a call that was declined becomes a rule in three clicks, which holds and can be undone', async () => {
    const { workbench, page, host } = editor;
    const edit = {
      tool: 'cap_edit_file',
      input: { path: 'src/app.ts', edits: [{ old_text: '42', new_text: '43' }] },
    };
    const running = turn(edit);
    await workbench.modalText();
    await page.waitForTimeout(700);
    await workbench.pressModalButton('Cancel');
    await running;
    await workbench.statusBarItem(/edit_file: declined by you/).waitFor();
    await workbench.picture('rule-status');
    await workbench.statusBarItem(/edit_file: declined by you/).click();
    const offer = workbench.notification(/You declined edit_file\. Shall that hold/);
    await until(async () => {
      await host.execute('notifications.showList');
      await offer.waitFor({ timeout: 3000 });
    }, 20_000);
    await until(async () => {
      const pages = await Promise.all(
        page.frames().map((one) =>
          one
            .locator('body')
            .innerText({ timeout: 2000 })
            .catch(() => ''),
        ),
      );
      assert.match(pages.join(' '), /edit_file: declined by a person[\s\S]*A person declined it after/);
    }, 20_000);
    // The page is drawn before its tab is there, and the tab takes the focus from a list.
    await page.locator('.tabs-container .tab').filter({ hasText: 'Explanation.md' }).waitFor();
    await workbench.picture('rule-why');
    await offer.getByRole('button', { name: 'Turn into a Rule…' }).click();
    await workbench.quickInput
      .getByText('What shall hold for agents')
      .or(workbench.quickInput.getByText('A rule from this call'))
      .first()
      .waitFor();
    await page.waitForTimeout(500);
    await workbench.picture('rule-choices');
    const first = workbench.quickInput
      .locator('.monaco-list-row')
      .filter({ hasText: 'Deny changing src/app.ts' })
      .first();
    await first.click();
    const rules = await until(
      async () => JSON.parse(await rulesFile()) as { id: string; decision: string; match: object }[],
    );
    assert.deepEqual(
      rules.map(({ id, decision, match }) => ({ id, decision, match })),
      [
        {
          id: 'deny-change-src-app-ts',
          decision: 'deny',
          match: { actor: 'agent', accessAny: ['fs.write', 'fs.delete', 'fs.chmod'], path: 'src/app.ts' },
        },
      ],
    );
    const { toolResults } = await turn(edit);
    assert.match(toolResults.at(-1)?.text ?? '', /^denied by boundary "deny-change-src-app-ts"/);
    await workbench.picture('rule-chat');

    const done = workbench.notification(/Holds from now on: Deny changing src\/app\.ts/);
    await until(async () => {
      await host.execute('notifications.showList');
      await done.waitFor({ timeout: 3000 });
    }, 20_000);
    await done.getByRole('button', { name: 'Undo' }).click();
    await until(async () => assert.deepEqual(JSON.parse(await rulesFile()), []));
  });

  it('D.tree S1.policy: one click shows every rule in force with its origin, and a rule says why and which calls it decided', async () => {
    const { workbench, folder } = editor;
    await writeFile(join(folder, '.env'), 'KEY=1\n');
    await turn({ tool: 'cap_read_file', input: { path: '.env' } });
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow(view, 'Rules in force').waitFor();
    await workbench.expand(view, 'Rules in force');
    const row = workbench.treeRow(view, 'preset.secrets');
    await row.waitFor();
    await until(async () => assert.match(await row.innerText(), /denies · 1 hit/));
    await workbench.picture('rules-tree');
    await row.hover();
    await row.getByRole('button', { name: 'Why This Rule?' }).click();
    await workbench.frameWith(/(?=[^]*preset\.secrets denies)(?=[^]*read_file \.env)/);
    await editor.page.locator('.tabs-container .tab').filter({ hasText: 'Rule.md' }).waitFor();
    await workbench.picture('rule-page');
  });

  it('D.tree D.commands: by keyboard a rule is made from nothing, and its row has a menu that leads to it', async () => {
    const { workbench, page, host } = editor;
    const keyboard = new Keyboard(page);
    // A page that is still loading takes the focus, and with it the question.
    await host.execute('workbench.action.closeAllEditors');
    await keyboard.palette('Agent Capabilities: New Rule…');
    await keyboard.question();
    await page.keyboard.type('Deny changing files outside');
    const first = workbench.quickInput.locator('.monaco-list-row[data-index="0"]');
    await first.filter({ hasText: 'outside of a folder' }).waitFor();
    await workbench.picture('new-rule');
    await keyboard.press('Enter');
    await workbench.quickInput.filter({ hasText: 'Outside of which folder?' }).waitFor();
    await keyboard.answer('src/');
    await until(async () => assert.match(await rulesFile(), /"pathNot": "src\/\*\*"/));
    const { toolResults } = await turn({ tool: 'cap_write_file', input: { path: 'outside.txt', content: 'x' } });
    assert.match(toolResults.at(-1)?.text ?? '', /^denied by boundary "deny-change-outside-src"/);
    await host.execute('workbench.action.closeAllEditors');

    await workbench.openContainer('Agent Capabilities');
    await workbench.expand(view, 'Rules in force');
    await workbench.expand(view, 'boundaries.json');
    const row = workbench.treeRow(view, 'deny-change-outside-src');
    await row.waitFor();
    const menu = page.locator('.monaco-menu:visible');
    await until(async () => {
      await row.click();
      await keyboard.press('Shift+F10');
      await menu.waitFor({ timeout: 3000 });
    }, 20_000);
    await workbench.picture('rule-menu');
    const entries = await menu.locator('.action-label').allInnerTexts();
    assert.deepEqual(
      entries.map((one) => one.trim()).filter((one) => one !== ''),
      ['Go to Definition', 'Edit Rule', 'Why This Rule?', 'Copy Rule'],
    );
    await menu.getByText('Go to Definition').focus();
    await keyboard.press('Home', 'Enter');
    await page.locator('.tab.active').filter({ hasText: 'boundaries.json' }).waitFor({ timeout: 15_000 });
    await writeFile(join(editor.folder, '.vscode', 'capabilities', 'boundaries.json'), '[]\n');
    await row.waitFor({ state: 'detached' });
  });

  it('D.commands: a line of the chat ends with what came to nothing, and leads to the explanation', async () => {
    const { workbench } = editor;
    await turn(
      { tool: 'cap_read_file', input: { path: 'missing.txt' } },
      { tool: 'cap_read_file', input: { path: '.env' } },
      { tool: 'cap_edit_file', input: { path: 'src/app.ts', edits: [{ old_text: 'nowhere', new_text: 'x' }] } },
    );
    const seen = (): Promise<string> => workbench.chat.innerText();
    // The editor folds the steps of an answer once it is complete, twice, and what is folded is inert.
    const inert = workbench.chat.locator('[inert]').filter({ hasText: 'Why?' });
    const isOpen = async (): Promise<void> => {
      assert.match(await seen(), /missing\.txt ·/);
      assert.equal(await inert.count(), 0);
    };
    await workbench.chat
      .getByText(/^Completed \d+ steps/)
      .last()
      .click();
    await until(async () => {
      const finished = workbench.chat.getByText(/^Finished with \d+ steps/).last();
      if (
        await isOpen().then(
          () => true,
          () => false,
        )
      )
        return;
      await finished.click({ timeout: 2000 });
      await until(isOpen, 2000);
    }, 30_000);
    await until(async () => {
      const text = await seen();
      assert.match(text, /missing\.txt · ✗ not found · Why\?/);
      assert.match(text, /\.env · ⊘ denied: .* · Why\?/);
      assert.match(text, /src\/app\.ts · ✗ no match · Why\?/);
    }, 20_000);
    await workbench.picture('chat-failures');
    // A line that the editor draws anew just then hears of no click.
    await until(async () => {
      await workbench.chat.getByText('Why?').last().click({ timeout: 5000 });
      await workbench.frameWith(/(?=[^]*edit_file)(?=[^]*no match)/, 5000);
    }, 30_000);
    await workbench.picture('chat-why');
  });
});
