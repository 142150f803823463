import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { say } from '../../../src/core/base/sentence';
import { deny, pass } from '../../../src/core/call/stepAnswer';
import { deniedByPolicy } from '../../../src/core/vocabulary/errors';
import { CommandRuns } from '../../../src/vscode/commands/commandRuns';
import { standIns, type StandInSystem } from '../../../src/vscode/standIns/standIns';
import { EventEmitter, LanguageModelTextPart, shownWindow, Uri } from '../../support/fakeVscode';
import { makeGate } from '../../support/gate';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
} as unknown as vscode.CancellationToken;

const packageJSON = {
  contributes: {
    languageModelTools: [{ name: 'add' }, { name: 'divide' }],
    commands: [{ command: 'agentCapabilities.setMode' }, { command: 'agentCapabilities.todo.add' }],
    chatParticipants: [{ id: 'ours' }],
    mcpServerDefinitionProviders: [{ id: 'tools' }],
    resourceLabelFormatters: [{ scheme: 'prompts' }],
  },
};

/** The stand-ins of a window that has just started, over a system that stands when a test says so. */
function startedWindow() {
  const world = profileWorld(fiveCapabilities, { user: { default: { capabilities: ['math'] } } });
  const gate = makeGate({
    capabilities: [],
    registry: world.registry,
    resolve: () => world.store.active(),
    boundaries: {
      judge: (call) =>
        call.tool.modelName === 'divide'
          ? deny('boundaries', deniedByPolicy('b', say('as_it_is', 'no dividing'), undefined), 'b')
          : pass('boundaries'),
    },
  });
  const logged: string[] = [];
  const commands = new CommandRuns((message) => logged.push(message));
  const changed = new EventEmitter<void>();
  const servers: unknown[] = [];
  const made = {
    tools: { router: gate.router, tool: (name: string) => gate.registry.tool(name), surface: () => 'modal' },
    commands,
    participant: { profiles: world.store, registry: world.registry, log: { error: () => undefined } },
    prompts: { profiles: world.store, editor: world.editor },
    server: { definitions: async () => servers, onDidChange: changed.event },
  } as unknown as StandInSystem;
  let stand = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const system = new Promise<StandInSystem>((resolve, reject) => {
    stand = () => resolve(made);
    fail = reject;
  });
  const context = { extension: { packageJSON }, extensionUri: Uri.file('/ext') };
  const registered = standIns(context as unknown as vscode.ExtensionContext, system);
  const got = <T>(name: string): T => shownWindow.registered.get(name) as T;
  /** Runs the first thing that the editor does when it is asked for one of them. */
  const ask = {
    tool: async (name: string) => {
      const tool = got<vscode.LanguageModelTool<object>>(`tool ${name}`);
      await tool.prepareInvocation?.({ input: {} }, token);
      const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, token);
      return result?.content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
    },
    command: async (id: string, ...args: unknown[]) =>
      got<(...args: unknown[]) => Promise<unknown>>(`command agentCapabilities.${id}`)(...args),
    turn: async () => {
      const said: string[] = [];
      const stream = { markdown: (text: string | { value: string }) => said.push(Object(text).value ?? text) };
      const answer = got<(...turn: unknown[]) => Promise<unknown>>('participant ours');
      await answer({ command: 'tools', prompt: '' }, { history: [] }, stream, token);
      return said.join('');
    },
    servers: async () =>
      got<vscode.McpServerDefinitionProvider>('server tools').provideMcpServerDefinitions(token) as Promise<unknown>,
  };
  const dispose = (): void => {
    registered.dispose();
    gate.dispose();
    world.dispose();
  };
  return { ask, stand, fail, commands, gate, logged, changed, servers, got, registered, dispose };
}

/** Whether something is answered by what happens without anybody else. */
async function isAnswered(...asked: readonly Promise<unknown>[]): Promise<boolean> {
  const settled = Promise.race(asked.map((one) => one.then(() => true)));
  for (let turns = 0; turns < 20; turns++)
    if (await Promise.race([settled, new Promise<false>((resolve) => setImmediate(() => resolve(false)))])) return true;
  return false;
}

describe('the stand-ins of a start', () => {
  it('let a tool call that comes early wait, and it is judged by the gate like any other', async () => {
    const window = startedWindow();
    const early = [window.ask.tool('add'), window.ask.tool('divide')] as const;
    assert.equal(await isAnswered(...early), false);
    assert.deepEqual(window.gate.events, []);
    window.stand();
    const [allowed, denied] = await Promise.all(early);
    assert.doesNotMatch(allowed ?? '', /denied/);
    assert.match(denied ?? '', /no dividing/);
    assert.match(JSON.stringify(window.gate.events), /no dividing/);
    window.dispose();
  });

  it('let an early command wait, with all that it was passed, and run it once', async () => {
    const window = startedWindow();
    const ran: unknown[][] = [];
    const early = window.ask.command('setMode', 'auto', { a: 1 });
    assert.equal(await isAnswered(early), false);
    const added = window.commands.add({ setMode: (...args) => ran.push(args) });
    assert.equal(await isAnswered(early), false, 'its run is there, the system is not');
    window.stand();
    await early;
    assert.deepEqual(ran, [['auto', { a: 1 }]]);
    await window.ask.command('setMode', 'again');
    assert.equal(ran.length, 2);
    added.dispose();
    await assert.rejects(window.ask.command('setMode'), /switched off/);
    window.dispose();
  });

  it('D.tree: run a command in the turn in which it comes, once the system stands: the next key may select another row', async () => {
    const window = startedWindow();
    window.stand();
    await new Promise((resolve) => setImmediate(resolve));
    const seen: string[] = [];
    let selected = 'first';
    const added = window.commands.add({ setMode: () => seen.push(selected) });
    // Two messages of the editor that come together.
    const ran = window.ask.command('setMode');
    selected = 'second';
    await ran;
    assert.deepEqual(seen, ['first']);
    added.dispose();
    window.dispose();
  });

  it('let an early turn of the participant wait, and answer it from the system', async () => {
    const window = startedWindow();
    const early = window.ask.turn();
    assert.equal(await isAnswered(early), false);
    window.stand();
    assert.match(await early, /divide/);
    window.dispose();
  });

  it('hold the editor’s question for our server until the system tells it, and hand on each change', async () => {
    const window = startedWindow();
    const early = window.ask.servers();
    assert.equal(await isAnswered(early), false);
    let changes = 0;
    window.got<vscode.McpServerDefinitionProvider>('server tools').onDidChangeMcpServerDefinitions?.(() => changes++);
    window.stand();
    assert.deepEqual(await early, []);
    window.servers.push('ours');
    window.changed.fire();
    assert.deepEqual([changes, await window.ask.servers()], [1, ['ours']]);
    window.registered.dispose();
    window.changed.fire();
    assert.equal(changes, 1);
    window.dispose();
  });

  it('deny everything with words where the system never stands, early and later', async () => {
    const window = startedWindow();
    const ask = () => [window.ask.tool('add'), window.ask.command('setMode'), window.ask.turn()];
    const early = ask();
    const server = window.ask.servers();
    window.fail(new Error('Agent Capabilities did not start: no disk'));
    for (const one of [...early, ...ask()]) await assert.rejects(one, /did not start: no disk/);
    assert.deepEqual([await server, window.gate.events], [[], []]);
    window.dispose();
  });

  it('say so where a command is about what is switched off, and tell the log where one failed', async () => {
    const window = startedWindow();
    window.stand();
    await assert.rejects(window.ask.command('todo.add'), /switched off/);
    const added = window.commands.add({
      'todo.add': () => {
        throw new Error('full');
      },
    });
    await assert.rejects(window.ask.command('todo.add'), /^Error: full$/);
    assert.match(window.logged.join(), /the command todo\.add failed: Error: full/);
    assert.throws(() => window.commands.add({ 'todo.add': () => undefined }), /twice/);
    added.dispose();
    window.dispose();
  });

  it('leave nothing registered behind', () => {
    const window = startedWindow();
    assert.equal(shownWindow.registered.size, 6);
    window.dispose();
    assert.equal(shownWindow.registered.size, 0);
  });
});
