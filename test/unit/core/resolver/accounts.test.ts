import { strict as assert } from 'node:assert';
import { worded } from '../../../../src/core/base/sentence';
import { explainRules } from '../../../../src/core/explain/explain';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { subjectOf } from '../../../../src/core/policy/rules/subject';
import { accountNotes } from '../../../../src/core/resolver/accounts';
import { fakeCall } from '../../../support/gateCall';
import { inGerman } from '../../../support/german';

const anna = { fromParty: 'anna', toParty: 'agency', scopeAccount: 'acc.anna.page', index: 0 };

describe('what stands behind a rule about an account', () => {
  const notes = [
    ...accountNotes('posts', ['acc.anna.page'], 'anna', [anna]),
    ...accountNotes('posts', ['acc.anna.page'], 'anna', []),
    ...accountNotes('posts', [], 'anna', [anna]),
    ...accountNotes('posts', [], 'anna', []),
  ];

  it('S4.boundaries: is told in the language of whoever reads it', () => {
    assert.deepEqual(
      notes.map((said) => worded(said)),
      [
        'anna lets agency use acc.anna.page',
        'posts requires acc.anna.page, for which grants.json holds no delegation',
        'anna lets agency use acc.anna.page, but posts does not require it',
        'posts requires no account of anna, and grants.json holds no delegation for one',
      ],
    );
    assert.deepEqual(
      notes.map((said) => worded(said, inGerman)),
      [
        'anna lässt agency acc.anna.page benutzen',
        'posts setzt acc.anna.page voraus, wofür grants.json keine Übertragung enthält',
        'anna lässt agency acc.anna.page benutzen, aber posts setzt es nicht voraus',
        'posts setzt kein Konto von anna voraus, und grants.json enthält keine Übertragung für eines',
      ],
    );
  });

  it('S4.boundaries: is told so of a call too', () => {
    const rule = { id: 'anna', match: { capability: 'file_system' }, decision: 'deny_unless_anna_account' };
    const policy = new PolicyEngine(parseBoundaries([rule], 'user').value);
    const call = fakeCall({ accesses: [{ effect: 'fs.write', resource: 'src/a' }] });
    const told = (t?: typeof inGerman): unknown =>
      explainRules(policy.rules(), subjectOf(call, call.accesses), [], () => notes.slice(0, 1), t)[0]?.notes;
    assert.deepEqual(told(), ['anna lets agency use acc.anna.page']);
    assert.deepEqual(told(inGerman), ['anna lässt agency acc.anna.page benutzen']);
    policy.dispose();
  });
});
