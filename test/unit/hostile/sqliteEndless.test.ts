// @tier full: starts databases
import { strict as assert } from 'node:assert';
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Disposable } from '../../../src/core/base/lifecycle';
import type { WorkerPool } from '../../../src/core/ports/platform';
import { createSqliteProcesses } from '../../../src/node/databases/sqliteProcesses';
import { cases, full } from '../../support/counts';
import { newNode } from '../../support/node24';
import { buildThread } from '../../support/sandbox';
import { skipBecause } from '../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

describe('S0.db-query: a query of SQLite that does not end is ended', () => {
  const node = newNode();
  let script = '';
  let workspace: TestWorkspace;
  before(async function () {
    this.timeout(60_000);
    if (node === undefined || process.platform !== 'linux')
      return skipBecause(this, 'needs Node 22.5 and a list of processes');
    // By its own name, its processes are told from those of the tests beside.
    script = path.resolve(`.build/threads/sqliteProcess-${process.pid}.cjs`);
    await copyFile(await buildThread('sqliteProcess'), script);
    workspace = makeWorkspace();
  });
  after(() => workspace?.dispose());

  /** The processes of the script that a process started, or of all. */
  const running = (parent?: number): readonly number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const [, state, started] = /^\d+ \(.*\) (\S) (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
          const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script);
          return isOurs && state !== 'Z' && (parent === undefined || started === String(parent));
        } catch {
          return false;
        }
      })
      .map(Number);
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const made = (): WorkerPool & Disposable =>
    createSqliteProcesses(script, { ...(node === undefined ? {} : { execPath: node }) });
  const input = (sql: string, file = ':memory:') => ({ path: file, sql, params: [], write: false, maxRows: 10 });

  const forms: readonly string[] = [
    endless,
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x), group_concat(x % 2) FROM n',
    'SELECT count(*) FROM (WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM a WHERE x < 100000) SELECT * FROM a, a AS b, a AS c)',
    'EXPLAIN QUERY PLAN ' + endless,
    "WITH RECURSIVE n(x) AS (SELECT '' UNION ALL SELECT x || 'a' FROM n) SELECT x FROM n WHERE length(x) < 0",
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n ORDER BY random()',
  ];
  for (const [index, sql] of cases(forms, 2).entries())
    it(`at its timeout: ${sql.slice(0, 60)}… (${index})`, async function () {
      this.timeout(60_000);
      const pool = made();
      // What ends by itself has time for it on a busy machine too.
      const timeoutMs = sql.startsWith('EXPLAIN') ? 30_000 : 150;
      const answer = await pool.run('sqlite', input(sql), { timeoutMs }).then(
        () => 'ended by itself',
        (error: any) => error.data?.code ?? String(error),
      );
      assert.match(answer, sql.startsWith('EXPLAIN') ? /ended by itself/ : /^(timeout|too_large)$/);
      if (!sql.startsWith('EXPLAIN')) await until(() => running(process.pid).length === 0);
      pool.dispose();
      await until(() => running(process.pid).length === 0);
    });

  it('when the call is cancelled, and when the databases are closed; others go on', async function () {
    this.timeout(60_000);
    const pool = made();
    const stop = new AbortController();
    const first = pool.run('sqlite', input(endless), { timeoutMs: 60_000, signal: stop.signal });
    const second = pool.run('sqlite', input(endless, ':memory:'), { timeoutMs: 60_000 });
    await until(() => running(process.pid).length === 2);
    stop.abort();
    await assert.rejects(first, /cancelled/);
    await until(() => running(process.pid).length === 1);
    const third: any = await pool.run('sqlite', input('SELECT 1 AS one'), { timeoutMs: 60_000 });
    assert.deepEqual(third.result.rows, [{ one: 1 }]);
    pool.dispose();
    await assert.rejects(second, /closed/);
    await until(() => running(process.pid).length === 0);
    await assert.rejects(pool.run('sqlite', input('SELECT 1'), { timeoutMs: 1000 }), /closed/);
  });

  it('uses a process again for its file, another one for another file, and none once it idled', async function () {
    this.timeout(60_000);
    const pool = createSqliteProcesses(script, { ...(node === undefined ? {} : { execPath: node }), idleMs: 100 });
    const run = (sql: string, file?: string): Promise<any> =>
      pool.run('sqlite', input(sql, file), { timeoutMs: 10_000 });
    await run('SELECT 1');
    const [first] = running(process.pid);
    await run('SELECT 2');
    assert.deepEqual(running(process.pid), [first]);
    await until(() => running(process.pid).length === 0);
    pool.dispose();
  });

  it('more than a few at once wait for their turn, and all are answered', async function () {
    this.timeout(60_000);
    const pool = made();
    const all = await Promise.all(
      Array.from({ length: full ? 40 : 8 }, (_one, index) =>
        pool.run('sqlite', input(`SELECT ${index} AS n`), { timeoutMs: 30_000 }),
      ),
    );
    assert.deepEqual(
      all.map((one: any) => one.result.rows[0].n),
      all.map((_one, index) => index),
    );
    await until(() => running(process.pid).length <= 2);
    pool.dispose();
    await until(() => running(process.pid).length === 0);
  });

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    it(`when the process that asked is gone by ${signal}`, async function () {
      this.timeout(60_000);
      const outfile = path.resolve(`.build/threads/sqliteParent-${process.pid}.cjs`);
      await build({
        stdin: {
          contents: `import { createSqliteProcesses } from './src/node/databases/sqliteProcesses';
            const pool = createSqliteProcesses(${JSON.stringify(script)});
            pool.run('sqlite', ${JSON.stringify(input('SELECT 1'))}, { timeoutMs: 60000 }).then(() => {
              void pool.run('sqlite', ${JSON.stringify(input(endless))}, { timeoutMs: 60000 }).catch(() => undefined);
              console.log('asked');
            });`,
          resolveDir: process.cwd(),
          loader: 'ts',
        },
        outfile,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        packages: 'external',
        logLevel: 'warning',
      });
      const parent = spawn(node ?? '', [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((resolve) => createInterface({ input: parent.stdout }).once('line', resolve));
      const children = running(parent.pid);
      assert.equal(children.length, 1);
      const gone = new Promise((resolve) => parent.once('exit', resolve));
      parent.kill(signal);
      await gone;
      await until(() => !running().includes(children[0] ?? 0));
    });
});
