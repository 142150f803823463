import { strict as assert } from 'node:assert';
import { explainRules, explanationText, type PastCall, simulate } from '../../../src/core/explain';
import { PolicyEngine } from '../../../src/core/policy/engine';
import { parseBoundaries } from '../../../src/core/policy/parse';
import { subjectOf } from '../../../src/core/policy/subject';
import { fakeCall } from '../../support/gateCall';

const engine = (rules: readonly unknown[]): PolicyEngine => new PolicyEngine(parseBoundaries(rules, 'user').value);

describe('why', () => {
  it('S1.policy: names the rules that fired, were excepted, are on trial, and those that one clause kept from firing', () => {
    const deny = { decision: 'deny', reason: 'r' };
    const policy = engine([
      { id: 'fired', match: { path: 'src/**' }, ...deny },
      { id: 'excepted', match: { path: 'src/**' }, exceptions: ['write_file'], ...deny },
      { id: 'trial', severity: 'soft', match: { path: 'src/**' }, ...deny },
      { id: 'nearly', match: { path: 'src/**', actor: 'user' }, ...deny },
      { id: 'split', match: { path: 'src/**', accessAny: ['fs.delete'] }, ...deny },
      { id: 'far', match: { path: 'docs/**', actor: 'user' }, ...deny },
    ]);
    const call = fakeCall({
      accesses: [
        { effect: 'fs.write', resource: 'src/a' },
        { effect: 'fs.delete', resource: 'tmp/b' },
      ],
    });
    const rows = explainRules(policy.rules(), subjectOf(call, call.accesses));
    assert.deepEqual(
      rows.map(({ id, outcome, failed }) => [id, outcome, ...failed]),
      [
        ['excepted', 'excepted'],
        ['fired', 'fired'],
        ['nearly', 'nearly', 'actor: "user"'],
        ['split', 'nearly', 'no single access matches all of its clauses'],
        ['trial', 'on-trial'],
      ],
    );
    const text = explanationText({ tool: 'write_file', effect: 'deny', accesses: [], steps: [], rules: rows });
    assert.match(text, /^# `write_file` is denied\n/);
    assert.match(text, /- `nearly` \(user, deny\) nearly fired; what failed: actor: "user": r/);
    policy.dispose();
  });

  it('simulate answers the past calls whose verdict a changed policy turns, with the rules that do it', () => {
    const past = (id: string, resource: string): PastCall => ({
      invocationId: id,
      time: 1,
      toolId: 'cap:file_system:write_file',
      toolName: 'write_file',
      capabilityId: 'file_system',
      riskLevel: 'medium',
      actor: { type: 'agent' },
      accesses: [{ effect: 'fs.write', resource }],
    });
    const before = engine([{ id: 'docs', match: { path: 'docs/**' }, decision: 'deny' }]);
    const after = engine([{ id: 'src', match: { path: 'src/**', sideEffectsAny: ['fs.write'] }, decision: 'require_approval' }]);
    const calls = [past('1', 'docs/a'), past('2', 'src/a'), past('3', 'README.md')];
    assert.deepEqual(simulate(calls, before, after), [
      { invocationId: '1', time: 1, tool: 'write_file', before: 'deny', after: 'pass', because: ['without docs'] },
      { invocationId: '2', time: 1, tool: 'write_file', before: 'pass', after: 'ask', because: ['src'] },
    ]);
    assert.deepEqual(simulate(calls, before, before), []);
    before.dispose();
    after.dispose();
  });
});
