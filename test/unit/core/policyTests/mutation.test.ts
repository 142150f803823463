import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { coverage } from '../../../../src/core/policy/cases/coverage';
import { mutate, type MutationResult } from '../../../../src/core/policyTests/mutation';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import type { JudgedCase } from '../../../../src/core/policyTests/judgeCase';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { presetBoundaries, presetNames } from '../../../../src/core/policy/rules/presets';
import type { Boundary } from '../../../../src/core/vocabulary/boundary';
import { full } from '../../../support/counts';
import { engine } from '../../../support/policy';
import { failedNames, judgeCases, sampleCases, samplePolicy } from '../../../support/policyTests';

const rulesOf = (raw: unknown): readonly Boundary[] => parseBoundaries(raw, 'user').value;

type Rule = { id: string; match: Record<string, any>; decision: string };

async function mutated(judged: readonly JudgedCase[], rules: readonly Boundary[]): Promise<MutationResult> {
  const policy = new PolicyEngine(rules);
  try {
    return await mutate(judged, policy, () => true);
  } finally {
    policy.dispose();
  }
}

describe('planted mistakes', () => {
  for (const preset of presetNames)
    it(`D.policy-tests: the cases of the preset ${preset} pass and notice at least 95 of 100 mistakes in its rules`, async () => {
      const rules = presetBoundaries(preset);
      const judged = await judgeCases(readFileSync(`test/fixtures/policies/${preset}.policy-test.json`, 'utf8'), rules);
      assert.deepEqual(failedNames(judged), []);
      const subjects = judged.flatMap(({ subject }) => subject ?? []);
      const unreached = coverage(engine([], 'user', preset).rules(), subjects).filter(({ fired }) => fired === 0);
      assert.deepEqual(unreached, []);
      // Hundreds of rules are compiled anew, which is for the full run.
      if (!full) return;
      const { score, planted, survivors } = await mutated(judged, rules);
      assert.ok(planted > 300, String(planted));
      assert.ok(score >= 0.95, `${score}: ${survivors.map(({ rule, change }) => `${rule}: ${change}`).join('\n')}`);
    });

  it('D.policy-tests: the cases of a policy of 50 rules find each of 10 mistakes that somebody made in it', async () => {
    const rules = rulesOf(samplePolicy);
    assert.equal(rules.length, 50);
    const judged = await judgeCases(sampleCases, rules);
    assert.deepEqual(failedNames(judged), []);
    const { score, survivors } = await mutated(judged, rules);
    assert.ok(score >= 0.95, `${score} ${JSON.stringify(survivors.map(({ rule, change }) => `${rule}: ${change}`))}`);
    const mistakes: readonly [string, (rule: Rule) => void][] = [
      ['area0-write', ({ match }) => delete match['pathNot']],
      ['area1-write', ({ match }) => (match['accessAny'] = ['fs.write'])],
      ['area2-write', ({ match }) => (match['path'] = 'area2/**')],
      ['area3-host', ({ match }) => (match['host'] = ['area3.example.com'])],
      ['area4-host', (rule) => (rule.decision = 'deny')],
      ['area5-command', ({ match }) => delete match['actor']],
      ['area6-command', ({ match }) => (match['command'] = 'area6 *')],
      ['area7-tool', ({ match }) => (match['riskAtLeast'] = 'high')],
      ['area8-argument', ({ match }) => (match['argument']['/amount'].minimum = 1080)],
      ['area9-argument', (rule) => (rule.decision = 'allow')],
    ];
    for (const [id, mistake] of mistakes) {
      const changed = structuredClone(samplePolicy) as Rule[];
      mistake(changed.find((one) => one.id === id)!);
      const failed = failedNames(await judgeCases(sampleCases, rulesOf(changed)));
      assert.ok(
        failed.length > 0 && failed.every((name) => name.startsWith(id.split('-')[0]!)),
        `${id}: ${failed.join()}`,
      );
    }
  });

  it('D.policy-tests: cases that look at one side only leave survivors, each named with its rule', async () => {
    const rules = rulesOf([
      { id: 'no-keys', match: { accessAny: ['fs.write', 'fs.delete'], path: 'keys/**' }, decision: 'deny' },
      { id: 'note', match: { path: 'a' }, decision: 'advise' },
    ]);
    const judged = await judgeCases([{ accesses: ['fs.write keys/a'], expect: 'deny' }], rules);
    const { survivors, planted, found } = await mutated(judged, rules);
    assert.deepEqual(
      survivors.map(({ rule, change }) => `${rule}: ${change}`),
      [
        'no-keys: drop clause accessAny',
        'no-keys: drop clause path',
        'no-keys: drop "fs.delete" from accessAny',
        'no-keys: widen path "keys/**" to "*/**"',
      ],
    );
    assert.equal(planted - found, 4);
    const [keys, note] = coverage(
      engine(rules.map(({ id, match, decision }) => ({ id, match, decision }))).rules(),
      judged.flatMap(({ subject }) => subject ?? []),
    );
    assert.deepEqual([keys?.fired, keys?.untested, note?.fired], [1, ['accessAny', 'path'], 0]);
  });
});
