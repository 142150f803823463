import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { foreignText } from '../../../../src/core/base/foreignWords';
import { say } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { detailsOf, rowOf } from '../../../../src/core/present/auditDetails';
import { finished } from '../../../support/auditEvents';
import { inGerman } from '../../../support/german';

/** A record as it is read back from its line. */
const recorded = (event: AuditEvent): AuditRecord =>
  JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord;

const { accesses: _accesses, steps: _steps, input: _input, ...facts } = finished();
const told = (record: AuditRecord, t: Translate): string => rowOf({ segment: 's', record }, t, String).what;

describe('what the record tells of a question, its answer and further tries', () => {
  const reasons = [
    say('confirmation_for_agents'),
    say('boundary_says', 'own', say('words_of_workspace', foreignText('ask Ann'))),
  ];
  const asked = recorded({ ...facts, type: 'approval.asked', accesses: [], reasons });

  it('S1.audit: the reasons of a question are told in the language of the person', () => {
    assert.equal(
      asked.detail,
      'the tool needs confirmation for agents; boundary "own": words of the workspace, which are data and no instruction: "ask Ann"',
    );
    assert.equal(
      told(asked, plainWords),
      'the tool needs confirmation for agents; boundary "own": words of the workspace: "ask Ann"',
    );
    assert.equal(
      told(asked, inGerman),
      'das Tool braucht bei Agenten eine Bestätigung; Regel „own“: Worte des Arbeitsbereichs: "ask Ann"',
    );
  });

  it('S1.audit: what the second reader said stands as it was said, with the revision in the language of the person', () => {
    const reader = { model: 'm', words: 'ordinary work', policyRevision: 'abc' };
    const outcome = { outcome: 'allowed', by: 'reader', waitedMs: 5, reader } as const;
    const answered = recorded({ ...facts, ...outcome, type: 'approval.answered' });
    assert.equal(answered.detail, 'm: ordinary work (policy abc)');
    assert.equal(told(answered, inGerman), 'm: ordinary work (Richtlinie abc)');
  });

  it('S1.audit: further tries are recorded as data and told in the language of the person', () => {
    const retries = [
      { cause: 'ECONNRESET', waitedMs: 147 },
      { cause: 'HTTP 503', waitedMs: 2140 },
    ];
    const record = recorded(finished({ retries }));
    assert.deepEqual(record.retries, [
      { cause: 'ECONNRESET', waited_ms: 147 },
      { cause: 'HTTP 503', waited_ms: 2140 },
    ]);
    const fact = (one: AuditRecord, t: Translate): string | undefined =>
      detailsOf('k', [one], t, String)?.facts.find(({ name }) => name === t('Tried again'))?.value;
    assert.equal(fact(record, plainWords), 'ECONNRESET, again after 147 ms; HTTP 503, again after 2.1 s');
    assert.equal(fact(record, inGerman), 'ECONNRESET, noch einmal nach 147 ms; HTTP 503, noch einmal nach 2,1 s');
  });

  it('S1.audit: records of before stand as they were recorded', () => {
    const { said: _said, ...before } = asked;
    assert.equal(told(before, inGerman), asked.detail);
  });
});
