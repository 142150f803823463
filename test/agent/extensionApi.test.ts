import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentCapabilitiesApi } from '../../src/app/api';
import { activate } from '../support/apiExample';
import { driver } from '../support/editor/driver/api';
import { until } from '../support/editor/until';
import { setProfile } from '../support/editor/chooseProfile';

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('agentCapabilities');

const profiles = {
  gambler: {
    name: 'Gambler',
    systemPrompt: 'Never bet.',
    capabilities: ['dice', { ref: 'math', tools: { subtract: false, multiply: false, divide: false } }],
  },
};

describe('another extension that uses the API, and the custom agent of a profile with its tool', () => {
  let api: AgentCapabilitiesApi;
  const subscriptions: vscode.Disposable[] = [];

  before(async () => {
    const extension = vscode.extensions.getExtension<AgentCapabilitiesApi>('agent-capabilities.agent-capabilities');
    assert.ok(extension);
    api = await extension.activate();
    // The example of the documentation runs as the driver, which is an extension of its own.
    const context: vscode.ExtensionContext = Object.create(driver().context, {
      subscriptions: { value: subscriptions },
    });
    await activate(context);
    await settings().update('profiles', profiles, vscode.ConfigurationTarget.Global);
    await until(async () => assert.equal((await api.resolveProfile('gambler')).profileId, 'gambler'));
  });

  after(async () => {
    for (const one of subscriptions) one.dispose();
    await setProfile(vscode, 'default');
    await settings().update('profiles', undefined, vscode.ConfigurationTarget.Global);
  });

  it('S2.discovery: registers, lists, resolves and invokes', async () => {
    assert.equal(api.version, 1);
    const dice = async () => (await api.listCapabilities()).find((one) => one.id === 'dice');
    assert.deepEqual((await dice())?.enabled, false);
    const id = driver().context.extension.id;
    const off = await api.invokeTool(id, 'roll_dice', { count: 2 });
    assert.equal(!off.success && off.code, 'not_enabled');
    await setProfile(vscode, 'gambler');
    assert.deepEqual((await dice())?.enabled, true);
    const resolved = await api.resolveProfile();
    assert.deepEqual(
      [resolved.profileId, resolved.problems, resolved.tools.map((tool) => tool.id.split(':').at(-1)).slice(0, 2)],
      ['gambler', [], ['roll_dice', 'add']],
    );
    const rolled = await api.invokeTool(id, 'roll_dice', { count: 2 });
    assert.ok(rolled.success, JSON.stringify(rolled));
    const { rolls, sum } = rolled.payload as { rolls: number[]; sum: number };
    assert.deepEqual([rolls.length, sum], [2, (rolls[0] ?? 0) + (rolls[1] ?? 0)]);
    const wrong = await api.invokeTool(id, 'roll_dice', { count: 'two' });
    assert.equal(!wrong.success && wrong.code, 'invalid_input');
    const faulty = { id: 'dice two', version: 'one', name: '', description: '', tools: [] };
    await assert.rejects(api.registerCapability(id, faulty), /version/);
  });

  it("S3.runtime-agent: its tool is in the generated custom agent, and agent mode sends the profile's prompt in order and exactly its tools", async () => {
    const { model, runAgentTurn } = driver();
    const folder = path.join(homedir(), '.copilot', 'agents');
    const file = path.join(folder, 'agent-capabilities.agent.md');
    let text = '';
    await until(async () => {
      text = await readFile(file, 'utf8');
      assert.match(text, /description: 'Profile Gambler/);
    });
    const resolved = await api.resolveProfile();
    const rolling = resolved.tools.find((tool) => tool.id.endsWith(':roll_dice'));
    assert.ok(text.includes(`'agent-capabilities/${rolling?.modelName}'`), text);
    await until(async () => {
      model.script([{ text: 'ready' }]);
      const turn = await runAgentTurn({ query: 'hello', mode: 'Agent Capabilities' });
      const request = turn.requests[0];
      assert.ok(request);
      assert.ok(request.systemText.includes(resolved.systemPrompt), request.systemText.slice(-2000));
      const names = request.tools.map((tool) => tool.name).filter((name) => name !== 'session_store_sql');
      const shared = resolved.tools.map((tool) =>
        tool === rolling
          ? names.find((name) => name.startsWith('mcp_') && name.includes('roll_dice'))
          : `cap_${tool.modelName}`,
      );
      assert.deepEqual(names.sort(), [...shared].sort());
    }, 40_000);
    const called = model.requests[0]?.tools.find((tool) => tool.name.includes('roll_dice'))?.name ?? '';
    model.script([{ tool: called, input: { count: 3 } }, { text: 'done' }]);
    const turn = await runAgentTurn({ query: 'roll', mode: 'Agent Capabilities', confirm: 'accept' });
    assert.match(turn.toolResults.at(-1)?.text ?? '', /"sum":\d+/);
  });

  it('is gone from lists and from the agent when it is unloaded', async () => {
    for (const one of subscriptions.splice(0)) one.dispose();
    assert.deepEqual(
      (await api.listCapabilities()).filter((one) => one.id === 'dice'),
      [],
    );
    const resolved = await api.resolveProfile();
    assert.match(resolved.problems.join('\n'), /names `dice`, which is not a capability/);
    assert.ok(!resolved.tools.some((tool) => tool.id.endsWith(':roll_dice')));
  });
});
