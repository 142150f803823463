import { say, worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { presetBoundaries, presetNames } from '../../../../src/core/policy/rules/presets';
import type { BoundaryScope } from '../../../../src/core/vocabulary/boundary';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';
import type { Effect } from '../../../../src/core/vocabulary/decision';

const write = (resource: string): Access => ({ effect: 'fs.write', resource });
const read = (resource: string): Access => ({ effect: 'fs.read', resource });

function engine(raw: unknown, scope: BoundaryScope = 'user', preset?: 'strict' | 'balanced' | 'open'): PolicyEngine {
  return new PolicyEngine([...(preset ? presetBoundaries(preset) : []), ...parseBoundaries(raw, scope).value]);
}

function effect(policy: PolicyEngine, accesses: readonly Access[], more: Parameters<typeof fakeCall>[0] = {}): Effect {
  return judgeCall(policy, { ...more, accesses }).effect;
}

function judgeCall(policy: PolicyEngine, options: Parameters<typeof fakeCall>[0] = {}) {
  const call = fakeCall(options);
  return policy.judge(call, call.accesses);
}

describe('boundaries over calls', () => {
  it('S1.policy: a denial names the rule, the reason and what is allowed instead', () => {
    const policy = engine([
      {
        id: 'no-secrets',
        match: { path: '**/.env*' },
        decision: 'deny',
        reason: '.env files hold secrets',
        steer: 'read .env.example instead',
      },
    ]);
    const call = fakeCall({ accesses: [read('a/.env')] });
    const { reasons, ...answer } = policy.judge(call, call.accesses);
    assert.deepEqual(
      reasons.map(({ said, ...reason }) => ({ ...reason, text: worded(said) })),
      [{ text: 'boundary "no-secrets": .env files hold secrets', rule: 'no-secrets' }],
    );
    assert.deepEqual(answer, {
      step: 'boundaries',
      effect: 'deny',
      error: {
        code: 'denied_by_policy',
        message: 'denied by boundary "no-secrets": .env files hold secrets. allowed instead: read .env.example instead',
        retryable: false,
        details: { boundary: 'no-secrets', steer: 'read .env.example instead' },
      },
    });
  });

  it('S4.boundaries: the clauses about an access must hold for one and the same access', () => {
    const policy = engine([{ id: 'r', match: { accessAny: ['fs.write'], path: 'docs/**' }, decision: 'deny' }]);
    assert.equal(effect(policy, [write('src/a'), read('docs/a')]), 'pass');
    assert.equal(effect(policy, [read('src/a'), write('docs/a')]), 'deny');
  });

  it('judges by tool, capability, host, command, source, actor, cost, risk and argument', () => {
    const cases: [Record<string, unknown>, Parameters<typeof fakeCall>[0], Parameters<typeof fakeCall>[0]][] = [
      [{ tool: 'cap:file_system:write_*' }, {}, { tool: 'read_file' }],
      [{ tool: 'write_file' }, {}, { tool: 'read_file' }],
      [{ tool: 'mcp:io.x/files:*' }, { source: { type: 'mcp', server: 'io.x/files' } }, {}],
      [{ capability: '{file_system,kv}' }, {}, { capability: 'math' }],
      [{ id_regex: 'file_.*' }, {}, { capability: 'math' }],
      [
        { host: '*.example.com' },
        { accesses: [{ effect: 'network.http', resource: 'https://a.EXAMPLE.com./x' }] },
        { accesses: [{ effect: 'network.http', resource: 'https://example.org/a.example.com' }] },
      ],
      [
        { host: '[::1]:80' },
        { accesses: [{ effect: 'network.socket', resource: '[::1]:80' }] },
        { accesses: [{ effect: 'network.socket', resource: '[::2]:80' }] },
      ],
      [
        { command: 'rm *' },
        { accesses: [{ effect: 'system.exec', resource: 'rm   -rf /tmp' }] },
        { accesses: [{ effect: 'system.exec', resource: 'ls rm' }] },
      ],
      [{ source: 'mcp' }, { source: { type: 'mcp', server: 's' } }, {}],
      [{ actor: 'agent' }, {}, { actor: { type: 'user', id: 'u' } }],
      [{ costClass: 'paid' }, { definition: { costClass: 'paid' } }, {}],
      [{ riskAtLeast: 'high' }, { definition: { riskLevel: 'critical' } }, { definition: { riskLevel: 'medium' } }],
      [{ riskLevel: 'med' }, { definition: { riskLevel: 'medium' } }, {}],
      [
        { sideEffectsAny: ['cloud.*'] },
        { definition: { sideEffects: ['cloud.key_write'] } },
        { definition: { sideEffects: ['fs.read'] } },
      ],
      [
        { argument: { '/to/0': { glob: '*@example.com' }, n: { minimum: 2, maximum: 3 } } },
        { input: { to: ['a@example.com'], n: 2 } },
        { input: { to: ['a@example.com'], n: 4 } },
      ],
      [{ argument: { q: { regex: 'a+' } } }, { input: { q: 'aaa' } }, { input: { q: 'aab' } }],
      [
        { recursive: true },
        { accesses: [{ effect: 'fs.delete', resource: 'a', recursive: true }] },
        { accesses: [{ effect: 'fs.delete', resource: 'a' }] },
      ],
      [
        { privateHost: true },
        { accesses: [{ effect: 'network.http', resource: 'http://0x7f.1/' }] },
        { accesses: [{ effect: 'network.http', resource: 'http://8.8.8.8/' }] },
      ],
    ];
    return Promise.all(
      cases.map(async ([match, hit, miss]) => {
        const policy = engine([{ id: 'r', match, decision: 'deny' }]);
        await policy.ready;
        const judge = (options: Parameters<typeof fakeCall>[0]) => effect(policy, options?.accesses ?? [], options);
        assert.deepEqual([judge(hit), judge(miss)], ['deny', 'pass'], JSON.stringify(match));
      }),
    ).then(() => undefined);
  });

  it('a rule with a fault fires when it restricts and never when it loosens, and says so', async () => {
    for (const match of [
      { colour: 'red' },
      { path: '[' },
      { path: '{a,b}'.repeat(20) },
      { tool: 7 },
      { riskLevel: 'extreme' },
      { idRegex: '(' },
    ]) {
      for (const [decision, expected] of [
        ['deny', 'deny'],
        ['require_approval', 'ask'],
        ['advise', 'pass'],
        ['allow', 'pass'],
      ] as const) {
        const policy = engine([{ id: 'r', match: { ...match, actor: 'agent' }, decision }]);
        await policy.ready;
        const answer = judgeCall(policy);
        assert.equal(answer.effect, expected, `${JSON.stringify(match)} ${decision}`);
        assert.equal(answer.waivedBy, undefined);
        if (expected !== 'pass') assert.match(worded(answer.reasons[0]?.said ?? say('as_it_is', '')), /has a fault/);
        // What its other clauses rule out stays out.
        assert.equal(judgeCall(policy, { actor: { type: 'user', id: 'u' } }).effect, 'pass');
      }
    }
  });

  it('an allow of the user waives what a preset asks, never another rule, a critical risk or a denial', () => {
    const remove: Access = { effect: 'fs.delete', resource: 'tmp/a', recursive: true };
    const allow = { id: 'tmp', match: { path: 'tmp/**' }, decision: 'allow' };
    assert.equal(effect(engine([], 'user', 'balanced'), [remove]), 'ask');
    assert.equal(effect(engine([allow], 'user', 'balanced'), [remove]), 'pass');
    assert.equal(effect(engine([allow], 'workspace', 'balanced'), [remove]), 'ask');
    assert.equal(
      effect(engine([allow], 'user', 'balanced'), [remove, { ...remove, resource: 'src/a' }]),
      'ask',
      'every access must be covered',
    );
    assert.equal(
      effect(
        engine([allow, { id: 'mine', match: { path: 'tmp/**' }, decision: 'require_approval' }], 'user', 'balanced'),
        [remove],
      ),
      'ask',
    );
    assert.equal(
      effect(engine([allow], 'user', 'balanced'), [remove], { definition: { riskLevel: 'critical' } }),
      'ask',
    );
    assert.equal(effect(engine([{ id: 'all', decision: 'allow' }], 'user', 'balanced'), [read('.env')]), 'deny');
    assert.deepEqual(engine([allow]).judge(fakeCall({ accesses: [write('tmp/x')] }), [write('tmp/x')]).waivedBy, [
      'tmp',
    ]);
  });

  it('S1.policy: the presets differ as the table says', () => {
    const table: [string, readonly Access[], Parameters<typeof fakeCall>[0], string][] = [
      ['secret read', [read('a/.env.local')], {}, 'deny deny ask'],
      ['example', [read('.env.example')], {}, 'pass pass pass'],
      ['key written', [write('server.pem')], {}, 'deny deny ask'],
      ['git config', [write('.git/config')], {}, 'deny ask ask'],
      ['editor settings deleted', [{ effect: 'fs.delete', resource: '.vscode/settings.json' }], {}, 'deny ask ask'],
      ['policy file read', [read('.vscode/capabilities/boundaries.json')], {}, 'pass pass pass'],
      [
        'metadata address',
        [{ effect: 'network.http', resource: 'http://169.254.169.254/latest', method: 'GET' }],
        {},
        'deny deny deny',
      ],
      [
        'another host',
        [{ effect: 'network.http', resource: 'https://example.com/', method: 'GET' }],
        {},
        'ask pass pass',
      ],
      ['recursive delete', [{ effect: 'fs.delete', resource: 'src', recursive: true }], {}, 'ask ask pass'],
      ['delete outside trash', [{ effect: 'fs.delete', resource: 'src/a', permanent: true }], {}, 'ask ask pass'],
      ['delete to trash', [{ effect: 'fs.delete', resource: 'src/a' }], {}, 'pass pass pass'],
      ['high risk', [], { definition: { riskLevel: 'high' } }, 'ask pass pass'],
      ['critical risk', [], { definition: { riskLevel: 'critical' } }, 'ask ask pass'],
    ];
    for (const [name, accesses, more, expected] of table)
      assert.equal(
        presetNames.map((preset) => effect(engine([], 'user', preset), accesses, more)).join(' '),
        expected,
        name,
      );
    const critical = (preset: 'strict' | 'balanced') =>
      judgeCall(engine([], 'user', preset), { definition: { riskLevel: 'critical' } }).reasons[0];
    assert.deepEqual([critical('strict')?.admin, critical('balanced')?.admin], [true, undefined]);
  });

  it('an alias of a path is judged at least as strictly', () => {
    const policy = engine([], 'user', 'balanced');
    const rank = { pass: 0, ask: 1, deny: 2 };
    const secrets = [
      '.env',
      'a/.ssh/id_rsa',
      '.git/config',
      'conf/Stra\u00dfe/.env.local',
      'caf\u00e9/server.key',
      'secrets.json',
      '.vscode/settings.json',
    ];
    const alias = fc.constantFrom<(path: string) => string>(
      (path) => path.toUpperCase().replace('STRASSE', 'Stra\u00dfe'),
      (path) => path.normalize('NFD'),
      (path) => `./${path}`,
      (path) => path.replaceAll('/', '//'),
      (path) => path.replaceAll('/', '\\'),
      (path) => `x/../${path}`,
      (path) => `${path}.`,
      (path) => `${path}  `,
      (path) => path.replaceAll('/', '. /'),
      (path) => `${path}::$DATA`,
      (path) => `${path}:stream`,
      (path) => path.replace(/(?<=[a-z])(?=[a-z])/i, '\u200c'),
      (path) => `\ufeff${path}`,
      (path) => `../${path}`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        fc.array(alias, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('fs.read', 'fs.write', 'fs.delete'),
        (path, aliases, kind) => {
          const other = aliases.reduce((text, make) => make(text), path);
          const own = effect(policy, [{ effect: kind, resource: path }]);
          const theirs = effect(policy, [{ effect: kind, resource: other }]);
          assert.ok(rank[theirs] >= rank[own], `${JSON.stringify(other)} is ${theirs}, ${path} is ${own}`);
        },
      ),
      { numRuns: runs(10000, 500) },
    );
  });

  it('a short name of Windows is judged as every name that it may stand for', () => {
    const policy = engine([], 'user', 'balanced');
    for (const path of [
      'GIT~1/config',
      'git~1/hooks/pre-commit',
      'GI7EBA~1/config',
      'VSCODE~1/settings.json',
      'CLAUDE~1/a',
    ])
      assert.equal(effect(policy, [write(path)]), 'ask', path);
    for (const path of [
      'ENV~1',
      'a/ENV~2.LOC',
      'SERVER~1.PEM',
      'RELEAS~1.KEY',
      'SSH~1/id',
      'CREDEN~1',
      'CREDEN~1.JSO',
      'AWS~1/x',
    ])
      assert.equal(effect(policy, [read(path)]), 'deny', path);
    for (const path of ['PROGRA~1/a.txt', 'notes~', 'a~1b/c', 'src/GITHUB~1.TS'])
      assert.equal(effect(policy, [read(path)]), 'pass', path);
  });
});

describe('properties of boundaries', () => {
  const path = fc.constantFrom('src/a.ts', 'src/b/c.ts', 'docs/x.md', '.env', 'README.md', 'GIT~1/x', '../up');
  const access = fc.oneof(
    fc.record({ effect: fc.constantFrom('fs.read', 'fs.write', 'fs.delete'), resource: path }),
    fc.record({
      effect: fc.constant('network.http'),
      resource: fc.constantFrom('https://a.example.com/x', 'http://localhost:80/', 'https://b.org'),
      method: fc.constantFrom('GET', 'POST'),
    }),
    fc.record({ effect: fc.constant('system.exec'), resource: fc.constantFrom('ls', 'rm -rf /') }),
  );
  const match = fc.record(
    {
      tool: fc.constantFrom('cap:*', 'write_file', 'cap:file_system:write_file', 'nothing', '{a'),
      capability: fc.constantFrom('file_system', '*', 'math'),
      path: fc.oneof(
        fc.constantFrom('**', 'src/**', '**/*.ts', '**/.env*', 'docs/*', '['),
        fc.array(fc.constantFrom('src/**', 'x'), { maxLength: 2 }),
      ),
      pathNot: fc.constantFrom('src/b/**', '**/*.md'),
      host: fc.constantFrom('*', '*.example.com', 'localhost:80', 'b.org'),
      accessAny: fc.subarray(['fs.*', 'fs.write', 'network.http', 'system.exec', '*'], { minLength: 1 }),
      sideEffectsAny: fc.subarray(['fs.write', 'network.*', 'payments'], { minLength: 1 }),
      actor: fc.constantFrom('agent', 'user', 'robot'),
      riskAtLeast: fc.constantFrom('low', 'medium', 'high', 'huge'),
      argument: fc.constantFrom({ '/n': { equals: 1 } }, { n: 1 }, { n: { wat: 1 } }),
      unheardOf: fc.constant(1),
    },
    { requiredKeys: [] },
  );
  const rule = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    severity: fc.constantFrom('hard', 'hard', 'soft'),
    decision: fc.constantFrom(
      'deny',
      'require_approval',
      'advise',
      'allow',
      'allow',
      'deny_unless_x_account',
      'explode',
    ),
    match,
    exceptions: fc.constantFrom([], [], ['math'], ['write_file']),
  });
  const rules = fc.array(rule, { maxLength: 6 });
  const situation = fc.record({
    accesses: fc.array(access, { maxLength: 3 }),
    risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const, 'critical' as const),
    input: fc.constantFrom({}, { n: 1 }),
    preset: fc.constantFrom(...presetNames),
  });
  type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;
  const rank: Record<Effect, number> = { pass: 0, ask: 1, deny: 2 };
  // One engine whose rules are replaced: the presets are compiled once. It never gets its engine for expressions, so
  // those stay closed.
  const policy = new PolicyEngine([], () => new Promise(() => {}));
  const presets = {
    strict: presetBoundaries('strict'),
    balanced: presetBoundaries('balanced'),
    open: presetBoundaries('open'),
  };
  const judge = (situationOf: Situation, layers: readonly [unknown, BoundaryScope][]) => {
    policy.setRules([
      ...presets[situationOf.preset],
      ...layers.flatMap(([raw, scope]) => parseBoundaries(raw, scope).value),
    ]);
    const call = fakeCall({
      accesses: situationOf.accesses,
      input: situationOf.input,
      definition: { riskLevel: situationOf.risk, sideEffects: ['fs.write'] },
    });
    return policy.judge(call, situationOf.accesses);
  };

  it('the workspace only tightens, whatever both say', () => {
    fc.assert(
      fc.property(situation, rules, rules, (where, user, workspace) => {
        const alone = judge(where, [[user, 'user']]);
        const both = judge(where, [
          [user, 'user'],
          [workspace, 'workspace'],
        ]);
        assert.ok(rank[both.effect] >= rank[alone.effect]);
        assert.deepEqual(both.waivedBy, alone.waivedBy);
      }),
      { numRuns: runs(10000, 200) },
    );
  });

  it('the order of rules does not matter, and the same question has the same answer', () => {
    fc.assert(
      fc.property(situation, rules, fc.nat(), (where, user, seed) => {
        const turned = [...user.slice(seed % (user.length + 1)), ...user.slice(0, seed % (user.length + 1))].reverse();
        const first = judge(where, [[user, 'user']]);
        assert.deepEqual(judge(where, [[turned, 'user']]), first);
        assert.deepEqual(judge(where, [[user, 'user']]), first);
      }),
      { numRuns: runs(10000, 200) },
    );
  });

  it('one more denial never allows more, and a denial that fires wins over everything', () => {
    fc.assert(
      fc.property(situation, rules, rule, (where, user, extra) => {
        const before = judge(where, [[user, 'user']]);
        const after = judge(where, [[[...user, { ...extra, decision: 'deny' }], 'user']]);
        assert.ok(rank[after.effect] >= rank[before.effect]);
        const total = judge(where, [[[...user, { id: 'all', match: {}, decision: 'deny' }], 'user']]);
        assert.equal(total.effect, 'deny');
        assert.equal(total.error?.code, 'denied_by_policy');
      }),
      { numRuns: runs(10000, 200) },
    );
  });

  it('the index finds exactly the rules that a plain walk finds', () => {
    fc.assert(
      fc.property(situation, rules, (where, user) => {
        const parsed = parseBoundaries(user, 'user').value;
        const policy = new PolicyEngine(parsed, () => new Promise(() => {}));
        const call = fakeCall({ accesses: where.accesses, input: where.input, definition: { riskLevel: where.risk } });
        const whole = policy.judge(call, where.accesses);
        const one = parsed.map((each) =>
          new PolicyEngine([each], () => new Promise(() => {})).judge(call, where.accesses),
        );
        const fired = one.flatMap((answer) => answer.reasons.map((reason) => reason.rule));
        assert.deepEqual([...new Set(whole.reasons.map((reason) => reason.rule))].sort(), [...new Set(fired)].sort());
      }),
      { numRuns: runs(10000, 200) },
    );
  });

  it('the same file through three tools gets the same verdict', () => {
    fc.assert(
      fc.property(situation, rules, (where, user) => {
        const plain = user.map((one) => ({
          ...one,
          exceptions: [],
          match: { ...one.match, tool: undefined, capability: undefined },
        }));
        policy.setRules([...presets[where.preset], ...parseBoundaries(plain, 'user').value]);
        const verdicts = (
          [
            {},
            { source: { type: 'mcp', server: 'files' }, tool: 'save', capability: 'mcp_files' },
            { source: { type: 'extension', extensionId: 'a.b' }, tool: 'put', capability: 'ext_ab' },
          ] as Parameters<typeof fakeCall>[0][]
        ).map(
          (tool) =>
            policy.judge(
              fakeCall({
                ...tool,
                accesses: where.accesses,
                input: where.input,
                definition: { riskLevel: where.risk },
              }),
              where.accesses,
            ).effect,
        );
        assert.deepEqual(new Set(verdicts).size, 1);
      }),
      { numRuns: runs(10000, 200) },
    );
  });
});
