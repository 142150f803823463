import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { firstWord, statementKind } from '../../../src/node/databases/statements';
import { runs } from '../../support/counts';

describe('S0.db-query: the first look at a statement', () => {
  for (const [sql, postgres, sqlite] of [
    ['SELECT 1', 'reads', 'reads'],
    ['(SELECT 1)', 'reads', 'unknown'],
    ['/* /* */ SELECT */ DELETE', 'acts', 'reads'],
    ['/* /* */ DELETE FROM x', 'empty', 'acts'],
    ['--\rDELETE', 'acts', 'empty'],
    ['\u00a0DELETE', 'unknown', 'unknown'],
    ['\ufeffATTACH x', 'unknown', 'acts'],
    ['pragma user_version', 'unknown', 'reads'],
    ['SELECT\u00e9', 'unknown', 'unknown'],
    ['SELECT_1', 'unknown', 'unknown'],
    ['', 'empty', 'empty'],
    [';;--', 'empty', 'empty'],
    ['/*', 'empty', 'empty'],
    ['/*/ DELETE', 'empty', 'empty'],
  ] as const)
    it(`takes ${JSON.stringify(sql)} for ${postgres} and ${sqlite}`, () => {
      assert.deepEqual([statementKind(sql, 'postgres'), statementKind(sql, 'sqlite')], [postgres, sqlite]);
    });

  it(`never takes a statement that acts for one that reads, whatever comments stand before it (${runs(25, 1000, 20_000)})`, () => {
    const words = fc.constantFrom('COPY', 'DELETE', 'DO', 'SET', 'ATTACH', 'VACUUM', 'CREATE');
    const comment = fc
      .array(fc.constantFrom('SELECT', ' ', '*', '/', '--', "'", '$$', '\n', 'x'), { maxLength: 6 })
      .map((all) => {
        const text = all.join('').replaceAll('*', '').replaceAll('/', '');
        return `/* ${text} */`;
      });
    fc.assert(
      fc.property(fc.array(comment, { maxLength: 4 }), words, (comments, word) => {
        for (const dialect of ['postgres', 'sqlite'] as const) {
          assert.equal(firstWord(`${comments.join(' ')} ${word} x`, dialect), word);
          assert.equal(statementKind(`${comments.join('\n')}${word} x`, dialect), 'acts');
        }
      }),
      { numRuns: runs(25, 1000, 20_000) },
    );
  });
});
