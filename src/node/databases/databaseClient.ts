import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Json } from '../../core/base/json';
import { toolError } from '../../core/vocabulary/errors';
import type { WorkerPool } from '../../core/ports/platform';
import type {
  DatabaseClient,
  DatabaseConnection,
  DatabaseQuery,
  DatabaseResult,
  DatabaseTable,
} from '../../core/ports/databases';
import type { Resolving } from '../http/resolve';
import type { SqliteAnswer, SqliteInput } from './sqliteTask';
import type { WorkspacePath } from '../../core/ports/workspacePath';

const sqliteColumns = `SELECT m.name AS "table", m.type AS kind, c.name AS name, c.type AS type, c."notnull" AS required, c.pk AS pk
FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid`;

const postgresColumns = `SELECT c.table_schema || '.' || c.table_name AS "table", CASE WHEN t.table_type = 'VIEW' THEN 'view' ELSE 'table' END AS kind,
  c.column_name AS name, c.data_type AS type, CASE WHEN c.is_nullable = 'NO' THEN 1 ELSE 0 END AS required,
  CASE WHEN k.column_name IS NULL THEN 0 ELSE 1 END AS pk
FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
LEFT JOIN (SELECT u.table_schema, u.table_name, u.column_name FROM information_schema.table_constraints n
  JOIN information_schema.key_column_usage u ON u.constraint_name = n.constraint_name AND u.table_schema = n.table_schema
  WHERE n.constraint_type = 'PRIMARY KEY') k ON k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
WHERE c.table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, c.ordinal_position`;

const mostColumns = 5000;

/**
 * SQLite by the runtime's own driver where a query can be ended (`sqliteProcesses.ts`), PostgreSQL by `pg`. Every query
 * has a connection of its own.
 */
export function createDatabaseClient(worker: WorkerPool, network: Resolving = {}): DatabaseClient {
  /** The worker bundle's task answers in this shape. */
  const inSqlite = async (
    { path: place, name }: Extract<DatabaseConnection, { type: 'sqlite' }>,
    { timeoutMs, signal, ...wanted }: Omit<SqliteInput, 'path'> & Pick<DatabaseQuery, 'timeoutMs' | 'signal'>,
  ): Promise<SqliteAnswer> => {
    const input: SqliteInput = { ...wanted, path: await machinePath(place, name) };
    return (await worker.run('sqlite', input, { timeoutMs, signal })) as SqliteAnswer;
  };
  const query = async (connection: DatabaseConnection, wanted: DatabaseQuery): Promise<DatabaseResult> => {
    if (connection.type === 'postgres') return (await import('./postgres')).postgresQuery(connection, wanted, network);
    const answer = await inSqlite(connection, wanted);
    if (answer.ok) return answer.result;
    throw toolError(answer.code, wordsOf(answer.code, answer.message, connection.name));
  };
  return {
    query,
    async foresee(connection, wanted) {
      if (connection.type === 'postgres')
        return (await import('./postgres')).postgresForesee(connection, wanted, network);
      const answer = await inSqlite(connection, { ...wanted, write: true, maxRows: 0, isTried: true });
      return answer.ok ? answer.result.changes : undefined;
    },
    async tables(connection, signal) {
      const sql = connection.type === 'sqlite' ? sqliteColumns : postgresColumns;
      const { rows } = await query(connection, {
        sql,
        params: [],
        write: false,
        maxRows: mostColumns,
        timeoutMs: 10_000,
        signal,
      });
      return tablesOf(rows);
    },
  };
}

/**
 * The machine's path of a canonical path. Its folder itself may be reached by a link; below it there is none, which is
 * looked at again.
 */
async function machinePath(place: WorkspacePath | ':memory:', name: string): Promise<string> {
  if (place === ':memory:') return place;
  if (place.folder.scheme !== 'file')
    throw toolError(
      'not_available',
      `the database \`${name}\` lies in a folder that is not on this machine's disks; SQLite cannot open it there`,
    );
  try {
    return path.join(await realpath(place.folder.path), ...place.path.split('/'));
  } catch {
    throw toolError('not_found', `the database \`${name}\` cannot be used: its folder is not there`);
  }
}

function wordsOf(code: Extract<SqliteAnswer, { ok: false }>['code'], message: string, name: string): string {
  switch (code) {
    case 'permission_denied':
      return `Permission denied by the database: ${message}`;
    case 'invalid_query':
      return `the database does not accept the query: ${message}`;
    case 'not_found':
      return `the database \`${name}\` cannot be used: ${message}`;
    case 'not_available':
    case 'too_large':
    case 'path_outside':
    case 'database_error':
      return message;
  }
}

function tablesOf(rows: readonly Readonly<Record<string, Json>>[]): readonly DatabaseTable[] {
  const tables = new Map<
    string,
    { name: string; type: 'table' | 'view'; columns: DatabaseTable['columns'][number][] }
  >();
  for (const row of rows) {
    const name = String(row['table'] as string);
    const table = tables.get(name) ?? { name, type: row['kind'] === 'view' ? 'view' : 'table', columns: [] };
    tables.set(name, table);
    table.columns.push({
      name: String(row['name'] as string),
      type: String((row['type'] ?? '') as string),
      nullable: Number(row['required']) === 0,
      primaryKey: Number(row['pk']) > 0,
    });
  }
  return [...tables.values()];
}
