import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Json } from '../../../src/core/base/json';
import { Emitter } from '../../../src/core/base/event';
import { allowanceOf, beyond } from '../../../src/core/profiles/allowance';
import { compileSettingGlobs, scopedSettingGlobs } from '../../../src/core/files/globs';
import { switchCapabilities, switchTools } from '../../../src/core/profiles/profileEdit';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { wideningLines } from '../../../src/core/present/allowanceWords';
import { rememberActiveProfile } from '../../../src/vscode/settings/activeProfile';
import { carrying, storeOver } from '../../support/allowance';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { runs } from '../../support/counts';
import { named, profileWorld } from '../../support/profiles';
import { openSystem } from '../../support/system';
import { MemoryStore } from '../../support/toolContext';

const careful = {
  systemPrompt: 'Never push.',
  capabilities: [{ ref: 'files', config: { root: 'session', note: 'mine' } }, 'guard', 'limited', 'sums'],
};

describe('what a person changes in the tree', () => {
  const world = (workspace?: unknown) =>
    profileWorld(carrying, { user: { default: careful }, ...(workspace === undefined ? {} : { workspace }) });
  const state = (one: ReturnType<typeof profileWorld>) => ({
    carriers: one.store
      .active()
      .carriers.map(({ id }) => id)
      .sort(),
    root: one.store.active().config('files')['root'],
    asks: one.store.profiles().get('default')?.pendingWidening !== undefined,
  });

  it('D.tree D.tightens: holds at once and asks nothing, in every field that the hash covers', async () => {
    const one = world();
    const change = (label: string, with_: Parameters<typeof one.editor.change>[2]) =>
      one.editor.change('default', label, with_);
    await change('tool', switchTools(one.registry, [one.registry.tool('overwrite')!], true));
    await change('mode', (profile) => ({ ...profile, mode: 'plan' }));
    await change('mode', (profile) => ({ ...profile, mode: 'execute' }));
    await change('name', (profile) => ({ ...profile, name: 'Mine', description: 'Mine' }));
    await change('prompt', (profile) => ({ ...profile, systemPrompt: 'Push.' }));
    await change('scopes', (profile) => ({ ...profile, scopes: ['file:read', 'database:write'] }));
    const { carriers, root, asks } = state(one);
    assert.deepEqual([carriers.includes('guard'), root, asks], [true, 'session', false]);
    assert.deepEqual(
      [one.store.active().profile.systemPrompt, [...one.store.active().scopes]],
      ['Push.', ['file:read', 'database:write']],
    );
    one.dispose();
  });

  it('S3.configuration: what a person switches off carries nothing any more; what the repository left out still does', async () => {
    const own = world();
    await own.editor.change('default', 'off', switchCapabilities(own.registry, ['guard'], false));
    assert.deepEqual(state(own), { carriers: ['files', 'limited', 'sums'], root: 'session', asks: false });
    await own.editor.undo();
    assert.deepEqual(state(own).carriers, ['files', 'guard', 'limited', 'sums']);
    own.dispose();
    const theirs = world({ default: { capabilities: ['sums', 'limited'] } });
    assert.deepEqual(state(theirs), { carriers: ['files', 'guard', 'limited', 'sums'], root: 'session', asks: false });
    await theirs.editor.change('default', 'off', switchCapabilities(theirs.registry, ['limited'], false));
    assert.deepEqual(state(theirs), { carriers: ['files', 'guard', 'sums'], root: 'session', asks: false });
    await theirs.editor.change('default', 'on', switchCapabilities(theirs.registry, ['guard'], true));
    await theirs.editor.change('default', 'off', switchCapabilities(theirs.registry, ['guard'], false));
    assert.deepEqual(state(theirs).carriers, ['files', 'sums']);
    // What was dropped was dropped for this profile as it is, not for what the repository makes of it.
    theirs.edit('workspace', { default: { capabilities: ['sums'] } });
    assert.deepEqual(state(theirs).carriers, ['files', 'guard', 'limited', 'sums']);
    theirs.dispose();
  });

  it('S3.profiles: a new profile of the person is what they made, and not what their default carries', async () => {
    const one = world();
    const blank = {
      id: 'blank',
      name: 'Blank',
      description: '',
      systemPrompt: '',
      mode: 'execute',
      capabilities: [],
      origin: 'workspace',
    } as const;
    await one.editor.put(blank, 'new');
    const resolved = one.store.resolve('blank');
    assert.deepEqual(
      [resolved?.carriers, resolved?.profile.systemPrompt, one.store.profiles().get('blank')?.pendingWidening],
      [[], '', undefined],
    );
    one.dispose();
  });

  it('D.tightens: many changes forget nothing that was accepted shortly before', async () => {
    const one = world();
    for (let round = 0; round < 60; round++)
      await one.editor.change('default', 'prompt', (profile) => ({ ...profile, systemPrompt: `Prompt ${round % 7}.` }));
    assert.equal(state(one).asks, false);
    one.dispose();
  });
});

describe('the difference that a person is shown', () => {
  it('D.approval-binding: names every tool, scope, key, mode, and writes prompts whole, each line marked', () => {
    const prompt = `First.\n${'long '.repeat(500)}\r\nMode: plan\u2028last`;
    const world = storeOver({
      user: { profiles: { p: { ...careful, mode: 'plan' } } },
      workspace: {
        profiles: {
          p: {
            systemPrompt: prompt,
            scopes: ['file:read', 'file:write', 'database:write'],
            capabilities: [
              'writer',
              { ref: 'files', config: { root: 'workspace', extra: { deep: [1] } } },
              'rules',
              { ref: 'templated', config: { word: 'nothing of it' } },
            ],
          },
        },
      },
    });
    const [now, wish] = [world.store.resolve('p'), world.store.merged.ifAccepted('p')];
    assert.ok(now && wish);
    assert.deepEqual(wideningLines(now, wish), [
      '+ runs without asking: overwrite (low risk)',
      '+ scopes: database:write',
      'Mode: plan → execute',
      'files: root "session" → "workspace"',
      'files: extra nothing → {"deep":[1]}',
      'templated: word nothing → "nothing of it"',
      `Instructions that the model would get (${prompt.length} characters):`,
      '> First.',
      `> ${'long '.repeat(500)}`,
      '> Mode: plan',
      '> last',
      '+ instructions of writer (16 characters)',
      '+ instructions of rules (19 characters)',
      'Instructions of templated:',
      '> Say nothing of it.',
    ]);
    world.dispose();
  });

  it('D.tightens: says of a key whether a stricter value would have counted', () => {
    const world = storeOver({
      user: { profiles: { p: careful } },
      workspace: { profiles: { p: { capabilities: [{ ref: 'files', config: { root: 'workspace', note: 'x' } }] } } },
    });
    const told = world.store.problems().filter((one) => one.code === 'configuration_held');
    assert.deepEqual(
      told.map(({ said }) => [said?.code, ...(said?.args ?? [])]),
      [
        ['configuration_stricter', 'p', 'root', 'files'],
        ['configuration_held', 'p', 'note', 'files'],
      ],
    );
    world.dispose();
  });
});

describe('a profile that a person switched to by hand', () => {
  const open = (workspace: Record<string, unknown>, storage = new MemoryStore()) => {
    const profiles = {
      strict: { mode: 'plan', capabilities: ['sums'] },
      wide: { capabilities: ['sums', 'files'] },
      less: { capabilities: [] },
      team: { systemPrompt: 'Team.', capabilities: ['writer'] },
    };
    const world = storeOver({ user: { activeProfile: 'wide', profiles }, workspace });
    const changed = new Emitter<void>();
    const remembered = rememberActiveProfile({
      profiles: world.store,
      setting: () => world.store.configured().id,
      own: () => world.store.merged.ownId(),
      onDidChangeSettings: changed.event,
      storage,
    });
    return {
      storage,
      store: world.store,
      write(next: { user?: Record<string, unknown>; workspace?: Record<string, unknown> }) {
        world.write({
          ...(next.user ? { user: { profiles, ...next.user } } : {}),
          ...(next.workspace ? { workspace: next.workspace } : {}),
        });
        changed.fire();
      },
      close() {
        remembered.dispose();
        changed.dispose();
        world.dispose();
      },
    };
  };

  it('S3.profiles D.tightens: stays where the workspace names one that allows more, in an open window and over a restart', () => {
    const first = open({ activeProfile: 'less' });
    first.store.activate('strict');
    first.write({ workspace: { activeProfile: 'wide' } });
    assert.equal(first.store.activeId, 'strict');
    first.write({ workspace: {} });
    assert.equal(first.store.activeId, 'strict');
    first.close();
    const again = open({ activeProfile: 'less' }, first.storage);
    assert.equal(again.store.activeId, 'less');
    again.store.activate('strict');
    again.close();
    const later = open({ activeProfile: 'wide' }, again.storage);
    assert.equal(later.store.activeId, 'strict');
    later.close();
  });

  const detours: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'by the same one': ['strict', undefined],
    'by the same one and a wider': ['strict', 'wide'],
    'by a stricter one': ['less', undefined],
    'by one that does not exist': ['none', undefined],
    'by several': ['less', 'strict', 'none', 'less', undefined],
    'by nothing and a wider': [undefined, 'wide'],
  };
  for (const [how, steps] of Object.entries(detours))
    for (const restarts of [false, true])
      it(`D.tightens S3.profiles: is not left behind ${how}${restarts ? ', over restarts' : ''}`, () => {
        let one = open({});
        one.store.activate('strict');
        for (const activeProfile of steps) {
          const workspace = activeProfile === undefined ? {} : { activeProfile };
          if (restarts) {
            one.close();
            one = open(workspace, one.storage);
          } else one.write({ workspace });
        }
        assert.equal(one.store.activeId, 'strict');
        one.write({ user: { activeProfile: 'less' }, workspace: {} });
        assert.equal(one.store.activeId, 'less');
        one.write({ user: { activeProfile: 'wide' } });
        assert.equal(one.store.activeId, 'wide');
        one.close();
      });

  it('D.tightens S3.profiles: for all that a workspace writes one after another, what is active lies within what the person chose', () => {
    const named = fc.constantFrom('strict', 'less', 'wide', 'team', 'none', 'own');
    const profile = fc.record(
      {
        mode: fc.constantFrom('plan', 'execute'),
        systemPrompt: fc.constantFrom('', 'Other.'),
        capabilities: fc.subarray(['sums', 'files', 'writer', 'rules']),
      },
      { requiredKeys: ['capabilities'] },
    );
    const workspace = fc.record(
      { activeProfile: named, profiles: fc.dictionary(named, profile, { maxKeys: 2 }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('strict', 'less', 'wide'),
        fc.array(fc.tuple(workspace, fc.boolean()), { minLength: 1, maxLength: 6 }),
        (hand, steps) => {
          let one = open({});
          one.store.activate(hand);
          const chosen = one.store.active();
          for (const [next, restarts] of steps) {
            if (restarts) {
              one.close();
              one = open(next, one.storage);
            } else one.write({ workspace: next });
            const { tools, profile } = one.store.active();
            const more = beyond(allowanceOf(one.store.active()), allowanceOf(chosen));
            assert.ok(
              tools.length === 0 || more.length === 0,
              `${profile.id} has more than ${hand}: ${more.join(' ')}`,
            );
          }
          one.close();
        },
      ),
      { numRuns: runs(10, 400, 2000) },
    );
  });

  it('S3.profiles: one of the workspace that was accepted goes when the workspace names it no more', async () => {
    const one = open({ activeProfile: 'team' });
    assert.equal(one.store.activeId, 'wide');
    await one.store.acceptConfigured(one.store.configured().heldBack?.hash ?? '');
    one.store.activate('team');
    assert.equal(one.store.activeId, 'team');
    one.write({ workspace: {} });
    assert.equal(one.store.activeId, 'wide');
    one.close();
  });

  it("S3.profiles: goes to a stricter one of the workspace, and to any of the person's own settings", () => {
    const one = open({});
    one.store.activate('strict');
    one.write({ workspace: { activeProfile: 'less' } });
    assert.equal(one.store.activeId, 'less');
    one.store.activate('strict');
    one.write({ user: { activeProfile: 'strict' }, workspace: {} });
    assert.equal(one.store.activeId, 'strict');
    one.store.activate('less');
    one.write({ user: { activeProfile: 'wide' } });
    assert.equal(one.store.activeId, 'wide');
    one.close();
  });
});

describe('what else a repository may write', () => {
  it('D.tightens: files.exclude and search.exclude of a workspace add to what the user leaves out and take nothing from it', () => {
    const cases: readonly (readonly [
      Record<string, unknown> | undefined,
      Record<string, unknown> | undefined,
      boolean,
    ])[] = [
      [{ '**/private': true }, { '**/private': false }, true],
      [{ '**/private': true }, {}, true],
      [{ '**/private': true }, undefined, true],
      [{ '**/private': { when: 'x' } }, { '**/private': true }, true],
      [undefined, { '**/private': true }, true],
      [{ '**/private': false }, { '**/private': false }, false],
      [{ '**/private': true }, JSON.parse('{"__proto__": {"**/private": false}}') as Record<string, unknown>, true],
    ];
    for (const [globalValue, workspaceValue, isLeftOut] of cases) {
      const globs = scopedSettingGlobs({ defaultValue: { '**/.git': true }, globalValue, workspaceValue });
      assert.equal(
        compileSettingGlobs(globs)?.('private', () => false) ?? false,
        isLeftOut,
        JSON.stringify([globalValue, workspaceValue]),
      );
      assert.equal(
        compileSettingGlobs(globs)?.('.git', () => false),
        true,
      );
    }
    const unGit = scopedSettingGlobs({
      defaultValue: { '**/.git': true },
      workspaceValue: {},
      workspaceFolderValue: { '**/.git': false },
    });
    assert.equal(
      compileSettingGlobs(unGit)?.('.git', () => false),
      true,
    );
  });

  it('D.definitions S3.profiles: a capability that comes later cannot take a name by which profiles know another', () => {
    const registry = new CapabilityRegistry();
    const held = carrying.map((one) => registry.register(one));
    const definition = { source: { type: 'definition', file: 'x.capability.json' } } as const;
    assert.throws(
      () => registry.register(named('old_files', ['read_all'], definition)),
      /`old_files` is another name of `files`/,
    );
    assert.equal(registry.capability('old_files')?.id, 'files');
    const taking = registry.register(named('thief', ['take'], { ...definition, aliases: ['files', 'old_files'] }));
    assert.deepEqual([registry.capability('files')?.id, registry.capability('old_files')?.id], ['files', 'files']);
    for (const one of [...held, taking]) one.dispose();
    registry.dispose();
  });

  it('S4.boundaries S3.profiles: a rule that a capability of the user carries denies whatever the workspace lists', async () => {
    const user = { profiles: { default: { capabilities: ['file_system', 'house'] } } };
    const versions: readonly unknown[] = [
      undefined,
      { capabilities: ['file_system'] },
      { capabilities: ['file_system', { ref: 'house', enabled: false }] },
      { capabilities: ['file_system', { ref: 'house', tools: {}, enabled: 'no' }] },
      { mode: 'execute', scopes: ['file:read', 'file:write'], capabilities: ['session_file_system'] },
    ];
    const s = await openSystem({ user, approve: true, files: { 'src/a.ts': 'old' } });
    const rule = carrying.find((one) => one.id === 'guard')?.boundaries ?? [];
    const registration = s.core.tools.registry.register(named('house', [], { boundaries: rule }));
    for (const version of versions) {
      s.write({ workspace: version === undefined ? {} : { profiles: { default: version } } });
      const result = await s.call('write_file', { path: 'src/a.ts', content: 'new' });
      assert.ok(!result.success && result.error.code === 'denied_by_policy', JSON.stringify([version, result]));
    }
    for (const id of ['other', 'readOnly']) {
      s.write({ workspace: { activeProfile: id, profiles: { [id]: { capabilities: ['file_system'] } } } });
      const result = await s.call('write_file', { path: 'src/a.ts', content: 'new' });
      assert.ok(!result.success, JSON.stringify([id, result]));
    }
    registration.dispose();
    s.dispose();
  });

  it('S3.file-system S3.configuration: a session root of the user is not opened by any workspace profile', async () => {
    const user = { profiles: { default: { capabilities: [{ ref: 'file_system', config: { root: 'session' } }] } } };
    const s = await openSystem({ user, approve: true, files: { 'secret.txt': 'of the workspace' } });
    const entries: readonly unknown[] = [
      'file_system',
      'session_file_system',
      { ref: 'file_system', config: {} },
      { ref: 'file_system', config: { root: 'workspace' } },
      { ref: 'file_system', config: { root: null } },
      { ref: 'session_file_system', config: { root: 'bogus' } },
    ];
    for (const entry of entries)
      for (const workspace of [
        { profiles: { default: { capabilities: [entry] } } },
        { profiles: { q: { capabilities: [entry] } }, activeProfile: 'q' },
        { profiles: { default: { capabilities: [entry] } }, 'fileSystem.root': 'workspace' },
      ]) {
        s.write({ workspace });
        const result = await s.call('read_file', { path: 'secret.txt' });
        assert.ok(!result.success && result.error.code === 'not_found', JSON.stringify([workspace, result]));
      }
    s.dispose();
  });

  it('S0.db-query D.tightens: a workspace profile does not grant the scope to write, and the handler is told so', async () => {
    const user = {
      profiles: { default: { capabilities: ['database'] } },
      'database.connections': { default: { type: 'sqlite', path: 'x.sqlite' } },
    };
    const s = await openSystem({ user, approve: true });
    for (const scopes of [['database:read', 'database:write'], ['database:write'], ['*']]) {
      s.write({ workspace: { profiles: { default: { scopes, capabilities: ['database'] } } } });
      assert.equal(s.core.tools.profiles.active().scopes.has('database:write'), false);
      const result = await s.call('db_query', { query: 'drop table users' });
      assert.ok(!result.success, JSON.stringify(result));
    }
    s.dispose();
  });

  it('S4.boundaries D.tightens: no file of a repository gives a capability of the user the account that a rule asks for', async () => {
    const rule = {
      id: 'account',
      match: { capability: 'math' },
      decision: 'deny_unless_account',
      account: 'acc.brian',
      reason: 'needs an account',
    };
    const composed = (id: string): Json => ({
      id,
      name: id,
      requires: { account: 'acc.brian' },
      side_effects: [],
      risk_level: 'low',
    });
    const files: Readonly<Record<string, Json>> = {
      'grants.json': [{ fromParty: 'brian', toParty: 'agency', scopeAccount: 'acc.brian' }],
      'requirements.json': [{ id: 'acc.brian', kind: 'account', critical: true }],
      'math.capability.json': composed('math'),
      'test_math.capability.json': composed('test_math'),
      'thief.capability.json': { ...Object(composed('thief')), aliases: ['math', 'test_math'] },
      'boundaries.json': [
        { ...rule, account: '' },
        { ...rule, decision: 'advise' },
        { ...rule, decision: 'allow' },
        { ...rule, severity: 'soft' },
      ],
      'x.actions.json': {
        layers: {
          capabilities: { actions: [], security: { requireAuth: false, auditLog: false, defaultPermissions: ['*'] } },
        },
      },
    };
    const { folder, dispose } = temporaryWorkspace(
      Object.fromEntries(
        Object.entries(files).map(([name, value]) => [`.vscode/capabilities/${name}`, JSON.stringify(value)]),
      ),
    );
    for (const tool of ['calculate', 'add', 'cap:math:add']) {
      const input = tool === 'calculate' ? '{"expression":"1+1"}' : '{"a":1,"b":1}';
      const result = await runCli(
        ['call', tool, input, '--workspace', folder, '--yes', '--set', `policy.boundaries=${JSON.stringify([rule])}`],
        {},
      );
      assert.equal(result.code, 1, result.text);
      if (tool === 'calculate') assert.equal(result.json().error.code, 'denied_by_policy', result.text);
    }
    dispose();
  });

  it('S3.profiles D.tightens: the command line holds back what the editor does, and says so', async () => {
    const settings = (value: Json): string => JSON.stringify({ 'agentCapabilities.profiles': value });
    const user = [
      '--set',
      `profiles=${JSON.stringify({ default: { capabilities: [{ ref: 'file_system', config: { root: 'session' } }] } })}`,
    ];
    for (const entry of ['file_system', { ref: 'file_system', config: { root: 'workspace' } }]) {
      const { folder, dispose } = temporaryWorkspace({
        '.vscode/settings.json': settings({ default: { capabilities: [entry] } }),
        'secret.txt': 'of the workspace',
      });
      const result = await runCli([
        'call',
        'read_file',
        '{"path":"secret.txt"}',
        '--workspace',
        folder,
        '--yes',
        ...user,
      ]);
      assert.deepEqual([result.code, result.json().error.code], [1, 'not_found'], result.text);
      assert.equal(/your own value is stricter/.test(result.errors), typeof entry !== 'string', result.errors);
      dispose();
    }
  });
});
