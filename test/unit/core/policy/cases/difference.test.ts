import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { policyDifference } from '../../../../../src/core/policy/cases/difference';
import { PolicyEngine } from '../../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../../../../src/core/policy/rules/presets';
import { accessFacts, type PolicySubject } from '../../../../../src/core/policy/rules/subject';
import type { Access } from '../../../../../src/core/vocabulary/access';
import type { Boundary } from '../../../../../src/core/vocabulary/boundary';
import { runs } from '../../../../support/counts';
import { engine } from '../../../../support/policy';

const word = (one: { before: string; after: string; because: readonly string[]; subject: PolicySubject }): string =>
  `${one.before} → ${one.after} ${one.because.join()}: ${one.subject.accesses.map(({ access }) => `${access.effect} ${access.resource}`).join()}`;

// A small universe in which every call can be tried.
const tools = ['read_file', 'write_file', 'mcp:s:go'];
const accesses: readonly (readonly Access[])[] = (() => {
  const single: Access[] = [
    ...['fs.read', 'fs.write', 'fs.delete'].flatMap((effect) =>
      ['a', 'a/b', 'a/b/c.ts', 'd/c.ts', 'd/e'].map((resource) => ({ effect, resource })),
    ),
    { effect: 'fs.delete', resource: 'a/b', recursive: true },
    ...['https://x.test/', 'https://y.x.test/', 'https://127.0.0.1/'].map((resource) => ({
      effect: 'network.http',
      resource,
    })),
    { effect: 'system.exec', resource: 'npm test' },
    { effect: 'system.exec', resource: 'npm publish' },
  ];
  const pairs = single.flatMap((one, at) => single.slice(at + 1, at + 4).map((other) => [one, other]));
  return [[], ...single.map((one) => [one]), ...pairs];
})();
const universe: readonly PolicySubject[] = tools.flatMap((tool) =>
  (['low', 'high', 'critical'] as const).flatMap((riskLevel) =>
    (['agent', 'user'] as const).flatMap((actor) =>
      [0, 10].flatMap((amount) =>
        accesses.map((some): PolicySubject => ({
          capabilityId: tool === 'mcp:s:go' ? 's' : 'file_system',
          capabilityAliases: [],
          tool: { id: tool, names: [tool] },
          sideEffects: [],
          costClass: 'free',
          riskLevel,
          actor,
          input: { amount },
          accesses: some.map((access) => accessFacts(access)),
          requires: [],
        })),
      ),
    ),
  ),
);

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const clause = fc.record(
  {
    tool: some('read_file', '*_file', 'mcp:*', 'mcp:s:go'),
    capability: some('s', 'file_*', '*'),
    accessAny: some(['fs.read'], ['fs.*'], ['fs.write', 'fs.delete'], ['network.*'], ['system.exec']),
    path: some<string | string[]>('a/**', '**/*.ts', 'a/b', ['a', 'd/**'], '**', 'd/*'),
    pathNot: some<string | string[]>('a/b/**', '**/c.ts', 'd/**'),
    host: some('*', 'x.test', '*.x.test'),
    command: some('npm *', 'npm test'),
    privateHost: fc.boolean(),
    recursive: fc.boolean(),
    riskAtLeast: some('high', 'critical'),
    riskLevel: some('low', 'high'),
    actor: some('agent', 'user'),
    argument: some({ '/amount': { minimum: 5 } }, { '/amount': { equals: 0 } }),
  },
  { requiredKeys: [] },
);
// Few clauses, so that rules meet.
const match = clause.map((all) => Object.fromEntries(Object.entries(all).slice(0, 3)));
const decision = some('deny', 'require_approval', 'allow', 'advise');
const policy = fc.array(
  fc.record({ match, decision, severity: some('hard', 'hard', 'soft'), waivable: fc.boolean() }),
  {
    maxLength: 4,
  },
);

const compiled = (raw: readonly { waivable: boolean }[]): PolicyEngine =>
  new PolicyEngine(
    parseBoundaries(
      raw.map((one, index) => ({ id: `r${index}`, ...one, waivable: undefined })),
      'user',
    ).value.map((rule, index): Boundary => (raw[index]?.waivable ? { ...rule, waivable: true } : rule)),
  );

describe('the difference of two policies', () => {
  it('D.policy-tests: names a concrete call for each change, and says what was searched where there is none', async () => {
    const rule = { id: 'no-keys', match: { accessAny: ['fs.write'], path: 'keys/**' }, decision: 'deny' };
    const found = policyDifference(engine([]), engine([rule]));
    assert.deepEqual(found.witnesses.map(word), ['pass → deny no-keys: fs.write keys/q']);
    const narrower = { ...rule, match: { ...rule.match, pathNot: '**/*.md' } };
    assert.deepEqual(policyDifference(engine([rule]), engine([narrower])).witnesses.map(word), [
      'deny → pass without no-keys: fs.write keys/q.md',
    ]);
    const { witnesses, searched } = policyDifference(engine([rule]), engine([{ ...rule, reason: 'other words' }]));
    assert.deepEqual([witnesses, searched.isWhole, searched.unreached], [[], true, []]);
    const odd = { id: 'odd', match: { idRegex: '[^a]{40}x+' }, decision: 'deny' };
    const policy = engine([odd]);
    await policy.ready;
    assert.deepEqual(policyDifference(engine([]), policy).searched.unreached, ['odd']);
  });

  it('D.policy-tests: looks at the record too', () => {
    const odd = { id: 'odd', match: { path: '[0-9][0-9][!a-z]/**', accessAny: ['fs.read'] }, decision: 'deny' };
    const made = { ...universe[0]!, accesses: [accessFacts({ effect: 'fs.read', resource: '12-/x' })] };
    const { witnesses, searched } = policyDifference(engine([]), engine([odd]), [made]);
    assert.deepEqual([witnesses[0]?.from, witnesses[0]?.after, searched.recorded], ['record', 'deny', 1]);
  });

  it('D.policy-tests: of two presets names rules that really differ', () => {
    const [open, strict] = [new PolicyEngine(presetBoundaries('open')), new PolicyEngine(presetBoundaries('balanced'))];
    const { witnesses } = policyDifference(open, strict);
    for (const id of ['preset.secrets', 'preset.recursive-delete', 'preset.critical-risk'])
      assert.ok(
        witnesses.some(({ because }) => because.includes(id)),
        id,
      );
    for (const { subject, before, after } of witnesses)
      assert.deepEqual([open.decide(subject).effect, strict.decide(subject).effect], [before, after]);
  });

  it('D.policy-tests: where trying every call of a small universe finds a difference, so does it', () => {
    let differing = 0;
    fc.assert(
      fc.property(policy, policy, fc.boolean(), (first, second, isSimilar) => {
        // Policies that people compare have most rules in common.
        const other = isSimilar ? [...first.slice(0, -1), ...second.slice(0, 1)] : second;
        const [before, after] = [compiled(first), compiled(other)];
        const brute = universe.find((subject) => before.decide(subject).effect !== after.decide(subject).effect);
        const { witnesses } = policyDifference(before, after);
        for (const one of witnesses)
          assert.notEqual(before.decide(one.subject).effect, after.decide(one.subject).effect);
        if (!brute) return;
        differing++;
        assert.ok(witnesses.length > 0, JSON.stringify({ first, other, brute }));
      }),
      { numRuns: runs(40, 500, 10_000) },
    );
    assert.ok(differing > 10, String(differing));
  });
});
