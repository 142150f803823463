// @tier full: starts databases
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { database } from '../../../src/capabilities/database/database';
import type { Disposable } from '../../../src/core/base/lifecycle';
import type { WorkerPool } from '../../../src/core/ports/platform';
import { createDatabaseClient } from '../../../src/node/databases/databaseClient';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { SessionRoots } from '../../../src/node/files/sessionRoots';
import { createSqliteProcesses } from '../../../src/node/databases/sqliteProcesses';
import { cases, full, runs } from '../../support/counts';
import { newNode } from '../../support/node24';
import { buildThread } from '../../support/sandbox';
import { skipBecause } from '../../support/skip';
import { openSystem } from '../../support/system';
import { callTool, type CallOptions, fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { acting, readingSql, beyond } from '../../support/sqliteStatements';

const write = { scopes: ['database:read', 'database:write'] };

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
