import { Client, Query } from 'pg';
import type { Json } from '../../core/base/json';
import { type ErrorCode, toolError, type ToolError } from '../../core/errors';
import type { DatabaseConnection, DatabaseQuery, DatabaseResult } from '../../core/ports/databases';

/**
 * Runs one statement in a transaction of its own, read-only unless `write`, so that PostgreSQL itself refuses to write. The extended protocol
 * carries the statement, which takes exactly one. Rows beyond `maxRows` end the connection instead of being read.
 */
export async function postgresQuery(
  connection: Extract<DatabaseConnection, { type: 'postgres' }>,
  query: DatabaseQuery,
): Promise<DatabaseResult> {
  if (query.signal.aborted) throw toolError('cancelled', 'the query was cancelled');
  const client = new Client({
    connectionString: connection.url,
    ...(connection.password === undefined ? {} : { password: connection.password }),
    connectionTimeoutMillis: Math.min(query.timeoutMs, 10_000),
    application_name: 'agent-capabilities',
  });
  client.on('error', () => {
    // The query itself hears of a lost connection.
  });
  const stop = (): void => void client.end().catch(() => undefined);
  query.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    await client.query(`BEGIN ${query.write ? '' : 'READ ONLY'}`);
    await client.query(`SET LOCAL statement_timeout = ${Math.max(1, Math.round(query.timeoutMs))}`);
    const result = await runLimited(client, query);
    if (!result.truncated) await client.query(query.write ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    if (query.signal.aborted) throw toolError('cancelled', 'the query was cancelled');
    throw postgresError(error, connection);
  } finally {
    query.signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

function runLimited(client: Client, query: DatabaseQuery): Promise<DatabaseResult> {
  return new Promise((resolve, reject) => {
    const rows: Record<string, Json>[] = [];
    // `queryMode` is newer than the types of pg.
    const config = { text: query.sql, values: query.params.map(bindable), queryMode: 'extended' };
    const running = client.query(new Query<Record<string, unknown>>(config as never));
    let done = false;
    running.on('row', (row) => {
      if (done) return;
      if (rows.length < query.maxRows) rows.push(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, cell(value)])));
      else {
        done = true;
        void client.end().catch(() => undefined);
        resolve({ columns: Object.keys(row), rows, truncated: true });
      }
    });
    running.on('error', (error) => {
      if (!done) reject(error);
    });
    running.on('end', (result) => {
      if (done) return;
      const columns = result?.fields?.map((field) => field.name) ?? Object.keys(rows[0] ?? {});
      const changed = columns.length === 0 && typeof result?.rowCount === 'number' ? { changes: result.rowCount } : {};
      resolve({ columns, rows, truncated: false, ...changed });
    });
  });
}

function postgresError(error: unknown, connection: DatabaseConnection): ToolError {
  const message = error instanceof Error ? error.message : String(error);
  const sqlState = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const make = (code: ErrorCode, text: string, retryable = false): ToolError => toolError(code, text, { retryable, details: { sqlState } });
  if (sqlState === '25006' || sqlState === '42501') return make('permission_denied', `Permission denied by the database: ${message}`);
  if (sqlState === '57014') return make('timeout', `the query took too long: ${message}`);
  if (/^(?:42|22|0A|21|08P01|26|25)/.test(sqlState)) return make('invalid_query', `the database does not accept the query: ${message}`);
  if (/^E[A-Z]+$/.test(sqlState) || sqlState.startsWith('08'))
    return make('database_error', `the database \`${connection.name}\` cannot be reached: ${sqlState}`, true);
  return make('database_error', `the database \`${connection.name}\` answered: ${message}`);
}

function bindable(value: Json): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function cell(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `base64:${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as Json) : (value as Json);
}
