import { strict as assert } from 'node:assert';
import { say, worded } from '../../../../../src/core/base/sentence';
import { fakeCall } from '../../../../support/gateCall';
import { effect, engine, judgeCall, read, write } from '../../../../support/policy';

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
    const { reasons, said: told, ...answer } = policy.judge(call, call.accesses);
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
    assert.equal(told && worded(told), answer.error?.message);
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
      { idRegex: 'write\\h.*' },
      { argument: { '/command': { regex: 'rm\\h+-rf.*' } } },
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
});
