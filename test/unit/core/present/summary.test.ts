import { strict as assert } from 'node:assert';
import { say, worded } from '../../../../src/core/base/sentence';
import { plainWords } from '../../../../src/core/base/translate';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { AuditSummary, changingCalls, summaryMarkdown } from '../../../../src/core/present/summary';
import { inGerman } from '../../../support/german';

describe('the summary of a session', () => {
  it('S1.audit: tells what the person declined apart from what a rule denied, without the words that are for the model', () => {
    const summary = new AuditSummary();
    const refused = (code: string, message: string, resource: string): void =>
      summary.add({
        event: 'policy.violation',
        time: '2026-11-23T08:00:00.000Z',
        outcome: 'denied',
        'gen_ai.tool.name': 'delete_file',
        'error.type': code,
        'error.message': message,
        accesses: [{ effect: 'fs.delete', resource }],
      } as unknown as AuditRecord); // reason: a record has more, of which a summary reads nothing
    refused('declined', 'the user declined to let delete_file delete a.txt. do not retry', 'a.txt');
    refused('denied_by_policy', 'denied by boundary "keep": it stays', 'b.txt');
    const page = summaryMarkdown(summary, plainWords);
    assert.match(page, /^Calls: 2, denied: 2,/m);
    assert.match(page, /## Denied\n\n- `delete_file: denied by boundary "keep": it stays` × 1\n/);
    assert.match(page, /## Declined by you\n\n- `delete_file a\.txt` × 1\n/);
    assert.doesNotMatch(page, /do not retry/);
  });

  it("D.settings: tells denials in the reader's language, and those of older records as they were recorded", () => {
    const summary = new AuditSummary();
    const said = say('path_outside', '../x', say('path_climbs'));
    const refused = (more: Partial<AuditRecord>): void =>
      summary.add({
        event: 'policy.violation',
        time: '2026-11-23T08:00:00.000Z',
        outcome: 'denied',
        'gen_ai.tool.name': 'read_file',
        'error.type': 'path_outside',
        'error.message': worded(said),
        ...more,
      } as unknown as AuditRecord); // reason: a record has more, of which a summary reads nothing
    refused({ said });
    refused({ said });
    refused({ 'error.message': 'as an older version said it' });
    const page = summaryMarkdown(summary, inGerman);
    assert.match(page, /## Abgelehnt\n\n- ``read_file: `\.\.\/x` liegt außerhalb .*`` × 2\n- `read_file: as an older/);
    assert.match(summaryMarkdown(summary, plainWords), /- ``read_file: `\.\.\/x` is outside the workspace: .*`` × 2\n/);
  });

  it('S1.audit: says what was taken back since, and names a grant by what it allows', () => {
    const summary = new AuditSummary();
    const ran = (call: string, more: Partial<AuditRecord>): void =>
      summary.add({
        event: 'invocation.finished',
        time: '2026-11-23T08:00:00.000Z',
        outcome: 'success',
        'gen_ai.tool.name': 'write_file',
        'gen_ai.tool.call.id': call,
        ...more,
      } as unknown as AuditRecord); // reason: a record has more, of which a summary reads nothing
    const write = (resource: string) => ({ accesses: [{ effect: 'fs.write', resource }] });
    ran('1', { ...write('a.txt'), 'approval.by': 'grant g1' });
    ran('2', { ...write('b.txt'), 'approval.by': 'user' });
    ran('3', write('c.txt'));
    ran('4', { tool: 'cap:changes:undo_change', accesses: [{ effect: 'fs.delete', resource: 'a.txt' }] });
    assert.deepEqual([...changingCalls(summary)], ['1', '2', '3']);
    const states = new Map([
      ['1', { standing: 0, takenBack: 1 }],
      ['2', { standing: 1, takenBack: 1 }],
      ['3', { standing: 1, takenBack: 0 }],
    ]);
    const page = summaryMarkdown(summary, plainWords, {
      undoOf: (call) => states.get(call),
      grant: (id) => (id === 'g1' ? 'file changes (src/** · this session)' : undefined),
    });
    assert.match(page, /## Changed\n\n- `a\.txt` \(taken back\)\n- `b\.txt` \(partly taken back\)\n- `c\.txt`\n/);
    assert.match(page, /## Taken back or made again\n\n- `a\.txt`\n/);
    assert.match(page, /- `a grant: file changes \(src\/\*\* · this session\)` × 1\n- `you` × 1\n/);
    assert.doesNotMatch(page, /g1|## Deleted/);
  });
});
