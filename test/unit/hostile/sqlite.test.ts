// @tier full: starts databases
import { strict as assert } from 'node:assert';
import { build } from 'esbuild';
import fc from 'fast-check';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { database } from '../../../src/capabilities/database/database';
import type { Disposable } from '../../../src/core/base/lifecycle';
import type { WorkerPool } from '../../../src/core/ports/platform';
import { createDatabaseClient } from '../../../src/node/databases/databaseClient';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { SessionRoots } from '../../../src/node/files/sessionRoots';
import { JudgedFile } from '../../../src/node/databases/sqliteFile';
import { statementFault } from '../../../src/node/databases/sqliteRules';
import { createSqliteProcesses } from '../../../src/node/databases/sqliteProcesses';
import { cases, full, runs } from '../../support/counts';
import { newNode } from '../../support/node24';
import { buildThread } from '../../support/sandbox';
import { skipBecause } from '../../support/skip';
import { openSystem } from '../../support/system';
import { callTool, type CallOptions, fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const write = { scopes: ['database:read', 'database:write'] };
const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

/** Refused where only reading is allowed, and changes nothing. */
const acting: readonly string[] = [
  "INSERT INTO users (name) VALUES ('eve')",
  'DELETE FROM users',
  'WITH a AS (SELECT 1) DELETE FROM users',
  'WITH a AS (SELECT 1) INSERT INTO users SELECT 9, 9',
  'REPLACE INTO users VALUES (1, 2)',
  'DROP TABLE users',
  'CREATE TEMP TABLE t (a)',
  'CREATE TABLE t (a)',
  "ATTACH DATABASE '<other>' AS o",
  "attach '<other>' as o",
  "/* SELECT */ ATTACH '<other>' AS o",
  "-- SELECT\nATTACH '<other>' AS o",
  "\ufeffATTACH '<other>' AS o",
  ";;ATTACH '<other>' AS o",
  "/* /* */ ATTACH '<other>' AS o",
  "ATTACH 'file:<other>?mode=ro' AS o",
  'DETACH main',
  "VACUUM INTO '<new>'",
  "/**/vacuum main into '<new>'",
  'VACUUM',
  'PRAGMA user_version = 3',
  'PRAGMA user_version(3)',
  'PRAGMA main.user_version = 3',
  'PRAGMA query_only = OFF',
  'PRAGMA writable_schema = ON',
  'PRAGMA writable_schema(1)',
  'PRAGMA journal_mode = DELETE',
  "PRAGMA temp_store_directory = '/tmp'",
  'PRAGMA trusted_schema = ON',
  'PRAGMA mmap_size = 1000000000',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA wal_checkpoint(TRUNCATE)',
  'PRAGMA incremental_vacuum(1)',
  'PRAGMA optimize',
  'PRAGMA shrink_memory',
  "PRAGMA rekey = 'x'",
  'PRAGMA /* x */ user_version = 3',
  'PRAGMA "user_version" = 3',
  'EXPLAIN PRAGMA writable_schema = ON',
  'EXPLAIN QUERY PLAN PRAGMA user_version = 3',
  "EXPLAIN ATTACH '<other>' AS o",
  "SELECT load_extension('<other>')",
  "SELECT writefile('<new>', 'x')",
  "SELECT readfile('/etc/passwd')",
  "SELECT fts3_tokenizer('simple', x'00')",
  'SELECT * FROM csv',
  "SELECT * FROM fsdir('/')",
  'SELECT 1; DELETE FROM users',
  "SELECT 1; ATTACH '<other>' AS o",
  "SELECT ';' ; DELETE FROM users",
  'SELECT 1 /* ; */ ; /* */ -- \n DROP TABLE users',
  'BEGIN IMMEDIATE',
  'SAVEPOINT a',
  'COMMIT',
  'REINDEX',
  'ANALYZE',
  'ALTER TABLE users RENAME TO u',
  'FROBNICATE',
];

const readingSql: readonly string[] = [
  'SELECT * FROM users',
  '/* a */ -- b\n SELECT 1;',
  'VALUES (1), (2)',
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT * FROM n',
  'EXPLAIN SELECT * FROM users',
  'EXPLAIN QUERY PLAN SELECT * FROM users',
  'PRAGMA table_info(users)',
  "PRAGMA table_info('users')",
  'PRAGMA main.table_list',
  'PRAGMA user_version',
  'PRAGMA journal_mode;',
  'PRAGMA integrity_check(5)',
  'PRAGMA foreign_key_list(users)',
  "SELECT * FROM pragma_table_info('users')",
  'SELECT * FROM sqlite_schema',
  "SELECT value FROM json_each('[1,2]')",
  "SELECT strftime('%Y', 'now'), upper('a'), random(), sum(id) OVER () FROM users",
  "SELECT * FROM docs WHERE docs MATCH 'word'",
  "SELECT 'ATTACH x; DROP TABLE users'",
  'SELECT * FROM names',
];

/** Refused even with the right to write: what leads to another file. */
const beyond: readonly string[] = [
  "ATTACH DATABASE '<other>' AS o",
  "VACUUM INTO '<new>'",
  "PRAGMA temp_store_directory = '/tmp'",
  "PRAGMA data_store_directory = '/tmp'",
  'PRAGMA writable_schema = ON',
  'PRAGMA query_only = OFF',
  'EXPLAIN PRAGMA writable_schema = ON',
  "SELECT load_extension('<other>')",
];

describe('S0.db-query D.tightens: SQLite stays within the file that was judged', () => {
  const node = newNode();
  let pool: (WorkerPool & Disposable) | undefined;
  let workspace: TestWorkspace;
  before(async function () {
    this.timeout(60_000);
    if (node === undefined)
      return skipBecause(this, 'SQLite needs Node 22.5, which is installed with the editor tests');
    pool = createSqliteProcesses(await buildThread('sqliteProcess'), { execPath: node });
  });
  after(() => pool?.dispose());
  beforeEach(() => (workspace = makeWorkspace()));
  afterEach(() => workspace.dispose());
  const client = createDatabaseClient({
    run: (...args) => pool?.run(...args) ?? Promise.reject(new Error('no pool')),
  });
  const call = async (
    query: string,
    options: CallOptions & { path?: string; timeout_ms?: number } = {},
  ): Promise<any> => {
    const settings = { 'database.connections': { app: { type: 'sqlite', path: options.path ?? 'data/app.sqlite' } } };
    const ports = { ...fakePorts({ files: workspace.files, settings }), databases: client };
    const input = { query, ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }) };
    const result = await callTool(database, 'db_query', input, { ...options, ports });
    return result.ok ? { ...(result.outcome.payload as object), accesses: result.accesses } : result.error;
  };
  const ready = async (): Promise<void> => {
    workspace.put({ 'data/': '' });
    for (const query of [
      'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
      "INSERT INTO users (name) VALUES ('ann'), ('bob')",
      'CREATE VIEW names AS SELECT name FROM users',
      'CREATE VIRTUAL TABLE docs USING fts5(body)',
      "INSERT INTO docs VALUES ('a word')",
    ]) {
      const answer = await call(query, write);
      assert.equal(answer.code, undefined, answer.message);
    }
    await call("CREATE TABLE secrets AS SELECT 'CANARY' AS value", { ...write, path: 'other.sqlite' });
  };
  const filled = (sql: string): string =>
    sql.replace('<other>', workspace.at('other.sqlite')).replace('<new>', workspace.at('new.sqlite'));

  it('refuses every statement that does more than read, and runs those that read', async () => {
    await ready();
    const before_ = readFileSync(workspace.at('data/app.sqlite'));
    for (const sql of acting) {
      const answer = await call(filled(sql));
      assert.match(answer.code ?? `ran: ${JSON.stringify(answer)}`, /^(permission_denied|invalid_query)$/, sql);
    }
    for (const sql of readingSql) {
      const answer = await call(sql);
      assert.ok(Array.isArray(answer.rows), `${sql}: ${JSON.stringify(answer)}`);
    }
    for (const sql of beyond) {
      const answer = await call(filled(sql), write);
      assert.match(answer.code ?? `ran: ${JSON.stringify(answer)}`, /^(permission_denied|invalid_query)$/, sql);
    }
    assert.ok(before_.equals(readFileSync(workspace.at('data/app.sqlite'))));
    assert.deepEqual(
      [existsSync(workspace.at('new.sqlite')), readdirSync(workspace.at('data'))],
      [false, ['app.sqlite']],
    );
  }).timeout(60_000);

  it(`reaches no other file, whatever stands around the statement (${runs(5, 200, 1000)})`, async function () {
    this.timeout(600_000);
    await ready();
    const space = fc
      .array(fc.constantFrom(' ', '\n', '\t', '\f', '/**/', '/* /* */', '--x\n', '--\r\n', ';'), { maxLength: 4 })
      .map((all) => all.join(''));
    const sql = fc.constantFrom(
      "ATTACH '<other>' AS o",
      "aTtAcH database '<other>' as o",
      "VACUUM INTO '<new>'",
      "SELECT load_extension('<other>')",
      "EXPLAIN ATTACH '<other>' AS o",
      "SELECT 1; ATTACH '<other>' AS o; SELECT * FROM o.secrets",
    );
    await fc.assert(
      fc.asyncProperty(space, sql, space, fc.boolean(), async (lead, text, tail, mayWrite) => {
        const answer = await call(filled(lead + text + tail), mayWrite ? write : {});
        assert.match(answer.code ?? `ran: ${JSON.stringify(answer)}`, /^(permission_denied|invalid_query)$/);
      }),
      { numRuns: runs(5, 200, 1000) },
    );
    assert.equal(existsSync(workspace.at('new.sqlite')), false);
  });

  describe('a link as the database', () => {
    it('is judged by its own name and by where it leads', async () => {
      await ready();
      workspace.put({ 'private/': '' });
      renameSync(workspace.at('other.sqlite'), workspace.at('private/real.sqlite'));
      symlinkSync('private/real.sqlite', workspace.at('link.sqlite'));
      symlinkSync('link.sqlite', workspace.at('chain.sqlite'));
      symlinkSync('private', workspace.at('folder'));
      for (const place of ['link.sqlite', 'chain.sqlite', 'folder/real.sqlite', './folder/../link.sqlite']) {
        const answer = await call('SELECT * FROM secrets', { path: place });
        const resources = answer.accesses
          .filter((one: any) => one.effect === 'fs.read')
          .map((one: any) => one.resource);
        assert.equal(resources.at(-1), 'private/real.sqlite', place);
        assert.equal(resources.length, 2, place);
        const denied = await call('SELECT * FROM secrets', {
          path: place,
          access: async ({ resource }) =>
            resource.startsWith('private') ? { allowed: false, reason: 'private' } : { allowed: true },
        });
        assert.equal(denied.code, 'permission_denied', place);
      }
    });

    it('does not lead past a boundary, in the whole system', async () => {
      const system = await openSystem({
        files: { 'private/real.sqlite': '', 'data/x': '' },
        user: {
          'database.connections': { main: { type: 'sqlite', path: 'data/app.sqlite' } },
          profiles: { db: { name: 'Db', capabilities: [{ id: 'database', enabled: true }] } },
          activeProfile: 'db',
          'policy.boundaries': [
            { id: 'no', match: { accessAny: ['fs.read'], path: 'private/**' }, decision: 'deny', reason: 'private' },
          ],
        },
        approve: true,
        platform: { extras: { databases: client } },
      });
      symlinkSync('../private/real.sqlite', path.join(system.folder, 'data/app.sqlite'));
      for (const [tool, input] of [
        ['db_query', { query: 'SELECT 1' }],
        ['list_tables', {}],
      ] as const) {
        const result = await system.call(tool, input);
        assert.equal(result.success ? 'ran' : result.error.code, 'denied_by_policy', JSON.stringify(result));
      }
      system.dispose();
    });

    it('does not lead out of the workspace, nor do odd paths', async () => {
      await ready();
      writeFileSync(path.join(workspace.outside, 'x.sqlite'), '');
      symlinkSync(path.join(workspace.outside, 'x.sqlite'), workspace.at('out.sqlite'));
      symlinkSync(workspace.outside, workspace.at('outside'));
      symlinkSync('/dev/zero', workspace.at('zero.sqlite'));
      workspace.put({ 'folder.sqlite/': '' });
      for (const [place, code] of [
        ['out.sqlite', 'path_outside'],
        ['outside/x.sqlite', 'path_outside'],
        ['zero.sqlite', 'path_outside'],
        ['../outside/x.sqlite', 'path_outside'],
        [path.join(workspace.outside, 'x.sqlite'), /path_outside|not_found/],
        ['folder.sqlite', 'database_error'],
        [':memory:', 'not_found'],
        [`file:${workspace.at('other.sqlite')}`, /./],
        ['file:other.sqlite?mode=rwc', /./],
        ['nowhere/x.sqlite', 'not_found'],
      ] as const) {
        const answer = await call('SELECT * FROM secrets', { path: place });
        if (typeof code === 'string') assert.equal(answer.code, code, `${place}: ${JSON.stringify(answer)}`);
        else assert.match(answer.code ?? 'ran', code, place);
        assert.ok(!JSON.stringify(answer).includes('CANARY') || place.startsWith('file:/'), place);
      }
      if (process.platform === 'win32') return;
      assert.equal(spawnSync('mkfifo', [workspace.at('pipe.sqlite')]).status, 0);
      assert.equal((await call('SELECT 1', { path: 'pipe.sqlite' })).code, 'database_error');
    });

    for (const suffix of ['-journal', '-wal', '-shm'])
      it(`is not followed beside the database, as app.sqlite${suffix}`, async () => {
        await ready();
        const victim = path.join(workspace.outside, 'victim.txt');
        writeFileSync(victim, 'mine');
        for (const make of full ? [symlinkSync, linkSync] : [suffix === '-wal' ? linkSync : symlinkSync]) {
          make(victim, workspace.at(`data/app.sqlite${suffix}`));
          for (const [query, options] of [
            ['SELECT 1', {}],
            ["INSERT INTO users (name) VALUES ('eve')", write],
          ] as const)
            assert.equal((await call(query, options)).code, 'path_outside');
          rmSync(workspace.at(`data/app.sqlite${suffix}`));
        }
        assert.equal(readFileSync(victim, 'utf8'), 'mine');
        assert.equal((await call('SELECT count(*) AS n FROM users')).rows[0].n, 2);
      });
  });

  it('names no file elsewhere by a journal beside it, which SQLite would read and remove', async () => {
    await ready();
    const mark = Buffer.from('d9d505f920a163d7', 'hex');
    const victim = Buffer.from(path.join(workspace.outside, 'victim.txt'));
    const numbers = Buffer.alloc(8);
    numbers.writeUInt32BE(victim.length);
    numbers.writeUInt32BE(
      victim.reduce((sum, one) => sum + one, 0),
      4,
    );
    const journal = workspace.at('data/app.sqlite-journal');
    writeFileSync(journal, Buffer.concat([mark, Buffer.alloc(504), Buffer.alloc(4, 1), victim, numbers, mark]));
    for (const [query, options] of [
      ['SELECT 1', {}],
      ["INSERT INTO users (name) VALUES ('eve')", write],
    ] as const)
      assert.equal((await call(query, options)).code, 'path_outside');
    // What a change that was broken off leaves, or one that has just ended, does not name any.
    for (const honest of cases([Buffer.concat([mark, Buffer.alloc(504)]), Buffer.alloc(0), Buffer.alloc(512)], 1)) {
      writeFileSync(journal, honest);
      assert.notEqual((await call('SELECT count(*) AS n FROM users', write)).code, 'path_outside');
    }
    rmSync(journal, { force: true });
  });

  it('belongs to the session where the profile has its own files', async () => {
    await ready();
    const files = new NodeFileSystem({
      folders: () => [workspace.folder()],
      sessionStorage: new SessionRoots(path.join(workspace.base, 'own')),
    });
    const system = await openSystem({
      user: {
        'fileSystem.root': 'session',
        'database.connections': { app: { type: 'sqlite', path: 'other.sqlite' } },
        profiles: {
          db: {
            name: 'Db',
            scopes: ['database:read', 'database:write'],
            capabilities: [{ id: 'database', enabled: true }],
          },
        },
        activeProfile: 'db',
      },
      approve: true,
      platform: { extras: { databases: client }, files },
    });
    const result = await system.call('db_query', { query: 'SELECT * FROM secrets' });
    assert.ok(!JSON.stringify(result).includes('CANARY'), JSON.stringify(result));
    const made = await system.call('db_query', { query: 'CREATE TABLE mine (a)' });
    assert.ok(made.success, JSON.stringify(made));
    assert.ok(existsSync(path.join(files.session('db').folders()[0]?.path ?? '', 'other.sqlite')));
    system.dispose();
  });

  it('refuses too much memory and too large answers, and goes on', async () => {
    await ready();
    assert.equal((await call('SELECT zeroblob(30000000) AS z')).code, 'too_large');
    if (!full) return;
    const blobs = Array.from({ length: 8 }, (_one, index) => `hex(zeroblob(100000000)) AS b${index}`).join(', ');
    assert.equal((await call(`SELECT ${blobs}`, { timeout_ms: 30_000 })).code, 'too_large');
    assert.equal((await call('SELECT count(*) AS n FROM users')).rows[0].n, 2);
  }).timeout(60_000);
});

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

describe('S0.db-query: the file that SQLite opened is the file that was judged', () => {
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = makeWorkspace();
    workspace.put({ 'a.sqlite': 'a', 'b.sqlite': 'b' });
  });
  afterEach(() => workspace.dispose());
  const look = (name: string, make = false) => JudgedFile.look(workspace.at(name), make);
  const checked = (name: string, between: () => number | undefined): string | undefined => {
    const judged = look(name);
    assert.ok(judged instanceof JudgedFile, String(judged));
    const fd = between();
    try {
      return judged.check();
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  };

  it('passes what stayed as it was', () =>
    assert.equal(
      checked('a.sqlite', () => openSync(workspace.at('a.sqlite'), 'r')),
      undefined,
    ));
  it('notices another file in its place that is put back', function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a POSIX file system');
    const fault = checked('a.sqlite', () => {
      renameSync(workspace.at('a.sqlite'), workspace.at('c'));
      symlinkSync(workspace.at('b.sqlite'), workspace.at('a.sqlite'));
      const fd = openSync(workspace.at('a.sqlite'), 'r');
      rmSync(workspace.at('a.sqlite'));
      renameSync(workspace.at('c'), workspace.at('a.sqlite'));
      return fd;
    });
    assert.equal(fault, 'exchanged');
  });
  it('notices a link that stays, a folder that became a link, and one that is gone', () => {
    workspace.put({ 'd/a.sqlite': 'a', 'e/a.sqlite': 'e' });
    assert.equal(
      checked('a.sqlite', () => {
        rmSync(workspace.at('a.sqlite'));
        symlinkSync(workspace.at('b.sqlite'), workspace.at('a.sqlite'));
        return undefined;
      }),
      'exchanged',
    );
    assert.equal(
      checked('d/a.sqlite', () => {
        renameSync(workspace.at('d'), workspace.at('f'));
        symlinkSync(workspace.at('e'), workspace.at('d'));
        return undefined;
      }),
      'exchanged',
    );
    assert.equal(
      checked('b.sqlite', () => {
        rmSync(workspace.at('b.sqlite'));
        return undefined;
      }),
      'missing',
    );
  });
  it('is not misled by a file that another thread has open for a moment, as the one that watches the memory has', async function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a system that tells what is open');
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(
      `const { openSync, closeSync } = require('node:fs');
       const { flag, file, ms } = require('node:worker_threads').workerData;
       const fd = openSync(file, 'r');
       Atomics.store(flag, 0, 1);
       Atomics.notify(flag, 0);
       Atomics.wait(flag, 0, 1, ms);
       closeSync(fd);`,
      { eval: true, workerData: { flag, file: workspace.at('b.sqlite'), ms: 20 } },
    );
    const fault = checked('a.sqlite', () => {
      const fd = openSync(workspace.at('a.sqlite'), 'r');
      assert.notEqual(Atomics.wait(flag, 0, 0, 20_000), 'timed-out');
      return fd;
    });
    assert.equal(fault, undefined);
    await new Promise((resolve) => thread.once('exit', resolve));
  });
  it('notices another file under a number that was taken before', function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a system that tells what is open');
    const before = openSync(workspace.at('a.sqlite'), 'r');
    const fault = checked('a.sqlite', () => {
      closeSync(before);
      const fd = openSync(workspace.at('b.sqlite'), 'r');
      assert.equal(fd, before, 'the system gave another number');
      return fd;
    });
    assert.equal(fault, 'exchanged');
  });
  it('says beforehand what is none', () => {
    symlinkSync(workspace.at('b.sqlite'), workspace.at('l.sqlite'));
    symlinkSync(workspace.outside, workspace.at('dir'));
    mkdirSync(workspace.at('folder'));
    assert.deepEqual(
      [
        look('l.sqlite'),
        look('dir/x.sqlite', true),
        look('folder'),
        look('none'),
        look('no/where'),
        look('no/where', true),
      ],
      ['exchanged', 'exchanged', 'not_a_file', 'missing', 'missing', 'missing'],
    );
    assert.deepEqual(readdirSync(workspace.outside), []);
  });
});

describe('S0.db-query: what of SQLite may run is told before the file is opened', () => {
  it('refuses what acts and lets through what reads', () => {
    // These are left to SQLite itself, which knows them for certain.
    const later = /load_extension|readfile|writefile|fts3_tokenizer|csv|fsdir|^WITH|SELECT 1|';'/;
    for (const sql of acting) if (!later.test(sql)) assert.ok(statementFault(sql, false), sql);
    for (const sql of readingSql) assert.equal(statementFault(sql, false), undefined, sql);
    for (const sql of beyond) if (!later.test(sql)) assert.ok(statementFault(sql, true), sql);
  });
});
