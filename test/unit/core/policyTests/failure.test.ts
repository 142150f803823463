import { strict as assert } from 'node:assert';
import { failureLines } from '../../../../src/core/policyTests/failure';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { inGerman } from '../../../support/german';
import { engine } from '../../../support/policy';
import { judgeCases } from '../../../support/policyTests';

const raw = [
  { id: 'no-keys', match: { accessAny: ['fs.write'], path: 'keys/**' }, decision: 'deny', reason: 'keys stay' },
  { id: 'trial', severity: 'soft', match: { accessAny: ['fs.delete'] }, decision: 'deny', reason: 'r' },
];
const rules = parseBoundaries(raw, 'user').value;

const cases = [
  { name: 'a', accesses: ['fs.write keys/a'], expect: 'pass' },
  { name: 'b', accesses: ['fs.read keys/a'], expect: { effect: 'deny', rule: 'no-keys' } },
  { name: 'c', accesses: [], expect: { effect: 'deny', rule: 'gone' } },
  { name: 'd', accesses: ['fs.delete x'], expect: { effect: 'deny', rule: 'trial' } },
  { name: 'e', accesses: ['fs.read x'], expect: { effect: 'deny', rule: 'no-keys', step: 'boundaries' } },
];

const fault = { code: 'as_it_is', args: ['x'] } as const;

describe('why a case of a policy failed', () => {
  it('D.policy-tests: is told in the language of the person who reads it, and in English to a terminal', async () => {
    const judged = await judgeCases(cases, rules);
    const [first] = judged;
    assert.ok(first);
    const all = [...judged, { ...first, fault }];
    const compiled = engine(raw).rules();
    const english = all.map((one) => failureLines(one, compiled).join('\n'));
    const german = all.map((one) => failureLines(one, compiled, inGerman).join('\n'));
    assert.match(english[0] ?? '', /^call {6}.*\nexpected {2}pass\nbut got {3}deny by no-keys at step boundaries\n/);
    assert.match(english[3] ?? '', /\ntrial fired, on trial only$/);
    assert.match(english[4] ?? '', /^expected {2}deny by no-keys at step boundaries$/m);
    assert.match(english[5] ?? '', /\nbut {7}it cannot be judged: x$/);
    assert.match(
      german[0] ?? '',
      /^Aufruf {6}.*\nerwartet {4}pass\ntatsächlich deny durch no-keys im Schritt boundaries\n/,
    );
    for (const text of german)
      assert.doesNotMatch(text, /UNTRANSLATED|\b(?:by|expected|touches|nothing|no rule|misses)\b/);
  });
});
