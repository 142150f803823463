import type { DatabaseResult } from '../../core/ports/databases';
import type { Json } from '../../core/base/json';

/** What the worker gets for one query. */
export interface SqliteInput {
  readonly path: string;
  readonly sql: string;
  readonly params: readonly Json[];
  readonly write: boolean;
  readonly maxRows: number;
}

/** An answer that keeps its code over the thread's border. */
export type SqliteAnswer =
  | { readonly ok: true; readonly result: DatabaseResult }
  | {
      readonly ok: false;
      readonly code: 'not_available' | 'invalid_query' | 'permission_denied' | 'database_error' | 'not_found';
      readonly message: string;
    };

/** The part of `node:sqlite` that is used; its types are newer than the oldest Node that we support. */
interface Statement {
  setReadBigInts?(on: boolean): void;
  setReturnArrays?(on: boolean): void;
  readonly sourceSQL: string;
  iterate(...params: unknown[]): Iterable<Record<string, unknown>>;
  columns?(): readonly { readonly name: string }[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
  setAuthorizer?(callback: ((action: number) => number) | null): void;
}
interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readOnly: boolean; timeout?: number; allowExtension?: boolean }) => Database;
  readonly constants?: Readonly<Record<string, number>>;
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

const fail = (code: Extract<SqliteAnswer, { ok: false }>['code'], message: string): SqliteAnswer => ({ ok: false, code, message });

/** Statements that reach other files than the connection's own; what they would do is refused for reading and writing alike. */
const reachesOut = /^\s*(?:attach|detach|vacuum)\b/i;

/** Removes comments and white space before a statement. */
function bare(sql: string): string {
  return sql.replace(/^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))+/, '');
}

/**
 * Runs one statement on a fresh connection. Without `write` the file is opened read-only and `query_only` is set, so that SQLite itself
 * refuses to write. Text after the first statement is refused: SQLite says where that ended.
 */
export async function sqliteTask(raw: unknown): Promise<SqliteAnswer> {
  const input = raw as SqliteInput;
  const sqlite = await loadSqlite();
  if (!sqlite)
    return fail(
      'not_available',
      `SQLite needs Node 22.5 or newer (this is ${process.version}); use the editor, or a PostgreSQL connection`,
    );
  let database: Database;
  try {
    database = new sqlite.DatabaseSync(input.path, { readOnly: !input.write, timeout: 2000 });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /unable to open/i.test(message)
      ? fail('not_found', 'the database file is not there or cannot be opened')
      : fail('database_error', message);
  }
  try {
    if (!input.write) database.exec('PRAGMA query_only = ON');
    if (reachesOut.test(bare(input.sql))) return fail('permission_denied', 'a statement must stay within its own database file');
    const statement = database.prepare(input.sql);
    const tail = bare(input.sql.slice(statement.sourceSQL.length));
    if (tail !== '') return fail('invalid_query', `only one statement is run in a call, and after the first came \`${tail.slice(0, 60)}\``);
    if (bare(input.sql) === '') return fail('invalid_query', 'the query is empty');
    const { ATTACH, DENY, OK } = authorizerCodes(sqlite);
    database.setAuthorizer?.((action) => (action === ATTACH ? DENY : OK));
    statement.setReadBigInts?.(true);
    const rows: Record<string, Json>[] = [];
    let truncated = false;
    for (const row of statement.iterate(...input.params.map(bindable))) {
      if (rows.length >= input.maxRows) {
        truncated = true;
        break;
      }
      rows.push(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, cell(value)])));
    }
    const columns = statement.columns?.().map((column) => column.name) ?? Object.keys(rows[0] ?? {});
    const changes = columns.length === 0 && input.write ? countChanges(database) : undefined;
    return { ok: true, result: { columns, rows, truncated, ...(changes === undefined ? {} : { changes }) } };
  } catch (error) {
    return faultOf(error);
  } finally {
    database.close();
  }
}

function authorizerCodes({ constants }: SqliteModule): { ATTACH: number; DENY: number; OK: number } {
  return { ATTACH: constants?.['SQLITE_ATTACH'] ?? 24, DENY: constants?.['SQLITE_DENY'] ?? 1, OK: constants?.['SQLITE_OK'] ?? 0 };
}

function countChanges(database: Database): number {
  for (const row of database.prepare('SELECT changes() AS n').iterate()) return Number(row['n']);
  return 0;
}

function faultOf(error: unknown): SqliteAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
  if (code === 8 || /readonly database|query_only/i.test(message)) return fail('permission_denied', message);
  if (code === 23 || /not authorized/i.test(message)) return fail('permission_denied', message);
  if (code === 1 || code === 25 || code === 20) return fail('invalid_query', message);
  if (error instanceof TypeError || (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_ARG_TYPE'))
    return fail('invalid_query', message);
  return fail('database_error', message);
}

/** JSON has no blobs; objects and arrays are bound as their JSON text, booleans as 0 and 1. */
function bindable(value: Json): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value;
}

function cell(value: unknown): Json {
  if (typeof value === 'bigint')
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return `base64:${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return (value ?? null) as Json;
}
