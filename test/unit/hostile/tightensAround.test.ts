import { strict as assert } from 'node:assert';
import type { Json } from '../../../src/core/base/json';
import { compileSettingGlobs, scopedSettingGlobs } from '../../../src/core/files/globs';
import { CapabilityRegistry } from '../../../src/core/registry/registry';
import { carrying } from '../../support/allowance';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { named } from '../../support/profiles';
import { openSystem } from '../../support/system';

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
