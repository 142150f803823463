import { wordSet } from '../../core/base/wordSet';

/** The rules by which a database reads what stands before a statement. */
type Dialect = 'postgres' | 'sqlite';

/** What a statement is by its first word. That one statement is all that runs, the database itself sees to. */
type StatementKind = 'reads' | 'acts' | 'unknown' | 'empty';

const reading: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  postgres: new Set(['SELECT', 'WITH', 'TABLE', 'VALUES', 'EXPLAIN', 'SHOW']),
  sqlite: new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN', 'PRAGMA']),
};

/**
 * What else begins a statement somewhere. Whatever stands in neither list is not run, so that a statement of the future
 * is not taken for reading.
 */
const acting = wordSet(
  'ABORT ALTER ANALYZE ATTACH BEGIN CALL CHECKPOINT CLOSE CLUSTER COMMENT COMMIT COPY CREATE DEALLOCATE DECLARE DELETE DETACH DISCARD DO DROP ' +
    'END EXECUTE FETCH GRANT IMPORT INSERT LISTEN LOAD LOCK MERGE MOVE NOTIFY PREPARE REASSIGN REFRESH REINDEX RELEASE REPLACE RESET REVOKE ' +
    'ROLLBACK SAVEPOINT SECURITY SET START TRUNCATE UNLISTEN UPDATE VACUUM WAIT',
);

const whiteSpace: Readonly<Record<Dialect, RegExp>> = { postgres: /[ \t\n\r\f\v;(]/, sqlite: /[ \t\n\r\f;\ufeff]/ };

/** Where a statement begins: after white space, comments and, for PostgreSQL, opening brackets. */
export function startOf(sql: string, dialect: Dialect): number {
  for (let at = 0; ;) {
    const next = sql.slice(at, at + 2);
    if (next === '') return at;
    if (whiteSpace[dialect].test(next.charAt(0))) at++;
    else if (next === '--') at = lineEnd(sql, at, dialect);
    else if (next === '/*') at = commentEnd(sql, at, dialect);
    else return at;
  }
}

/** The first word of a statement in capitals; empty where none is there. */
export function firstWord(sql: string, dialect: Dialect): string {
  return /^[a-z]+(?![a-z0-9_$\u0080-\uffff])/i.exec(sql.slice(startOf(sql, dialect)))?.[0].toUpperCase() ?? '';
}

/**
 * Tells whether a statement may be tried where only reading is allowed. It is the first look, not the wall: that is the
 * database's own.
 */
export function statementKind(sql: string, dialect: Dialect): StatementKind {
  if (startOf(sql, dialect) >= sql.length) return 'empty';
  const word = firstWord(sql, dialect);
  if (reading[dialect].has(word)) return 'reads';
  return acting.has(word) ? 'acts' : 'unknown';
}

/** What would hold for the statements after it. */
const forLater: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  postgres: wordSet(
    'ABORT BEGIN CLOSE COMMIT DEALLOCATE DECLARE DISCARD END FETCH LISTEN MOVE PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START ' +
      'UNLISTEN',
  ),
  sqlite: wordSet('BEGIN COMMIT END RELEASE ROLLBACK SAVEPOINT'),
};

/** Why a statement would do nothing, because its connection ends with it; undefined where it does something. */
export function forLaterFault(sql: string, dialect: Dialect): string | undefined {
  const word = firstWord(sql, dialect);
  if (!forLater[dialect].has(word)) return undefined;
  return `\`${word}\` would do nothing: every call is a transaction and a connection of its own, and nothing is taken back later; put what belongs together into one statement`;
}

/** Why columns cannot be told apart in a row; undefined where each has a name of its own. */
export function repeatedColumn(columns: readonly string[]): string | undefined {
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  return `two columns of the answer are called \`${repeated.slice(0, 60)}\`, and a row would hold one of them; give each a name of its own with AS`;
}

function lineEnd(sql: string, from: number, dialect: Dialect): number {
  for (let at = from; at < sql.length; at++) {
    const one = sql.charAt(at);
    if (one === '\n' || (dialect === 'postgres' && one === '\r')) return at;
  }
  return sql.length;
}

/** PostgreSQL's comments nest, those of SQLite end at the first end. */
function commentEnd(sql: string, from: number, dialect: Dialect): number {
  let depth = 0;
  for (let at = from; at < sql.length;) {
    const two = sql.slice(at, at + 2);
    // SQLite takes no `/*/` for a whole comment, and neither does PostgreSQL.
    if (two === '/*' && (depth === 0 || dialect === 'postgres')) depth++;
    else if (two === '*/') depth--;
    else {
      at++;
      continue;
    }
    at += 2;
    if (depth === 0) return at;
  }
  return sql.length;
}
