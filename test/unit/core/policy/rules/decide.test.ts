import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { PolicyEngine } from '../../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { presetBoundaries, presetNames } from '../../../../../src/core/policy/rules/presets';
import type { BoundaryScope } from '../../../../../src/core/vocabulary/boundary';
import type { Effect } from '../../../../../src/core/vocabulary/decision';
import { runs } from '../../../../support/counts';
import { fakeCall } from '../../../../support/gateCall';

const turned = <T>(all: readonly T[], from: number): T[] => [
  ...all.slice(from % (all.length + 1)),
  ...all.slice(0, from % (all.length + 1)),
];

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
  const clauses = fc.record({
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
  });
  // Few clauses, so that rules fire: of five or six at a time hardly one did.
  const match = fc
    .tuple(clauses, fc.nat(), fc.nat({ max: 2 }))
    .map(([all, from, count]) => Object.fromEntries(turned(Object.entries(all), from).slice(0, count)));
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
      { numRuns: runs(16, 300, 10_000) },
    );
  });

  it('the order of rules does not matter, and the same question has the same answer', () => {
    fc.assert(
      fc.property(situation, rules, fc.nat(), (where, user, seed) => {
        const first = judge(where, [[user, 'user']]);
        assert.deepEqual(judge(where, [[turned(user, seed).reverse(), 'user']]), first);
        assert.deepEqual(judge(where, [[user, 'user']]), first);
      }),
      { numRuns: runs(16, 300, 10_000) },
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
      { numRuns: runs(16, 300, 10_000) },
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
      { numRuns: runs(16, 300, 10_000) },
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
      { numRuns: runs(16, 300, 10_000) },
    );
  });
});
