import { strict as assert } from 'node:assert';
import { argumentsToRunAgain } from '../../../../src/core/audit/runAgain';
import type { AuditRecord } from '../../../../src/core/audit/record';

const record: AuditRecord = {
  v: 1,
  seq: 1,
  prev: '',
  hash: '',
  time: '2026-11-21T12:00:00.000Z',
  event: 'invocation.finished',
  'gen_ai.tool.call.id': 'call',
  accesses: [{ effect: 'fs.write', resource: 'src/app.ts' }],
};
const nothing = { of: () => undefined };

describe('running a recorded call again', () => {
  it('D.audit-channel: brings the arguments that this window remembers', () => {
    const inputs = { of: (id: string) => (id === 'call' ? { input: { path: 'src/a.ts', content: 'x' } } : undefined) };
    assert.deepEqual(argumentsToRunAgain(record, inputs), { path: 'src/a.ts', content: 'x' });
  });

  it('else brings those that the log keeps, without what was cleaned in any part', () => {
    const kept = {
      ...record,
      'gen_ai.tool.call.arguments': { path: 'src/a.ts', 'a/b': '⟨hidden⟩', deep: { list: ['⟨hidden⟩'] } },
      hidden: [
        { path: '/arguments/a~1b', rule: 'file content' },
        { path: '/arguments/deep/list/0', rule: 'secret' },
      ],
    };
    assert.deepEqual(argumentsToRunAgain(kept, nothing), { path: 'src/a.ts' });
  });

  it('else brings the one file that it touched, and nothing where it touched more or something else', () => {
    assert.deepEqual(argumentsToRunAgain(record, nothing), { path: 'src/app.ts' });
    const more = [...(record.accesses ?? []), { effect: 'fs.read', resource: 'b.ts' }];
    assert.deepEqual(argumentsToRunAgain({ ...record, accesses: more }, nothing), {});
    const host = [{ effect: 'network.http', resource: 'https://example.com' }];
    assert.deepEqual(argumentsToRunAgain({ ...record, accesses: host }, nothing), {});
  });
});
