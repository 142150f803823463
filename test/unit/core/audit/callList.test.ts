import { strict as assert } from 'node:assert';
import { CallList } from '../../../../src/core/audit/callList';
import type { AuditRow } from '../../../../src/core/audit/viewModel';

/** A local morning, so that no burst is cut by midnight in any time zone. */
const morning = new Date(2026, 10, 21, 9, 0, 0).getTime();
let made = 0;

function row(seconds: number, call: string | undefined, fields: Partial<AuditRow> = {}): AuditRow {
  return {
    key: `s|${++made}`,
    time: new Date(morning + seconds * 1000).toISOString(),
    event: 'invocation.finished',
    actor: 'agent',
    profile: 'Writer',
    tool: 'write_file',
    risk: 'medium',
    outcome: 'success',
    said: 'done',
    what: 'change src/app.ts',
    ...(call === undefined ? {} : { call }),
    ...fields,
  };
}

const asked = (seconds: number, call: string): AuditRow =>
  row(seconds, call, { event: 'approval.asked', outcome: '', said: 'waits for an answer', what: '' });

/** The lines as a person reads them. */
const lines = (list: CallList): readonly string[] =>
  list.items.map((item) =>
    item.kind === 'burst'
      ? `${item.burst.isOpen ? 'v' : '>'} ${item.burst.calls}+${item.burst.others} denied ${item.burst.denied} failed ${item.burst.failed}`
      : `${item.entry.row.call ?? '-'} ${item.entry.row.said} ${item.entry.row.what}`,
  );

describe('the list of calls of the audit view', () => {
  it('D.audit-channel: all records of a call are one line, which says what the newest of them says', () => {
    const list = new CallList();
    list.append([
      row(30, 'b'),
      row(20, 'b', { outcome: 'allowed', said: 'allowed', what: '' }),
      asked(10, 'b'),
      asked(5, 'a'),
    ]);
    assert.deepEqual(lines(list), ['v 2+0 denied 0 failed 0', 'b done change src/app.ts', 'a waits for an answer ']);
    // The rest of a call may come with a later page, or be written only now.
    list.append([row(1, 'a', { event: 'invocation.started', outcome: '', said: 'started' })]);
    assert.equal(lines(list)[2], 'a waits for an answer change src/app.ts');
    list.prepend(
      [
        row(41, 'a', { outcome: 'denied', said: 'denied' }),
        asked(40, 'c'),
        row(40, undefined, { said: 'rules changed', what: '1 rule' }),
      ],
      100,
    );
    assert.deepEqual(lines(list), [
      'v 3+1 denied 1 failed 0',
      'a denied change src/app.ts',
      'c waits for an answer ',
      '- rules changed 1 rule',
      'b done change src/app.ts',
    ]);
  });

  it('D.audit-channel: the head of a burst tells apart what a person declined from what rules denied, as the rows do', () => {
    const list = new CallList();
    list.append([
      row(30, 'c', { outcome: 'denied', said: 'declined by you', isDeclined: true }),
      row(20, 'b', { outcome: 'denied', said: 'denied' }),
      row(10, 'a'),
    ]);
    const [head] = list.items;
    assert.ok(head?.kind === 'burst');
    assert.deepEqual([head.burst.denied, head.burst.declined, head.burst.failed], [1, 1, 0]);
  });

  it('a pause of more than two minutes, or another day, begins another burst', () => {
    const list = new CallList();
    list.append([
      row(600, 'd', { outcome: 'tool_error' }),
      row(240, 'c'),
      row(121, 'b'),
      row(0, 'a'),
      row(-60 * 60 * 9 - 1, 'y'),
      row(-60 * 60 * 9 - 2, 'x'),
    ]);
    assert.deepEqual(
      lines(list).filter((line) => line.startsWith('v')),
      ['v 1+0 denied 0 failed 1', 'v 2+0 denied 0 failed 0', 'v 1+0 denied 0 failed 0', 'v 2+0 denied 0 failed 0'],
    );
    const midnight = new CallList();
    midnight.append([row(-60 * 60 * 9 + 1, 'b'), row(-60 * 60 * 9 - 1, 'a')]);
    assert.equal(midnight.items.length, 4);
  });

  it('a closed burst stays closed while newer calls join it, and keeps its numbers', () => {
    const list = new CallList();
    list.append([row(10, 'b'), row(0, 'a')]);
    const [head] = list.items;
    list.toggle(head?.kind === 'burst' ? head.burst.id : '');
    assert.deepEqual(lines(list), ['> 2+0 denied 0 failed 0']);
    list.prepend([row(20, 'c', { outcome: 'denied' })], 100);
    assert.deepEqual(lines(list), ['> 3+0 denied 1 failed 0']);
    const [again] = list.items;
    list.toggle(again?.kind === 'burst' ? again.burst.id : '');
    assert.equal(list.items.length, 4);
  });

  it('keeps the newest calls of a long log, and forgets all with a reset', () => {
    const list = new CallList();
    list.append([row(2, 'b'), row(1, 'a')]);
    list.prepend([row(4, 'd'), row(3, 'c')], 3);
    assert.deepEqual(
      list.entries.map((entry) => entry.row.call),
      ['d', 'c', 'b'],
    );
    // A call that was dropped comes back as one of its own.
    list.prepend([row(5, 'a')], 4);
    assert.equal(list.entries[0]?.row.call, 'a');
    list.reset();
    assert.deepEqual([list.items.length, list.entries.length], [0, 0]);
  });
});
