import { strict as assert } from 'node:assert';
import type { Boundary } from '../../../../../src/core/vocabulary/boundary';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';

/** One rule, read: what it came to, and what is wrong with it as the code of each problem with its place. */
function readOne(raw: object, scope: Boundary['scope'] = 'user'): { rule: Boundary; told: readonly string[] } {
  const { value, problems } = parseBoundaries([raw], scope);
  assert.equal(value.length, 1);
  return { rule: value[0]!, told: problems.map((one) => `${one.code} ${one.pointer}`) };
}

describe('rules as they are written', () => {
  it('are read in camelCase and snake_case alike', () => {
    const one = readOne({
      id: 'a',
      match: { access_any: ['fs.write'], path_not: 'docs/**' },
      decision: 'require_approval',
    });
    const same = readOne({ id: 'a', match: { accessAny: ['fs.write'], pathNot: 'docs/**' }, decision: 'ask' });
    assert.deepEqual(one, same);
    assert.deepEqual(one.told, []);
    const account = readOne({ id: 'b', match: { capability: 'cloud' }, decision: 'denyUnlessCompanyAccount' });
    assert.deepEqual([account.rule.decision, account.rule.account], ['deny_unless_account', 'company']);
  });

  it('fire for more, and never for less, where a part of them cannot be read', () => {
    const cases: readonly (readonly [object, Partial<Boundary>, readonly string[]])[] = [
      [{ decision: 'dney' }, { decision: 'deny' }, ['invalid_boundary /0/decision']],
      [{ decision: 'deny', severity: 'sfot' }, { severity: 'hard' }, ['invalid_boundary /0/severity']],
      [
        { decision: 'deny', match: { path: 7, tool: 'x' } },
        { match: { tool: 'x' } },
        ['invalid_boundary /0/match/path'],
      ],
      [{ decision: 'deny', match: { paht: 'a' } }, { match: {} }, ['invalid_boundary /0/match/paht']],
      [{ decision: 'deny', exceptions: 'x' }, { exceptions: [] }, ['invalid_boundary /0/exceptions']],
      [{ decision: 'deny_unless_account' }, { decision: 'deny' }, ['invalid_boundary /0/account']],
      [
        { decision: 'deny', match: { tool: 'x' }, path: '**/.env' },
        { match: { tool: 'x', path: '**/.env' } },
        ['invalid_boundary /0/path'],
      ],
    ];
    for (const [raw, wanted, codes] of cases) {
      const { rule, told } = readOne({ id: 'r', ...raw });
      const found = Object.fromEntries(Object.keys(wanted).map((key) => [key, rule[key as keyof Boundary]]));
      assert.deepEqual(found, wanted, JSON.stringify(raw));
      for (const code of codes) assert.ok(told.includes(code), `${JSON.stringify(raw)}: ${told.join(', ')}`);
    }
  });

  it('ask about every call of an agent, or deny it for an administrator, where they cannot be read at all', () => {
    for (const raw of [7, null, 'deny', [[]]])
      for (const [scope, decision] of [
        ['workspace', 'require_approval'],
        ['managed', 'deny'],
      ] as const) {
        const { value, problems } = parseBoundaries(Array.isArray(raw) ? raw : [raw], scope);
        assert.deepEqual([value[0]?.match, value[0]?.decision], [{ actor: 'agent' }, decision]);
        assert.equal(problems[0]?.code, 'invalid_boundary');
      }
  });

  it('are found in a lone rule, under `boundaries` and by their ids, each with its place and a word that a list is meant', () => {
    const rule = { id: 'a', match: { tool: 'x' }, decision: 'deny' };
    for (const [raw, pointer] of [
      [rule, ''],
      [{ boundaries: [rule] }, '/boundaries/0'],
      [{ a: { match: { tool: 'x' }, decision: 'deny' } }, '/a'],
    ] as const) {
      const { value, problems, pointers } = parseBoundaries(raw, 'user');
      assert.deepEqual([value.map(({ id, match }) => [id, match]), pointers], [[['a', { tool: 'x' }]], [pointer]]);
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['invalid_boundary'],
      );
    }
  });

  it('tell of an id that is there twice and of a workspace that would allow', () => {
    const allow = { id: 'a', match: { tool: 'x' }, decision: 'allow' };
    const { value, problems } = parseBoundaries([allow, allow], 'workspace');
    assert.equal(value.length, 2, 'both hold');
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['cannot_loosen', 'duplicate_boundary', 'cannot_loosen'],
    );
  });
});
