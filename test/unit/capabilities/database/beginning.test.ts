import { strict as assert } from 'node:assert';
import { saysThatItWrites } from '../../../../src/capabilities/database/beginning';

describe('what the words of a statement tell before it runs', () => {
  it('S0.db-query: one that writes behind `WITH`, `SELECT … INTO` or `EXPLAIN ANALYZE` is seen', () => {
    for (const sql of [
      'DELETE FROM users',
      ' -- a word\n/* and\nmore */ insert into users values (1)',
      'WITH a AS (SELECT 1) DELETE FROM users',
      'with a as (select 1)\n-- now\ndelete /* all */ from users where id in (select * from a)',
      'WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone',
      'WITH a AS MATERIALIZED ( UPDATE "users" SET name = 1 RETURNING *) SELECT * FROM a',
      'WITH a(x) AS (VALUES (1)) INSERT OR REPLACE INTO users SELECT x FROM a',
      "WITH a AS (SELECT ')') UPDATE users SET name = 'x'",
      'WITH a AS (SELECT 1) MERGE INTO users USING a ON true WHEN MATCHED THEN DELETE',
      'SELECT * INTO copy FROM users',
      'EXPLAIN ANALYZE DELETE FROM users',
      'explain (analyze, buffers) with a as (select 1) delete from users',
      'EXPLAIN ANALYZE VERBOSE UPDATE users SET a = 1',
    ])
      assert.equal(saysThatItWrites(sql), true, sql);
  });

  it('S0.db-query: one that reads is not taken for one that writes by a name, a text or a function', () => {
    for (const sql of [
      '',
      'SELECT 1',
      "SELECT ') delete from users', replace(name, 'a', 'b') FROM users",
      'SELECT (replace(name, 1, 2)), "into" FROM users -- ) delete from users',
      "WITH a AS (SELECT 'insert into users' AS text) SELECT count(updated), (deleted) FROM a",
      'WITH a AS (SELECT $x$ ) update users set $x$) SELECT * FROM a',
      'WITH a AS (SELECT `into` FROM users) SELECT (updates) FROM a',
      'EXPLAIN DELETE FROM users',
      'EXPLAIN QUERY PLAN DELETE FROM users',
      'EXPLAIN ANALYZE SELECT * FROM users',
    ])
      assert.equal(saysThatItWrites(sql), false, sql);
  });

  it('S0.db-query: a long statement of marks that nothing closes takes time by its length, and does not end the look', () => {
    const times = 40_000;
    const tags = Array.from({ length: times }, (_, at) => `$a${at}$`).join(' ');
    for (const [name, sql] of Object.entries({
      comments: '/* '.repeat(times),
      lines: '-- '.repeat(times),
      quotes: `'"\``.repeat(times),
      tags,
      'closed tags': '$x$ $y$ '.repeat(times),
      explained: 'explain analyze '.repeat(times),
      brackets: 'explain ('.repeat(times),
      blanks: `select (${' '.repeat(4 * times)}`,
    })) {
      const before = process.cpuUsage();
      assert.equal(saysThatItWrites(sql), false, name);
      const { user } = process.cpuUsage(before);
      // Looking for each mark's end anew took over ten seconds for a text of this length.
      assert.ok(user < 2_000_000, `${name} took ${user} µs of processor time`);
    }
    const behind = `select 1 /* ${'* / '.repeat(times)} */; select 2 into copy`;
    assert.equal(saysThatItWrites(behind), true);
  });

  it('S0.db-query: what a quote that is never closed hides is looked at', () => {
    for (const sql of ["with a as (select ' ) delete from users", 'select $a$ $b$ x $b$ into copy from users'])
      assert.equal(saysThatItWrites(sql), true, sql);
  });
});
