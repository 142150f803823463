import type { DatabaseResult } from '../../core/ports/databases';
import type { Json } from '../../core/base/json';
import { type FileFault, JudgedFile } from './sqliteFile';
import { allowsAction, parameterFault, statementFault } from './sqliteRules';
import { firstWord, repeatedColumn, startOf } from './statements';
import { messageOf } from '../../core/base/errorText';
import { errnoOf } from '../errors/errno';

/** What the process gets for one query. */
export interface SqliteInput {
  /** Absolute and without links, as it was judged; or `:memory:`. */
  readonly path: string;
  readonly sql: string;
  readonly params: readonly Json[];
  readonly write: boolean;
  readonly maxRows: number;
  /** True to count the rows that the statement would change, in a transaction that is rolled back. */
  readonly isTried?: boolean;
}

/** An answer that keeps its code over the process's border. */
export type SqliteAnswer =
  | { readonly ok: true; readonly result: DatabaseResult }
  | {
      readonly ok: false;
      readonly code:
        | 'not_available'
        | 'invalid_query'
        | 'permission_denied'
        | 'database_error'
        | 'not_found'
        | 'too_large'
        | 'path_outside';
      readonly message: string;
    };

/** The part of `node:sqlite` that is used; its types are newer than the oldest Node that we support. */
interface Statement {
  setReadBigInts?(on: boolean): void;
  readonly sourceSQL: string;
  iterate(...params: unknown[]): Iterable<Record<string, unknown>>;
  columns?(): readonly { readonly name: string }[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  enableDefensive?(on: boolean): void;
  setAuthorizer?(callback: ((action: number, first: string | null, second: string | null) => number) | null): void;
}
interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readOnly: boolean; timeout?: number; allowExtension?: boolean },
  ) => Database;
}

async function loadSqlite(): Promise<SqliteModule | undefined> {
  // Through a variable, so that bundlers and older Nodes leave it alone until it is asked for.
  const name = 'node:sqlite';
  try {
    return (await import(name)) as SqliteModule;
  } catch {
    return undefined;
  }
}

const fail = (code: Extract<SqliteAnswer, { ok: false }>['code'], message: string): SqliteAnswer => ({
  ok: false,
  code,
  message,
});

/** Text and bytes of all cells together; a larger result would only fill the memory of whoever gets it. */
const mostCharacters = 20_000_000;

/** SQLite's own numbers for what an authorizer answers. */
const [OK, DENY] = [0, 1];

/**
 * Runs one statement on a fresh connection. Without `write` the file is opened read-only and `query_only` is set, so
 * that SQLite itself refuses to write; no statement reaches another file. Text after the first statement is refused:
 * SQLite says where that ended.
 */
export async function sqliteTask(raw: unknown): Promise<SqliteAnswer> {
  const input = raw as SqliteInput;
  const sqlite = await loadSqlite();
  if (!sqlite)
    return fail(
      'not_available',
      `SQLite needs Node 22.5 or newer (this is ${process.version}); use the editor, or a PostgreSQL connection`,
    );
  const fault = statementFault(input.sql, input.write);
  if (fault) return fail(fault.code, fault.message);
  let database: Database | undefined;
  try {
    const isTried = input.isTried === true;
    const file = input.path === ':memory:' ? undefined : JudgedFile.look(input.path, input.write && !isTried);
    if (typeof file === 'string') return fileFault(file);
    database = new sqlite.DatabaseSync(input.path, {
      readOnly: !input.write,
      timeout: isTried ? 300 : 2000,
      allowExtension: false,
    });
    prepareConnection(database, input);
    const exchanged = file?.check();
    if (exchanged) return fileFault(exchanged);
    return isTried ? tryStatement(database, input) : runStatement(database, input);
  } catch (error) {
    return database ? faultOf(error) : openFault(error);
  } finally {
    database?.close();
  }
}

/**
 * Makes the connection refuse what the statement is not for; a schema that somebody prepared runs no functions of ours
 * either.
 */
function prepareConnection(database: Database, { write }: SqliteInput): void {
  database.enableDefensive?.(true);
  database.exec(
    `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0${write ? '' : '; PRAGMA query_only = ON'}`,
  );
  // Opens what lies beside the file, before it is looked at.
  database.exec('PRAGMA schema_version');
}

/**
 * Counts the rows that a statement would change. Pages that it changes stay in memory, so that the file is as it was
 * whatever ends this process.
 */
function tryStatement(database: Database, input: SqliteInput): SqliteAnswer {
  if (!/^(?:DELETE|INSERT|REPLACE|UPDATE|WITH)$/.test(firstWord(input.sql, 'sqlite')))
    return fail('invalid_query', 'only a statement that changes rows can be tried');
  database.exec('PRAGMA cache_spill = OFF; BEGIN');
  const statement = prepared(database, input);
  if ('ok' in statement) return statement;
  for (const _row of statement.iterate(...input.params.map(bindable))) continue;
  database.setAuthorizer?.(null);
  // With what triggers and foreign keys change along with them.
  const changes = countChanges(database, 'total_changes()');
  database.exec('ROLLBACK');
  return { ok: true, result: { columns: [], rows: [], truncated: false, changes } };
}

/** The statement under the eyes of the authorizer, if it is one alone and has all its values. */
function prepared(database: Database, { sql, params, write }: SqliteInput): Statement | SqliteAnswer {
  database.setAuthorizer?.((action, first, second) => (allowsAction(action, first, second, write) ? OK : DENY));
  const statement = database.prepare(sql);
  const tail = sql.slice(statement.sourceSQL.length);
  const next = tail.slice(startOf(tail, 'sqlite'));
  if (next !== '')
    return fail(
      'invalid_query',
      `only one statement is run in a call, and after the first came \`${next.slice(0, 60)}\``,
    );
  const unbound = parameterFault(statement.sourceSQL, params.length);
  return unbound ? fail(unbound.code, unbound.message) : statement;
}

function runStatement(database: Database, input: SqliteInput): SqliteAnswer {
  const statement = prepared(database, input);
  if ('ok' in statement) return statement;
  statement.setReadBigInts?.(true);
  const names = statement.columns?.().map((column) => column.name);
  const repeated = names && repeatedColumn(names);
  if (repeated !== undefined) return fail('invalid_query', repeated);
  const rows: Record<string, Json>[] = [];
  let truncated = false;
  let characters = 0;
  for (const row of statement.iterate(...input.params.map(bindable))) {
    if (rows.length >= input.maxRows) {
      truncated = true;
      break;
    }
    const cells = Object.entries(row).map(([key, value]): [string, Json] => [key, cell(value)]);
    characters += cells.reduce((sum, [, value]) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (characters > mostCharacters) {
      // What wrote has written.
      truncated = input.write;
      if (truncated) break;
      return fail(
        'too_large',
        `the rows have more than ${mostCharacters} characters; ask for fewer columns or rows, or for parts of them`,
      );
    }
    rows.push(Object.fromEntries(cells));
  }
  const columns = names ?? Object.keys(rows[0] ?? {});
  database.setAuthorizer?.(null);
  const changes = (columns.length === 0 || truncated) && input.write ? countChanges(database) : undefined;
  return { ok: true, result: { columns, rows, truncated, ...(changes === undefined ? {} : { changes }) } };
}

function fileFault(fault: FileFault): SqliteAnswer {
  switch (fault) {
    case 'missing':
      return fail('not_found', 'the database file is not there or cannot be opened');
    case 'not_a_file':
      return fail('database_error', 'the path of the database is not a file');
    case 'exchanged':
      return fail(
        'path_outside',
        'the database file, or one that SQLite keeps beside it, is a link, names a file elsewhere or was exchanged; nothing was read or written',
      );
  }
}

function openFault(error: unknown): SqliteAnswer {
  const message = messageOf(error);
  return /unable to open/i.test(message) ? fileFault('missing') : fail('database_error', message);
}

function countChanges(database: Database, counter: 'changes()' | 'total_changes()' = 'changes()'): number {
  for (const row of database.prepare(`SELECT ${counter} AS n`).iterate()) return Number(row['n']);
  return 0;
}

function faultOf(error: unknown): SqliteAnswer {
  const message = messageOf(error);
  const code =
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
      ? error.errcode & 0xff
      : undefined;
  if (code === 8 || code === 23 || /readonly database|query_only|not authorized/i.test(message))
    return fail('permission_denied', message);
  const isUnfit = code === 1 || code === 25 || code === 20 || error instanceof TypeError;
  return fail(isUnfit || errnoOf(error) === 'ERR_INVALID_ARG_TYPE' ? 'invalid_query' : 'database_error', message);
}

/**
 * JSON has no blobs; objects and arrays are bound as their JSON text, booleans as 0 and 1. The driver takes any number
 * for a real one, which a column of text would keep as `5.0` and a division would not round.
 */
function bindable(value: Json): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (Number.isSafeInteger(value)) return BigInt(Number(value));
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value;
}

function cell(value: unknown): Json {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value.toString();
  if (value instanceof Uint8Array) return `base64:${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return (value ?? null) as Json;
}
