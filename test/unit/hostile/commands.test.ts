import { strict as assert } from 'node:assert';
import { commandHandler } from '../../../src/core/definitions/handlers/command';
import { closedArgument, closedCommand } from '../../../src/core/definitions/handlers/commandWall';
import type { Json } from '../../../src/core/base/json';
import { worded } from '../../../src/core/base/sentence';
import { isToolError } from '../../../src/core/vocabulary/errors';
import { askedFromOutside, OutsideCalls, type OutsideCallsOptions } from '../../../src/vscode/confirm/outsideCalls';
import { ModalQuestions } from '../../../src/vscode/confirm/modalQuestions';
import { TextQuestions } from '../../../src/vscode/confirm/textQuestions';
import { type CommandId, commandSpecs } from '../../../src/vscode/manifest/commands/commandTable';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { capabilityOf, definition } from '../../support/gate';
import { fakePorts } from '../../support/toolContext';

const metaCommands = [
  'agentCapabilities.enableCapability',
  'AGENTCAPABILITIES.setMode',
  ' agentCapabilities.undo',
  'runCommands',
  'RunCommands',
  '_workbench.open',
  '_extensionTests.getLogLevel',
  'workbench.action.showCommands',
  'workbench.action.quickOpen',
  'workbench.action.quickOpenWithModes',
  'workbench.action.tasks.runTask',
  'workbench.action.tasks.build',
  'workbench.action.terminal.sendSequence',
  'workbench.action.terminal.newWithProfile',
  'workbench.action.debug.start',
  'workbench.action.debug.run',
  'debug.startFromConfig',
  'testing.runAll',
  'code-runner.run',
  'notebook.execute',
  'notebook.cell.execute',
  'interactive.execute',
  'jupyter.runAllCells',
  'python.execInTerminal',
  'list.select',
  'list.toggleExpand',
  'quickInput.accept',
  'workbench.action.acceptSelectedQuickOpenItem',
  'notification.acceptPrimaryAction',
  'type',
  'default:type',
  'paste',
  'editor.action.insertSnippet',
  'editor.action.clipboardPasteAction',
  'workbench.action.chat.open',
  'workbench.action.chat.submit',
  'workbench.action.chat.acceptTool',
  'inlineChat.start',
  'github.copilot.chat.explain',
  'workbench.extensions.installExtension',
  'workbench.extensions.action.installVSIX',
  'workbench.mcp.addConfiguration',
  'workbench.profiles.actions.switchProfile',
  'workbench.trust.manage',
  'workbench.action.manageTrustedDomain',
  'setContext',
  'workbench.action.openSettingsJson',
  'workbench.action.openApplicationSettingsJson',
  'workbench.action.openGlobalKeybindingsFile',
  'workbench.action.configureTaskRunner',
  'vscode.openFolder',
  'workbench.action.addRootFolder',
  'simpleBrowser.show',
  'markdown.api.render',
  'remote-containers.openFolder',
  'remote.tunnel.forwardCommandPalette',
  'opensshremotes.openEmptyWindow',
  'workbench.action.quickchat.toggle',
  'workbench.action.openQuickChat',
  'workbench.action.openChat',
  'vscode.editorChat.start',
  'aichat.newchataction',
  'composer.startComposerPrompt',
  'cline.addToChat',
  'continue.focusContinueInput',
  'npm.runScript',
  'npm.runSelectedScript',
  'extension.js-debug.npmScript',
  'extension.js-debug.createDebuggerTerminal',
  'extension.node-debug.startWithStopOnEntry',
  'cmake.build',
  'makefile.launchRun',
  'java.run',
  'go.test.package',
  'rust-analyzer.run',
  'dotnet.test.runTestsInContext',
  'multiCommand.execute',
  'extension.multiCommand.execute',
  'vim.remap',
  'whichkey.show',
  'macros.run',
];

const honestCommands = [
  'editor.action.formatDocument',
  'editor.action.organizeImports',
  'workbench.action.files.save',
  'workbench.action.files.saveAll',
  'git.fetch',
  'vscode.open',
  'vscode.diff',
  'vscode.executeDocumentSymbolProvider',
  'revealInExplorer',
  'typescript.restartTsServer',
  'prettier.forceFormatDocument',
  'todo-tree.refresh',
  'workbench.view.explorer',
];

const hiddenArguments: readonly Json[] = [
  'agentCapabilities.enableCapability',
  'AgentCapabilities.setMode',
  ['x', ['y', { z: 'agentCapabilities.undo' }]],
  { commands: [{ command: 'agentCapabilities.runTool', args: ['send_email', {}] }] },
  { 'agentCapabilities.runTool': true },
  'command:workbench.action.files.save',
  'COMMAND:agentCapabilities.undo',
  '[click](command:x)',
  'command%3Ax',
  'command%253Ax',
  '%63ommand:x',
  'agent%43apabilities.undo',
  '&#99;ommand:x',
  'command&colon;x',
  'agentCapabilities&#46;undo',
  'command&#x0000003a;x',
  'comm&Tab;and:x',
  'com\tmand:x',
  'com\u200bmand:x',
  'agent\u00adCapabilities.undo',
  '{"command":"agentCapabilities\\u002eundo"}',
  '{"uri":"\\u0063ommand:x"}',
  { a: { b: { c: [[['command:x']]] } } },
];

const honestArguments: readonly Json[] = [
  null,
  7,
  'src/a.ts',
  'https://example.com/?q=command',
  'run the command: ',
  'command',
  { path: 'src/command.ts', line: 3 },
  'git commit -m "command palette"',
  '100%',
  '%zz',
];

async function failureOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return isToolError(error) ? error.data.code : String(error);
  }
}

/** A handler over an editor that remembers what it was asked to run. */
function handlerOver(command: string, args: readonly Json[]) {
  const ran: unknown[] = [];
  const handler = commandHandler({ type: 'command', command, args });
  const ports = {
    ...fakePorts(),
    commands: { run: async (id: string, given: readonly Json[]) => void ran.push([id, given]) },
  };
  // Only what the handler reads of a call.
  const run = (input: Json): Promise<string | undefined> =>
    failureOf(() => handler.run(input, { ports, config: {} } as unknown as Parameters<typeof handler.run>[1]));
  return { ran, run };
}

describe('D.definitions S2.permissions: a definition reaches no command of ours by a detour', () => {
  it('D.definitions: refuses commands that run others, press buttons, start code or change settings, each with its reason', async () => {
    for (const command of metaCommands) {
      const why = closedCommand(command);
      assert.match(why ? worded(why) : '', /^[a-z]+ [a-z]/, command);
      const { ran, run } = handlerOver(command, []);
      assert.deepEqual([await run({}), ran], ['permission_denied', []], command);
    }
  });

  it('D.definitions: runs what people write definitions for', async () => {
    for (const command of honestCommands) {
      assert.equal(closedCommand(command), undefined, command);
      const { ran, run } = handlerOver(command, ['src/a.ts']);
      assert.deepEqual([await run({}), ran], [undefined, [[command, ['src/a.ts']]]], command);
    }
  });

  it('D.definitions: finds our commands and links to commands in arguments, at any depth and however encoded', async () => {
    for (const value of hiddenArguments) {
      assert.notEqual(closedArgument([value]), undefined, JSON.stringify(value));
      // From the definition itself, and from what the model fills in.
      const literal = handlerOver('editor.action.x', [value]);
      assert.deepEqual([await literal.run({}), literal.ran], ['permission_denied', []], JSON.stringify(value));
      const filled = handlerOver('editor.action.x', ['${input.value}']);
      assert.deepEqual([await filled.run({ value }), filled.ran], ['permission_denied', []], JSON.stringify(value));
    }
    for (const value of honestArguments) assert.equal(closedArgument([value]), undefined, JSON.stringify(value));
  });
});

function outsideCalls(
  answer: string | undefined,
  wider: OutsideCallsOptions['wider'] = () => undefined,
  caughtUp: OutsideCallsOptions['caughtUp'] = async () => undefined,
) {
  const asked: { title: string; detail: string }[] = [];
  const tool = definition({ name: 'send_thing', riskLevel: 'high' });
  const registry = new CapabilityRegistry();
  const registration = registry.register(
    capabilityOf(tool, { accesses: () => [], run: async () => ({ payload: {} }) }),
  );
  const t = (text: string, ...values: unknown[]): string =>
    text.replace(/\{(\d)\}/g, (_all, at: string) => String(values[Number(at)]));
  let now = 0;
  const questions = new TextQuestions({
    questions: new ModalQuestions(
      async (title, detail, buttons) => {
        now += 1000;
        asked.push({ title, detail });
        return buttons.find(({ label }) => label === answer);
      },
      { timeZone: () => 'UTC', now: () => now, monotonic: () => now, schedule: () => ({ dispose() {} }) },
    ),
    showText: async () => () => undefined,
    goOn: async () => false,
    t,
  });
  const row = { kind: 'tool', contextValue: 'tool.on', id: 'tool:1' };
  const outside = new OutsideCalls({
    mode: () => 'execute',
    questions,
    registry,
    isRow: (value) => value === row,
    titleOf: (id) => `Title of ${id}`,
    wider,
    caughtUp,
    t,
  });
  const ran: unknown[][] = [];
  const commands = outside.guard(
    Object.fromEntries(commandSpecs.map(({ id }) => [id, (...args: unknown[]) => void ran.push([id, ...args])])),
  );
  const run = async (id: CommandId, ...args: unknown[]): Promise<unknown> => commands[id]?.(...args);
  return { asked, ran, run, row, outside, dispose: () => void (registration.dispose(), registry.dispose()) };
}

describe('D.tightens D.approval-binding: our commands that widen never act on arguments of somebody else', () => {
  it('D.tightens: every command that widens exists, and does nothing where the person does not agree', async () => {
    const { asked, ran, run, dispose } = outsideCalls(undefined);
    const known = new Set<string>(commandSpecs.map(({ id }) => id));
    for (const id of askedFromOutside) {
      assert.ok(known.has(id), id);
      for (const args of [
        ['thing'],
        ['send_thing', { to: 'x' }],
        [{ kind: 'tool' }],
        [['thing']],
        [true],
        [null],
        [0],
        [''],
      ])
        await run(id, ...args);
    }
    assert.deepEqual([ran, asked.length], [[], askedFromOutside.size * 8]);
    dispose();
  });

  it('D.tightens: says which command and what it would be about, and then acts on what was shown', async () => {
    const { asked, ran, run, dispose } = outsideCalls('Do It');
    const input = { to: 'a@example.com' };
    const pending = run('runTool', 'send_thing', input);
    input.to = 'evil@example.com';
    await pending;
    assert.deepEqual(ran, [['runTool', 'send_thing', { to: 'a@example.com' }]]);
    assert.match(asked[0]?.title ?? '', /Title of runTool/);
    assert.match(asked[0]?.detail ?? '', /send_thing · allowed · high risk[\s\S]*a@example\.com/);
    dispose();
  });

  it('D.tightens: a row that only looks like one of the view is somebody else’s', async () => {
    const { asked, ran, run, row, dispose } = outsideCalls(undefined);
    await run('toggleTool', row);
    await run('toggleTool', row, [row, row]);
    await run('toggleTool', row, undefined);
    assert.deepEqual([ran.length, asked.length], [3, 0]);
    await run('toggleTool', { ...row });
    await run('toggleTool', row, [{ ...row }]);
    await run('toggleTool', Object.create(row));
    await run('toggleTool', new Proxy(row, {}));
    await run('toggleTool', [row], 'thing');
    assert.deepEqual([ran.length, asked.length], [3, 5]);
    dispose();
  });

  it('D.tightens: what would be wider is judged by what the settings files say, which the editor reads a moment late', async () => {
    let isKnown = false;
    const { asked, ran, run, dispose } = outsideCalls(
      undefined,
      () => (isKnown ? ['more'] : undefined),
      async () => void (isKnown = true),
    );
    await run('setMode', 'execute');
    assert.deepEqual([asked.length, ran], [1, []]);
    dispose();
  });

  it('D.tightens: from the palette and by keys nothing asks that did not ask before, nor do our own calls', async () => {
    const { asked, ran, run, outside, dispose } = outsideCalls(undefined);
    for (const id of askedFromOutside) await run(id);
    await run('runTool', outside.own('send_thing'));
    await run('switchProfile', 'readOnly');
    assert.deepEqual(asked, []);
    assert.deepEqual(ran.at(-2), ['runTool', 'send_thing']);
    // What looks like an argument of ours is not.
    await run('runTool', { value: 'send_thing' });
    await run('runTool', { ...outside.own('send_thing') });
    assert.deepEqual([asked.length, ran.length], [2, askedFromOutside.size + 2]);
    dispose();
  });
});
