import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseProfile, profileToJson, resolveProfile } from '../../../src/core/profiles/profile';
import { foreignToolName } from '../../../src/core/foreign/toolName';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { buildRuntimeAgent } from '../../../src/core/profiles/runtimeAgent';
import { readSettings } from '../../../src/core/settings/readSettings';
import { runs } from '../../support/counts';
import { capabilityOf, definition } from '../../support/gate';
import { ids, registryOf, storeOf } from '../../support/profileStore';

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
