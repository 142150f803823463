import { strict as assert } from 'node:assert';
import { AuditSummary, summaryMarkdown } from '../../../../src/core/present/summary';
import { detailsOf, rowOf } from '../../../../src/core/present/auditDetails';
import { plainWords } from '../../../../src/core/base/translate';
import type { AuditRecord } from '../../../../src/core/audit/record';

describe('a record of the audit, as a person reads it', () => {
  it('D.undo: what a call changed in files stands with its record, and what can be done with it', () => {
    const told = (standing: number, takenBack: number) => {
      const record = { event: 'invocation.finished', time: '2026-11-21T10:00:00.000Z' } as AuditRecord;
      const details = detailsOf('key', [record], plainWords, (id) => id, { standing, takenBack });
      const changed = details?.facts.find(({ name }) => name === 'Changed')?.value;
      return [changed, details?.canUndo, details?.canRedo];
    };
    assert.deepEqual(
      [told(0, 0), told(1, 0), told(2, 1), told(0, 2)],
      [
        [undefined, false, false],
        ['1 change, can be taken back', true, false],
        ['3 changes, partly taken back', true, true],
        ['2 changes, taken back', false, true],
      ],
    );
  });

  it('says a move as a move, in the list and in the summary, and times as the person writes them', () => {
    const move: AuditRecord = {
      v: 1,
      seq: 1,
      prev: '',
      hash: '',
      time: '2026-11-21T12:00:00.000Z',
      event: 'invocation.finished',
      outcome: 'success',
      tool: 'cap:file_system:move_file',
      accesses: [
        { effect: 'fs.delete', resource: 'a.ts' },
        { effect: 'fs.write', resource: 'b.ts' },
      ],
    };
    assert.equal(rowOf({ segment: 's', record: move }, plainWords, (id) => id).what, 'move a.ts to b.ts');
    const other = rowOf({ segment: 's', record: { ...move, tool: 'mcp:x:y' } }, plainWords, (id) => id);
    assert.equal(other.what, 'delete a.ts +1');
    const summary = new AuditSummary();
    summary.add(move);
    const text = summaryMarkdown(summary, plainWords, {
      when: () => 'noon',
      address: (path) => `file:///w/${path}`,
    });
    assert.match(text, /From noon to noon\.\n\n## Moved\n\n- `a\.ts` → \[`b\.ts`\]\(<file:\/\/\/w\/b\.ts>\)\n/);
    assert.doesNotMatch(text, /Deleted|Changed/);
  });

  it('tells what a person declined from what a rule denied', () => {
    const said = (code: string): string => {
      const record = { v: 1, seq: 1, prev: '', hash: '', time: '2026-11-21T12:00:00.000Z', event: 'policy.violation' };
      const denied = { ...record, outcome: 'denied', 'error.type': code } as const;
      return rowOf({ segment: 's', record: denied }, plainWords, (id) => id).said;
    };
    assert.deepEqual([said('declined'), said('denied_by_policy')], ['declined by you', 'denied']);
  });

  it('sums up what changed, who was contacted and what was denied', () => {
    const summary = new AuditSummary();
    const base = { v: 1, seq: 1, prev: '', hash: '', time: '2026-11-21T12:00:00.000Z' };
    const call = {
      ...base,
      event: 'invocation.finished',
      outcome: 'success',
      'gen_ai.tool.name': 'write_file',
      duration_ms: 14,
    } as const;
    summary.add({
      ...call,
      accesses: [
        { effect: 'fs.write', resource: 'b.ts' },
        { effect: 'fs.read', resource: 'c.ts' },
      ],
      'approval.by': 'user',
    });
    summary.add({
      ...call,
      accesses: [
        { effect: 'fs.write', resource: 'a.ts' },
        { effect: 'network.http', resource: 'https://Example.com/x', method: 'GET' },
      ],
    });
    summary.add({ ...base, event: 'policy.violation', 'gen_ai.tool.name': 'read_file', 'error.message': 'no `.env`' });
    assert.equal(
      summaryMarkdown(summary, plainWords),
      [
        '# Session summary',
        '',
        'Calls: 3, denied: 1, failed: 0, 28 ms in tools.',
        '',
        'From 2026-11-21T12:00:00.000Z to 2026-11-21T12:00:00.000Z.',
        '',
        '## Changed',
        '',
        '- `a.ts`',
        '- `b.ts`',
        '',
        '## Hosts contacted',
        '',
        '- `example.com` × 1',
        '',
        '## Denied',
        '',
        '- `` read_file: no `.env` `` × 1',
        '',
        '## Allowed by',
        '',
        '- `you` × 1',
        '',
        '## Tools',
        '',
        '- `write_file` × 2',
        '- `read_file` × 1',
        '',
      ].join('\n'),
    );
  });
});
