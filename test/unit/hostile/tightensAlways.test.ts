import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { allowanceOf, beyond } from '../../../src/core/profiles/allowance';
import { decide } from '../../../src/core/policy/rules/decide';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { effectiveLimits, parseLimits } from '../../../src/core/policy/limits/limitSettings';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import type { PolicySubject } from '../../../src/core/policy/rules/subject';
import { settingSpecs } from '../../../src/core/settings/settingTable';
import { readSettings } from '../../../src/core/settings/readSettings';
import { gains, storeOver } from '../../support/allowance';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

type Raw = Record<string, unknown>;

const refs = [
  'files',
  'old_files',
  'database',
  'guard',
  'old_guard',
  'limited',
  'sums',
  'old_sums',
  'rules',
  'writer',
  'old_writer',
  'unknown_one',
  'templated',
];
const tools = ['read_it', 'write_it', 'query', 'do_it', 'add', 'divide', 'overwrite'];
const values = fc.constantFrom<unknown>('workspace', 'session', 'Session', 'mine', '', null, 1, true, ['session'], {
  a: 1,
});
const config = fc.dictionary(fc.constantFrom('root', 'note', 'toString', 'extra', 'word'), values, { maxKeys: 3 });
const entry = fc.oneof(
  fc.constantFrom<unknown>(...refs),
  fc.record(
    {
      ref: fc.constantFrom(...refs),
      enabled: fc.constantFrom<unknown>(true, true, false, 'yes'),
      tools: fc.dictionary(fc.constantFrom(...tools), fc.constantFrom<unknown>(true, false, 1), { maxKeys: 3 }),
      config,
    },
    { requiredKeys: ['ref'] },
  ),
);
const profile = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      {
        mode: fc.constantFrom<unknown>('plan', 'execute', 'execution', 'fast', 7),
        scopes: fc.oneof(
          fc.subarray(['file:read', 'file:write', 'database:read', 'database:write', '*']),
          fc.constant<unknown>('all'),
        ),
        systemPrompt: fc.constantFrom('', 'Never push.', 'Do as you like.'),
        systemPromptFile: fc.constantFrom('', 'docs/prompt.md', '.env'),
        name: fc.constantFrom('P', 'Q'),
        capabilities: fc.array(entry, { maxLength: 7 }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 'text', [], 3) },
);
const ids = ['p', 'q', 'default', 'readOnly', 'nobody'];
const rate = fc.constantFrom<unknown>(
  '1 per 1h',
  '5 per 1m',
  { requests: 0, window: '1s' },
  { requests: 1e9, window: '1d' },
  'nonsense',
  -1,
);
const limits = fc.oneof(
  fc.record(
    {
      perTool: rate,
      all: rate,
      tools: fc.dictionary(fc.constantFrom('read_it', 'add'), rate),
      budget: fc.record({ calls: fc.constantFrom<unknown>(0, 5, 1e9, 'x') }, { requiredKeys: [] }),
      concurrency: fc.record({ all: fc.constantFrom<unknown>(0, 1, 1e6) }, { requiredKeys: [] }),
      repetition: fc.constantFrom<unknown>(0, 1, 100),
      circuit: fc.record(
        { failures: fc.constantFrom(0, 1, 99), cooldownSeconds: fc.constantFrom(0, 1, 9999) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>(null, [], 'none'),
);
const boundary = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'preset.secrets'),
    severity: fc.constantFrom('hard', 'soft'),
    match: fc.record(
      {
        accessAny: fc.constant(['fs.write']),
        path: fc.constantFrom('src/**', '**', '.env'),
        tool: fc.constantFrom('*', 'cap:files:*'),
      },
      { requiredKeys: [] },
    ),
    exceptions: fc.subarray(['files', 'cap:files:read_it']),
    decision: fc.constantFrom('deny', 'require_approval', 'advise', 'allow', 'deny_unless_account'),
    scope: fc.constantFrom('builtin', 'user', 'managed'),
    waivable: fc.boolean(),
    admin: fc.boolean(),
    account: fc.constantFrom('', 'x'),
    reason: fc.constant('because'),
  },
  { requiredKeys: ['id', 'match', 'decision'] },
);
/** One layer of settings, in which every setting may stand. */
const layer: fc.Arbitrary<Raw> = fc.record(
  {
    profiles: fc.dictionary(fc.constantFrom(...ids), profile, { maxKeys: 4 }),
    activeProfile: fc.constantFrom<unknown>(...ids, 7),
    limits,
    'policy.boundaries': fc.array(boundary, { maxLength: 3 }),
    'policy.preset': fc.constantFrom('strict', 'balanced', 'open'),
    'policy.adminApproval': fc.constantFrom('never', 'critical', 'high'),
    'policy.requireFrozenSpec': fc.constantFrom('never', 'high'),
    'network.allowedPrivateHosts': fc.subarray(['127.0.0.1', '*']),
    fileSystem: fc.record(
      { root: fc.constantFrom('workspace', 'session'), respectIgnoreFiles: fc.boolean(), deleteToTrash: fc.boolean() },
      { requiredKeys: [] },
    ),
    'definitions.enabled': fc.boolean(),
    extensionTools: fc.constant({ 'some.extension': { risk: 'low' } }),
    'database.connections': fc.constant({ default: { type: 'sqlite', path: '/etc/x' } }),
  },
  { requiredKeys: [] },
);
const managed = fc.oneof({ weight: 3, arbitrary: fc.constant<Raw>({}) }, { weight: 1, arbitrary: layer });

describe('the repository only tightens', () => {
  it('D.tightens S3.profiles S2.permissions: for all users, managed files and workspaces, what is active lies within what would be without the workspace', () => {
    let widened = 0;
    const [both, alone] = [storeOver({}), storeOver({})];
    fc.assert(
      fc.property(layer, managed, layer, (user, above, workspace) => {
        both.write({ managed: above, user, workspace });
        alone.write({ managed: above, user });
        // A profile that the user names and does not have allows nothing, whatever the workspace has of that name.
        const base = alone.store.active();
        const now = both.store.active();
        if (now.tools.length > 0 || now.id === base.id) {
          assert.deepEqual(beyond(allowanceOf(now), allowanceOf(base)), []);
          assert.deepEqual(gains(now, base), []);
        }
        for (const [id, { pendingWidening, profile: merged }] of both.store.profiles()) {
          if (merged.origin !== 'workspace') continue;
          if (pendingWidening) widened++;
          const own = alone.store.resolve(id) ?? (id === base.id ? base : alone.store.resolve('default'));
          const resolved = both.store.resolve(id);
          assert.ok(own && resolved);
          assert.deepEqual(gains(resolved, own), [], id);
        }
      }),
      { numRuns: runs(100, 1500, 10_000) },
    );
    both.dispose();
    alone.dispose();
    assert.ok(widened > 20, `${widened} wishes were held`);
  });

  it('D.settings D.tightens: for all layers no setting gets a looser value from the workspace', () => {
    /** Where layers are judged by the parts that know them, and by which test. */
    const layered: readonly string[] = [
      'activeProfile',
      'profiles',
      'policy.boundaries',
      'limits',
      'mcp.servers',
      'channels',
    ];
    const found = settingSpecs
      .filter(({ merge }) => merge.type === 'layers' || merge.type === 'workspace')
      .map(({ key }) => key);
    assert.deepEqual(
      [...found].sort(),
      [...layered].sort(),
      'a setting that a workspace may write needs a test of its own',
    );
    const any = fc.dictionary(
      fc.constantFrom(...settingSpecs.map(({ key }) => key)),
      fc.oneof(
        fc.constantFrom<unknown>(
          ...settingSpecs.flatMap(({ schema, default: standard }) => [...(schema.enum ?? []), standard]),
        ),
        fc.constantFrom<unknown>(true, false, 0, 1, 1e9, '', 'x', null, {}, ['*']),
      ),
      { maxKeys: 12 },
    );
    fc.assert(
      fc.property(any, any, any, (above, user, workspace) => {
        const both = readSettings({ managed: above, user, workspace });
        const alone = readSettings({ managed: above, user, workspace: {} });
        for (const { key, merge } of settingSpecs) {
          if (layered.includes(key)) continue;
          const [now, own] = [both.get(key), alone.get(key)];
          if (merge.type === 'tighten')
            assert.ok(merge.order.indexOf(now ?? null) >= merge.order.indexOf(own ?? null), key);
          else assert.deepEqual(now, own, key);
        }
      }),
      { numRuns: runs(60, 2000, 5000) },
    );
  });

  it('D.tightens S4.boundaries S1.policy: for all layers no access is judged more mildly with the rules of the workspace', () => {
    const accesses = ['src/a.ts', '.env', 'docs/x.md', '.git/config'].flatMap((resource) =>
      ['fs.read', 'fs.write', 'fs.delete'].map((effect) => ({ effect, resource })),
    );
    const mild = { deny: 0, ask: 1, pass: 2 };
    fc.assert(
      fc.property(layer, managed, layer, fc.array(boundary, { maxLength: 3 }), (user, above, workspace, file) => {
        const judge = (theirs: Raw, files: readonly { path: string; text: string }[]) => {
          const { boundaries } = new BoundarySources().gather(
            readSettings({ managed: above, user, workspace: theirs }),
            files,
          );
          const engine = new PolicyEngine(boundaries);
          const judged = accesses.map((access) => {
            const subject: PolicySubject = {
              capabilityId: 'files',
              capabilityAliases: [],
              sideEffects: [access.effect],
              costClass: 'free',
              riskLevel: 'medium',
              actor: 'agent',
              accesses: [],
              requires: [],
            };
            return decide(engine.candidates(subject), subject).effect;
          });
          engine.dispose();
          return judged;
        };
        const alone = judge({}, []);
        judge(workspace, [{ path: 'boundaries.json', text: JSON.stringify(file) }]).forEach((effect, index) =>
          assert.ok(
            mild[effect] <= mild[alone[index] ?? 'deny'],
            `${JSON.stringify(accesses[index])}: ${alone[index]} → ${effect}`,
          ),
        );
      }),
      { numRuns: runs(8, 300, 2000) },
    );
  });

  it('D.tightens: whatever limits a workspace writes, those of the user hold as they are', () => {
    fc.assert(
      fc.property(limits, limits, (own, theirs) => {
        const user = parseLimits(own).value;
        const { layers } = effectiveLimits(user, theirs).value;
        assert.equal(layers[0], user);
      }),
      { numRuns: runs(50, 2000) },
    );
  });
});

describe('the repository only tightens, in the composed system', () => {
  const calls: readonly (readonly [string, Raw])[] = [
    ['read_file', { path: 'a.txt' }],
    ['read_file', { path: '.env' }],
    ['write_file', { path: 'src/a.ts', content: 'x' }],
    ['write_file', { path: '.vscode/settings.json', content: 'x' }],
    ['delete_file', { path: 'src', recursive: true }],
    ['move_file', { from: 'a.txt', to: 'b.txt' }],
    ['web_fetch', { url: 'http://127.0.0.1/' }],
    ['web_fetch', { url: 'https://example.com/' }],
    ['calculate', { expression: '1+1' }],
    ['get_current_time', {}],
    ['db_query', { query: 'drop table users' }],
  ];
  const real = [
    'file_system',
    'session_file_system',
    'web_fetch',
    'database',
    'math',
    'test_math',
    'current_time',
    'capabilities',
  ];
  const realProfile = fc.record(
    {
      mode: fc.constantFrom('plan', 'execute'),
      scopes: fc.subarray(['file:read', 'file:write', 'http:read', 'database:read', 'database:write']),
      systemPrompt: fc.constantFrom('Mine.', 'Theirs.'),
      capabilities: fc.array(
        fc.oneof(
          fc.constantFrom<unknown>(...real),
          fc.record(
            {
              ref: fc.constantFrom(...real),
              enabled: fc.boolean(),
              tools: fc.dictionary(fc.constantFrom('write_file', 'delete_file', 'read_file'), fc.boolean(), {
                maxKeys: 2,
              }),
              config: fc.constantFrom({}, { root: 'session' }, { root: 'workspace' }),
            },
            { requiredKeys: ['ref'] },
          ),
        ),
        { maxLength: 5 },
      ),
    },
    { requiredKeys: ['capabilities'] },
  );
  const realLayer = fc.record(
    {
      profiles: fc.dictionary(fc.constantFrom('p', 'q', 'default'), realProfile, { maxKeys: 3 }),
      activeProfile: fc.constantFrom('p', 'q', 'default', 'readOnly'),
      'policy.boundaries': fc.array(boundary, { maxLength: 2 }),
      'policy.preset': fc.constantFrom('strict', 'balanced', 'open'),
      'mcp.servers': fc.constant({ evil: { command: 'node', args: ['x.js'] } }),
      channels: fc.constant({ evil: 'http://127.0.0.1:9/' }),
    },
    { requiredKeys: [] },
  );

  it('D.tightens S2.permissions S3.configuration: a call that is denied or asks without the workspace is never milder with it', async () => {
    const [both, alone] = [await openSystem(), await openSystem()];
    const mild = { deny: 0, ask: 1, pass: 2 };
    try {
      await fc.assert(
        fc.asyncProperty(realLayer, realLayer, async (user, workspace) => {
          alone.write({ user, workspace: {} });
          both.write({ user, workspace });
          // The user named a profile that only the workspace has: it is held to `default`, and nothing would be allowed
          // without.
          if (!alone.core.tools.profiles.profiles().has(alone.core.tools.profiles.activeId)) return;
          for (const [tool, input] of calls) {
            const ask = (core: typeof both.core) =>
              core.gate.router.preview({ tool, input, actor: { type: 'agent', id: 'test' }, surface: 'chat' });
            const [now, own] = [await ask(both.core), await ask(alone.core)];
            assert.ok(
              mild[now.effect] <= mild[own.effect],
              `${tool} ${JSON.stringify(input)}: ${own.effect} → ${now.effect}`,
            );
          }
          const [now, own] = [both.core.tools.profiles.active(), alone.core.tools.profiles.active()];
          if (now.tools.length > 0) assert.deepEqual(gains(now, own), []);
        }),
        { numRuns: runs(5, 120, 500) },
      );
    } finally {
      both.dispose();
      alone.dispose();
    }
  });
});
