// @tier full: starts databases
import { strict as assert } from 'node:assert';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { database } from '../../../src/capabilities/database/database';
import type { DatabaseClient } from '../../../src/core/ports/databases';
import { createDatabaseClient } from '../../../src/node/databases/databaseClient';
import { runs } from '../../support/counts';
import { fakePorts } from '../../support/toolContext';
import { makeWorkspace } from '../../support/workspace';
import { openPostgres } from '../../support/postgres';

/** Random numbers that are the same in every run. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('the rows that a statement would change, on PostgreSQL', () => {
  let db: PGlite;
  let server: PGLiteSocketServer;
  let url = '';
  const client = createDatabaseClient({ run: () => Promise.reject(new Error('no worker')) });
  const connection = (): Parameters<typeof client.query>[0] => ({ type: 'postgres', name: 'main', url });
  const foreseen = (sql: string, params: readonly (string | number)[] = []): Promise<number | undefined> =>
    client.foresee!(connection(), { sql, params, timeoutMs: 1000, signal: new AbortController().signal });
  const done = async (sql: string): Promise<number | undefined> => {
    const query = { sql, params: [], write: true, maxRows: 10, timeoutMs: 5000 };
    return (await client.query(connection(), { ...query, signal: new AbortController().signal })).changes;
  };
  /** All that a trial could have left behind, in one answer. */
  const tables = ['plain', 'serial', 'parent', 'child', 'watched', 'noted', 'parts'];
  const texts = tables.map((name) => `(SELECT string_agg(t::text, ';' ORDER BY t) FROM ${name} AS t) AS ${name}`);
  const sequences = "(SELECT string_agg(sequencename || '=' || coalesce(last_value, 0), ';') FROM pg_sequences)";
  const state = async (): Promise<unknown> => {
    const { rows } = await db.query(`SELECT ${texts.join(', ')}, ${sequences} AS sequences`);
    return rows[0];
  };

  before(async function () {
    this.timeout(120_000);
    db = await openPostgres();
    server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' });
    await server.start();
    url = `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`;
    await db.exec('CREATE ROLE app LOGIN; GRANT ALL ON SCHEMA public TO app; SET SESSION AUTHORIZATION app');
    await db.exec(`
      CREATE TABLE plain (id int PRIMARY KEY, n int NOT NULL DEFAULT 1 CHECK (n >= 0), s text DEFAULT upper('x'));
      CREATE INDEX plain_lower ON plain (lower(s)) WHERE n > 1;
      INSERT INTO plain SELECT i, i % 5, 's' || i FROM generate_series(1, 60) AS i;
      CREATE TABLE serial (id serial PRIMARY KEY, n int);
      INSERT INTO serial (n) SELECT i % 5 FROM generate_series(1, 20) AS i;
      CREATE TABLE parent (id int PRIMARY KEY, n int); CREATE TABLE child (id int, parent int REFERENCES parent ON DELETE CASCADE);
      INSERT INTO parent SELECT i, i FROM generate_series(1, 5) AS i; INSERT INTO child SELECT i, 1 FROM generate_series(1, 9) AS i;
      CREATE TABLE noted (id int, n int); CREATE TABLE watched (id int, n int);
      CREATE SEQUENCE counter;
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''counter''); RETURN NEW; END';
      CREATE TRIGGER note BEFORE INSERT OR UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION note();
      CREATE FUNCTION innocent(int) RETURNS int LANGUAGE sql STABLE AS 'SELECT nextval(''counter'')::int';
      CREATE VIEW seen AS SELECT id, innocent(n) AS n FROM plain;
      CREATE TABLE ruled (id int, n int); CREATE RULE ruled AS ON UPDATE TO ruled DO ALSO DELETE FROM plain;
      CREATE DOMAIN counted AS int CHECK (VALUE < innocent(1) + 1000000);
      CREATE TABLE domains (id int, n counted); INSERT INTO domains VALUES (1, 1);
      CREATE TABLE checked (id int, n int CHECK (innocent(n) > 0));
      CREATE TABLE indexed (id int, n int);
      CREATE TABLE identities (id int GENERATED ALWAYS AS IDENTITY, n int);
      CREATE TABLE parts (id int, n int) PARTITION BY RANGE (id);
      CREATE TABLE low PARTITION OF parts FOR VALUES FROM (0) TO (10); CREATE TABLE high PARTITION OF parts FOR VALUES FROM (10) TO (100);
      CREATE TRIGGER note BEFORE UPDATE ON high FOR EACH ROW EXECUTE FUNCTION note();
      INSERT INTO parts SELECT i, i FROM generate_series(1, 20) AS i;
      CREATE TABLE secret (id int, n int); ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
      CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq);
      CREATE TABLE "Odd name" (id int, n int); CREATE TRIGGER note BEFORE INSERT ON "Odd name" FOR EACH ROW EXECUTE FUNCTION note();
    `);
  });
  after(async () => {
    await server.stop();
    await db.close();
  });

  it('D.modal: is what then happens, in random statements, and nothing is changed before', async function () {
    this.timeout(240_000);
    const draw = drawing(11);
    let [counted, uncounted] = [0, 0];
    let next = 1000;
    for (let call = 0; call < runs(5, 100, 2500); call++) {
      const rows = Array.from({ length: 1 + draw(6) }, () => `(${next++}, ${draw(5)})`).join(', ');
      const sql = [
        `INSERT INTO plain (id, n) VALUES ${rows}`,
        `INSERT INTO plain (id, n) SELECT id + ${(next += 1000)}, n FROM plain WHERE n = ${draw(5)} LIMIT ${draw(9)}`,
        `INSERT INTO plain (id, n) VALUES ${rows}, (1, 1) ON CONFLICT (id) DO UPDATE SET n = plain.n + 1`,
        `INSERT INTO plain (id) VALUES (1), (2), (${next++}) ON CONFLICT DO NOTHING`,
        `UPDATE plain SET n = n + 1 WHERE n = ${draw(5)}`,
        `UPDATE plain SET s = upper(s) || ${draw(9)} WHERE id % 7 = ${draw(7)}`,
        `UPDATE serial SET n = n + 1 WHERE id % 3 = ${draw(3)}`,
        `DELETE FROM plain WHERE id % 11 = ${draw(11)} AND id > 5`,
        `WITH old AS (SELECT id FROM plain WHERE n > ${draw(5)}) UPDATE plain SET n = 1 WHERE id IN (SELECT id FROM old)`,
        `MERGE INTO plain p USING (VALUES (1, ${draw(5)}), (${next++}, 2)) AS v (id, n) ON p.id = v.id WHEN MATCHED THEN UPDATE SET n = v.n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (v.id, v.n)`,
      ][call % 10]!;
      const before = await state();
      const told = await foreseen(sql);
      assert.deepEqual(await state(), before, sql);
      const changed = await done(sql);
      if (told === undefined) uncounted++;
      else {
        assert.equal(told, changed, sql);
        counted++;
      }
    }
    assert.equal(uncounted, 0, `${uncounted} of ${counted + uncounted} statements were not counted`);
  });

  it('D.modal: is not looked for where a statement acts outside of its transaction, or changes more than it counts', async () => {
    const refused = [
      "SELECT nextval('counter')",
      "UPDATE plain SET n = nextval('counter')",
      "UPDATE plain SET n = setval('counter', 900)",
      'INSERT INTO serial (n) VALUES (1)',
      'UPDATE serial SET id = DEFAULT WHERE id = 1',
      'INSERT INTO identities (n) VALUES (1)',
      'INSERT INTO watched VALUES (1, 1)',
      'INSERT INTO "Odd name" VALUES (1, 1)',
      'INSERT INTO U&"wat\\0063hed" VALUES (1, 1)',
      'UPDATE plain SET n = innocent(n)',
      'UPDATE plain SET n = "innocent"(n)',
      'UPDATE plain SET n = seen.n FROM seen WHERE seen.id = plain.id',
      'UPDATE ruled SET n = 1',
      "UPDATE plain SET n = '7'::counted",
      "UPDATE plain SET n = ('{7}'::counted[])[1]",
      'INSERT INTO domains VALUES (2, 2)',
      'INSERT INTO checked VALUES (1, 1)',
      'UPDATE parts SET n = 2',
      'DELETE FROM parent',
      'UPDATE parent SET n = 2',
      'DELETE FROM secret',
      'DELETE FROM plain WHERE id === 3',
      "UPDATE plain SET s = query_to_xml('SELECT nextval(''counter'')', true, false, '')::text",
      "UPDATE plain SET s = schema_to_xml('public', true, false, '')::text",
      "UPDATE plain SET s = pg_notify('a', 'b')::text",
      'UPDATE plain SET n = lo_create(0)::int',
      'WITH gone AS (DELETE FROM plain RETURNING *) UPDATE serial SET n = 1',
      'WITH gone AS (DELETE FROM plain RETURNING *) SELECT * FROM gone',
      'DELETE FROM plain; COMMIT',
      'DELETE FROM plain; DELETE FROM serial',
      'COMMIT',
      'TRUNCATE plain',
      "DO $$BEGIN PERFORM nextval('counter'); END$$",
      'EXPLAIN ANALYZE DELETE FROM plain',
      "COPY plain TO PROGRAM 'id'",
      'CALL something()',
      'EXECUTE something',
    ];
    const before = await state();
    for (const sql of refused) {
      assert.equal(await foreseen(sql).catch(() => undefined), undefined, sql);
      assert.deepEqual(await state(), before, sql);
    }
  });

  it('D.modal: is told with the question, and the server hears nothing before where its connection itself is asked about', async () => {
    const tool = database.tools.find(({ definition }) => definition.name === 'db_query');
    const settings = { 'database.connections': { main: { type: 'postgres', url } } };
    let looks = 0;
    const counting: DatabaseClient = {
      ...client,
      foresee: (...args) => (looks++, client.foresee!(...args)),
    };
    const workspace = makeWorkspace();
    try {
      const ports = { ...fakePorts({ files: workspace.files, settings }), databases: counting };
      const preview = async (query: string, ...asked: readonly string[]): Promise<number | undefined> => {
        const context = { ports, config: {}, scopes: ['database:read', 'database:write'] };
        const about = asked.map((effect) => ({ effect, resource: 'main' }));
        const handler = await tool!.load();
        const shown = await handler.preview!({ query, connection: 'main', max_rows: 10, timeout_ms: 1000 }, {
          ...context,
          asked: about,
          signal: new AbortController().signal,
        } as never);
        return shown.stake?.rows;
      };
      assert.equal(await preview('UPDATE serial SET n = 3 WHERE id <= 4', 'database.write'), 4);
      assert.equal(looks, 1);
      assert.equal(await preview('UPDATE serial SET n = 3', 'database.write', 'network.socket'), undefined);
      assert.equal(await preview('SELECT 1', 'database.read'), undefined);
      assert.equal(looks, 1);
      // What the database refuses is no reason not to ask.
      assert.equal(await preview('UPDATE nothing SET n = 3', 'database.write'), undefined);
    } finally {
      workspace.dispose();
    }
  });
});
