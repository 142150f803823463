import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { main } from '../../../src/cli/main';
import type { AuditRecord } from '../../../src/core/audit/record';
import { AuditStore } from '../../../src/node/audit/auditStore';
import { listSegments } from '../../../src/node/audit/layout';
import { finished, violation, withFolder } from '../../support/auditEvents';

describe('the command `audit`', () => {
  async function run(...args: string[]): Promise<{ code: number; out: string[]; error: string[] }> {
    const out: string[] = [];
    const error: string[] = [];
    const code = await main(['audit', ...args], {
      out: (text) => out.push(text),
      error: (text) => error.push(text),
      environment: {},
    });
    return { code, out, error };
  }

  it('verifies with exit 0, and with exit 1 names file and line where a chain breaks', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.record(violation());
      store.dispose();
      assert.deepEqual(await run('verify', dir), {
        code: 0,
        out: ['ok: 3 records in 1 segment follow one another'],
        error: [],
      });
      const [name = ''] = listSegments(dir);
      const file = path.join(dir, name);
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('app.ts', 'apq.ts'));
      assert.deepEqual(await run('verify', dir), {
        code: 1,
        out: [],
        error: [`${name}:2: was changed: its hash does not fit its text`],
      });
      assert.equal(JSON.parse((await run('verify', dir, '--json')).out[0] ?? '').faults[0].line, 2);
    }));

  it('retires by age and size and clears with a reason, notes both in the log, and refuses without a limit or a reason', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir, maxSegmentBytes: 2000 });
      for (let at = 0; at < 20; at++) {
        store.record(finished());
        store.flush();
      }
      store.dispose();
      assert.deepEqual(
        [
          (await run('clear', dir)).code,
          (await run('retire', dir)).code,
          (await run('retire', dir, '--days', 'x')).code,
        ],
        [2, 2, 2],
      );
      assert.deepEqual(await run('retire', dir, '--days', '1'), {
        code: 0,
        out: ['0 records in 0 segments removed'],
        error: [],
      });
      const retired = await run('retire', dir, '--megabytes', '0.005');
      assert.match(retired.out[0] ?? '', /^\d\d records in \d+ segments removed$/);
      assert.match((await run('verify', dir)).out[0] ?? '', /^ok: .*; removed with a record of it: \d+ segments$/);
      assert.match(
        (await run('clear', dir, '--reason', 'the audit is over')).out[0] ?? '',
        /^\d+ records in \d+ segments removed$/,
      );
      const { out } = await run('query', dir, '--event', 'audit.cleared');
      assert.equal(out.length, 1);
      assert.match(out[0] ?? '', /^\S+ {2}user {2}audit\.cleared {2}\d+ segments: the audit is over$/);
      assert.equal((await run('verify', dir)).code, 0);
    }));

  it('queries, tails and exports as JSON lines, CSV and OTLP', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.record(violation({ errorMessage: '=HYPERLINK("x"), and a, comma' }));
      store.dispose();
      const query = await run('query', dir, '--json', '--outcome', 'denied');
      assert.deepEqual(
        JSON.parse(query.out[0] ?? '').records.map((record: AuditRecord) => record.event),
        ['policy.violation'],
      );
      const first = JSON.parse((await run('query', dir, '--json', '--limit', '1')).out[0] ?? '');
      assert.equal(
        JSON.parse((await run('query', dir, '--json', '--next', first.next)).out[0] ?? '').records.length,
        2,
      );
      assert.match(
        (await run('tail', dir, '--limit', '2')).out[0] ?? '',
        /invocation\.finished {2}success {2}change src\/app\.ts {2}14 ms/,
      );
      assert.deepEqual(
        (await run('export', dir)).out.map((line) => JSON.parse(line).seq),
        [1, 2, 3],
      );
      const csv = (await run('export', dir, '--format', 'csv', '--outcome', 'denied')).out;
      assert.match(csv[0] ?? '', /^time,event,actor,/);
      assert.match(csv[1] ?? '', /,"'=HYPERLINK\(""x""\), and a, comma",/);
      const otlp = JSON.parse((await run('export', dir, '--format', 'otlp', '--outcome', 'success')).out[0] ?? '');
      const [log] = otlp.resourceLogs[0].scopeLogs[0].logRecords;
      assert.equal(log.timeUnixNano, `${Date.UTC(2026, 10, 21, 12)}000000`);
      assert.deepEqual(
        log.attributes.filter((one: { key: string }) => /tool\.name|operation/.test(one.key)),
        [
          { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
          { key: 'gen_ai.tool.name', value: { stringValue: 'write_file' } },
        ],
      );
      const out = path.join(dir, 'export.csv');
      assert.equal((await run('export', dir, '--format', 'csv', '--out', out)).code, 0);
      assert.equal(fs.readFileSync(out, 'utf8').trimEnd().split('\n').length, 4);
    }));

  it('follows what is written', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished({ time: Date.now(), invocationId: 'one' }));
      store.flush();
      const stop = new AbortController();
      const out: string[] = [];
      const done = main(['audit', 'tail', dir, '--follow', '--json'], {
        out(text) {
          out.push(JSON.parse(text)['gen_ai.tool.call.id'] ?? 'note');
          if (out.includes('two')) stop.abort();
        },
        error() {},
        environment: {},
        signal: stop.signal,
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      store.record(finished({ time: Date.now(), invocationId: 'two' }));
      assert.equal(await done, 0);
      store.dispose();
      assert.deepEqual(out, ['note', 'one', 'two']);
    }));

  it('answers 2 and says how it is used where it was typed wrongly', async () => {
    const codes = await Promise.all([
      run(),
      run('verify'),
      run('verify', '/no/such/folder'),
      run('burn', '.'),
      run('query', '.', '--risk', 'huge'),
      run('query', '.', '--limit', '0'),
      run('export', '.', '--format', 'xml'),
      run('query', '.', '--what'),
    ]);
    assert.deepEqual(
      codes.map((one) => one.code),
      [2, 2, 2, 2, 2, 2, 2, 2],
    );
    assert.match(codes[4]?.error[0] ?? '', /^risk must be low/);
  });
});
