import { Client, Query, type QueryResult, types } from 'pg';
import type { Socket } from 'node:net';
import { type Json, plainJson } from '../../core/base/json';
import { type ErrorCode, isToolError, toolError, type ToolError } from '../../core/vocabulary/errors';
import type { DatabaseConnection, DatabaseQuery, DatabaseResult } from '../../core/ports/databases';
import { hasEscapedName, possibleNames, powerOf, readFacts, refusedRole, roleQuestion } from './postgresRole';
import { judgedStream } from './postgresStream';
import { firstWord, forLaterFault, repeatedColumn, statementKind } from './statements';
import type { Resolving } from '../http/resolve';
import { messageOf, errorOf } from '../../core/base/errorText';
import { errnoOf } from '../errors/errno';

type PostgresConnection = Extract<DatabaseConnection, { type: 'postgres' }>;

/**
 * Runs one statement in a transaction of its own. The extended protocol carries the statement, which takes exactly one.
 * Without `write` the transaction is read-only, the role must be one that can do no more than read, and the statement
 * may name no function that acts: a read-only transaction alone lets a superuser run programs. Rows of a query beyond
 * `maxRows` end the connection instead of being read; those of a statement that writes are passed over.
 */
export async function postgresQuery(
  connection: PostgresConnection,
  query: DatabaseQuery,
  network: Resolving = {},
): Promise<DatabaseResult> {
  const later = forLaterFault(query.sql, 'postgres');
  if (later !== undefined) throw unfit(later);
  if (!query.write) checkStatement(query.sql);
  return connected(connection, query, network, async (client, bytesRead) => {
    // One trip: what the role may do is asked on the very connection that then runs the statement.
    checkRole(await client.query(`${roleQuestion(query.sql)} ${beginning(query)}`), connection, query);
    const result = await runLimited(client, query, bytesRead);
    if (query.write) await client.query('COMMIT');
    else if (!result.truncated) await client.query('ROLLBACK');
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
  return `BEGIN ${write ? 'READ WRITE' : 'READ ONLY'}; SET LOCAL statement_timeout = ${Math.max(1, Math.round(timeoutMs))}; SET LOCAL DateStyle = ISO;
SELECT pg_catalog.set_config(name, '1s', true) FROM pg_catalog.pg_settings WHERE name OPERATOR(pg_catalog.=) 'client_connection_check_interval'`;
}

function checkStatement(sql: string): void {
  const kind = statementKind(sql, 'postgres');
  const word = firstWord(sql, 'postgres');
  const expected = 'a query that reads begins with SELECT, WITH, TABLE, VALUES, EXPLAIN or SHOW';
  if (kind === 'acts') throw refusal(`\`${word}\` does more than read; ${expected}`);
  if (kind === 'empty') throw toolError('invalid_query', 'the query is empty');
  if (kind === 'unknown') throw unfit(expected);
  // Explained with ANALYZE these run too, and a table is made, if only until the transaction ends.
  const names = word === 'EXPLAIN' ? possibleNames(sql) : new Set<string>();
  const makes = ['create', 'refresh', 'execute', 'declare'].some((one) => names.has(one));
  if (makes || (names.has('into') && (names.has('analyze') || names.has('analyse'))))
    throw refusal('what is explained does more than read');
  if (hasEscapedName(sql)) throw refusal('a name in escapes (U&"…") could be any name; write the name itself');
}

const refusal = (why: string): ToolError => toolError('permission_denied', `Permission denied by the database: ${why}`);

const unfit = (why: string): ToolError => toolError('invalid_query', `the database does not accept the query: ${why}`);

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

/** The numbers of PostgreSQL for date, timestamp, timestamptz and interval. */
const times: ReadonlySet<number> = new Set([1082, 1114, 1184, 1186]);
/** Those of lists of these, of bytea and of numeric; and that of a list of texts. */
const listsAsText: ReadonlySet<number> = new Set([1182, 1115, 1185, 1187, 1001, 1231]);
const textList = 1009;

/**
 * Times stay the text of the server: the driver reads a date as midnight of this machine, which is a day before in UTC
 * for half of the world, and has no microseconds. Lists lose no digits either.
 */
const asTheServerWrites = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (times.has(oid)) return (value) => value;
    // The driver's own parsers know their types by number, and the types of the driver some of them.
    const parse: (value: string) => unknown = types.getTypeParser(
      listsAsText.has(oid) ? textList : oid,
      format as 'text',
    );
    return parse;
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
      types: asTheServerWrites,
    };
    const running = client.query(new Query<Record<string, unknown>>(config as never));
    let done = false;
    let truncated = false;
    let repeated: string | undefined;
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
    running.on('row', (row, result) => {
      if (done) return;
      truncated ||= rows.length >= query.maxRows;
      // What wrote is only kept where all of it is heard.
      if (truncated && query.write) return;
      if (truncated) return stop(() => resolve({ columns: Object.keys(row), rows, truncated }));
      try {
        if (rows.length === 0) repeated = repeatedColumn(namesOf(result));
        if (repeated !== undefined) return;
        const cells = Object.entries(row).map(([key, value]): [string, Json] => [key, cell(value)]);
        characters += cells.reduce((sum, [, value]) => sum + sizeOf(value), 0);
        truncated = query.write && characters > mostCharacters;
        if (truncated) return;
        if (characters > mostCharacters) return stop(() => reject(tooLarge()));
        rows.push(Object.fromEntries(cells));
      } catch (error) {
        stop(() => reject(errorOf(error)));
      }
    });
    running.on('error', (error) => finish(() => reject(error)));
    running.on('end', (result) =>
      finish(() => {
        if (repeated !== undefined) return reject(unfit(repeated));
        const columns = namesOf(result);
        const tells = columns.length === 0 || truncated;
        const changed = tells && typeof result?.rowCount === 'number' ? { changes: result.rowCount } : {};
        resolve({ columns, rows, truncated, ...changed });
      }),
    );
  });
}

const namesOf = (result: Partial<Pick<QueryResult, 'fields'>> | undefined): readonly string[] =>
  result?.fields?.map((field) => field.name) ?? [];

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
  if (value instanceof Uint8Array) return `base64:${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'object' ? plainJson(value) : (value as Json);
}
