// @tier full: starts databases
import { strict as assert } from 'node:assert';
import type { Json } from '../../../../src/core/base/json';
import type { Disposable } from '../../../../src/core/base/lifecycle';
import type { WorkerPool } from '../../../../src/core/ports/platform';
import { createDatabaseClient } from '../../../../src/node/databases/databaseClient';
import { sqliteTask } from '../../../../src/node/databases/sqliteTask';
import { runs } from '../../../support/counts';
import { newNode, newNodePool } from '../../../support/node24';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';
import { databaseCaller, injections, write } from '../../../support/databaseCalls';

describe('the database capability on SQLite', () => {
  let workspace: TestWorkspace;
  beforeEach(() => (workspace = makeWorkspace()));
  afterEach(() => workspace.dispose());
  const caller = databaseCaller(() => workspace);
  const node = newNode();
  let pool: (WorkerPool & Disposable) | undefined;
  before(async function () {
    if (node === undefined)
      return skipBecause(this, 'SQLite needs Node 22.5, which is installed with the editor tests');
    pool = await newNodePool(node);
  });
  after(() => pool?.dispose());
  const call = caller(
    () => createDatabaseClient(pool ?? { run: () => Promise.reject(new Error('no pool')) }),
    () => ({ 'database.connections': { app: { type: 'sqlite', path: 'data/app.sqlite' } } }),
  );
  const ready = async (): Promise<void> => {
    workspace.put({ 'data/': '' });
    for (const query of [
      'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
      "INSERT INTO users (name) VALUES ('ann'), ('bob')",
      'CREATE VIEW names AS SELECT name FROM users',
    ]) {
      const answer = await call('db_query', { query }, write);
      assert.equal(answer.code, undefined, answer.message);
    }
  };

  it('S0.db-query: answers rows with bound parameters, writes with the scope and refuses by the connection without it', async () => {
    await ready();
    const answer = await call('db_query', { query: 'SELECT id, name FROM users WHERE name = ?', params: ['bob'] });
    assert.deepEqual(
      [answer.columns, answer.rows, answer.accesses],
      [
        ['id', 'name'],
        [{ id: 2, name: 'bob' }],
        [
          { effect: 'database.read', resource: 'app' },
          { effect: 'fs.read', resource: 'data/app.sqlite' },
        ],
      ],
    );
    for (const query of [
      "INSERT INTO users (name) VALUES ('eve')",
      'DELETE FROM users',
      'DROP TABLE users',
      'CREATE TABLE x (a)',
      'UPDATE users SET name = 1',
      "ATTACH DATABASE 'other.sqlite' AS o",
      "/* x */ -- y\n vacuum into 'copy.sqlite'",
      'PRAGMA user_version = 3',
      'REPLACE INTO users VALUES (1, 2)',
      'WITH a AS (SELECT 1) DELETE FROM users',
    ]) {
      const refused = await call('db_query', { query });
      assert.match(refused.code ?? 'no error', /^permission_denied$/, `${query}: ${refused.message}`);
    }
    for (const query of ['SELECT 1; DELETE FROM users', 'SELECT 1; SELECT 2', '-- nothing', 'SELEC', 'SELECT ?'])
      assert.match(
        (await call('db_query', { query, params: query === 'SELECT ?' ? [1, 2] : [] })).code ?? 'no error',
        /^invalid_query$/,
        query,
      );
    assert.equal((await call('db_query', { query: 'SELECT count(*) AS n FROM users' })).rows[0].n, 2);
    assert.equal((await call('db_query', { query: 'DELETE FROM users WHERE id = 1' }, write)).changes, 1);
    assert.equal(
      (await call('db_query', { query: "ATTACH DATABASE 'other.sqlite' AS o" }, write)).code,
      'permission_denied',
    );
    const rows = await call('db_query', {
      query: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n',
      max_rows: 2,
    });
    assert.deepEqual([rows.rows, rows.truncated], [[{ x: 1 }, { x: 2 }], true]);
    assert.deepEqual(
      (await call('list_tables', {})).tables.map((one: any) => [one.name, one.type, one.columns.length]),
      [
        ['names', 'view', 1],
        ['users', 'table', 2],
      ],
    );
  }).timeout(60_000);

  it('S0.db-query: whole numbers are bound as whole numbers', async () => {
    await ready();
    const answer = await call('db_query', {
      query: "SELECT 7 / ?1 AS half, 'n' || ?1 AS text, typeof(?2) AS real, ?3 AS large, ?4 AS yes",
      params: [2, 0.5, Number.MAX_SAFE_INTEGER, true],
    });
    assert.deepEqual(answer.rows, [{ half: 3, text: 'n2', real: 'real', large: Number.MAX_SAFE_INTEGER, yes: 1 }]);
    await call('db_query', { query: 'INSERT INTO users (name) VALUES (?)', params: [5] }, write);
    assert.equal((await call('db_query', { query: 'SELECT name FROM users WHERE id = 3' })).rows[0].name, '5');
  }).timeout(60_000);

  it('S0.db-query: what is written is told as written, where its answer is too long to be shown too', async () => {
    await ready();
    const query = 'INSERT INTO users (name) SELECT hex(zeroblob(6000000)) FROM (VALUES (1), (2)) RETURNING name';
    const added = await call('db_query', { query }, write);
    assert.deepEqual([added.row_count, added.truncated, added.changes], [1, true, 2]);
    assert.equal((await call('db_query', { query: 'SELECT count(*) AS n FROM users' })).rows[0].n, 4);
  }).timeout(60_000);

  it('S0.db-query: columns of one name, and what would hold for later statements alone, are refused', async () => {
    await ready();
    for (const query of ['SELECT 1, 1', 'BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT a', 'END'])
      assert.equal((await call('db_query', { query }, write)).code, 'invalid_query', query);
    assert.match(
      (await call('db_query', { query: 'SELECT 1 AS a, 2 AS a' })).message,
      /two columns .* called `a`.* AS$/,
    );
  }).timeout(60_000);

  it('S0.db-query: a value that is missing or too many is an error, never NULL', async () => {
    await ready();
    const code = async (query: string, params: Json[], scopes = {}): Promise<unknown> =>
      (await call('db_query', { query, params }, scopes)).code;
    for (const [query, params] of [
      ['SELECT * FROM users WHERE name = ?', []],
      ['SELECT ?2', ['x']],
      ['SELECT ?, ?', ['x']],
      ['SELECT ?', ['x', 'y']],
      ['SELECT :name', []],
      ['SELECT @name', []],
      ['SELECT $name', []],
      ["SELECT 'it''s', ?", []],
    ] as [string, Json[]][])
      assert.equal(await code(query, params), 'invalid_query', query);
    assert.equal(await code('UPDATE users SET name = ?', [], write), 'invalid_query');
    assert.match(
      (await call('db_query', { query: 'SELECT ?, ?', params: ['x'] })).message,
      /the statement has 2 places for values \(`\?`\), and params has 1/,
    );
    for (const [query, params] of [
      ['SELECT ?', ['x']],
      ['SELECT ?2, ?1', ['x', 'y']],
      ["SELECT '?' AS a, \"?\" AS b, `?` AS c, [?] AS d, 'it''s ?' AS e -- ?\n/* ? :a */ FROM (SELECT 1 AS \"?\")", []],
      ["SELECT '{\"a\": 1}' ->> '$.a', ':a', 1 AS a$b", []],
      ['SELECT ? /*/ ? */', ['x']],
    ] as [string, Json[]][])
      assert.equal(await code(query, params), undefined, query);
  }).timeout(60_000);

  it('S0.db-query: the default file is made, with its folder, by the first that may write', async () => {
    const plain = caller(
      () => createDatabaseClient(pool!),
      () => ({}),
    );
    assert.equal((await plain('db_query', { query: 'CREATE TABLE t (a)' })).code, 'permission_denied');
    const made = await plain('db_query', { query: 'CREATE TABLE t (a)' }, write);
    assert.equal(made.code, undefined, JSON.stringify(made));
    assert.equal((await plain('list_tables', {})).tables[0].name, 't');
  }).timeout(60_000);

  it('keeps injection texts as data', async () => {
    await ready();
    const texts = injections.slice(0, runs(10, injections.length));
    for (const text of texts) {
      const answer = await call('db_query', {
        query: 'SELECT ?1 AS t, count(*) AS n FROM users WHERE name = ?1',
        params: [text],
      });
      assert.deepEqual(answer.rows ?? answer, [{ t: text, n: 0 }], JSON.stringify(text));
    }
    assert.equal((await call('db_query', { query: 'SELECT count(*) AS n FROM users' })).rows[0].n, 2);
  }).timeout(300_000);

  it('ends a query at its limit, and says where there is no database', async () => {
    await ready();
    assert.equal(
      (
        await call('db_query', {
          query: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n',
          timeout_ms: 100,
        })
      ).code,
      'timeout',
    );
    const none = caller(
      () => createDatabaseClient(pool ?? { run: () => Promise.reject(new Error('no pool')) }),
      () => ({}),
    );
    assert.equal((await none('db_query', { query: 'SELECT 1' })).code, 'not_found');
  }).timeout(60_000);
});

describe('the database capability', () => {
  let workspace: TestWorkspace;
  beforeEach(() => (workspace = makeWorkspace()));
  afterEach(() => workspace.dispose());
  const caller = databaseCaller(() => workspace);

  it('answers with a typed error where the runtime has no SQLite', async function () {
    const [major = 0] = process.versions.node.split('.').map(Number);
    if (major >= 22) return skipBecause(this, 'this runtime has SQLite');
    const client = createDatabaseClient({ run: (_task, input) => sqliteTask(input) });
    const call = caller(
      () => client,
      () => ({}),
    );
    assert.equal((await call('db_query', { query: 'SELECT 1' })).code, 'not_available');
  });
});
