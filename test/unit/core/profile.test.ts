import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseProfile, profileToJson, resolveProfile } from '../../../src/core/profiles/profile';
import { ProfileStore } from '../../../src/core/profiles/profileStore';
import { foreignToolName } from '../../../src/core/foreign/toolName';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { buildRuntimeAgent } from '../../../src/core/profiles/runtimeAgent';
import { readSettings } from '../../../src/core/settings/readSettings';
import type { Settings } from '../../../src/core/settings/settings';
import { nodeCrypto } from '../../../src/node/system';
import { runs } from '../../support/counts';
import { capabilityOf, definition } from '../../support/gate';
import { MemoryStore } from '../../support/toolContext';

const ids = ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math'];

function registryOf(names: readonly string[] = ids) {
  const registry = new CapabilityRegistry();
  const held = names.map((id) =>
    registry.register(
      capabilityOf(
        definition({ name: `${id}_tool`, scopes: [`${id}:use`] }),
        {},
        { id, systemPrompt: `About ${id}.`, aliases: [`alias_${id}`] },
      ),
    ),
  );
  return {
    registry,
    dispose: () => {
      for (const one of held) one.dispose();
      registry.dispose();
    },
  };
}

function storeOf(user: Record<string, unknown>, workspace: Record<string, unknown>, registry: CapabilityRegistry) {
  let settings: Settings = readSettings({ managed: {}, user, workspace });
  const store = new ProfileStore({
    registry,
    settings: () => settings,
    storage: new MemoryStore(),
    crypto: { ...nodeCrypto, randomId: () => 'id' },
  });
  return {
    store,
    write: (nextUser: Record<string, unknown>, nextWorkspace: Record<string, unknown>) => {
      settings = readSettings({ managed: {}, user: nextUser, workspace: nextWorkspace });
      store.refresh();
    },
  };
}

describe('profiles', () => {
  it('switch off each tool of a server, whatever the server calls it', () => {
    const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'read_x'];
    const registry = new CapabilityRegistry();
    const tools = names.map((name) => ({
      ...capabilityOf(definition({ name: foreignToolName(name) })).tools[0]!,
    }));
    const source = { type: 'mcp', server: 'files' } as const;
    const held = registry.register({ ...capabilityOf(definition(), {}, { id: 'mcp_files', source }), tools });
    const off = Object.fromEntries(registry.tools().map((tool) => [tool.definition.name, false]));
    const profileOf = (ref: unknown) => parseProfile('p', { name: 'P', capabilities: [ref] }, 'user');
    const some = { ref: 'mcp_files', tools: { read_x: false } };
    for (const [ref, count] of [['mcp_files', names.length] as const, [some, names.length - 1] as const]) {
      const { value, problems } = profileOf(ref);
      assert.deepEqual([problems, resolveProfile(value, registry).tools.length], [[], count]);
    }
    const { value, problems } = profileOf({ ref: 'mcp_files', tools: off });
    const resolved = resolveProfile(value, registry);
    assert.deepEqual([problems, resolved.problems, resolved.tools.map(({ id }) => id)], [[], [], []]);
    held.dispose();
    registry.dispose();
  });

  it('say of a property that is left out that it counts for nothing, also in settings', () => {
    const raw = JSON.parse('{"capabilities":[{"ref":"math","tools":{"constructor":false,"__proto__":false}}]}');
    const at = '/capabilities/0/tools/';
    assert.deepEqual(
      parseProfile('p', raw, 'user').problems.map(({ severity, pointer }) => [severity, pointer]),
      [
        ['error', `${at}constructor`],
        ['error', `${at}__proto__`],
      ],
    );
    const layers = { managed: {}, user: { profiles: { p: raw } }, workspace: { limits: { prototype: 1 } } };
    assert.deepEqual(
      readSettings(layers).problems.map(({ message }) => message),
      [
        'the property `agentCapabilities.profiles/p/capabilities/0/tools/constructor` is not allowed and is left out',
        'the property `agentCapabilities.profiles/p/capabilities/0/tools/__proto__` is not allowed and is left out',
        'the property `agentCapabilities.limits/prototype` is not allowed and is left out',
      ],
    );
  });

  it('S3.profiles: reads the ordered capabilities, refuses unknown ids with the nearest names and never drops them', () => {
    const { registry, dispose } = registryOf();
    const parsed = parseProfile(
      'p',
      {
        capabilities: [
          'math',
          { ref: 'web_fech' },
          { ref: 'alias_file_system', tools: { file_system_tol: false } },
          'math',
        ],
      },
      'user',
    );
    assert.match(parsed.problems[0]?.message ?? '', /names `math` a second time/);
    const resolved = resolveProfile(parsed.value, registry);
    assert.deepEqual(
      resolved.problems.map((problem) => [problem.code, problem.message]),
      [
        ['unknown_capability', 'the profile `p` names `web_fech`, which is not a capability; did you mean `web_fetch`'],
        [
          'unknown_tool',
          'the profile `p` names the tool `file_system_tol`, which `file_system` does not have; did you mean `file_system_tool`',
        ],
      ],
    );
    assert.deepEqual(
      resolved.tools.map((tool) => tool.definition.name),
      ['math_tool', 'file_system_tool'],
    );
    assert.deepEqual(profileToJson(parsed.value).capabilities, [
      'math',
      'web_fech',
      { ref: 'alias_file_system', tools: { file_system_tol: false } },
    ]);
    dispose();
  });

  it('S3.profiles: a capability under its id and an alias is told by the alias, in either order', () => {
    const { registry, dispose } = registryOf();
    for (const refs of [
      ['math', 'alias_math'],
      ['alias_math', 'math'],
    ]) {
      const { value } = parseProfile('p', { capabilities: refs }, 'user');
      assert.deepEqual(
        resolveProfile(value, registry).problems.map(({ message }) => message),
        ['the profile `p` names `math` twice, once as `alias_math`; the first one counts'],
      );
    }
    dispose();
  });

  it('S3.runtime-agent: the order decides the prompt, the base prompt comes last, tools that are off are left out', () => {
    const { registry, dispose } = registryOf();
    const profile = parseProfile(
      'p',
      { systemPrompt: 'Base.', capabilities: ['math', { ref: 'web_fetch', enabled: false }, 'file_system'] },
      'user',
    ).value;
    const agent = buildRuntimeAgent(resolveProfile(profile, registry));
    assert.equal(agent.systemPrompt, 'About math.\n\nAbout file_system.\n\nBase.');
    assert.deepEqual(
      agent.tools.map((tool) => tool.modelName),
      ['math_tool', 'file_system_tool'],
    );
    assert.deepEqual(
      agent.parts.map((part) => part.origin),
      [
        { type: 'capability', id: 'math', name: 'Thing' },
        { type: 'capability', id: 'file_system', name: 'Thing' },
        { type: 'profile', id: 'p' },
      ],
    );
    dispose();
  });

  it('reports each mistake in a profile with its place, and a wrong mode or switch is read as the stricter one', () => {
    const { value, problems } = parseProfile(
      'p',
      { nam: 'x', mode: 'fast', scopes: 'all', capabilities: [7, { ref: 'math', enabled: 'yes', tools: { add: 1 } }] },
      'user',
    );
    assert.deepEqual(
      [value.mode, value.scopes, value.capabilities],
      ['plan', [], [{ ref: 'math', enabled: false, tools: { add: false }, config: {} }]],
    );
    assert.deepEqual(
      problems.map((problem) => problem.message.replace('the profile `p`: ', '').split(' ')[0]),
      ['/mode', '/scopes', '/capabilities/0', '/capabilities/1/enabled', '/capabilities/1/tools/add', '/nam'],
    );
    assert.equal(parseProfile('p', 'text', 'user').problems.length, 1);
  });

  it('what is written is read back the same', () => {
    const entry = fc.record({
      ref: fc.constantFrom(...ids),
      enabled: fc.boolean(),
      tools: fc.dictionary(fc.constantFrom('a', 'b'), fc.boolean()),
      config: fc.constantFrom({}, { x: 1 }),
    });
    const raw = fc.record(
      {
        name: fc.string(),
        description: fc.string(),
        systemPrompt: fc.string(),
        mode: fc.constantFrom('plan', 'execute'),
        scopes: fc.array(fc.string()),
        capabilities: fc.uniqueArray(entry, { selector: (one) => one.ref }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(raw, (value) => {
        const { value: profile } = parseProfile('p', value, 'user');
        const again = parseProfile('p', JSON.parse(JSON.stringify(profileToJson(profile))), 'user');
        // Own properties of a null prototype object and an ordinary one compare alike through JSON.
        assert.deepEqual(JSON.parse(JSON.stringify(again.value)), JSON.parse(JSON.stringify(profile)));
      }),
      { numRuns: runs(20, 1000) },
    );
  });

  it('the repository only tightens: for all user and workspace profiles the workspace gains no tool, scope or mode until it is accepted', () => {
    const { registry, dispose } = registryOf();
    const entry = fc.record({
      ref: fc.constantFrom(...ids),
      enabled: fc.boolean(),
      tools: fc.constantFrom({}, ...ids.map((id) => ({ [`${id}_tool`]: false }))),
    });
    const profile = fc.record(
      {
        mode: fc.constantFrom('plan', 'execute'),
        scopes: fc.subarray(ids.map((id) => `${id}:use`)),
        capabilities: fc.uniqueArray(entry, { selector: (one) => one.ref }),
      },
      { requiredKeys: ['capabilities'] },
    );
    fc.assert(
      fc.property(fc.option(profile, { nil: undefined }), profile, (own, wanted) => {
        const user = own === undefined ? {} : { profiles: { p: own } };
        const { store } = storeOf(user, { profiles: { p: wanted } }, registry);
        const { store: alone } = storeOf(own === undefined ? {} : user, {}, registry);
        const merged = store.resolve('p');
        const base = alone.resolve(own === undefined ? 'default' : 'p');
        assert.ok(merged && base);
        const allowedTools = new Set(base.tools.map((tool) => tool.id));
        const usable = (resolved: typeof merged) =>
          resolved.tools.filter((tool) => tool.definition.scopes.every((scope) => resolved.scopes.has(scope)));
        for (const tool of usable(merged))
          assert.ok(
            allowedTools.has(tool.id) && tool.definition.scopes.every((scope) => base.scopes.has(scope)),
            tool.id,
          );
        if (base.mode === 'plan') assert.equal(merged.mode, 'plan');
        store.dispose();
        alone.dispose();
      }),
      { numRuns: runs(16, 800, 2000) },
    );
    dispose();
  });

  it('a widening of the workspace waits until it is accepted, and asks again when it changes', async () => {
    const { registry, dispose } = registryOf();
    const user = { profiles: { mine: { mode: 'plan', capabilities: ['math'] } } };
    const { store, write } = storeOf(user, { profiles: { mine: { capabilities: ['file_system', 'math'] } } }, registry);
    assert.deepEqual(
      [store.resolve('mine')?.mode, store.resolve('mine')?.tools.map((tool) => tool.definition.name)],
      ['plan', ['math_tool']],
    );
    store.activate('mine');
    assert.ok(store.problems().some((problem) => problem.code === 'widening_pending'));
    const pending = store.profiles().get('mine')?.pendingWidening;
    assert.ok(pending);
    await store.accept(pending.wanted);
    assert.deepEqual(
      store.resolve('mine')?.tools.map((tool) => tool.definition.name),
      ['file_system_tool', 'math_tool'],
    );
    write(user, { profiles: { mine: { capabilities: ['file_system', 'web_fetch', 'math'] } } });
    assert.deepEqual(
      store.resolve('mine')?.tools.map((tool) => tool.definition.name),
      ['math_tool'],
    );
    store.dispose();
    dispose();
  });

  it("S3.profiles: a workspace's `activeProfile` that allows more than the user's own is held back until the user accepts it", async () => {
    const { registry, dispose } = registryOf();
    const user = {
      activeProfile: 'reader',
      profiles: { reader: { mode: 'plan', capabilities: ['math'] }, writer: { capabilities: ['math', 'file_system'] } },
    };
    const { store, write } = storeOf(user, { activeProfile: 'writer' }, registry);
    const { heldBack } = store.configured();
    assert.deepEqual([store.activeId, heldBack?.id, store.active().mode], ['reader', 'writer', 'plan']);
    assert.match(
      store.problems().find((one) => one.code === 'active_profile_pending')?.message ?? '',
      /`writer`, which allows more than `reader`/,
    );
    await store.acceptConfigured(heldBack?.hash ?? '');
    assert.deepEqual([store.activeId, store.configured().heldBack, store.problems()], ['writer', undefined, []]);
    // What was accepted is what it allowed then.
    write(
      { ...user, profiles: { ...user.profiles, writer: { capabilities: ['math', 'file_system', 'web_fetch'] } } },
      { activeProfile: 'writer' },
    );
    assert.equal(store.activeId, 'reader');
    // Switching by hand needs no acceptance.
    assert.equal(store.activate('writer'), undefined);
    assert.deepEqual([store.activeId, store.problems()], ['writer', []]);
    // A stricter one is the workspace's to choose.
    write({ ...user, activeProfile: 'writer' }, { activeProfile: 'reader' });
    assert.deepEqual(store.configured(), { id: 'reader' });
    store.dispose();
    dispose();
  });

  it('the repository only tightens: for all profiles and all choices of an active one, a workspace gains nothing by naming another', () => {
    const { registry, dispose } = registryOf();
    const profile = fc.record({
      mode: fc.constantFrom('plan', 'execute'),
      capabilities: fc.subarray(ids),
    });
    const id = fc.constantFrom('a', 'b', 'c', 'default', 'nobody');
    const profiles = fc.dictionary(fc.constantFrom('a', 'b', 'c'), profile);
    fc.assert(
      fc.property(profiles, profiles, id, id, (own, theirs, mine, wanted) => {
        const { store } = storeOf(
          { profiles: own, activeProfile: mine },
          { profiles: theirs, activeProfile: wanted },
          registry,
        );
        const { store: alone } = storeOf({ profiles: own, activeProfile: mine }, {}, registry);
        // A profile of this id that only the workspace has is held to the user's `default`.
        const base = alone.profiles().has(mine) || !(mine in theirs) ? alone.active() : alone.resolve('default');
        const allowed = new Set(base?.tools.map((tool) => tool.id));
        for (const tool of store.active().tools) assert.ok(allowed.has(tool.id), tool.id);
        if (base?.mode === 'plan' && store.active().tools.length > 0) assert.equal(store.active().mode, 'plan');
        store.dispose();
        alone.dispose();
      }),
      { numRuns: runs(16, 800, 2000) },
    );
    dispose();
  });

  it('an unknown active profile allows nothing and says so', () => {
    const { registry, dispose } = registryOf();
    const { store } = storeOf({ activeProfile: 'defalt' }, {}, registry);
    assert.deepEqual([store.active().tools, store.active().mode], [[], 'plan']);
    assert.match(store.problems()[0]?.message ?? '', /there is no profile `defalt`; did you mean `default`/);
    assert.equal(store.activate('reader')?.code, 'unknown_profile');
    assert.equal(store.activate('readOnly'), undefined);
    assert.equal(store.active().mode, 'plan');
    store.dispose();
    dispose();
  });
});

describe('settings', () => {
  it('D.settings: the user decides, a workspace only tightens, and what does not fit is reported and not used', () => {
    const settings = readSettings({
      managed: {},
      user: {
        'policy.preset': 'strict',
        'fileSystem.deleteToTrash': false,
        'webFetch.maxBytes': 5000,
        'agentCapabilities.saveTo': 'user',
      },
      workspace: {
        'policy.preset': 'open',
        fileSystem: { deleteToTrash: true, root: 'session' },
        'webFetch.maxLenght': 1,
        activeProfile: 7,
        'definitions.enabled': false,
      },
    });
    assert.deepEqual(
      (
        [
          'policy.preset',
          'fileSystem.deleteToTrash',
          'fileSystem.root',
          'webFetch.maxBytes',
          'saveTo',
          'activeProfile',
          'definitions.enabled',
        ] as const
      ).map((key) => settings.get(key)),
      ['strict', true, 'session', 5000, 'user', 'default', false],
    );
    assert.deepEqual(settings.problems.map((problem) => problem.code).sort(), [
      'invalid_setting',
      'setting_ignored',
      'unknown_setting',
    ]);
    assert.equal(
      readSettings({ managed: { 'policy.preset': 'open' }, user: { 'policy.preset': 'strict' }, workspace: {} }).get(
        'policy.preset',
      ),
      'open',
    );
  });
});
