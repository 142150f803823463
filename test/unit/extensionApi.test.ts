import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { ApiCapability, ApiPermission } from '../../src/app/api';
import { buildRuntimeAgent } from '../../src/core/profiles/runtimeAgent';
import { type ApiSystem, extensionApi } from '../../src/app/extensionApi';
import { makeGate } from '../support/gate';
import { fakePorts } from '../support/toolContext';
import { fiveCapabilities, profileWorld } from '../support/profiles';

const dice = (
  more: Partial<ApiCapability> = {},
  run: (input: { count: number }) => Promise<unknown> = async ({ count }) => ({ sum: count }),
): ApiCapability => ({
  id: 'dice',
  version: '1.0.0',
  name: 'Dice',
  description: 'Rolls dice',
  tools: [
    {
      name: 'roll_dice',
      title: 'Roll',
      kind: 'data',
      modelDescription: 'Roll dice.',
      userDescription: 'Rolls dice',
      inputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      riskLevel: 'low',
      sideEffects: [],
      idempotent: true,
      run,
    },
  ],
  ...more,
});

/** The API over the real gate, registry and profiles. */
function world(raw?: unknown) {
  const profiles = profileWorld(fiveCapabilities, { user: { default: raw ?? { capabilities: ['math', 'dice'] } } });
  const ports = { ...fakePorts(), files: { folders: () => [] } as never };
  const gate = makeGate({
    capabilities: [],
    ports,
    registry: profiles.registry,
    resolve: () => profiles.store.active(),
  });
  const following = profiles.registry.onDidChange(() => profiles.store.refresh());
  const system: ApiSystem = {
    registry: profiles.registry,
    profiles: profiles.store,
    router: gate.router,
    runtimeAgent: (id) =>
      buildRuntimeAgent((id === undefined ? undefined : profiles.store.resolve(id)) ?? profiles.store.active()),
  };
  return {
    api: extensionApi(Promise.resolve(system)),
    gate,
    dispose: () => {
      following.dispose();
      profiles.dispose();
    },
  };
}

describe('the API for other extensions', () => {
  it('S2.discovery: registers a capability, lists it, resolves it and invokes its tool through the gate', async () => {
    const { api, gate, dispose } = world();
    const registration = await api.registerCapability('me.dice', dice());
    const listed = (await api.listCapabilities()).find((one) => one.id === 'dice');
    assert.deepEqual(listed, {
      id: 'dice',
      name: 'Dice',
      enabled: true,
      tools: [{ id: 'ext:me.dice:roll_dice', name: 'roll_dice', enabled: true, riskLevel: 'low' }],
    });
    const resolved = await api.resolveProfile();
    assert.deepEqual(
      resolved.tools.map((tool) => tool.id),
      ['cap:math:add', 'cap:math:divide', 'ext:me.dice:roll_dice'],
    );
    const { durationMs: _ms, ...result } = await api.invokeTool('me.dice', 'roll_dice', { count: 3 });
    assert.deepEqual(result, { success: true, payload: { sum: 3 } });
    assert.ok(
      gate.events.some(
        (event) =>
          event.type === 'invocation.finished' && event.surface === 'api' && event.actor.id === 'extension:me.dice',
      ),
    );
    registration.dispose();
    assert.equal(
      (await api.listCapabilities()).some((one) => one.id === 'dice'),
      false,
    );
    dispose();
  });

  it('is off until a person switches it on', async () => {
    const { api, dispose } = world({ capabilities: ['math'] });
    const registration = await api.registerCapability('me.dice', dice());
    const result = await api.invokeTool('me.dice', 'roll_dice', { count: 3 });
    assert.equal(result.success ? '' : result.code, 'not_enabled');
    registration.dispose();
    dispose();
  });

  it('cannot take an id that stands for what a server or another extension offers', async () => {
    const { api, dispose } = world({ capabilities: ['mcp_github', 'ext_me_other'] });
    for (const id of ['mcp_github', 'ext_me_other'])
      await assert.rejects(api.registerCapability('evil.ext', dice({ id })), /\/id must not begin with/);
    dispose();
  });

  it('lists every fault of a capability, and refuses an id that is taken', async () => {
    const { api, dispose } = world();
    await assert.rejects(
      api.registerCapability('me.dice', dice({ version: 'one', name: ' ' })),
      /\/version must be a semantic version.*\/name must not be empty/,
    );
    await assert.rejects(api.registerCapability('me.dice', dice({ id: 'math' })), /registered already/);
    dispose();
  });

  it('refuses what is of another kind than the API says, and names each place', async () => {
    const { api, dispose } = world();
    const [tool] = dice().tools;
    const register = (more: object, id: unknown = 'me.dice') =>
      api.registerCapability(id as string, { ...dice(), ...more } as ApiCapability);
    const withTool = (more: object) => ({ tools: [{ ...tool, ...more }] });
    for (const [more, fault] of [
      [{ tools: undefined }, /\/tools is required/],
      [{ tools: [null] }, /a tool must be an object/],
      [{ systemPrompt: 5 }, /\/systemPrompt must be string \(got number\)/],
      [withTool({ riskLevel: 'none' }), /\/tools\/0\/riskLevel must be one of .*got "none"/],
      [withTool({ kind: undefined }), /\/tools\/0\/kind is required/],
      [withTool({ permissions: { user: 'allowed', agent: 'yes' } }), /\/tools\/0\/permissions\/agent must be one of/],
      [withTool({ sideEffects: 'fs.write' }), /\/tools\/0\/sideEffects must be an array of strings/],
      [withTool({ sideEffects: ['fs.write', 1] }), /\/tools\/0\/sideEffects\/1 must hold strings only/],
      [withTool({ scopes: 5, timeoutMs: 'x' }), /\/tools\/0\/scopes must.*\/tools\/0\/timeoutMs must be number/],
      [withTool({ run: 5 }), /\/tools\/0\/run must be function \(got number\)/],
      [withTool({ inputSchema: { type: 'object', of: () => 1 } }), /\/tools\/0\/inputSchema must be JSON/],
    ] as const)
      await assert.rejects(register(more), fault);
    for (const id of [undefined, 5, '', 'dice', 'me.dice:x', 'me/dice', '__proto__'])
      await assert.rejects(register({}, id ?? null), /`publisher\.name`/, String(id));
    await assert.rejects(api.registerCapability('me.dice', null as never), /a capability must be an object/);
    assert.equal(
      (await api.listCapabilities()).find((one) => one.id === 'dice'),
      undefined,
    );
    dispose();
  });

  it('keeps a tool as it was registered, whatever its extension makes of the object later', async () => {
    const { api, dispose } = world();
    const permissions: { user: ApiPermission; agent: ApiPermission } = {
      user: 'allowed',
      agent: 'confirmation_required',
    };
    const sideEffects = ['fs.write'];
    const [tool] = dice().tools;
    const mine = { ...tool, permissions, sideEffects } as ApiCapability['tools'][number];
    const registration = await api.registerCapability('me.dice', dice({ tools: [mine] }));
    permissions.agent = 'allowed';
    sideEffects.length = 0;
    Object.assign(mine, { riskLevel: 'low', run: async () => ({ sum: 0 }) });
    const result = await api.invokeTool('me.dice', 'roll_dice', { count: 1 });
    assert.equal(result.success ? '' : result.code, 'declined');
    registration.dispose();
    dispose();
  });

  it('takes of what a tool says that it touches the effect and place alone, and denies what cannot be read', async () => {
    const { api, gate, dispose } = world();
    const [tool] = dice().tools;
    const register = (accesses: (input: never) => unknown) =>
      api.registerCapability('me.dice', dice({ tools: [{ ...tool, sideEffects: ['payments'], accesses } as never] }));
    const hidden = { effect: 'payments', resource: 'a', suspected: 'guessed', mentioned: true, onlyReads: true };
    let registration = await register(() => [hidden]);
    await api.invokeTool('me.dice', 'roll_dice', { count: 1 });
    const finished = gate.events.find((event) => event.type === 'invocation.finished');
    assert.deepEqual(finished?.type === 'invocation.finished' && finished.accesses, [
      { effect: 'payments', resource: 'a' },
    ]);
    registration.dispose();
    for (const told of [5, [5], [null], [{ effect: 'fs.read' }], [{ effect: 'fs.read', resource: 5 }], {}]) {
      registration = await register(() => told);
      const result = await api.invokeTool('me.dice', 'roll_dice', { count: 1 });
      assert.match(result.success ? '' : result.message, /does not say what it touches/, JSON.stringify(told));
      registration.dispose();
    }
    dispose();
  });

  it('answers a call that names no tool or no extension with a code', async () => {
    const { api, dispose } = world();
    for (const one of [undefined, null, 5, {}, Symbol('x')]) {
      const unnamed = await api.invokeTool('me.dice', one as never, {});
      const nobody = await api.invokeTool(one as never, 'roll_dice', {});
      for (const result of [unnamed, nobody]) assert.equal(result.success ? '' : result.code, 'invalid_input');
    }
    dispose();
  });

  it('tells the model what the tool threw, and answers wrong input with what was expected', async () => {
    const { api, dispose } = world();
    const registration = await api.registerCapability(
      'me.dice',
      dice({}, async () => {
        throw new Error('the cup is empty');
      }),
    );
    const thrown = await api.invokeTool('me.dice', 'roll_dice', { count: 1 });
    assert.deepEqual(thrown.success ? {} : [thrown.code, thrown.message], ['extension_error', 'the cup is empty']);
    const wrong = await api.invokeTool('me.dice', 'roll_dice', { count: 'x' });
    assert.match(wrong.success ? '' : wrong.message, /\/count must be integer \(got string\)/);
    registration.dispose();
    dispose();
  });

  it('names the nearest profiles for an unknown one', async () => {
    const { api, dispose } = world();
    await assert.rejects(api.resolveProfile('defualt'), /there is no profile `defualt`; did you mean `default`/);
    dispose();
  });

  it('is documented with the example that is compiled', () => {
    const example = readFileSync('test/support/apiExample.ts', 'utf8').replace(
      "'../../src/app/api'",
      "'./agentCapabilities'",
    );
    assert.ok(readFileSync('docs/extension-api.md', 'utf8').includes(example));
  });
});
