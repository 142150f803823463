import { strict as assert } from 'node:assert';
import path from 'node:path';
import { say, worded } from '../../../../src/core/base/sentence';
import { createRedactor } from '../../../../src/core/audit/redact';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { spoolSink, takeSpooled } from '../../../../src/node/hooks/spool';
import { finished, violation, withFolder } from '../../../support/auditEvents';

describe('what was recorded while no editor ran', () => {
  it('S1.audit: is taken in, each kind of event, where the record keeps content too', () =>
    withFolder(async (dir) => {
      const spool = spoolSink(path.join(dir, 'private'), (error) => assert.fail(String(error)));
      const { steps: _steps, input: _input, payload: _payload, accesses, ...facts } = finished();
      const of = { ...facts, invocationId: 'call-1', time: 1 };
      spool.record({ ...of, type: 'approval.asked', accesses, reasons: [say('confirmation_for_agents')] });
      spool.record({ ...of, type: 'approval.answered', outcome: 'denied', by: 'unavailable', waitedMs: 0 });
      spool.record(violation());
      const audit = path.join(dir, 'audit');
      const recording = { content: 'redacted', redactor: createRedactor() } as const;
      const store = new AuditStore({
        dir: audit,
        recording: () => recording,
        onProblem: (said) => assert.fail(worded(said)),
      });
      assert.equal(takeSpooled(path.join(dir, 'private'), store), 3);
      store.dispose();
      const { found } = await new FolderReader(audit).page({}, { limit: 10 });
      assert.deepEqual(
        found.map(({ record }) => [record.event, record['arguments.shape']]),
        [
          ['policy.violation', '{}'],
          ['approval.answered', undefined],
          ['approval.asked', undefined],
          ['audit.opened', undefined],
        ],
      );
    }));
});
