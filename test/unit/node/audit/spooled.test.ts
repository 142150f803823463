import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { say, worded } from '../../../../src/core/base/sentence';
import { createRedactor } from '../../../../src/core/audit/redact';
import { type AuditFs, nodeAuditFs } from '../../../../src/node/audit/auditFs';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { spoolSink, takeSpooled } from '../../../../src/node/hooks/spool';
import { finished, violation, withFolder } from '../../../support/auditEvents';

describe('what was recorded while no editor ran', () => {
  const fails = (error: unknown): void => assert.fail(String(error));

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
      assert.equal(
        takeSpooled(path.join(dir, 'private'), (all) => store.keep(all), fails),
        3,
      );
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

  const takenBy =
    (events: AuditEvent[], most = Infinity) =>
    (all: readonly AuditEvent[]): number => {
      const taken = all.slice(0, most - events.length);
      events.push(...taken);
      return taken.length;
    };
  const takenFrom = (dir: string): readonly AuditEvent[] => {
    const events: AuditEvent[] = [];
    assert.equal(takeSpooled(dir, takenBy(events), fails), events.length);
    return events;
  };

  it('S1.audit: keeps a call with any number of long places, and how many of them are left out', () =>
    withFolder((dir) => {
      const accesses = Array.from({ length: 1500 }, (_, at) => ({
        effect: 'fs.read' as const,
        resource: `${at}-${'long path/'.repeat(300)}`,
      }));
      const reasons = accesses.map(({ resource }) => ({ said: say('as_it_is', resource) }));
      const steps = [{ step: 'boundaries', effect: 'deny', reasons }] as const;
      spoolSink(dir, fails).record(violation({ accesses, steps, errorMessage: accesses.join() }));
      const [event] = takenFrom(dir);
      assert.ok(event && event.type === 'policy.violation');
      assert.match(event.accesses[0]?.resource ?? '', /^0-long path/);
      const most = event.accesses.length - 1;
      assert.equal(event.accesses.at(-1)?.resource, `… ${1500 - most} more`);
    }));

  it('S1.audit: counts the calls that found no room any more', () =>
    withFolder((dir) => {
      const spool = spoolSink(dir, fails);
      spool.record(violation());
      const calls = path.join(dir, 'records', 'calls.jsonl');
      writeFileSync(calls, readFileSync(calls, 'utf8') + ' '.repeat(20_000_000));
      for (const event of [violation(), finished()]) spool.record(event);
      const taken = takenFrom(dir).map((event) => [event.type, 'count' in event ? event.count : undefined]);
      assert.deepEqual(taken, [
        ['policy.violation', undefined],
        ['audit', 2],
      ]);
      assert.deepEqual(takenFrom(dir), []);
    }));

  it('S1.audit: hides the secrets in the names of places', () =>
    withFolder((dir) => {
      const token = `ghp_${'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'}`;
      const spool = spoolSink(dir, fails);
      const resources = [`https://example.com/?token=${token}`, `n-${token}.txt`, `mysql -psecretpassw0rd -h db`];
      for (const resource of resources) {
        const reasons = [{ said: say('as_it_is', resource) }];
        const steps = [{ step: 'boundaries', effect: 'deny', reasons }] as const;
        spool.record(violation({ accesses: [{ effect: 'fs.read', resource }], steps, errorMessage: resource }));
      }
      const kept = readFileSync(path.join(dir, 'records', 'calls.jsonl'), 'utf8');
      assert.doesNotMatch(kept, /aB3dE5fG|secretpassw0rd/);
    }));

  it('S1.audit: is kept beside where it cannot be read, and all else is taken in', () =>
    withFolder((dir) => {
      const records = path.join(dir, 'records');
      mkdirSync(path.join(records, 'calls.jsonl', 'x'), { recursive: true, mode: 0o700 });
      writeFileSync(path.join(records, 'lost'), '...');
      const events: AuditEvent[] = [];
      const told: string[] = [];
      const tell = (error: unknown): void => void told.push(String(error));
      assert.equal(takeSpooled(dir, takenBy(events), tell), 1);
      const [kept, ...others] = readdirSync(records);
      assert.match(kept ?? '', /^unread-\d+-calls\.jsonl$/);
      assert.deepEqual([others, told.length], [[], 1]);
      assert.ok(kept !== undefined && told[0]?.includes(kept));
      spoolSink(dir, fails).record(violation());
      assert.equal(takenFrom(dir).length, 1);
    }));

  it('S1.audit: leaves the spool only once the audit took it, and what it did not take is taken the next time', () =>
    withFolder((dir) => {
      const spool = spoolSink(dir, fails);
      for (const rule of ['a', 'b', 'c']) spool.record(violation({ invocationId: rule }));
      writeFileSync(path.join(dir, 'records', 'lost'), '..');
      const events: AuditEvent[] = [];
      const take = (): number => takeSpooled(dir, takenBy(events, 1), fails);
      assert.deepEqual([take(), take()], [1, 0]);
      spool.record(violation({ invocationId: 'd' }));
      events.push(...takenFrom(dir));
      assert.deepEqual(
        events.map((event) => ('invocationId' in event ? event.invocationId : event.type)),
        ['a', 'b', 'c', 'd', 'audit'],
      );
      assert.deepEqual([takenFrom(dir), readdirSync(path.join(dir, 'records'))], [[], []]);
    }));

  it('S1.audit: stays in the spool while the disk of the record is full, and is in the record once afterwards', () =>
    withFolder(async (dir) => {
      const spool = spoolSink(dir, fails);
      const ids = Array.from({ length: 300 }, (_, at) => `call-${at}`);
      for (const invocationId of ids) spool.record(violation({ invocationId }));
      let batches = Infinity;
      const write: AuditFs['write'] = (fd, data, offset, length, position) => {
        if (length > 1000 && --batches < 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
        return nodeAuditFs.write(fd, data, offset, length, position);
      };
      const problems: string[] = [];
      const audit = path.join(dir, 'audit');
      const open = (): AuditStore =>
        new AuditStore({
          dir: audit,
          maxWaiting: 5,
          fs: { ...nodeAuditFs, write },
          onProblem: ({ code }) => problems.push(code),
        });
      const take = (store: AuditStore): number => takeSpooled(dir, (all) => store.keep(all), fails);
      const first = open();
      first.record(violation({ invocationId: 'before' }));
      first.flush();
      batches = 0;
      assert.deepEqual([take(first), take(first), first.lost], [0, 0, 0]);
      batches = 1;
      const part = take(first);
      assert.ok(part > 0 && part < ids.length, `${part} were taken`);
      first.dispose();
      assert.deepEqual([...new Set(problems)], ['audit_unwritable', 'audit_writable_again']);
      batches = Infinity;
      const second = open();
      assert.equal(take(second), ids.length - part);
      second.dispose();
      const { found } = await new FolderReader(audit).page({}, { limit: 1000 });
      const kept = found.flatMap(({ record }) => record['gen_ai.tool.call.id'] ?? []);
      assert.deepEqual(kept.sort(), ['before', ...ids].sort());
      assert.deepEqual(
        found.filter(({ record }) => record.event === 'audit.lost'),
        [],
      );
      assert.deepEqual(readdirSync(path.join(dir, 'records')), []);
    }));

  it('S1.audit: loses no call that comes after one of which the disk took half, and keeps the half', () =>
    withFolder((dir) => {
      const spool = spoolSink(dir, fails);
      const records = path.join(dir, 'records');
      spool.record(violation({ invocationId: 'half' }));
      const calls = path.join(records, 'calls.jsonl');
      truncateSync(calls, Math.floor(statSync(calls).size / 2));
      const half = readFileSync(calls, 'utf8').trim();
      for (const invocationId of ['whole', 'last']) spool.record(violation({ invocationId }));
      const events: AuditEvent[] = [];
      const told: string[] = [];
      const take = (most: number): number =>
        takeSpooled(dir, takenBy(events, most), (error) => void told.push(String(error)));
      assert.deepEqual([take(1), take(2), take(3)], [1, 1, 0]);
      assert.deepEqual(
        events.map((event) => 'invocationId' in event && event.invocationId),
        ['whole', 'last'],
      );
      const [kept, ...others] = readdirSync(records);
      assert.deepEqual([others, told.length], [[], 1]);
      assert.match(kept ?? '', /^unread-\d+-/);
      assert.equal(readFileSync(path.join(records, kept ?? ''), 'utf8').trim(), half);
    }));

  it('S1.audit: takes in the calls of hooks of two versions, of which one ends its lines and one begins them', () =>
    withFolder((dir) => {
      const spool = spoolSink(dir, fails);
      const calls = path.join(dir, 'records', 'calls.jsonl');
      for (const invocationId of ['new', 'newer']) {
        spool.record(violation({ invocationId }));
        appendFileSync(calls, `${JSON.stringify(violation({ invocationId: 'old' }))}\n`);
      }
      assert.equal(takenFrom(dir).length, 4);
    }));

  it('S1.audit: is taken in once where the process that took it ended before it was through', () =>
    withFolder((dir) => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const records = path.join(dir, 'records');
      mkdirSync(records, { mode: 0o700 });
      const line = `${JSON.stringify(violation())}\n`;
      for (const owner of [pid, process.ppid]) writeFileSync(path.join(records, `taken-${owner}.jsonl`), line);
      spoolSink(dir, fails).record(violation());
      assert.deepEqual([takenFrom(dir).length, takenFrom(dir).length], [2, 0]);
    }));
});
