import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { canonicalJson } from '../../../../src/core/base/json';
import { say } from '../../../../src/core/base/sentence';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainSeal } from '../../../../src/node/audit/hash';
import { listSegments } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, violation, withFolder } from '../../../support/auditEvents';

const plain = chainSeal();

function linesIn(dir: string): string[] {
  return listSegments(dir).flatMap((name) => fs.readFileSync(path.join(dir, name), 'utf8').trimEnd().split('\n'));
}

describe('the durable audit log', () => {
  it('S1.audit D.audit-channel: keeps start, end and violation as chained lines that verify', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      const { type: _type, outcome: _outcome, ...facts } = finished();
      store.record({ ...facts, type: 'invocation.started' });
      store.record(finished());
      store.record(violation());
      store.dispose();
      const records = linesIn(dir).map((line) => JSON.parse(line));
      assert.deepEqual(
        records.map((record) => [record.seq, record.event, record['gen_ai.tool.name'], record.outcome]),
        [
          [1, 'audit.opened', undefined, undefined],
          [2, 'invocation.started', 'write_file', undefined],
          [3, 'invocation.finished', 'write_file', 'success'],
          [4, 'policy.violation', 'write_file', 'denied'],
        ],
      );
      const { ends, ...verified } = await verifyFolder(dir, plain);
      assert.deepEqual(verified, { ok: true, isEmpty: false, segments: 1, records: 4, removed: 0, faults: [] });
      assert.deepEqual(
        ends?.map(({ seq }) => seq),
        [4],
      );
    }));

  it('writes every line as canonical JSON with its hash at the end', () =>
    withFolder((dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.record(violation());
      store.record({
        type: 'changed',
        time: 0,
        what: 'policy',
        id: 'p',
        detail: say('as_it_is', 'd'),
        actor: { type: 'user', id: 'u' },
      });
      store.record({ type: 'probe', time: 0, requirementId: 'r', state: 'red', durationMs: 4 });
      store.record({ type: 'server', time: 0, server: 's', state: 'failed', detail: say('as_it_is', 'd') });
      store.dispose();
      for (const line of linesIn(dir)) {
        const { hash, ...body } = JSON.parse(line);
        assert.equal(line, `${canonicalJson(body).slice(0, -1)},"hash":"${hash}"}`);
      }
    }));

  it('has a record with the operating system before the caller goes on after the call', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      await undefined;
      assert.equal(linesIn(dir).length, 2);
      store.dispose();
    }));
});
