import { strict as assert } from 'node:assert';
import { newRule } from '../../../src/vscode/governance/newRule';
import { turnIntoRule } from '../../../src/vscode/governance/turnIntoRule';
import { whyCall } from '../../../src/vscode/governance/whyCall';
import { shownWindow } from '../../support/fakeVscode';
import { FakeClock } from '../../support/toolContext';

/** A window in which an agent's read was denied: by a rule, or by the person who was asked. */
function denied(code: 'denied_by_policy' | 'declined') {
  const call = {
    invocationId: 'c1',
    time: 0,
    tool: 'cap:file_system:read_file',
    toolName: 'read_file',
    isAgents: true,
    accesses: [{ effect: 'fs.read', resource: '.env' }],
    outcome: 'denied',
    code,
  };
  const reasons = [{ text: 'boundary "no-env": closed', rule: 'no-env' }];
  const record = {
    event: 'invocation.finished',
    outcome: 'denied',
    'error.type': code,
    ...(code === 'declined' ? { 'approval.by': 'user', 'approval.waited_ms': 3200 } : {}),
    time: '2026-11-23T08:00:00.000Z',
    tool: call.tool,
    'gen_ai.tool.name': 'read_file',
    'gen_ai.tool.call.id': 'c1',
    steps: code === 'declined' ? [] : [{ step: 'boundaries', effect: 'deny', reasons }],
  };
  const written: unknown[] = [];
  const context = {
    asked: { find: () => undefined },
    audit: { page: async () => ({ found: [{ record }] }) },
    recent: { list: () => [call], find: () => call },
    texts: { put: (_name: string, text: string) => text },
    clock: new FakeClock(),
    policy: { rules: () => [] },
    ownRules: { changeOwnRules: async (change: (rules: unknown) => unknown) => void written.push(change([])) },
  };
  shownWindow.shown.length = 0;
  shownWindow.told.length = 0;
  const pick = async (words: RegExp): Promise<void> => {
    shownWindow.answer = (items) => items.find(({ label }) => words.test(label));
    try {
      await turnIntoRule(context as never, 'c1');
    } finally {
      shownWindow.answer = () => undefined;
    }
  };
  return { written, pick, why: () => whyCall(context as never) };
}

describe('after a call that was denied', () => {
  it('S4.boundaries: the rule that denied it is named once, and nobody is offered that it shall hold, which it does', async () => {
    const { why } = denied('denied_by_policy');
    await why();
    assert.match(String(shownWindow.shown[0]), /^# `read_file`: denied$/m);
    assert.match(String(shownWindow.shown[0]), /- boundary "no\\-env"\\: closed$/m);
    assert.deepEqual(shownWindow.told, [
      'read_file was denied by the rule "no-env", which holds for the next calls too.',
    ]);
  });

  it('S4.boundaries: what a person declined is headed so, says when it was, and can be made to hold', async () => {
    const { why } = denied('declined');
    await why();
    const page = String(shownWindow.shown[0]);
    assert.match(page, /^# `read_file`: declined by a person$/m);
    assert.match(page, /^A person declined it after 3\.2 s: .*2026.*\.$/m);
    assert.doesNotMatch(page, /[Dd]enied/);
    assert.deepEqual(shownWindow.told, ['You declined read_file. Shall that hold for the next calls too?']);
  });

  it('S4.boundaries: a question where another rule denies is not said to hold', async () => {
    const { pick, written } = denied('denied_by_policy');
    await pick(/Ask me before reading \.env/);
    assert.equal(written.length, 1);
    assert.match(
      shownWindow.told.at(-1) ?? '',
      /^Written: Ask me before reading \.env\. .* What another rule denies stays denied, as this call is\.$/,
    );
    await pick(/Deny reading \.env/);
    assert.match(shownWindow.told.at(-1) ?? '', /^Holds from now on: Deny reading/);
    const mine = denied('declined');
    await mine.pick(/Ask me before reading \.env/);
    assert.match(shownWindow.told.at(-1) ?? '', /^Holds from now on: Ask me/);
  });

  it('S4.boundaries D.commands: a rule is made from nothing: what, about what and for whom in one list, then the folder', async () => {
    const written: unknown[] = [];
    const context = {
      clock: new FakeClock(),
      policy: { rules: () => [] },
      registry: { tools: () => [] },
      ownRules: { changeOwnRules: async (change: (rules: unknown) => unknown) => void written.push(change([])) },
    };
    shownWindow.answer = (items) => items.find(({ label }) => /Deny changing files outside of a folder/.test(label));
    shownWindow.typed = 'src/';
    await newRule(context as never);
    const [[rule]] = written as [[Record<string, unknown>]];
    const match = { actor: 'agent', accessAny: ['fs.write', 'fs.delete', 'fs.chmod'], pathNot: 'src/**' };
    assert.deepEqual([rule['decision'], rule['match']], ['deny', match]);
    assert.match(shownWindow.told.at(-1) ?? '', /^Holds from now on: Deny changing anything outside of src\/\*\*\./);
    shownWindow.typed = undefined;
    await newRule(context as never);
    shownWindow.answer = () => undefined;
    await newRule(context as never);
    assert.equal(written.length, 1, 'nothing is written where the person leaves');
  });

  it('S4.boundaries: where no call is known yet, New Rule from a Call leads to a rule without one', async () => {
    shownWindow.called.length = 0;
    shownWindow.pressed = 'New Rule…';
    await turnIntoRule({ recent: { list: () => [] } } as never);
    await new Promise(setImmediate);
    shownWindow.pressed = undefined;
    assert.deepEqual(shownWindow.called.at(-1), { command: 'agentCapabilities.newRule', args: [] });
  });
});
