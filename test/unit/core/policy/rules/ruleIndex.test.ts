import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../../../src/core/vocabulary/access';
import { CompiledRule } from '../../../../../src/core/policy/rules/compile';
import { fires } from '../../../../../src/core/policy/rules/decide';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import { RuleIndex } from '../../../../../src/core/policy/rules/ruleIndex';
import { subjectOf } from '../../../../../src/core/policy/rules/subject';
import { runs } from '../../../../support/counts';
import { fakeCall } from '../../../../support/gateCall';

const compiled = (matches: readonly unknown[]): readonly CompiledRule[] =>
  parseBoundaries(
    matches.map((match, at) => ({ id: `r${at}`, match, decision: 'deny' })),
    'user',
  ).value.map((boundary) => new CompiledRule(boundary, undefined));

const subjectWith = (...accesses: Access[]) => {
  const call = fakeCall({ accesses });
  return subjectOf(call, call.accesses);
};
const read = (resource: string): Access => ({ effect: 'fs.read', resource });

const candidates = (rules: readonly CompiledRule[], ...accesses: Access[]): readonly string[] =>
  [...new RuleIndex(rules).candidates(subjectWith(...accesses))].map((rule) => rule.boundary.id).sort();

describe('the index of rules', () => {
  it('leaves out the rules that another name, segment, host or effect would have to be there for', () => {
    const rules = compiled([
      { path: 'docs/**' },
      { path: 'src/**' },
      { tool: 'other_tool' },
      { host: 'a.example' },
      { accessAny: ['database.*'] },
      { riskLevel: 'low' },
    ]);
    assert.deepEqual(candidates(rules, read('src/a.ts')), ['r1', 'r5']);
    assert.deepEqual(candidates(rules, { effect: 'network.http', resource: 'https://A.example/' }), ['r3', 'r5']);
  });

  it('keeps what cannot be told beforehand: short names, hosts that no parser reads, and rules with clauses that are wrong', () => {
    const rules = compiled([{ path: 'longfolder/**' }, { host: 'a.example' }, { tool: '[' }, { path: ['[', 'x/**'] }]);
    assert.deepEqual(candidates(rules, read('LONGFO~1/x')), ['r0', 'r2', 'r3']);
    assert.deepEqual(candidates(rules, { effect: 'network.http', resource: 'http://[::g]/' }), ['r1', 'r2', 'r3']);
    assert.deepEqual(candidates([], read('x')), []);
  });

  it('never leaves out a rule that fires', () => {
    const word = fc.constantFrom('src', 'SRC', 'a', '*', '**', '.env', 'GIT~1', 'a.example', '[', '{a,b}', 'ſrc', '..');
    const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const effect = fc.constantFrom('fs.read', 'fs.write', 'fs.*', '*', 'network.http', 'cloud.*');
    const match = fc.record(
      { path, pathNot: path, host: word, tool: word, capability: word, accessAny: fc.array(effect, { minLength: 1 }) },
      { requiredKeys: [] },
    );
    const access = fc.record({
      effect: fc.constantFrom('fs.read', 'fs.write', 'network.http', 'cloud.key_read'),
      resource: path,
    });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 8 }), fc.array(access, { maxLength: 3 }), (matches, accesses) => {
        const rules = compiled(matches);
        const subject = subjectWith(...accesses);
        const found = new Set(new RuleIndex(rules).candidates(subject));
        for (const rule of rules)
          if (fires(rule, subject)) assert.ok(found.has(rule), JSON.stringify([rule.match, accesses]));
      }),
      { numRuns: runs(20, 1000, 3000) },
    );
  });
});
