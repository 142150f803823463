import { strict as assert } from 'node:assert';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { SummaryBuilder, summaryMarkdown } from '../../../../src/core/present/summary';

describe('the summary of a session', () => {
  it('S1.audit: tells what the person declined apart from what a rule denied, without the words that are for the model', () => {
    const builder = new SummaryBuilder();
    const refused = (code: string, message: string, resource: string): void =>
      builder.add({
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
    const page = summaryMarkdown(builder.build());
    assert.match(page, /^Calls: 2, denied: 2,/m);
    assert.match(page, /## Denied\n\n- `delete_file: denied by boundary "keep": it stays` × 1\n/);
    assert.match(page, /## Declined by you\n\n- `delete_file a\.txt` × 1\n/);
    assert.doesNotMatch(page, /do not retry/);
  });
});
