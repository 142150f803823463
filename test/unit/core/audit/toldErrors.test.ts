import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { foreignText } from '../../../../src/core/base/foreignWords';
import { say, type Sentence, worded } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { detailsOf, rowOf } from '../../../../src/core/present/auditDetails';
import { happenedLine, stepReason } from '../../../../src/core/present/auditWords';
import { explainMarkdown } from '../../../../src/core/present/recordText';
import { finished, violation } from '../../../support/auditEvents';
import { capabilityOf, definition, makeGate } from '../../../support/gate';

/** A record as it is read back from its line. */
const recorded = (event: AuditEvent): AuditRecord =>
  JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord;

/** A language in which every word of ours can be told from what was recorded. */
const marked: Translate = (message, ...values) => `«${plainWords(message, ...values)}»`;

const denied = say('denied_by_boundary', 'keep', say('words_of_workspace', foreignText('docs are frozen')));
const deniedEvent = violation({
  errorMessage: worded(denied),
  said: denied,
  accesses: [],
  steps: [{ step: 'boundaries', effect: 'deny', reasons: [{ said: denied, rule: 'keep' }] }],
});
const inEnglish = 'denied by boundary "keep": words of the workspace: "docs are frozen"';
const inMarked = '«denied by boundary "keep": «words of the workspace: "docs are frozen"»»';

describe('what the record tells of an error', () => {
  it('S1.audit: is told to people in their language, without the mark that is for models', () => {
    const record = recorded(deniedEvent);
    assert.equal(record['error.message'], worded(denied));
    const told = (t: Translate): readonly (string | undefined)[] => [
      happenedLine(record, t),
      rowOf({ segment: 's', record }, t, String).what,
      detailsOf('k', [record], t, String)?.facts.find(({ name }) => name === t('Told'))?.value,
      detailsOf('k', [record], t, String)?.steps[0]?.reasons[0],
    ];
    assert.deepEqual(told(plainWords), [`denied: ${inEnglish}`, inEnglish, inEnglish, `${inEnglish} (keep)`]);
    assert.deepEqual(told(marked), [`«denied: ${inMarked}»`, inMarked, inMarked, `${inMarked} (keep)`]);
    const page = explainMarkdown(record, String, marked).replaceAll('\\', '');
    assert.ok(page.includes(`«The agent was told: ${inMarked}»`), page);
    assert.equal(page.split(inMarked).length, 2, page);
  });

  it('S1.audit: is told of a call that ran and failed too', () => {
    const late = say('timed_out', 'do_thing', 50);
    const record = recorded(
      finished({ outcome: 'tool_error', errorCode: 'timeout', errorMessage: worded(late), said: late }),
    );
    assert.ok(happenedLine(record, marked).endsWith(`: ${worded(late, marked)}`), happenedLine(record, marked));
  });

  it('S1.audit: the gate gives what it denies, and what it says of a failure, as a sentence beside the words', async () => {
    const faulty = capabilityOf(definition(), { run: () => Promise.reject(new Error('a fault')) });
    const gate = makeGate({ capabilities: [faulty] });
    try {
      await gate.call('do_thin');
      await gate.call('do_thing');
      const records = gate.events.filter(({ type }) => type !== 'invocation.started').map(recorded);
      assert.deepEqual(
        records.map(({ said }) => said?.code),
        ['tool_not_found', 'internal_fault'],
      );
      for (const { said, 'error.message': message } of records) assert.equal(said && worded(said), message);
    } finally {
      gate.dispose();
    }
  });

  it('S1.audit: records of before stand as they were recorded, with the words of a tool that they keep', () => {
    const { said: _said, steps: _steps, ...before } = recorded(deniedEvent);
    assert.equal(happenedLine(before, marked), `«denied: ${worded(denied)}»`);
    assert.equal(stepReason('boundaries', { code: 'denied_by_boundary', text: 'as it was' }, marked), 'as it was');
    const { said: _none, ...own } = recorded(violation());
    const kept = { ...own, 'error.message': 'my own words' };
    assert.equal(happenedLine(kept, marked), '«denied: my own words»');
    assert.ok(explainMarkdown(kept, String, plainWords).includes('my own words'));
  });

  it('S1.audit: hides secrets in the arguments as in the words', () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const said = say('denied_by_boundary', key, say('words_of_workspace', foreignText(`use ${key}`)));
    const reasons = [{ said }, { said: say('as_it_is', [say('note_added', key)]) }];
    const steps = [{ step: 'boundaries', effect: 'deny', reasons }] as const;
    const record = recorded(violation({ errorMessage: worded(said), said, rules: [], steps }));
    assert.ok(!JSON.stringify(record).includes(key), JSON.stringify(record));
    assert.ok(record.said && record.steps?.[0]?.reasons?.every(({ args }) => args), 'they are kept');
    assert.equal(worded(record.said), record['error.message']);
  });

  it('S1.audit: keeps no arguments where only the words around one tell that it is a secret', () => {
    const said: Sentence = say('denied_by_boundary', 'x', say('rule_fault', 'password:', 'hunter2hunter2'));
    const steps = [{ step: 'boundaries', effect: 'deny', reasons: [{ said }] }] as const;
    const record = recorded(violation({ errorMessage: worded(said), said, steps }));
    assert.ok(!JSON.stringify(record).includes('hunter2'), JSON.stringify(record));
    assert.deepEqual([record.said, record.steps?.[0]?.reasons?.[0]?.args], [undefined, undefined]);
  });

  it('S1.audit: keeps no arguments where the words were hidden before they came to the record', () => {
    const said = say('denied_by_boundary', 'x', 'a value of the user');
    const record = recorded(violation({ errorMessage: 'denied by boundary "x": {{secret:value:1234}}', said }));
    assert.equal(record.said, undefined);
  });
});
