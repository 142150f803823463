// @tier full: starts databases
import { strict as assert } from 'node:assert';
import { type AddressInfo, createServer } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { database } from '../../../../src/capabilities/database/database';
import type { AccessVerdict } from '../../../../src/core/capability/tool';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { Json } from '../../../../src/core/base/json';
import { createDatabaseClient } from '../../../../src/node/databases/databaseClient';
import { openPostgres } from '../../../support/postgres';
import { full } from '../../../support/counts';
import { callTool, fakePorts } from '../../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { databaseCaller, injections, write } from '../../../support/databaseCalls';

describe('the database capability', () => {
  it('has at least 200 injection texts', () => assert.ok(injections.length >= 200));
});

describe('the database capability on PostgreSQL', () => {
  let workspace: TestWorkspace;
  beforeEach(() => (workspace = makeWorkspace()));
  afterEach(() => workspace.dispose());
  const caller = databaseCaller(() => workspace);
  let db: PGlite;
  let server: PGLiteSocketServer;
  let url = '';
  before(async function () {
    this.timeout(120_000);
    db = await openPostgres();
    server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' });
    await server.start();
    const address = (server as any).getServerConn?.() ?? '';
    url = `postgres://postgres@${address}/postgres?sslmode=disable`;
    // The role of an application, as a careful owner makes it: a superuser is refused.
    await db.exec('CREATE ROLE app LOGIN; GRANT ALL ON SCHEMA public TO app; SET SESSION AUTHORIZATION app');
    await db.exec(
      "CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL, data jsonb); INSERT INTO users (name) VALUES ('ann'), ('bob'); CREATE VIEW names AS SELECT name FROM users",
    );
  });
  after(async () => {
    await server.stop();
    await db.close();
  });
  const client = createDatabaseClient({ run: () => Promise.reject(new Error('no worker')) });
  const call = caller(
    () => client,
    () => ({ 'database.connections': { main: { type: 'postgres', url } } }),
  );

  it('S0.db-query: answers rows of one statement with bound parameters', async () => {
    const answer = await call('db-query'.replace('-', '_'), {
      query: 'SELECT id, name FROM users WHERE name = $1',
      params: ['bob'],
      connection: 'main',
    });
    assert.deepEqual(
      [answer.columns, answer.rows, answer.row_count, answer.truncated],
      [['id', 'name'], [{ id: 2, name: 'bob' }], 1, false],
    );
    assert.equal(answer.accesses[0].effect, 'database.read');
    const many = await call('db_query', { query: 'SELECT * FROM generate_series(1, 1000) AS n', max_rows: 3 });
    assert.deepEqual([many.rows, many.truncated], [[{ n: 1 }, { n: 2 }, { n: 3 }], true]);
  });

  it('S0.db-query: refuses to write by the connection itself without the scope, and writes with it', async () => {
    for (const query of [
      "INSERT INTO users (name) VALUES ('eve')",
      'DELETE FROM users',
      'DROP TABLE users',
      'CREATE TABLE x (a int)',
      'WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone',
      'UPDATE users SET name = name',
      'TRUNCATE users',
      "SELECT nextval('users_id_seq')",
      "SELECT set_config('transaction_read_only', 'off', false)",
    ]) {
      const answer = await call('db_query', { query });
      assert.match(answer.code ?? 'no error', /^(permission_denied|invalid_query)$/, query);
    }
    assert.match((await call('db_query', { query: 'SELECT 1; DELETE FROM users' })).code, /^invalid_query$/);
    assert.equal((await db.query('SELECT count(*)::int AS n FROM users')).rows.map((row: any) => row.n)[0], 2);
    assert.equal(
      (await call('db_query', { query: 'UPDATE users SET data = $1 WHERE id = 1', params: [{ a: 1 }] }, write)).changes,
      1,
    );
    assert.deepEqual((await call('db_query', { query: 'SELECT data FROM users WHERE id = 1' })).rows, [
      { data: { a: 1 } },
    ]);
    const asked: string[] = [];
    const denied = await call(
      'db_query',
      { query: 'DELETE FROM users' },
      { ...write, access: async (one) => (asked.push(one.effect), { allowed: false, reason: 'no' }) },
    );
    assert.deepEqual([denied.code, asked], ['permission_denied', ['database.write']]);
  });

  it('S0.db-query: what is written stays written where not all rows of its answer are shown', async () => {
    await db.exec('CREATE TABLE notes (id serial PRIMARY KEY, note text)');
    const added = await call(
      'db_query',
      { query: "INSERT INTO notes (note) SELECT 'n' FROM generate_series(1, 5) RETURNING id", max_rows: 2 },
      write,
    );
    assert.deepEqual([added.rows, added.truncated, added.changes], [[{ id: 1 }, { id: 2 }], true, 5]);
    assert.equal((await call('db_query', { query: 'SELECT count(*)::int AS n FROM notes' })).rows[0].n, 5);
    await db.exec('DROP TABLE notes');
  });

  it('S0.db-query: columns of one name, and what would hold for later statements alone, are refused', async () => {
    for (const query of [
      'SELECT 1, 2',
      'BEGIN',
      'ROLLBACK',
      'SAVEPOINT a',
      'SET ROLE app',
      'LISTEN a',
      'START TRANSACTION',
    ])
      assert.equal((await call('db_query', { query }, write)).code, 'invalid_query', query);
    assert.match(
      (await call('db_query', { query: 'SELECT 1 AS a, 2 AS a' })).message,
      /two columns .* called `a`.* AS$/,
    );
    assert.match((await call('db_query', { query: 'begin' }, write)).message, /`BEGIN` would do nothing/);
  });

  it('S0.db-query: what may take something away is a deletion too, so that a rule on deletions sees it', async () => {
    const effectsOf = async (query: string): Promise<readonly string[]> => {
      const effects: string[] = [];
      const access = async (one: Access): Promise<AccessVerdict> => {
        effects.push(one.effect);
        return one.effect === 'database.delete' ? { allowed: false, reason: 'no' } : { allowed: true };
      };
      await call('db_query', { query }, { ...write, access });
      return effects.filter((effect) => effect.startsWith('database.'));
    };
    for (const query of [
      'DELETE FROM users',
      'drop table users',
      '/* */ TRUNCATE users',
      'WITH gone AS (DELETE FROM users RETURNING *) SELECT count(*) FROM gone',
      'ALTER TABLE users DROP COLUMN data',
      'UPDATE  OR REPLACE users SET id = 1',
      'UPDATE/**/OR/**/ABORT users SET id = 1',
      'UPDATE /**/ OR ABORT users SET id = 1',
      'UPDATE  OR ABORT users SET id = 1',
      'CREATE EXTENSION one',
      "CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'DEL' 'ETE FROM users'",
      'CREATE TABLE copy AS WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone',
    ])
      assert.deepEqual(await effectsOf(query), ['database.write', 'database.delete'], query);
    for (const query of ['UPDATE  "users" SET name = name', 'create temp table if not exists other (id int)'])
      assert.deepEqual(await effectsOf(query), ['database.write'], query);
    assert.equal((await db.query('SELECT count(*)::int AS n FROM users')).rows.map((row: any) => row.n)[0], 2);
    await db.query('DROP TABLE IF EXISTS other');
  });

  it(`keeps ${injections.length} injection texts as data`, async () => {
    for (const text of full ? injections : injections.filter((_one, index) => index % 20 === 0)) {
      const answer = await call('db_query', {
        query: 'SELECT $1::text AS t, count(*)::int AS n FROM users WHERE name = $1',
        params: [text],
      });
      assert.deepEqual(answer.rows ?? answer, [{ t: text, n: 0 }], JSON.stringify(text));
    }
    assert.equal((await db.query('SELECT count(*)::int AS n FROM users')).rows.map((row: any) => row.n)[0], 2);
  });

  it('lists tables and views with their columns', async () => {
    assert.deepEqual((await call('list_tables', { connection: 'main' })).tables, [
      { name: 'public.names', type: 'view', columns: [{ name: 'name', type: 'text', nullable: true }] },
      {
        name: 'public.users',
        type: 'table',
        columns: [
          { name: 'id', type: 'integer', nullable: false, primary_key: true },
          { name: 'name', type: 'text', nullable: false },
          { name: 'data', type: 'jsonb', nullable: true },
        ],
      },
    ]);
  });

  describe('with a password', () => {
    const secret = 'pä ss/+%2F';
    const message = (type: string, code: number, text = ''): Buffer => {
      const body = Buffer.alloc(4);
      body.writeUInt32BE(code);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(8 + Buffer.byteLength(text));
      return Buffer.concat([Buffer.from(type), length, body, Buffer.from(text)]);
    };
    /** A server that asks in the given way, and what it was told. */
    const asking = async (
      questions: readonly Buffer[],
      connection: Record<string, Json>,
    ): Promise<{ readonly error: any; readonly heard: readonly string[] }> => {
      const heard: string[] = [];
      const listening = createServer((socket) => {
        const left = [...questions];
        let began = false;
        socket.on('error', () => undefined);
        socket.on('data', (data) => {
          if (began) heard.push(data.subarray(5).toString());
          began = true;
          const next = left.shift();
          if (next) socket.write(next);
          else socket.destroy();
        });
      });
      await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
      try {
        const url = String(connection['url']).replace('PORT', String((listening.address() as AddressInfo).port));
        const settings = { 'database.connections': { default: { type: 'postgres', ...connection, url } } };
        const secrets = { get: async () => secret, set: async () => undefined, names: async () => [] };
        const ports = { ...fakePorts({ files: workspace.files, settings, secrets }), databases: client };
        const result: any = await callTool(database, 'db_query', { query: 'SELECT 1' }, { ports });
        return { error: result.error, heard };
      } finally {
        listening.close();
      }
    };

    it('S0.db-query: that of the secret which `passwordSecret` names reaches the server', async () => {
      for (const url of ['postgres://ann@127.0.0.1:PORT/db', 'postgres://ann:other@127.0.0.1:PORT/db'])
        assert.deepEqual((await asking([message('R', 3)], { url, passwordSecret: 'DB' })).heard, [`${secret}\0`]);
    });

    it('S0.db-query: where none is set, the answer says where its secret is named', async () => {
      const { error } = await asking([message('R', 10, 'SCRAM-SHA-256\0\0'), message('R', 11, 'r=x,s=eA==,i=1')], {
        url: 'postgres://ann@127.0.0.1:PORT/db',
      });
      assert.match(error.message, /wants a password, and none is set; .* `passwordSecret`/);
    });
  });

  it('answers with typed errors', async () => {
    const unreachable = caller(
      () => client,
      () => ({
        'database.connections': {
          default: { type: 'postgres', url: 'postgres://x@127.0.0.1:1/x' },
          odd: { type: 'mysql' },
        },
      }),
    );
    assert.deepEqual(
      [
        (await call('db_query', { query: 'SELEC 1' })).code,
        (await call('db_query', { query: 'SELECT $1::int', params: ['x'] })).code,
        (await call('db_query', { query: 'SELECT * FROM nowhere' })).code,
        (await call('db_query', { query: 'SELECT 1', connection: 'mian' })).code,
        (await unreachable('db_query', { query: 'SELECT 1' })).code,
        (await unreachable('db_query', { query: 'SELECT 1', connection: 'odd' })).code,
      ],
      ['invalid_query', 'invalid_query', 'invalid_query', 'not_found', 'database_error', 'not_available'],
    );
  });
});
