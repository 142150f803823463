import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readWorkspaceRows } from '../../../../src/core/resolver/workspace';
import { loadLinearRegex } from '../../../../src/core/base/linearRegex';
import { CompiledRule } from '../../../../src/core/policy/rules/compile';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { parseComposed } from '../../../../src/core/capability/composed';
import { parseDefinition } from '../../../../src/core/definitions/parse';
import { resolve as found } from '../../../../src/core/resolver/resolve';
import { type ResolutionLines, resolutionLines } from '../../../../src/core/resolver/resolutionLines';
import { runs } from '../../../support/counts';
import { itWithShared, readJson } from '../../../support/shared';
import type { RequirementState } from '../../../../src/core/vocabulary/requirement';

interface Vectors {
  capabilities: Record<string, unknown>;
  boundaries: { id: string }[];
  cases: {
    name: string;
    capability: string;
    boundaries: string[];
    states: Record<string, RequirementState>;
    expect: { verdict: string; blocking: string[]; required_actions: string[]; warnings: string[] };
  }[];
}

/** What is found, as agents and programs read it. */
const resolve = (...args: Parameters<typeof found>): ResolutionLines => resolutionLines(found(...args));

async function answer(
  capability: unknown,
  boundaries: readonly unknown[],
  states: Record<string, RequirementState>,
): Promise<ResolutionLines> {
  const regex = await loadLinearRegex();
  const parsed = parseComposed(capability);
  assert.deepEqual(parsed.problems, []);
  const rules = parseBoundaries(boundaries, 'workspace');
  assert.ok(parsed.value);
  return resolve(
    parsed.value,
    (id) => states[id],
    rules.value.map((rule) => new CompiledRule(rule, regex)),
  );
}

const sorted = (one: {
  verdict: string;
  blocking: readonly string[];
  required_actions: readonly string[];
  warnings: readonly string[];
}) => ({
  verdict: one.verdict,
  blocking: [...one.blocking].sort(),
  required_actions: [...one.required_actions].sort(),
  warnings: [...one.warnings].sort(),
});

describe('the resolver', () => {
  it('reads what a capability says of itself as the definitions do, strictly where it says nothing or nonsense', () => {
    const raw = { id: 'a', name: 'A', riskLevel: 'huge', costClass: 'cheap', approvalRequired: 'no' };
    const { value, problems } = parseComposed(raw);
    const expected = {
      sideEffects: [],
      riskLevel: 'critical',
      costClass: 'paid',
      idempotency: 'non-idempotent',
      approvalRequired: true,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, value?.[key as 'id']])), expected);
    assert.equal(problems.length, 3);
    const text = JSON.stringify({ id: 'a', name: 'A', riskLevel: 'high' });
    const { specs } = parseDefinition(text, '.vscode/capabilities/a.capability.json');
    assert.equal(specs[0]?.capability.composed?.idempotency, 'non-idempotent');
  });

  it('S4.capability: what is there twice, or cannot be read, counts in its strict reading', async () => {
    const rules = parseBoundaries(
      [
        { id: 'money', match: { side_effects_any: ['costs-money'] }, decision: 'deny' },
        { id: 'critical', match: { risk_level: 'critical' }, decision: 'require_approval' },
        { id: 'paid', match: { cost_class: 'paid' }, decision: 'require_approval' },
      ],
      'workspace',
    ).value.map((rule) => new CompiledRule(rule, undefined));
    for (const [text, expected] of [
      ['{"id":"c"}', 'yes'],
      ['{"id":"c","approvalRequired":false,"approval_required":true}', 'yes-after-approval'],
      ['{"id":"c","approval_required":true,"approval_required":false}', 'yes-after-approval'],
      ['{"id":"c","riskLevel":"low","risk_level":"critical"}', 'yes-after-approval'],
      ['{"id":"c","risk_level":"critical","risk_level":"low"}', 'yes-after-approval'],
      ['{"id":"c","risk_level":"constructor"}', 'yes-after-approval'],
      ['{"id":"c","costClass":"free","cost_class":"paid"}', 'yes-after-approval'],
      ['{"id":"c","side_effects":"costs-money"}', 'blocked-by-policy'],
      ['{"id":"c","side_effects":{"all":["costs-money"]}}', 'blocked-by-policy'],
      ['{"id":"c","side_effects":["costs-money"],"sideEffects":[]}', 'blocked-by-policy'],
      ['{"id":"c","side_effects":["costs-money"],"side_effects":[]}', 'yes-after-approval'],
      ['{"id":"c","side_effects":7}', 'yes-after-approval'],
      ['{"id":"c","requires":true}', 'yes-after-probe'],
      ['{"id":"c","requires":{"keys":[7]}}', 'yes-after-probe'],
      ['{"id":"c","requires":["key.a"],"requires":[]}', 'yes-after-probe'],
      ['{"id":"c","requires":[]}', 'yes'],
    ] as const) {
      const rows = readWorkspaceRows([{ path: 'c.capability.json', text }]);
      assert.equal(resolve(rows.capabilities[0]!, () => undefined, rules).verdict, expected, text);
      if (!expected.endsWith('s'))
        assert.ok(
          rows.problems.some(({ severity }) => severity === 'error'),
          text,
        );
    }
    const hours = parseComposed({ id: 'c', freshnessBudgetHours: 48, freshness_budget_hours: 2 });
    assert.equal(hours.value?.freshnessBudgetHours, 2);
  });

  it('S4.resolver: tells ids as they are written, so that two of them stay two', () => {
    const ids = ['acc.ada+ads@example.com', 'acc.ada_ads@example.com', 'key.हिन्दी', 'key a', `key.${'x'.repeat(90)}`];
    const { value } = parseComposed({ id: 'c d', requires: ids, approval_required: true });
    const rules = parseBoundaries([{ id: 'no "way"', match: {}, decision: 'advise' }], 'user').value;
    const answer = resolve(
      value!,
      (id) => (id === ids[0] ? 'red' : undefined),
      rules.map((rule) => new CompiledRule(rule, undefined)),
    );
    const [red, ...others] = ids;
    assert.deepEqual(answer.blocking, [`${red}: red`]);
    assert.deepEqual(answer.required_actions, [...others.map((id) => `probe:${id}`), 'approval:c d']);
    assert.deepEqual(answer.warnings, [...others.map((id) => `${id}: unknown`), 'no "way": advisory']);
  });

  itWithShared(
    'vectors/resolver.json',
    'S4.resolver: answers every case of the vectors in every order of the boundaries',
    async (file) => {
      const vectors = readJson(file) as Vectors;
      const regex = await loadLinearRegex();
      const compiled = new Map(
        vectors.boundaries.map((one) => [
          one.id,
          new CompiledRule(parseBoundaries([one], 'workspace').value[0]!, regex),
        ]),
      );
      for (const { name, capability, boundaries, states, expect } of vectors.cases) {
        const parsed = parseComposed(vectors.capabilities[capability]);
        assert.deepEqual(parsed.problems, []);
        const expected = sorted(expect);
        for (const order of permutations(boundaries)) {
          const rules = order.map((id) => compiled.get(id)!);
          assert.deepEqual(sorted(resolve(parsed.value!, (id) => states[id], rules)), expected, name);
        }
      }
    },
  );

  itWithShared(
    'vectors/resolver.json',
    'S4.capability: reads the boundaries and capabilities of the vectors without a problem',
    (file) => {
      const vectors = readJson(file) as Vectors;
      assert.deepEqual(parseBoundaries(vectors.boundaries, 'workspace').problems, []);
      for (const one of Object.values(vectors.capabilities)) assert.deepEqual(parseComposed(one).problems, []);
    },
  );

  const charge = {
    id: 'cap.shop.charge',
    requires: { resources: ['key.bank'], accounts: { owner: ['acc.Ada.shop'] } },
    side_effects: ['costs-money'],
    risk_level: 'MED',
    cost_class: 'metered',
  };
  const fresh = { 'key.bank': 'fresh', 'acc.Ada.shop': 'fresh' } as const;

  it('S4.boundaries: needs every clause of a rule, takes the most restrictive rule, and skips a rule for its exceptions', async () => {
    const both = { id: 'both', match: { side_effects_any: ['costs-money'], cost_class: 'paid' }, decision: 'deny' };
    const asks = { id: 'asks', match: { side_effects_any: ['costs-money'] }, decision: 'require_approval' };
    const denies = { id: 'denies', match: { cost_class: 'metered' }, decision: 'deny' };
    assert.equal((await answer(charge, [both], fresh)).verdict, 'yes');
    assert.equal((await answer(charge, [both, asks], fresh)).verdict, 'yes-after-approval');
    assert.deepEqual(await answer(charge, [denies, both, asks], fresh), {
      verdict: 'blocked-by-policy',
      blocking: ['policy:denies'],
      required_actions: ['approval:asks'],
      warnings: [],
    });
    assert.equal((await answer(charge, [{ ...denies, exceptions: ['cap.shop.charge'] }], fresh)).verdict, 'yes');
    assert.equal((await answer(charge, [{ ...denies, severity: 'soft' }], fresh)).verdict, 'yes');
  });

  it('S4.boundaries: an expression must match the whole id', async () => {
    const rule = (source: string) => [{ id: 'r', match: { id_regex: source }, decision: 'deny' }];
    assert.equal((await answer(charge, rule('shop'), fresh)).verdict, 'yes');
    assert.equal((await answer(charge, rule('cap\\.shop'), fresh)).verdict, 'yes');
    assert.equal((await answer(charge, rule('.*shop.*'), fresh)).verdict, 'blocked-by-policy');
    assert.equal(
      (await answer(charge, rule('cap\\.(shop'), fresh)).verdict,
      'blocked-by-policy',
      'a malformed expression fails closed',
    );
  });

  it('S4.boundaries: deny_unless_<name>_account finds the account whatever its case and however it is nested', async () => {
    const rule = (name: string) => [{ id: 'only', match: {}, decision: `deny_unless_${name}_account` }];
    assert.deepEqual(await answer(charge, rule('ada'), fresh), {
      verdict: 'yes',
      blocking: [],
      required_actions: [],
      warnings: ['only: advisory'],
    });
    assert.deepEqual((await answer(charge, rule('grace'), fresh)).blocking, [
      'policy:only: no grace account in requirements',
    ]);
  });

  it('S4.resolver: policy outranks red, red outranks approval, approval outranks a probe', async () => {
    const ask = { id: 'ask', decision: 'require_approval' };
    const deny = { id: 'deny', decision: 'deny' };
    const verdict = async (rules: unknown[], state: RequirementState) =>
      (await answer(charge, rules, { ...fresh, 'key.bank': state })).verdict;
    assert.deepEqual(
      [
        await verdict([deny], 'red'),
        await verdict([ask], 'red'),
        await verdict([ask], 'stale'),
        await verdict([], 'unknown'),
        await verdict([], 'fresh'),
      ],
      ['blocked-by-policy', 'no', 'yes-after-approval', 'yes-after-probe', 'yes'],
    );
  });

  it('S4.resolver: a requirement without a state is unknown and needs a probe', async () => {
    assert.deepEqual((await answer(charge, [], {})).required_actions, ['probe:key.bank', 'probe:acc.Ada.shop']);
  });

  it('S4.boundaries: any rules in any order give the same answer, and one more deny never allows more', async () => {
    const regex = await loadLinearRegex();
    const parsed = parseComposed(charge).value!;
    const decision = fc.constantFrom(
      'deny',
      'require_approval',
      'advise',
      'allow',
      'deny_unless_ada_account',
      'deny_unless_bob_account',
      'nonsense',
    );
    const rule = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      severity: fc.constantFrom('hard', 'soft', 'odd'),
      decision,
      match: fc.record(
        {
          cost_class: fc.constantFrom('metered', 'free', 'paid', 'x'),
          risk_level: fc.constantFrom('medium', 'med', 'high'),
          side_effects_any: fc.subarray(['costs-money', 'payments', 'writes-external'], { minLength: 1 }),
          id_regex: fc.constantFrom('cap\\..*', 'x', '('),
        },
        { requiredKeys: [] },
      ),
    });
    const compile = (raw: unknown[]) =>
      parseBoundaries(raw, 'workspace').value.map((one) => new CompiledRule(one, regex));
    const rank = ['blocked-by-policy', 'no', 'yes-after-approval', 'yes-after-probe', 'yes'];
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (rules, seeds) => {
        const shuffled = [...rules]
          .map((one) => [seeds.next().value as number, one] as const)
          .sort((a, b) => a[0] - b[0])
          .map((one) => one[1]);
        const first = resolve(parsed, () => 'fresh', compile(rules));
        assert.deepEqual(sorted(resolve(parsed, () => 'fresh', compile(shuffled))), sorted(first));
        const more = resolve(
          parsed,
          () => 'fresh',
          compile([...rules, { id: 'z', decision: 'deny', match: { cost_class: 'metered' } }]),
        );
        assert.ok(rank.indexOf(more.verdict) <= rank.indexOf(first.verdict));
      }),
      { numRuns: runs(20, 1500, 10_000) },
    );
  });
});

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) {
    yield items;
    return;
  }
  for (const [index, item] of items.entries())
    for (const rest of permutations([...items.slice(0, index), ...items.slice(index + 1)])) yield [item, ...rest];
}
