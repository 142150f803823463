import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { referenceCalls, referenceServers } from '../support/mcp/referenceCalls';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

const free = { tools: { '*': { permission: 'allowed' } } };
const servers = Object.fromEntries(
  Object.entries(referenceServers).map(([name, entry]) => [name, { ...entry, ...free }]),
);
/** What asks the person something is called apart, below. */
const asking = /^everything_trigger-(elicitation|url-elicitation|sampling)/;

describe('the reference servers behind the gate, from agent mode', function () {
  this.timeout(180_000);
  const editor = useEditor({
    viewport: { width: 1280, height: 1000 },
    settings: {
      'agentCapabilities.mcp.servers': servers,
      'agentCapabilities.limits': { perTool: { requests: 1000, windowMs: 1000 } },
      'agentCapabilities.profiles': {
        gateway: {
          name: 'Gateway',
          capabilities: ['capabilities', ...Object.keys(servers).map((name) => `mcp_${name}`)],
        },
        quiet: { name: 'Quiet', capabilities: ['math'] },
        searching: {
          name: 'Searching',
          capabilities: [
            { ref: 'capabilities', config: { offer: 'search' } },
            'math',
            ...Object.keys(servers).map((name) => `mcp_${name}`),
          ],
        },
      },
      'agentCapabilities.activeProfile': 'gateway',
      'chat.agent.maxRequests': 200,
    },
  });

  /** The names under which agent mode knows the tools that the model was sent, by the gateway's own names. */
  const offered = async (): Promise<Map<string, string>> => {
    await editor.host.script([{ text: 'ready' }]);
    const turn = await editor.host.runAgentTurn({ query: 'which tools do you have?' });
    const names = turn.requests[0]?.tools.map((tool) => tool.name) ?? [];
    return new Map(
      names.flatMap((name) => known.filter((one) => name.endsWith(`_${one}`)).map((one) => [one, name] as const)),
    );
  };
  const known = referenceCalls.map(([tool]) => tool);
  const result = (turn: { toolResults: { text: string }[] }): string => turn.toolResults.at(-1)?.text ?? '';

  it('S1.unified: every server is approved by the person, and its tools are in the next request', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Agent Capabilities');
    const approved = new Set<string>();
    const decide = workbench.page.getByRole('button', { name: 'Decide…' }).first();
    await until(async () => {
      if (!(await workbench.modal.isVisible())) {
        // A list that was shown in an editor waits for its answer in a notification.
        if (!(await decide.isVisible())) await editor.host.execute('notifications.showList');
        else await decide.click({ timeout: 3000 });
        assert.equal(approved.size, 4, 'no server asks yet');
        return;
      }
      const name = /tools? of the MCP server "(\w+)"/.exec(await workbench.modalText())?.[1] ?? '';
      assert.ok(name !== '' && !approved.has(name), name);
      // A long list is approved only once all of it was shown.
      const approve = workbench.modal.getByRole('button', { name: 'Approve', exact: true });
      if (name === 'fs') await workbench.picture(`reference-approve${(await approve.count()) > 0 ? '' : '-long'}`);
      if ((await approve.count()) > 0) {
        await workbench.pressModalButton('Approve');
        approved.add(name);
      } else await workbench.pressModalButton('Show in Editor');
      assert.equal(approved.size, 4, `only ${[...approved].join(', ')} are approved`);
    }, 120_000);
    await editor.host.execute('notifications.hideList');
    await editor.host.execute('workbench.action.closeAllEditors');
    await until(async () => {
      const names = await offered();
      assert.deepEqual(
        known.filter((one) => !names.has(one)),
        [],
      );
    }, 60_000);
    await workbench.picture('reference-tree');
    // Our tools come back as tools of the editor's MCP server; they are not counted twice.
    assert.doesNotMatch(
      await editor.page.locator('.pane .tree-explorer-viewlet-tree-view .message').first().innerText(),
      /More than 128/,
    );
  });

  it('S1.unified: every tool is called by the model and its result reaches the model', async () => {
    const names = await offered();
    await writeFile(join(editor.folder, 'a.txt'), 'hello');
    await writeFile(join(editor.folder, 'p.png'), '\x89PNG');
    const failed: string[] = [];
    for (const server of Object.keys(servers)) {
      const calls = referenceCalls.filter(([tool]) => tool.startsWith(`${server}_`) && !asking.test(tool));
      await editor.host.script([
        ...calls.map(([tool, input]) => ({
          tool: names.get(tool) ?? tool,
          input: JSON.parse(JSON.stringify(input).replaceAll('ROOT', editor.folder)) as object,
        })),
        { text: 'done' },
      ]);
      const turn = await editor.host.runAgentTurn({ query: `use ${server}`, confirm: 'accept', timeoutMs: 120_000 });
      assert.equal(turn.toolResults.length, calls.length, server);
      for (const [index, [tool, , expected]] of calls.entries()) {
        const text = turn.toolResults[index]?.text ?? '';
        const pattern = new RegExp(expected.source.replaceAll('ROOT', basename(editor.folder)), expected.flags);
        if (!pattern.test(text) || /denied_by_policy|not_available|tool_not_found/.test(text))
          failed.push(`${tool}: ${text.slice(0, 300)}`);
      }
    }
    assert.deepEqual(failed, []);
  });

  it('S1.mcp: a protected path is denied through the foreign server too, however it is written', async () => {
    const names = await offered();
    await writeFile(join(editor.folder, '.env'), 'SECRET=1');
    await symlink('.env', join(editor.folder, 'innocent.txt'));
    await mkdir(join(editor.folder, 'deep'), { recursive: true });
    const inputs: [string, object][] = [
      ['fs_read_text_file', { path: '.env' }],
      ['fs_read_text_file', { path: join(editor.folder, 'deep/../.env') }],
      ['fs_read_text_file', { path: 'innocent.txt' }],
      ['fs_read_multiple_files', { paths: ['a.txt', '.env'] }],
      ['fs_move_file', { source: '.env', destination: 'b.txt' }],
    ];
    await editor.host.script([
      ...inputs.map(([tool, input]) => ({ tool: names.get(tool) ?? tool, input })),
      { text: 'done' },
    ]);
    const turn = await editor.host.runAgentTurn({ query: 'read the secrets', confirm: 'accept' });
    assert.equal(turn.toolResults.length, inputs.length);
    for (const [index, { text }] of turn.toolResults.entries()) {
      assert.match(text, /denied by boundary/, JSON.stringify(inputs[index]));
      assert.doesNotMatch(text, /SECRET=1/);
    }
  });

  it('S1.mcp: a form that a server asks is answered by the person, field by field, with the server’s name', async () => {
    const { workbench } = editor;
    const names = await offered();
    await editor.host.script([
      { tool: names.get('everything_trigger-elicitation-request') ?? '', input: {} },
      { text: 'done' },
    ]);
    const running = editor.host.runAgentTurn({ query: 'ask me', timeoutMs: 120_000 });
    running.catch(() => undefined);
    /** The call, and then what it answered. Only then: it takes the keyboard to the chat. */
    const acceptUntil = <T>(what: () => Promise<T>): Promise<T> =>
      until(async () => {
        await editor.host.execute('workbench.action.chat.acceptTool');
        return what();
      }, 60_000);
    await acceptUntil(() => workbench.modal.waitFor({ timeout: 1000 }));
    assert.match(await workbench.modalText(), /The MCP server "everything" asks/);
    await workbench.picture('elicit-modal');
    await workbench.pressModalButton('Answer…');
    const title = editor.page.locator('.quick-input-title');
    const input = workbench.quickInput.locator('.quick-input-box input');
    const step = (index: number, timeout = 30_000) =>
      title.filter({ hasText: `The MCP server "everything" asks (${index}/13)` }).waitFor({ timeout });
    /** The editor takes no Enter while it still checks a text: one looks, and presses again. */
    const accept = async (index: number): Promise<void> => {
      await step(index);
      await until(async () => {
        if ((await title.innerText({ timeout: 1000 })).includes(`(${index}/13)`)) await input.press('Enter');
        await step(index + 1, 5000);
      }, 30_000);
    };
    await step(1);
    await workbench.picture('elicit-text');
    await workbench.answerInput('Ada');
    await step(2);
    await workbench.pick('Yes');
    await accept(3);
    await step(4);
    const fault = workbench.quickInput.getByText('An email address is expected.');
    await input.fill('nobody');
    await fault.waitFor();
    await workbench.picture('elicit-fault');
    await until(async () => {
      await input.fill('');
      await fault.waitFor({ state: 'hidden', timeout: 3000 });
    }, 30_000);
    await accept(4);
    await accept(5);
    await accept(6);
    await accept(7);
    await accept(8);
    await step(9);
    await workbench.pick('Joey');
    await step(10);
    await workbench.pick('Piano');
    await workbench.picture('elicit-many');
    await workbench.quickInput.getByRole('button', { name: 'OK' }).click();
    await step(11);
    await workbench.pick('Wonder Woman');
    await step(12);
    await workbench.quickInput.getByRole('button', { name: 'OK' }).click();
    await step(13);
    await workbench.pick('Leave it out');
    const pause = () => new Promise<void>((done) => setTimeout(done, 500)).then(() => undefined);
    const ended = await acceptUntil(async () => {
      const turn = await Promise.race([running, pause()]);
      assert.ok(turn, 'the turn goes on');
      return turn;
    });
    const text = result(ended);
    const raw =
      /"content": ?(\{[\s\S]*?\n {2}\})/.exec(text.replaceAll('\\n', '\n').replaceAll('\\"', '"'))?.[1] ?? text;
    assert.deepEqual(JSON.parse(raw), {
      name: 'Ada',
      check: true,
      firstLine: 'It was a dark and stormy night.',
      integer: 42,
      number: 3.14,
      untitledSingleSelectEnum: 'Joey',
      untitledMultipleSelectEnum: ['Guitar', 'Piano'],
      titledSingleSelectEnum: 'hero-3',
      titledMultipleSelectEnum: ['fish-1'],
    });
  });

  it('S1.mcp: a server uses the person’s model only where the person allows it', async () => {
    const { workbench } = editor;
    const sample = (): Promise<any> =>
      editor.host.evaluate(async (vscode) => {
        const api: any = await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
        return api.invokeTool('test.person', 'everything_trigger-sampling-request', {
          prompt: 'say hi',
          maxTokens: 20,
        });
      });
    await editor.host.script([{ text: 'hi from the model' }]);
    const refused = sample();
    const text = await workbench.modalText();
    await workbench.picture('sampling');
    assert.match(text, /Let the MCP server "everything" use your language model\?/);
    assert.match(text, /You are a helpful test server/);
    assert.match(text, /say hi/);
    await workbench.pressModalButton('Cancel');
    assert.doesNotMatch(JSON.stringify(await refused), /hi from the model/);
    const allowed = sample();
    await workbench.modalText();
    await workbench.pressModalButton('Allow Once');
    // Where there are several models the person picks one.
    const picking = editor.page
      .locator('.quick-input-title')
      .filter({ hasText: 'Which model answers the MCP server "everything"?' });
    await Promise.race([picking.waitFor(), allowed]);
    if (await picking.isVisible()) await workbench.pick('Scripted');
    const answer = await allowed;
    assert.match(JSON.stringify(answer), /hi from the model/);
  });

  it('D.definitions: switching the profile takes the run-time tools out of agent mode and brings them back, without a reload', async () => {
    await chooseProfile(editor, 'quiet');
    await until(async () => assert.equal((await offered()).size, 0), 60_000);
    await chooseProfile(editor, 'gateway');
    await until(async () => assert.equal((await offered()).size, known.length), 60_000);
  });

  it('S2.discovery: a profile that offers search lists the searching tools alone, and what a search found from then on', async () => {
    const builtin = (names: readonly string[]): string[] => names.filter((name) => name.startsWith('cap_')).sort();
    const request = async (): Promise<string[]> => {
      await editor.host.script([{ text: 'ready' }]);
      const turn = await editor.host.runAgentTurn({ query: 'which tools do you have?' });
      return turn.requests[0]?.tools.map((tool) => tool.name) ?? [];
    };
    const searching = ['cap_check_capability', 'cap_list_capabilities', 'cap_search_tools'];
    await chooseProfile(editor, 'searching');
    await until(async () => {
      assert.equal((await offered()).size, 0);
      assert.deepEqual(builtin(await request()), searching);
    }, 60_000);
    await editor.host.script([
      { tool: 'cap_search_tools', input: { query: 'sum of two numbers', limit: 3 } },
      { text: 'found' },
    ]);
    const search = await editor.host.runAgentTurn({ query: 'find a tool', confirm: 'accept' });
    assert.match(result(search), /everything_get-sum/);
    let names = new Map<string, string>();
    await until(async () => {
      names = await offered();
      assert.ok(names.has('everything_get-sum') && names.size <= 3, [...names.keys()].join(' '));
    }, 60_000);
    await editor.host.script([
      { tool: names.get('everything_get-sum') ?? '', input: { a: 2, b: 3 } },
      { text: 'done' },
    ]);
    assert.match(result(await editor.host.runAgentTurn({ query: 'add', confirm: 'accept' })), /5/);
    await chooseProfile(editor, 'gateway');
    await until(async () => assert.equal((await offered()).size, known.length), 60_000);
  });

  it('S1.mcp: what was approved stays approved in the next window, where the servers sleep until they are called', async () => {
    await editor.reload();
    await editor.workbench.openContainer('Agent Capabilities');
    await editor.page.locator('.monaco-list-row[aria-label^="MCP server fs, asleep until called"]').waitFor();
    await until(async () => assert.equal((await offered()).size, known.length), 60_000);
    const names = await offered();
    await editor.host.script([
      {
        tool: names.get('thinking_sequentialthinking') ?? '',
        input: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
      { text: 'done' },
    ]);
    const turn = await editor.host.runAgentTurn({ query: 'think', confirm: 'accept' });
    assert.match(result(turn), /thoughtNumber/);
    assert.equal(await editor.workbench.modal.count(), 0);
    await editor.page.locator('.monaco-list-row[aria-label^="MCP server thinking, running"]').waitFor();
  });
});
