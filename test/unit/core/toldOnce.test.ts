import { strict as assert } from 'node:assert';
import { shapeOnly, toRecord } from '../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../src/core/audit/record';
import { proseMarkdown } from '../../../src/core/base/markdown';
import { say, type Sentence, worded } from '../../../src/core/base/sentence';
import { explainCall, explanationText } from '../../../src/core/explain/explain';
import { explainMarkdown } from '../../../src/core/present/recordText';
import type { Reason } from '../../../src/core/vocabulary/decision';
import { reasonWords } from '../../../src/core/vocabulary/reasonWords';
import { violation } from '../../support/auditEvents';
import { inGerman } from '../../support/german';

const because = say('words_of_workspace', '"docs are frozen"');
const red = [say('requirement_blocks', 'key.a', 'red'), say('requirement_blocks', 'key.b', 'red')];

/** What was told, what the denying step says, and the words of which the page tells each once. */
const denials: readonly (readonly [Sentence, readonly Sentence[], readonly Sentence[]])[] = [
  [say('denied_by_boundary', 'keep', because), [say('boundary_says', 'keep', because)], [because]],
  [say('denied_with_steer', 'keep', because, say('steer_flow')), [say('boundary_says', 'keep', because)], [because]],
  [say('circuit_open', 'do_thing', 3), [say('circuit_open', 'do_thing', 3)], [say('circuit_open', 'do_thing', 3)]],
  [say('requirement_failed', 'do_thing', red), red, red],
];

const times = (page: string, said: Sentence): number =>
  page.split(proseMarkdown(reasonWords(said, inGerman))).length - 1;

/** The page of a call that one step denied, in German. */
function pageOf(told: Sentence, step: string, reasons: readonly Reason[]): string {
  const event = violation({
    errorMessage: worded(told),
    said: told,
    steps: [{ step, effect: 'deny', reasons }] as never,
  });
  const record = JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord;
  return explainMarkdown(record, String, inGerman);
}

describe('a page about a denied call', () => {
  it('says what the agent was told once, and not again at the step that denied', () => {
    for (const [told, reasons, once] of denials) {
      const rule = 'keep';
      const step = { step: 'limits', effect: 'deny', reasons: reasons.map((said) => ({ said, rule })) } as const;
      const error = { code: 'denied_by_policy', message: worded(told), retryable: false } as const;
      const event = violation({ errorMessage: worded(told), said: told, steps: [step] });
      const record = JSON.parse(JSON.stringify(toRecord(event, shapeOnly()))) as AuditRecord;
      const before = { ...record, said: undefined };
      const preview = { effect: 'deny', steps: [step], reasons: [], accesses: [], error, said: told } as const;
      const explanation = explainCall('do_thing', preview, [], undefined, undefined, inGerman);
      for (const page of [explainMarkdown(record, String, inGerman), explanationText(explanation, inGerman)])
        for (const one of once) assert.equal(times(page, one), 1, page);
      assert.ok(explainMarkdown(before as never, String, inGerman).includes(proseMarkdown(worded(told))));
    }
  });

  it('keeps what else the step says, and the rule that its words do not name', () => {
    const told = say('circuit_open', 'do_thing', 3);
    const other = say('requirement_state', 'key.a', 'stale');
    const reasons = [{ said: told, rule: 'limit.circuit' }, { said: other }];
    const page = pageOf(told, 'limits', reasons);
    assert.equal(times(page, other), 1, page);
    assert.match(page, /- die Regel `limit\.circuit` lehnt es ab\n/);
  });

  it('names both of two rules that deny, also where the agent was told of one alone', () => {
    const because = say('words_of_workspace', '"frozen"');
    const told = say('denied_by_boundary', 'first', because);
    const reasons = [
      { said: say('boundary_says', 'first', because), rule: 'first' },
      { said: say('boundary_says', 'second', say('words_of_workspace', '"other"')), rule: 'second' },
    ];
    const page = pageOf(told, 'boundaries', reasons);
    assert.match(page, /- die Regel `first` lehnt es ab\n/);
    assert.match(page, /second/);
  });
});
