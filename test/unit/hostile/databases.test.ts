// @tier full: starts databases
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { database } from '../../../src/capabilities/database/database';
import type { Json } from '../../../src/core/base/json';
import { createDatabaseClient } from '../../../src/node/databases/databaseClient';
import { full, runs } from '../../support/counts';
import { openPostgres } from '../../support/postgres';
import { openSystem } from '../../support/system';
import { callTool, type CallOptions, fakePorts } from '../../support/toolContext';
import { acting, readingSql } from '../../support/postgresStatements';

/** A server in WebAssembly answers slowly: the fast tier takes every eighth statement. */
const some = (all: readonly string[], from: number): readonly string[] =>
  full ? all : all.filter((_one, index) => index % 8 === from);

describe('S0.db-query D.tightens: reading from PostgreSQL reads', () => {
  let db: PGlite;
  let server: PGLiteSocketServer;
  let url = '';
  const client = createDatabaseClient({ run: () => Promise.reject(new Error('no worker')) });
  const call = async (
    query: string,
    connection: Record<string, Json> = {},
    options: CallOptions = {},
  ): Promise<any> => {
    const settings = { 'database.connections': { main: { type: 'postgres', url, ...connection } } };
    const result = await callTool(
      database,
      'db_query',
      { query },
      { ...options, ports: { ...fakePorts({ settings }), databases: client } },
    );
    return result.ok ? result.outcome.payload : result.error;
  };
  const as = async (role: string | undefined): Promise<void> => {
    await db.exec(`SET SESSION AUTHORIZATION ${role ?? 'postgres'}`);
  };
  const state = async (): Promise<unknown> => {
    await as(undefined);
    const { rows } = await db.query(
      'SELECT (SELECT array_agg(users ORDER BY id) FROM users) AS users, (SELECT last_value FROM users_id_seq) AS seq, (SELECT count(*)::int FROM pg_class) AS classes, (SELECT count(*)::int FROM pg_proc) AS functions, (SELECT array_agg(rolname::text || rolsuper) FROM pg_roles) AS roles, (SELECT count(*)::int FROM pg_auth_members) AS members',
    );
    return rows;
  };

  before(async function () {
    this.timeout(120_000);
    db = await openPostgres();
    server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' });
    await server.start();
    url = `postgres://postgres@${(server as any).getServerConn?.() ?? ''}/postgres?sslmode=disable`;
    await db.exec(`
      CREATE TABLE users (id serial PRIMARY KEY, name text); INSERT INTO users (name) VALUES ('ann'), ('bob');
      CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;
      CREATE ROLE writer LOGIN; GRANT pg_read_all_data, pg_write_all_data TO writer;
      CREATE ROLE watcher LOGIN; GRANT pg_monitor, pg_read_all_data TO watcher;
      CREATE ROLE unguarded LOGIN BYPASSRLS; GRANT pg_read_all_data TO unguarded;
      CREATE ROLE super LOGIN SUPERUSER;
      CREATE ROLE programs LOGIN; GRANT pg_execute_server_program TO programs;
      CREATE ROLE file_reader LOGIN; GRANT pg_read_server_files TO file_reader;
      CREATE ROLE file_writer LOGIN; GRANT pg_write_server_files TO file_writer;
      CREATE ROLE inner_group; GRANT pg_read_server_files TO inner_group; CREATE ROLE outer_group; GRANT inner_group TO outer_group;
      CREATE ROLE member LOGIN; GRANT outer_group TO member;
      CREATE ROLE shy LOGIN NOINHERIT; GRANT outer_group TO shy;
      CREATE ROLE sudo LOGIN; GRANT super TO sudo WITH INHERIT FALSE;
      CREATE ROLE given LOGIN; GRANT EXECUTE ON FUNCTION pg_read_file(text) TO given;
      CREATE ROLE maker LOGIN CREATEROLE; GRANT pg_read_all_data TO maker;
      CREATE FUNCTION helper(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1';
      CREATE FUNCTION "Helper"(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1';
      CREATE FUNCTION sneaky(a text) RETURNS text SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file('PG_VERSION'); END $$;
      ${[
        '"Sneaky"()',
        '"löschen"()',
        'run$it()',
        '"a b"()',
        '"q""q"()',
        `${'a'.repeat(63)}()`,
        'behind(a int, b int)',
        'step(a text, b int)',
      ]
        .map(
          (name) =>
            `CREATE FUNCTION ${name} RETURNS text SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file('PG_VERSION'); END $$;`,
        )
        .join('\n')}
      CREATE OPERATOR ### (LEFTARG = int, RIGHTARG = int, FUNCTION = behind);
      CREATE AGGREGATE innocent(int) (SFUNC = step, STYPE = text);
      CREATE TYPE pair AS (a int, b int);
      CREATE FUNCTION of_pair(a pair) RETURNS text SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file('PG_VERSION'); END $$;
      CREATE CAST (pair AS text) WITH FUNCTION of_pair(pair);
      CREATE FUNCTION good(a text) RETURNS boolean SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file(a) = ''; END $$;
      CREATE DOMAIN checked AS text CHECK (good(value));
      CREATE VIEW seen AS SELECT "Sneaky"();
      CREATE FUNCTION steady() RETURNS bigint STABLE SECURITY DEFINER LANGUAGE sql AS 'SELECT count(*) FROM users';
      CREATE PROCEDURE act() LANGUAGE sql AS 'DELETE FROM users';
      CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO PUBLIC;
      CREATE FUNCTION evil.bool_or(boolean) RETURNS boolean LANGUAGE sql AS 'SELECT false';
      CREATE FUNCTION evil.pg_has_role(name, oid, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
      CREATE ROLE misled LOGIN SUPERUSER; ALTER ROLE misled SET search_path = evil, pg_catalog, public;
    `);
  });
  after(async () => {
    await server.stop();
    await db.close();
  });

  describe('a role that can run programs or reach files is refused, with the SQL that makes one that cannot', () => {
    for (const [role, says] of [
      [undefined, /superuser/],
      ['super', /superuser/],
      ['programs', /run programs/],
      ['file_reader', /reach files/],
      ['file_writer', /reach files/],
      ['member', /reach files/],
      ['shy', /reach files/],
      ['sudo', /superuser/],
      ['given', /reach files/],
      ['misled', /superuser/],
    ] as const)
      for (const write of full ? [false, true] : [role === 'super'])
        it(`${role ?? 'postgres'}, to ${write ? 'write' : 'read'}`, async () => {
          await as(role);
          if (role === 'misled') await db.exec('SET search_path = evil, pg_catalog, public');
          const query = write ? "INSERT INTO users (name) VALUES ('eve')" : 'SELECT 1';
          const answer = await call(query, {}, write ? { scopes: ['database:read', 'database:write'] } : {});
          await db.exec('RESET search_path');
          assert.equal(answer.code, 'powerful_role', JSON.stringify(answer));
          assert.match(answer.message, says);
          assert.match(
            answer.message,
            /CREATE ROLE \w+ LOGIN PASSWORD .* GRANT CONNECT ON DATABASE postgres TO \w+; GRANT pg_read_all_data TO/,
          );
          assert.match(answer.message, /acceptPowerfulRole/);
        });
    for (const role of ['reader', 'writer', 'watcher', 'unguarded', 'maker'])
      it(`but not ${role}, to read`, async () => {
        await as(role);
        assert.deepEqual((await call('SELECT 1 AS one')).rows, [{ one: 1 }]);
      });
    it('nor a role that writes data, which a role that makes roles may not with it', async () => {
      const write = { scopes: ['database:read', 'database:write'] };
      await as('writer');
      assert.equal((await call("UPDATE users SET name = 'ann' WHERE id = 1", {}, write)).changes, 1);
      await as('maker');
      assert.equal((await call("UPDATE users SET name = 'ann' WHERE id = 1", {}, write)).code, 'powerful_role');
    });
    it('makes the role that the message names', async () => {
      await as(undefined);
      const { message } = await call('SELECT 1');
      const [sql = ''] = /CREATE ROLE.*?_data TO agent_reader;/.exec(message) ?? [];
      await db.exec(sql.replace('…', 'secret'));
      await as('agent_reader');
      assert.deepEqual((await call('SELECT name FROM users WHERE id = 1')).rows, [{ name: 'ann' }]);
      await as(undefined);
      await db.exec('REVOKE ALL ON DATABASE postgres FROM agent_reader; DROP ROLE agent_reader');
    });
  });

  describe('nothing but reading statements is run', () => {
    for (const [who, connection] of [
      ['reader', {}],
      [undefined, { acceptPowerfulRole: true }],
    ] as const)
      describe(who === undefined ? 'for a superuser that its owner accepts' : 'for a role that reads', () => {
        let before_: unknown;
        before(async () => {
          before_ = await state();
          await as(who);
        });
        after(async () => assert.deepEqual(await state(), before_));
        for (const query of some(acting, who === undefined ? 0 : 2))
          it(`refuses ${JSON.stringify(query)}`, async () => {
            const answer = await call(query, connection);
            assert.match(answer.code ?? `no error: ${JSON.stringify(answer)}`, /^(permission_denied|invalid_query)$/);
          });
        for (const query of some(readingSql, who === undefined ? 1 : 3))
          it(`runs ${JSON.stringify(query)}`, async () => {
            const answer = await call(query, connection);
            assert.ok(Array.isArray(answer.rows), JSON.stringify(answer));
          });
      });

    it(`whatever stands around and within (${runs(4, 120, 3000)})`, async function () {
      this.timeout(600_000);
      await as(undefined);
      const space = fc
        .array(
          fc.constantFrom(' ', '\n', '\t', '\f', '/**/', '/* /* x */ */', "/*'*/", '--x\n', '-- SELECT\r\n', '/*--*/'),
          {
            maxLength: 3,
          },
        )
        .map((all) => all.join(''));
      const cased = (word: string): fc.Arbitrary<string> =>
        fc
          .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
          .map((up) => [...word].map((one, index) => (up[index] ? one.toUpperCase() : one)).join(''));
      const name = fc.oneof(
        cased('pg_read_file'),
        fc.constant('"pg_read_file"'),
        fc.constant('pg_catalog . pg_read_file'),
      );
      const file = fc.constantFrom(
        "'PG_VERSION'",
        "E'PG\\x5fVERSION'",
        '$a$PG_VERSION$a$',
        "U&'PG\\005fVERSION'",
        "'PG_' || 'VERSION'",
      );
      const value = fc.tuple(name, space, file).map(([one, between, what]) => `${one}${between}(${what})`);
      const read = fc
        .tuple(space, cased('select'), space, value)
        .map(([lead, word, gap, one]) => `${lead}${word} ${gap}${one} AS x`);
      const inside = fc.constantFrom(
        (sql: string) => sql,
        (sql: string) => `WITH a AS (${sql}) SELECT * FROM a`,
        (sql: string) => `SELECT (${sql})`,
        (sql: string) => `EXPLAIN ANALYZE ${sql}`,
        (sql: string) => `SELECT 1 WHERE EXISTS (${sql})`,
        (sql: string) => `SELECT query_to_xml($q$${sql}$q$, true, false, '')`,
        (sql: string) => `SELECT 1; ${sql}`,
      );
      await fc.assert(
        fc.asyncProperty(read, inside, async (sql, wrap) => {
          const answer = await call(wrap(sql), { acceptPowerfulRole: true });
          assert.match(
            answer.code ?? `ran ${wrap(sql)}: ${JSON.stringify(answer)}`,
            /^(permission_denied|invalid_query)$/,
          );
        }),
        { numRuns: runs(4, 120, 3000) },
      );
    });
  });

  it('a result beyond every need is not taken into memory, and times are what the server writes', async () => {
    await as('reader');
    const large = await call(`SELECT repeat('x', 2000000) FROM generate_series(1, 15)`);
    assert.equal(large.code, 'too_large', JSON.stringify(large).slice(0, 200));
    const { rows } = await call(
      "SELECT '294276-12-31'::timestamp AS far, '2020-01-02T03:04:05.123456Z'::timestamptz AT TIME ZONE 'UTC' AS near, '2020-02-03'::date AS day, " +
        "'1 month 3 hours'::interval AS span, ARRAY['2020-02-03'::date] AS days, ARRAY[1.10, 12345678901234567890.5] AS sums",
    );
    assert.deepEqual(rows, [
      {
        far: '294276-12-31 00:00:00',
        near: '2020-01-02 03:04:05.123456',
        day: '2020-02-03',
        span: '1 mon 03:00:00',
        days: ['2020-02-03'],
        sums: ['1.10', '12345678901234567890.5'],
      },
    ]);
  });

  it('S1.policy: reads of tables, settings and plans work in plan mode, and nothing else does', async () => {
    await as('reader');
    const capabilities = [{ id: 'database', enabled: true }];
    const system = await openSystem({
      user: {
        'database.connections': { main: { type: 'postgres', url } },
        'network.allowedPrivateHosts': ['127.0.0.1', 'localhost'],
        profiles: { look: { name: 'Look', mode: 'plan', scopes: ['database:read', 'database:write'], capabilities } },
        activeProfile: 'look',
      },
      approve: true,
      platform: { extras: { databases: client } },
    });
    const code = async (query: string): Promise<string> => {
      const result = await system.call('db_query', { query });
      return result.success ? 'ran' : result.error.code;
    };
    for (const query of [
      'SELECT 1',
      "SELECT current_setting('search_path')",
      'SHOW server_version',
      'EXPLAIN SELECT * FROM users',
    ])
      assert.equal(await code(query), 'ran', query);
    // What its first word tells is denied by the mode, and nothing reaches the server.
    assert.equal(await code('DELETE FROM users'), 'plan_mode');
    for (const query of ['LOCK TABLE users', "COPY users TO PROGRAM 'id'", 'SELECT pg_sleep(1)'])
      assert.equal(await code(query), 'permission_denied', query);
    system.dispose();
  });

  it('a workspace can neither accept a role nor name a connection', async () => {
    await as(undefined);
    const capabilities = [{ id: 'database', enabled: true }];
    for (const [user, workspace, expected] of [
      [
        { main: { type: 'postgres', url } },
        { main: { type: 'postgres', url, acceptPowerfulRole: true } },
        'powerful_role',
      ],
      [{}, { main: { type: 'postgres', url, acceptPowerfulRole: true } }, 'not_found'],
      [{ main: { type: 'postgres', url, acceptPowerfulRole: 'yes' } }, {}, 'powerful_role'],
      [{ main: { type: 'postgres', url, acceptPowerfulRole: true } }, {}, 'ran'],
    ] as const) {
      const system = await openSystem({
        user: {
          'database.connections': user,
          'network.allowedPrivateHosts': ['127.0.0.1', 'localhost'],
          profiles: { look: { name: 'Look', capabilities } },
          activeProfile: 'look',
        },
        workspace: {
          'database.connections': workspace,
          'database.connections.main.acceptPowerfulRole': true,
          profiles: {
            look: { capabilities: [{ id: 'database', enabled: true, config: { acceptPowerfulRole: true } }] },
          },
        },
        approve: true,
        platform: { extras: { databases: client } },
      });
      const result = await system.call('db_query', { query: 'SELECT 1', connection: 'main' });
      assert.equal(result.success ? 'ran' : result.error.code, expected, JSON.stringify([user, workspace, result]));
      system.dispose();
    }
  });

  it('writing with a role that its owner accepts counts as running programs, and asks for that', async () => {
    await as(undefined);
    const asked: string[] = [];
    const answer = await call(
      "UPDATE users SET name = 'x'",
      { acceptPowerfulRole: true },
      {
        scopes: ['database:read', 'database:write'],
        access: async (access) => {
          asked.push(access.effect);
          return access.effect === 'system.exec' ? { allowed: false, reason: 'no programs' } : { allowed: true };
        },
      },
    );
    assert.deepEqual([answer.code, asked], ['permission_denied', ['database.write', 'system.exec']]);
  });

  it('judges the server that the driver connects to', async () => {
    for (const [address, resource] of [
      ['postgres://u@db.example/x', 'db.example:5432'],
      ['postgres://u@db.example:6543/x', 'db.example:6543'],
      ['postgres://u@good.example/x?host=evil.example', 'evil.example:5432'],
      ['postgres://u@good.example/x?host=a.example&host=evil.example&port=1', 'evil.example:1'],
      ['postgres:///x?host=/var/run/postgresql', 'localhost:5432'],
      ['postgres://%2Fvar%2Frun/x', 'localhost:5432'],
    ] as const) {
      const handler = await database.tools[0]?.load();
      const settings = { 'database.connections': { main: { type: 'postgres', url: address } } };
      const accesses = await handler?.accesses(
        { query: 'SELECT 1' },
        {
          ports: fakePorts({ settings }),
          config: {},
          actor: { type: 'agent', id: 'a' },
          profileId: 'p',
          signal: new AbortController().signal,
        },
      );
      assert.equal(accesses?.find((one) => one.effect === 'network.socket')?.resource, resource);
    }
  });
});
