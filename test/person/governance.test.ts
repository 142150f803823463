// @window states
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { meant } from '../support/editor/meant';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

const view = 'Capabilities';
const write = (path: string, content = 'by the agent\n') => ({ tool: 'cap_write_file', input: { path, content } });

describe('approvals, grants and plans', () => {
  const editor = useEditor({ viewport: { width: 1280, height: 1000 } });
  const turn = async (...steps: object[]) => {
    await editor.host.script([...steps, { text: 'Done.' }] as never);
    return editor.host.runAgentTurn({ query: 'go on' });
  };
  const text = (path: string): Promise<string> => readFile(join(editor.folder, path), 'utf8');
  /** Takes an entry of the inbox; an editor that opens at this moment closes the list, and one asks for it again. */
  const takePending = (entry: string): Promise<void> =>
    until(async () => {
      await editor.workbench.runCommand('Agent Capabilities: Pending Approvals');
      await editor.workbench.pick(entry, 5000);
    }, 40_000);

  it('D.modal: an edit shows what would change as a diff', async () => {
    const { workbench } = editor;
    const running = turn({
      tool: 'cap_edit_file',
      input: { path: 'src/app.ts', edits: [{ old_text: '42', new_text: '43' }] },
    });
    const modal = await workbench.modalText();
    await workbench.picture('modal-diff');
    assert.match(modal, /-export const answer = 42;\s+\+export const answer = 43;/);
    await workbench.pressModalButton('Cancel');
    await running;
    assert.match(await text('src/app.ts'), /42/);
  });

  it('D.modal: Always Allow opens the scope picker, the grant lets the next call through, and revoking it asks again', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    const first = turn(write('out/one.txt'), write('out/two.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Always Allow…');
    await workbench.page.getByText('Always allow write_file (1/2)').waitFor();
    await workbench.picture('scope-picker');
    await workbench.pick('This pattern…');
    await workbench.answerInput('src/**');
    await workbench.quickInput.getByText('It does not cover out/one.txt').waitFor();
    await workbench.answerInput('out/**');
    await workbench.page.getByText('Always allow (2/2)').waitFor();
    await workbench.pick('Until the window is reloaded');
    await first;
    assert.equal(await text('out/one.txt'), 'by the agent\n');
    assert.equal(await text('out/two.txt'), 'by the agent\n', 'the second call asked nobody');

    await workbench.treeRow(view, 'Grants').waitFor();
    await workbench.expand(view, 'Grants');
    await workbench.treeRow(view, 'out/** · this session').waitFor();
    await workbench.picture('grants');
    await workbench.runCommand('Agent Capabilities: Manage Grants');
    await workbench.pick('write_file');
    await workbench.pick('Revoke');
    await workbench.treeRow(view, 'Grants').waitFor({ state: 'detached' });

    const again = turn(write('out/three.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Cancel');
    await again;
    await assert.rejects(text('out/three.txt'));
  });

  it('D.modal: Show in Editor parks the call; it waits in the tree and is answered from the inbox', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    const running = turn(write('parked.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Show in Editor');
    await workbench.treeRow(view, 'Pending approvals').waitFor();
    await workbench.treeRow(view, 'Allow "write_file" to create parked.txt?').waitFor();
    await workbench.statusBarItem(/Default · execute · +1/).waitFor();
    await workbench.picture('inbox');
    await takePending('parked.txt');
    await workbench.modalText();
    // Put aside once more: an editor that is closed undecided leads back to the question, too.
    await workbench.pressModalButton('Show in Editor');
    const offer = workbench.notification('Allow "write_file" to create parked.txt?');
    await until(async () => {
      if ((await workbench.modal.count()) > 0) return;
      // The tab may be the one of the first time still; this time's comes after it.
      await editor.host.execute('workbench.action.closeAllEditors');
      await editor.host.execute('notifications.showList');
      await offer.getByRole('button', { name: 'Decide…' }).click({ timeout: 3000 });
      await workbench.modal.waitFor({ timeout: 3000 });
    }, 30_000);
    await workbench.modalText();
    await workbench.pressModalButton('Allow Once');
    await running;
    assert.equal(await text('parked.txt'), 'by the agent\n');
    await workbench.treeRow(view, 'Pending approvals').waitFor({ state: 'detached' });
  });

  it('D.modal: several calls that wait are answered at once from the inbox', async () => {
    const { workbench } = editor;
    // An agent calls one tool after the other; several wait where several agents work.
    const running = editor.host.evaluate(async (vscode) => {
      const call = (path: string) =>
        vscode.lm.invokeTool('cap_write_file', {
          input: { path, content: 'by the agent\n' },
          toolInvocationToken: undefined,
        });
      await Promise.all([call('batch/a.txt'), call('batch/b.txt')]);
    });
    running.catch(() => undefined);
    // Which of the two is asked first is not said.
    const parked = new Set<string>();
    while (parked.size < 2) {
      let name = '';
      await until(async () => {
        name = /batch\/[ab]\.txt/.exec(await workbench.modalText())?.[0] ?? '';
        assert.ok(name !== '' && !parked.has(name));
      }, 15_000);
      parked.add(name);
      await workbench.modal.getByRole('button', { name: 'Show in Editor' }).click();
    }
    await workbench.modal.waitFor({ state: 'detached' });
    await workbench.statusBarItem(/Default · execute · +2/).waitFor();
    await takePending('Answer several at once');
    const kind = workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'All 2: write_file' });
    await kind.locator('input[type=checkbox], .monaco-checkbox').first().click();
    await workbench.quickInput.getByText('2 calls wait').waitFor();
    await workbench.picture('batch-list');
    const ok = workbench.quickInput.getByRole('button', { name: 'OK' });
    await until(async () => {
      if (await ok.isVisible()) await ok.click({ timeout: 2000 });
      await workbench.modal.waitFor({ timeout: 2000 });
    }, 30_000);
    const modal = await workbench.modalText();
    await workbench.picture('batch');
    assert.match(modal, /Answer 2 calls\?/);
    for (const name of parked) assert.ok(modal.includes(name), name);
    await workbench.pressModalButton('Allow 2 Once');
    await running;
    assert.equal(await text('batch/a.txt'), 'by the agent\n');
    assert.equal(await text('batch/b.txt'), 'by the agent\n');
  });

  it('D.modal: content that cannot be shown whole or hides something withholds every lasting answer', async () => {
    const { workbench } = editor;
    const spoofs: readonly [string, string][] = [
      ['long', 'line\n'.repeat(5000)],
      ['bidi', 'const a = "\u202E;evil()//";\n'],
      ['tabs', `fine${'\t'.repeat(200)}rm -rf everything\n`],
    ];
    for (const [name, content] of spoofs) {
      const running = turn(write(`spoof-${name}.txt`, content));
      const modal = await workbench.modalText();
      await workbench.picture(`spoof-${name}`);
      const buttons = await workbench.modal.getByRole('button').allInnerTexts();
      assert.deepEqual(
        ['Allow Once', 'Show in Editor', 'Always Allow…', 'for Session'].map((part) =>
          buttons.some((one) => one.includes(part)),
        ),
        [true, true, false, false],
        `${name}: ${buttons.join(', ')}`,
      );
      assert.equal(/\u202E/.test(modal), false);
      if (name === 'bidi') assert.match(modal, /⟨U\+202E⟩/);
      await workbench.pressModalButton('Cancel');
      await running;
    }
  });

  it('S1.policy: a denial says to the model which rule it was and what is allowed instead', async () => {
    await writeFile(join(editor.folder, '.env'), 'KEY=1\n');
    const { toolResults } = await turn({ tool: 'cap_read_file', input: { path: '.env' } });
    assert.match(
      toolResults.at(-1)?.text ?? '',
      /^denied by boundary "preset\.secrets": this file usually holds secrets\. allowed instead: read the example/,
    );
  });

  it('S1.modes: in plan mode reading works, writing is denied and nobody is asked', async () => {
    const { workbench, host } = editor;
    await host.execute('agentCapabilities.setMode', 'plan');
    await workbench.statusBarItem(/Default · plan/).waitFor();
    try {
      const { toolResults } = await turn({ tool: 'cap_read_file', input: { path: 'README.md' } }, write('planned.txt'));
      const [read = '', denied = ''] = toolResults.map((one) => one.text);
      assert.match(read, /Default fixture/);
      // The editor itself refuses a tool that the mode takes out of the request.
      assert.match(denied, /disabled|plan/);
      const offered = (await host.requests()).at(-1)?.tools.map((tool) => tool.name) ?? [];
      assert.deepEqual([offered.includes('cap_read_file'), offered.includes('cap_write_file')], [true, false]);
      const why = (await host.execute('agentCapabilities.explainCall', 'write_file', {
        path: 'a.txt',
        content: '',
      })) as {
        effect: string;
        message?: string;
      };
      assert.equal(why.effect, 'deny');
      assert.match(why.message ?? '', /plan/);
      await assert.rejects(text('planned.txt'));
    } finally {
      await (
        await meant(editor, 'setMode', 'execute')
      ).result;
      await workbench.statusBarItem(/Default · execute/).waitFor();
    }
  });

  it('S1.spec-freeze: a frozen plan approved as a batch runs without a question, and a call outside it is denied', async () => {
    const { workbench, host } = editor;
    const calls = [
      { tool: 'write_file', arguments: { path: { glob: 'plan/**' }, content: { exists: true } }, count: 2 },
    ];
    const freezing = host.execute('agentCapabilities.freezePlan', { title: 'Two notes', calls });
    const modal = await workbench.modalText();
    await workbench.picture('freeze-plan');
    assert.match(modal, /Freeze the plan "Two notes"\?/);
    assert.match(modal, /plan\/\*\*/);
    await workbench.pressModalButton('Freeze and Approve All Calls');
    assert.match(String(await freezing), /^[0-9a-f]{64}$/);
    const { toolResults } = await turn(
      write('plan/a.txt'),
      write('outside.txt'),
      write('plan/b.txt'),
      write('plan/c.txt'),
    );
    assert.equal(await text('plan/a.txt'), 'by the agent\n');
    assert.equal(await text('plan/b.txt'), 'by the agent\n');
    await assert.rejects(text('outside.txt'));
    await assert.rejects(text('plan/c.txt'));
    const [, outside = ''] = toolResults.map((one) => one.text);
    assert.match(outside, /plan/);
    assert.match(outside, /plan\/\*\*/);
    await workbench.runCommand('Agent Capabilities: Freeze Plan');
    await workbench.pick('End the plan');
    const after = turn(write('free.txt'));
    await workbench.modalText();
    await workbench.pressModalButton('Cancel');
    await after;
  });

  it('S4.boundaries: a mistake in boundaries.json is underlined where it stands, and a rule holds as soon as it is saved', async () => {
    const { workbench, page, host } = editor;
    const folder = join(editor.folder, '.vscode', 'capabilities');
    await mkdir(folder, { recursive: true });
    const rule = {
      id: 'no-docs',
      match: { path: 'docs/**' },
      decision: 'deny',
      reason: 'docs are closed',
      severity: 'hard',
    };
    await writeFile(join(folder, 'boundaries.json'), `${JSON.stringify([{ ...rule, decision: 'forbid' }], null, 2)}\n`);
    const problems = () =>
      host.execute('agentCapabilities.validateEverything') as Promise<
        { line?: number; file?: string; message: string }[]
      >;
    const found = await until(async () => {
      const one = (await problems()).find(({ file }) => file?.endsWith('boundaries.json'));
      assert.ok(one);
      return one;
    });
    assert.equal(found.line, 7, JSON.stringify(found));
    await page
      .locator('.markers-panel')
      .getByText(/forbid/)
      .first()
      .waitFor();
    await workbench.picture('problems');
    await writeFile(join(folder, 'boundaries.json'), `${JSON.stringify([rule], null, 2)}\n`);
    await until(async () =>
      assert.deepEqual(
        (await problems()).filter(({ file }) => file?.endsWith('boundaries.json')),
        [],
      ),
    );
    const { toolResults } = await turn({ tool: 'cap_read_file', input: { path: 'docs/a.md' } });
    assert.match(
      toolResults.at(-1)?.text ?? '',
      /^denied by boundary "no-docs": words of the workspace[^:]*: "docs are closed"/,
    );
    const why = (await host.execute('agentCapabilities.explainCall', 'read_file', { path: 'docs/a.md' })) as {
      effect: string;
      rules: { id: string }[];
    };
    assert.deepEqual([why.effect, why.rules.map((one) => one.id).includes('no-docs')], ['deny', true]);
    await workbench.frameWith(/no-docs/);
    await workbench.picture('explain');
    const simulated = (await host.execute('agentCapabilities.simulatePolicy', 'without-workspace')) as {
      changes: { tool: string; because: string[] }[];
    };
    assert.ok(
      simulated.changes.some((one) => one.because.includes('without no-docs')),
      JSON.stringify(simulated),
    );
  });

  it('S4.probes: a capability that the workspace declares stands in the tree with its verdict, and probing makes it ready', async () => {
    const { workbench, host } = editor;
    const folder = join(editor.folder, '.vscode', 'capabilities');
    await writeFile(
      join(folder, 'requirements.json'),
      JSON.stringify([{ id: 'file.readme', kind: 'file', probe: { type: 'file', path: 'README.md' } }]),
    );
    await writeFile(
      join(folder, 'docs.publish.capability.json'),
      JSON.stringify({ id: 'docs.publish', requires: { files: ['file.readme'] } }),
    );
    const check = () =>
      host.execute('agentCapabilities.checkCapability', 'docs.publish') as Promise<{ verdict: string }>;
    await until(async () => assert.equal((await check()).verdict, 'yes-after-probe'));
    await workbench.openContainer('Agent Capabilities');
    await workbench.treeRow(view, 'docs.publish').waitFor();
    await workbench.picture('composed');
    await host.execute('agentCapabilities.probeCapability', 'docs.publish');
    await until(async () => assert.equal((await check()).verdict, 'yes'));
    // As with another branch of git: what its folder declared goes with it.
    await rm(folder, { recursive: true });
    await workbench.treeRow(view, 'docs.publish').waitFor({ state: 'detached' });
  });

  it('D.audit-channel S1.audit: the audit view opens and shows the calls, and the record is whole', async () => {
    const { workbench, host } = editor;
    await turn(
      { tool: 'cap_read_file', input: { path: 'README.md' } },
      { tool: 'cap_read_file', input: { path: '.env' } },
    );
    await workbench.runCommand('Agent Capabilities: Open Audit View');
    // The editor may load a view's page anew while it opens.
    const rows = await until(async () => {
      // The simulation of the test before names a denied call too, and what it read otherwise.
      const frame = await workbench.frameWith(/read README\.md[\s\S]*denied|denied[\s\S]*read README\.md/);
      await workbench.drawn(frame);
      return frame.locator('body').innerText({ timeout: 3000 });
    }, 30_000);
    await workbench.picture('audit-view');
    assert.match(rows, /read README\.md/);
    const verified = (await host.execute('agentCapabilities.verifyAudit')) as { ok: boolean; records: number };
    assert.equal(verified.ok, true);
    assert.ok(verified.records >= 2);
  });

  it('S3.todo: what the agent writes shows in the view, and a tick of the user reaches its next call', async () => {
    const { workbench } = editor;
    const todos = [
      { content: 'Read the timetable', status: 'in_progress' },
      { content: 'Write the note', status: 'pending' },
    ];
    await turn({ tool: 'cap_write_todos', input: { todos } });
    await editor.host.execute('agentCapabilities.todos.focus');
    await workbench.treeRow('Todos', 'Read the timetable').waitFor();
    await workbench.setCheckbox('Todos', 'Read the timetable', true);
    await workbench.picture('todos');
    const { toolResults } = await turn({ tool: 'cap_read_todos', input: {} });
    const answer = toolResults.at(-1)?.text ?? '';
    assert.match(answer, /completed/);
    assert.match(answer, /Read the timetable/);
  });

  it('S3.todo: a key is about the row that has the focus, and the buttons of a row about that row, whichever is selected', async () => {
    const { workbench, page } = editor;
    const todos = ['One', 'Two', 'Three'].map((content) => ({ content, status: 'pending' }));
    await turn({ tool: 'cap_write_todos', input: { todos } });
    await editor.host.execute('agentCapabilities.todos.focus');
    await workbench.treeRow('Todos', 'One').click();
    await until(async () =>
      assert.match((await workbench.treeRow('Todos', 'One').getAttribute('class')) ?? '', /selected/),
    );
    await page.keyboard.press('ArrowDown');
    await until(async () =>
      assert.match((await workbench.treeRow('Todos', 'Two').getAttribute('class')) ?? '', /focused/),
    );
    await page.keyboard.press('Space');
    await until(async () => assert.equal(await workbench.isChecked('Todos', 'Two'), true));
    assert.equal(await workbench.isChecked('Todos', 'One'), false);

    await workbench.treeRow('Todos', 'Three').hover();
    await workbench.treeRow('Todos', 'Three').getByRole('button', { name: 'Delete Todos' }).click();
    await workbench.treeRow('Todos', 'Three').waitFor({ state: 'detached' });
    assert.equal(await workbench.tree('Todos').count(), 2);
  });
});
