import { Client, Query, types } from 'pg';
import type { Socket } from 'node:net';
import type { Json } from '../../core/base/json';
import { type ErrorCode, isToolError, toolError, type ToolError } from '../../core/vocabulary/errors';
import type { DatabaseConnection, DatabaseQuery, DatabaseResult } from '../../core/ports/databases';
import { hasEscapedName, possibleNames, powerOf, readFacts, refusedRole, roleQuestion } from './postgresRole';
import { judgedStream } from './postgresStream';
import { firstWord, statementKind } from './statements';
import type { Resolving } from '../http/resolve';
import { messageOf, errorOf } from '../../core/base/errorText';
import { errnoOf } from '../errors/errno';

type PostgresConnection = Extract<DatabaseConnection, { type: 'postgres' }>;

/**
 * Runs one statement in a transaction of its own. The extended protocol carries the statement, which takes exactly one.
 * Without `write` the transaction is read-only, the role must be one that can do no more than read, and the statement
 * may name no function that acts: a read-only transaction alone lets a superuser run programs. Rows beyond `maxRows`
 * end the connection instead of being read.
 */
export async function postgresQuery(
  connection: PostgresConnection,
  query: DatabaseQuery,
  network: Resolving = {},
): Promise<DatabaseResult> {
  if (!query.write) checkStatement(query.sql);
  return connected(connection, query, network, async (client, bytesRead) => {
    // One trip: what the role may do is asked on the very connection that then runs the statement.
    checkRole(await client.query(`${roleQuestion(query.sql)} ${beginning(query)}`), connection, query);
    const result = await runLimited(client, query, bytesRead);
    if (!result.truncated) await client.query(query.write ? 'COMMIT' : 'ROLLBACK');
    return result;
  });
}

/**
 * The rows that a statement would change, counted in a transaction that is never committed; undefined where the server
 * cannot say beforehand that nothing of the statement acts outside of it.
 */
export async function postgresForesee(
  connection: PostgresConnection,
  query: Omit<DatabaseQuery, 'write' | 'maxRows'>,
  network: Resolving = {},
): Promise<number | undefined> {
  const { isTriable, tries } = await import('./postgresTrial');
  if (!tries(query.sql)) return undefined;
  return connected(connection, query, network, async (client) => {
    const all = { ...query, write: true, maxRows: 0 };
    checkRole(await client.query(`${roleQuestion(query.sql)} ${beginning(all)}`), connection, all);
    if (!(await isTriable(client, query.sql))) return undefined;
    // Nobody waits for a lock because rows are counted, and what is checked at the end is checked now.
    await client.query("SET LOCAL lock_timeout = '300ms'; SET CONSTRAINTS ALL IMMEDIATE");
    const config = { text: query.sql, values: query.params.map(bindable), queryMode: 'extended' };
    const { command, rowCount } = await client.query(config);
    await client.query('ROLLBACK');
    return /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? (rowCount ?? undefined) : undefined;
  });
}

/** Does some work on a connection of its own, which ends with it. */
async function connected<T>(
  connection: PostgresConnection,
  query: Pick<DatabaseQuery, 'timeoutMs' | 'signal'>,
  network: Resolving,
  work: (client: Client, bytesRead: () => number) => Promise<T>,
): Promise<T> {
  if (query.signal.aborted) throw toolError('cancelled', 'the query was cancelled');
  // The driver itself says whom it would connect to.
  const { host, port } = new Client({ connectionString: connection.url });
  const makeSocket = await judgedStream(host, port, network);
  const sockets: Socket[] = [];
  const client = new Client({
    stream: () => {
      const socket = makeSocket();
      sockets.push(socket);
      return socket;
    },
    connectionString: connection.url,
    connectionTimeoutMillis: Math.min(query.timeoutMs, 10_000),
    application_name: 'agent-capabilities',
  });
  // Beside an address the driver passes over a password of the options.
  if (connection.password !== undefined) client.password = connection.password;
  client.on('error', () => {
    // The query itself hears of a lost connection.
  });
  const stop = (): void => void client.end().catch(() => undefined);
  query.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return await work(client, () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0));
  } catch (error) {
    if (query.signal.aborted) throw toolError('cancelled', 'the query was cancelled');
    throw isToolError(error) ? error : postgresError(error, connection);
  } finally {
    query.signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

/**
 * The transaction of the statement. A server that notices a lost connection does not go on with a query that nobody
 * waits for.
 */
function beginning({ write, timeoutMs }: DatabaseQuery): string {
  return `BEGIN ${write ? 'READ WRITE' : 'READ ONLY'}; SET LOCAL statement_timeout = ${Math.max(1, Math.round(timeoutMs))};
SELECT pg_catalog.set_config(name, '1s', true) FROM pg_catalog.pg_settings WHERE name OPERATOR(pg_catalog.=) 'client_connection_check_interval'`;
}

function checkStatement(sql: string): void {
  const kind = statementKind(sql, 'postgres');
  const word = firstWord(sql, 'postgres');
  const expected = 'a query that reads begins with SELECT, WITH, TABLE, VALUES, EXPLAIN or SHOW';
  if (kind === 'acts') throw refusal(`\`${word}\` does more than read; ${expected}`);
  if (kind === 'empty') throw toolError('invalid_query', 'the query is empty');
  if (kind === 'unknown') throw toolError('invalid_query', `the database does not accept the query: ${expected}`);
  // Explained with ANALYZE these run too, and a table is made, if only until the transaction ends.
  const names = word === 'EXPLAIN' ? possibleNames(sql) : new Set<string>();
  const makes = ['create', 'refresh', 'execute', 'declare'].some((one) => names.has(one));
  if (makes || (names.has('into') && (names.has('analyze') || names.has('analyse'))))
    throw refusal('what is explained does more than read');
  if (hasEscapedName(sql)) throw refusal('a name in escapes (U&"…") could be any name; write the name itself');
}

const refusal = (why: string): ToolError => toolError('permission_denied', `Permission denied by the database: ${why}`);

/** Several statements in one message have several results. */
function checkRole(results: unknown, connection: PostgresConnection, { write, sql }: DatabaseQuery): void {
  const all: readonly unknown[] = Array.isArray(results) ? results : [results];
  const rows = all.flatMap((one) =>
    typeof one === 'object' && one !== null && 'rows' in one && Array.isArray(one.rows) ? one.rows : [],
  );
  const facts = readFacts(rows[0], sql);
  const power = connection.acceptPowerfulRole === true ? undefined : powerOf(facts, write);
  if (power !== undefined) throw refusedRole(connection.name, facts, power, write);
  const [first] = facts.acting;
  if (!write && first !== undefined)
    throw refusal(
      `the query names \`${first}\`, which does more than read (put a value that only looks like one into params; the owner of a function that only reads can mark it STABLE)`,
    );
}

/**
 * Characters of all cells together, and bytes on the way; a larger result would only fill the memory of whoever gets
 * it.
 */
const mostCharacters = 20_000_000;
const mostBytes = 64_000_000;

function tooLarge(): ToolError {
  const most = `${mostCharacters / 1_000_000} million characters`;
  return toolError('too_large', `the rows have more than ${most}; ask for fewer columns or rows, or for parts of them`);
}

/** A date that JavaScript has no number for stays the text of the server. */
const datesAsFarAsTheyGo = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    // The driver's own parsers know their types by number, and the types of the driver some of them.
    const parse: (value: string) => unknown = types.getTypeParser(oid, format as 'text');
    return (value) => {
      const parsed = parse(value);
      return parsed instanceof Date && Number.isNaN(parsed.getTime()) ? value : parsed;
    };
  },
};

function runLimited(client: Client, query: DatabaseQuery, bytesRead: () => number): Promise<DatabaseResult> {
  return new Promise((resolve, reject) => {
    const rows: Record<string, Json>[] = [];
    // `queryMode` is newer than the types of pg.
    const config = {
      text: query.sql,
      values: query.params.map(bindable),
      queryMode: 'extended',
      types: datesAsFarAsTheyGo,
    };
    const running = client.query(new Query<Record<string, unknown>>(config as never));
    let done = false;
    let characters = 0;
    const finish = (answer: () => void): void => {
      if (done) return;
      done = true;
      clearInterval(watch);
      answer();
    };
    const stop = (answer: () => void): void => finish(() => (void client.end().catch(() => undefined), answer()));
    // A row arrives whole, so that only what is on the way tells of one that is too large.
    const from = bytesRead();
    const watch = setInterval(() => bytesRead() - from > mostBytes && stop(() => reject(tooLarge())), 20);
    running.on('row', (row) => {
      if (done) return;
      if (rows.length >= query.maxRows)
        return stop(() => resolve({ columns: Object.keys(row), rows, truncated: true }));
      try {
        const cells = Object.entries(row).map(([key, value]): [string, Json] => [key, cell(value)]);
        characters += cells.reduce((sum, [, value]) => sum + sizeOf(value), 0);
        if (characters > mostCharacters) return stop(() => reject(tooLarge()));
        rows.push(Object.fromEntries(cells));
      } catch (error) {
        stop(() => reject(errorOf(error)));
      }
    });
    running.on('error', (error) => finish(() => reject(error)));
    running.on('end', (result) =>
      finish(() => {
        const columns = result?.fields?.map((field) => field.name) ?? Object.keys(rows[0] ?? {});
        const changed =
          columns.length === 0 && typeof result?.rowCount === 'number' ? { changes: result.rowCount } : {};
        resolve({ columns, rows, truncated: false, ...changed });
      }),
    );
  });
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}

function postgresError(error: unknown, connection: DatabaseConnection): ToolError {
  const message = messageOf(error);
  const sqlState = errnoOf(error) ?? '';
  const make = (code: ErrorCode, text: string, retryable = false): ToolError =>
    toolError(code, text, { retryable, details: { sqlState } });
  if (sqlState === '25006' || sqlState === '42501')
    return make('permission_denied', `Permission denied by the database: ${message}`);
  if (sqlState === '57014') return make('timeout', `the query took too long: ${message}`);
  if (/^(?:42|22|0A|21|08P01|26|25)/.test(sqlState))
    return make('invalid_query', `the database does not accept the query: ${message}`);
  if (/^E[A-Z]+$/.test(sqlState) || sqlState.startsWith('08'))
    return make('database_error', `the database \`${connection.name}\` cannot be reached: ${sqlState}`, true);
  if (/client password must be/.test(message))
    return make(
      'database_error',
      `the database \`${connection.name}\` wants a password, and none is set; ask the user to name its secret as \`passwordSecret\` of the connection in \`agentCapabilities.database.connections\``,
    );
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
