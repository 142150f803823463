import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { main } from '../../../src/cli/main';
import type { AuditRecord } from '../../../src/core/audit/record';
import { AuditStore } from '../../../src/node/audit/auditStore';
import { listSegments } from '../../../src/node/audit/layout';
import { finished, violation, withFolder } from '../../support/auditEvents';
import { until } from '../../support/editor/until';

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

  it('does not say of a folder that it cannot read, or that holds no log, that all is well', () =>
    withFolder(async (root) => {
      const dir = path.join(root, 'log');
      fs.mkdirSync(dir);
      const nothing = `there is nothing to verify or to read in \`${dir}\`: it holds no segment of an audit and no head of one`;
      for (const action of ['verify', 'query', 'export', 'report', 'tail']) {
        const { code, error } = await run(action, dir);
        assert.deepEqual({ code, error }, { code: 1, error: [nothing] }, action);
      }
      const empty = await run('verify', dir, '--json');
      assert.equal(empty.code, 1);
      const { ok, isEmpty } = JSON.parse(empty.out[0] ?? '');
      assert.deepEqual([ok, isEmpty], [false, true]);

      // Root reads what it may not: a file in place of a folder cannot be listed by anybody.
      const heads = path.join(dir, 'heads');
      fs.writeFileSync(heads, '');
      assert.deepEqual(await run('verify', dir), {
        code: 1,
        out: [],
        error: [`${heads}: cannot be read (ENOTDIR)`],
      });
      for (const action of ['query', 'export', 'tail', 'clear']) {
        const told = await run(action, dir, ...(action === 'clear' ? ['--reason', 'to start anew'] : []));
        assert.equal(told.code, 1, action);
        assert.match(told.error.join('\n'), /`[^`]*heads` cannot be read \(ENOTDIR\)/, action);
      }
      const report = await run('report', dir);
      assert.deepEqual([report.code, report.out.join().includes('cannot be read (ENOTDIR)')], [1, true]);
      const file = path.join(root, 'some-file.json');
      fs.writeFileSync(file, '{}');
      for (const place of [file, path.join(root, 'none')]) assert.equal((await run('verify', place)).code, 2, place);
    }));

  it('names a segment that cannot be read', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.dispose();
      const [name = ''] = listSegments(dir);
      fs.rmSync(path.join(dir, name));
      fs.mkdirSync(path.join(dir, name));
      const { code, error } = await run('verify', dir);
      assert.deepEqual([code, error], [1, [`${name}: cannot be read (EISDIR)`]]);
      assert.equal((await run('query', dir)).code, 1);
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

  it('marks in CSV what a spreadsheet would take for a formula, wherever it stands in a field, and nothing else', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      const formulas: [string, string][] = [
        ['=1+1', "'=1+1"],
        ['\n=1+1', "\n'=1+1"],
        ['a\r\n\t +1', "a\r\n\t '+1"],
        [' =1+1', " '=1+1"],
        ['\u00a0\u200b\ufeff@x', "\u00a0\u200b\ufeff'@x"],
        ['\uff1d1+1', "'\uff1d1+1"],
        ['x;=cmd|calc!A0', "x;'=cmd|calc!A0"],
        ['x; -y', "x; '-y"],
        ['\tx', "'\tx"],
      ];
      const plain = ['a = b', 'x-y', 'a@b.c', 'one; two', 'a, =b', "it's"];
      for (const text of [...formulas.map(([one]) => one), ...plain]) store.record(violation({ errorMessage: text }));
      store.dispose();
      const csv = (await run('export', dir, '--format', 'csv', '--event', 'policy.violation')).out;
      const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text}"` : text);
      const wanted = [...formulas.map(([, marked]) => marked), ...plain].map(field);
      for (const [at, text] of wanted.entries())
        assert.ok(csv[at + 1]?.includes(`,${text},`), `${JSON.stringify(text)} in ${JSON.stringify(csv[at + 1])}`);
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

  it('follows all that is written, however much at once, by whichever window and however the clock is set', () =>
    withFolder(async (dir) => {
      const now = Date.now();
      const store = new AuditStore({ dir });
      store.record(finished({ time: now, invocationId: 'before' }));
      store.flush();
      const stop = new AbortController();
      const out: string[] = [];
      const done = main(['audit', 'tail', dir, '--follow', '--json', '--tool', 'write_file'], {
        out(text) {
          out.push(JSON.parse(text)['gen_ai.tool.call.id']);
          if (out.includes('end')) stop.abort();
        },
        error() {},
        environment: {},
        signal: stop.signal,
      });
      await until(() => assert.deepEqual(out, ['before']));
      const names = Array.from({ length: 1500 }, (_one, at) => `n${at}`);
      for (const [at, invocationId] of names.entries()) store.record(finished({ time: now + at, invocationId }));
      store.flush();
      await until(() => assert.equal(out.length, 1501));
      const other = new AuditStore({ dir });
      store.record(finished({ time: now - 3_600_000, invocationId: 'back' }));
      store.flush();
      other.record(finished({ time: now + 10_000, invocationId: 'other' }));
      other.flush();
      await until(() => assert.equal(out.length, 1503));
      store.record(finished({ time: now + 20_000, invocationId: 'end' }));
      store.dispose();
      other.dispose();
      assert.equal(await done, 0);
      assert.deepEqual(out, ['before', ...names, 'back', 'other', 'end']);
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
