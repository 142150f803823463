import { strict as assert } from 'node:assert';
import type { Access } from '../../../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../../src/core/policy/rules/parse';
import {
  coversCall,
  draftDecisions,
  draftRule,
  type JudgedCall,
  ruleTargets,
} from '../../../../../src/core/policy/rules/ruleDraft';
import { editRuleFile, withoutRule, withRule } from '../../../../../src/core/policy/rules/ruleList';
import { subjectOf } from '../../../../../src/core/policy/rules/subject';
import { worded } from '../../../../../src/core/base/sentence';
import { ruleWords } from '../../../../../src/core/vocabulary/ruleWords';
import { inGerman } from '../../../../support/german';
import { plainWords } from '../../../../../src/core/base/translate';
import { draftWords } from '../../../../../src/core/present/ruleDraftWords';
import { fakeCall } from '../../../../support/gateCall';

const touched = (...accesses: readonly Access[]): JudgedCall => ({
  tool: 'cap:file_system:write_file',
  toolName: 'write_file',
  accesses,
  outcome: 'denied',
  isAgents: true,
});
const write = (resource: string): Access => ({ effect: 'fs.write', resource });
const facts = { taken: new Set<string>(), day: '2026-11-22' };

describe('a rule that is made from a call', () => {
  it('S4.boundaries: is about the file, its folder, its name, a host or the tool', () => {
    const words = (call: JudgedCall): string[] =>
      ruleTargets(call).map((target) => draftWords('deny', target, call.toolName, plainWords));
    assert.deepEqual(words(touched(write('src/a/b.ts'))), [
      'Deny changing src/a/b.ts',
      'Deny changing all of src/a/**',
      'Deny changing all of **/b.ts',
      'Deny every call of write_file',
    ]);
    assert.deepEqual(words(touched({ effect: 'fs.read', resource: '.env' })), [
      'Deny reading .env',
      'Deny reading all of **/.env',
      'Deny every call of write_file',
    ]);
    assert.deepEqual(words(touched({ effect: 'network.http', resource: 'https://Example.com:8443/x' })), [
      'Deny contacting example.com',
      'Deny every call of write_file',
    ]);
    assert.deepEqual(words(touched()), ['Deny every call of write_file']);
  });

  it('S4.boundaries: offers first what was answered, never its opposite', () => {
    assert.deepEqual(draftDecisions({ outcome: 'denied' }), ['deny', 'ask']);
    assert.deepEqual(draftDecisions({ outcome: 'ran' }), ['ask', 'deny']);
  });

  it('S4.boundaries: every offered rule is read without a problem and holds for the call that it comes from', () => {
    const hostile = [
      'src/[id]/(group)/+page.ts',
      'a{b,c}.txt',
      'star*.md',
      'with space/$lib/#x',
      '!not.txt',
      '@a/b(c)',
    ];
    const calls = [
      ...hostile.map((name) => touched(write(name))),
      touched({ effect: 'fs.read', resource: '.' }),
      touched({ effect: 'network.http', resource: 'http://[::1]:80/', method: 'GET' }),
      touched({ effect: 'system.exec', resource: 'ls' }),
    ];
    for (const judged of calls)
      for (const decision of draftDecisions(judged))
        for (const target of ruleTargets(judged)) {
          const rule = draftRule(judged, decision, target, facts);
          const { value, problems } = parseBoundaries([rule], 'user');
          assert.deepEqual(problems, [], JSON.stringify(rule));
          const call = fakeCall({ accesses: [...judged.accesses] });
          const subject = { ...subjectOf(call, call.accesses), tool: { id: judged.tool, names: [judged.toolName] } };
          const policy = new PolicyEngine(value);
          assert.equal(policy.decide(subject).effect, decision, JSON.stringify(rule));
          policy.dispose();
        }
  });

  it('S4.boundaries: a name that looks like a pattern stands for itself', () => {
    const [file] = ruleTargets(touched(write('star*.md')));
    assert.ok(file);
    const policy = new PolicyEngine(
      parseBoundaries([draftRule(touched(write('star*.md')), 'deny', file, facts)], 'user').value,
    );
    const effect = (resource: string): string => {
      const call = fakeCall({ accesses: [write(resource)] });
      return policy.decide(subjectOf(call, call.accesses)).effect;
    };
    assert.deepEqual([effect('star*.md'), effect('starry.md')], ['deny', 'pass']);
    policy.dispose();
  });

  it('S4.boundaries: a pattern that a person types has to cover the call', () => {
    const call = touched(write('src/a.ts'));
    assert.deepEqual(
      ['src/**', '**/*.ts', 'docs/**', '{', ''].map((pattern) => coversCall(pattern, call)),
      [true, true, false, false, false],
    );
  });

  it('S4.boundaries: outside of a folder nothing is changed, and what is read stays as it was', () => {
    const about = { tool: '', toolName: '', isAgents: true };
    const rule = draftRule(
      about,
      'deny',
      { type: 'outside', changes: true, pattern: 'src/**' },
      { ...facts, isNew: true },
    );
    assert.deepEqual([rule.id, rule['reason']], ['deny-change-outside-src', 'set by the user on 2026-11-22']);
    const { value, problems } = parseBoundaries([rule], 'user');
    assert.deepEqual(problems, []);
    const [own] = value;
    assert.ok(own);
    const { reason } = ruleWords(own);
    assert.deepEqual(
      [worded(reason), worded(reason, inGerman)],
      ['set by the user on 2026-11-22', 'am 2026-11-22 von Ihnen festgelegt'],
    );
    const others = parseBoundaries([{ ...rule, reason: 'set by the user on 2026-11-22 because' }], 'user').value;
    assert.equal(others[0]?.reason, 'set by the user on 2026-11-22 because', 'what somebody wrote is a text');
    const policy = new PolicyEngine(value);
    const effect = (access: Access): string => {
      const call = fakeCall({ accesses: [access] });
      return policy.decide(subjectOf(call, call.accesses)).effect;
    };
    const paths = ['src/a.ts', 'src/deep/b.ts', 'docs/a.md', 'package.json', 'srcs/a.ts', '../src/a.ts'];
    assert.deepEqual(
      paths.map((path) => effect(write(path))),
      ['pass', 'pass', 'deny', 'deny', 'deny', 'deny'],
    );
    assert.equal(effect({ effect: 'fs.delete', resource: 'docs/a.md' }), 'deny');
    assert.equal(effect({ effect: 'fs.read', resource: 'docs/a.md' }), 'pass');
    policy.dispose();
  });

  it('S4.boundaries: takes an id that no other rule has', () => {
    const call = touched(write('src/a.ts'));
    const [file] = ruleTargets(call);
    assert.ok(file);
    const taken = new Set(['deny-change-src-a-ts', 'deny-change-src-a-ts-2']);
    assert.equal(draftRule(call, 'deny', file, { ...facts, taken }).id, 'deny-change-src-a-ts-3');
  });
});

describe('a list of rules in a file', () => {
  const rule = { id: 'new', decision: 'deny' };

  it('S4.boundaries: keeps comments, indentation and form, and gives back what stood there', () => {
    const text =
      '// ours\n{\n\t"boundaries": [\n\t\t// first\n\t\t{ "id": "a", "decision": "ask" }, // stays\n\t],\n}\n';
    const more = editRuleFile(text, (list) => withRule(list, rule));
    assert.match(
      more ?? '',
      /\/\/ ours\n\{\n\t"boundaries": \[\n\t\t\/\/ first\n\t\t\{ "id": "a", "decision": "ask" \}, \/\/ stays/,
    );
    assert.match(more ?? '', /"id": "new"/);
    const back = editRuleFile(more ?? '', (list) => withoutRule(list, 'new'));
    assert.doesNotMatch(back ?? '', /"new"/);
    assert.match(back ?? '', /\/\/ first\n\t\t\{ "id": "a", "decision": "ask" \}/);
    assert.equal(
      editRuleFile('', (list) => withRule(list, rule)),
      '[\n  {\n    "id": "new",\n    "decision": "deny"\n  }\n]\n',
    );
  });

  it('S4.boundaries: a file that is broken or has another form is left alone', () => {
    assert.equal(
      editRuleFile('[', (list) => withRule(list, rule)),
      undefined,
    );
    assert.equal(
      editRuleFile('{ "a": { "decision": "deny" } }', (list) => withRule(list, rule)),
      undefined,
    );
    assert.equal(
      editRuleFile('[]', (list) => withoutRule(list, 'gone')),
      undefined,
    );
  });

  it('S4.boundaries: of two rules of one id the one that was added last goes', () => {
    const list = [{ id: 'a', decision: 'deny' }, { id: 'b' }, { id: 'a', decision: 'ask' }];
    assert.deepEqual(withoutRule(list, 'a'), [{ id: 'a', decision: 'deny' }, { id: 'b' }]);
  });
});
