import { strict as assert } from 'node:assert';
import { statementFault } from '../../../src/node/databases/sqliteRules';
import { acting, readingSql, beyond } from '../../support/sqliteStatements';

describe('S0.db-query: what of SQLite may run is told before the file is opened', () => {
  it('refuses what acts and lets through what reads', () => {
    // These are left to SQLite itself, which knows them for certain.
    const later = /load_extension|readfile|writefile|fts3_tokenizer|csv|fsdir|^WITH|SELECT 1|';'/;
    for (const sql of acting) if (!later.test(sql)) assert.ok(statementFault(sql, false), sql);
    for (const sql of readingSql) assert.equal(statementFault(sql, false), undefined, sql);
    for (const sql of beyond) if (!later.test(sql)) assert.ok(statementFault(sql, true), sql);
  });
});
