import { say } from '../../core/base/sentence';
import type { Access } from '../../core/vocabulary/access';
import { saysThatItWrites } from './beginning';
import { chosen, missing, writeScope } from './connections';
import type { Json } from '../../core/base/json';
import { isToolError, notAvailable, permissionDenied } from '../../core/vocabulary/errors';
import { resolvePath, samePath } from '../../core/files/paths';
import type { DatabaseConnection, DatabaseQuery, DatabaseResult } from '../../core/ports/databases';
import { need } from '../../core/ports/need';
import type { ConfiguredDatabase } from '../../core/settings/databaseConnection';
import type { AccessContext, ToolContext, ToolHandler } from '../../core/capability/tool';
import type { WorkspacePath } from '../../core/ports/workspacePath';
import { accessLabel } from '../../core/ports/accessLabel';
import type { ListTablesInput, QueryInput } from './inputs';

/** What a statement begins with that writes and takes nothing away, but by triggers; any other may delete. */
const adding =
  /^\s*(?:INSERT\s+INTO\b|UPDATE(?!\s+OR\b)\s+["`[\w]|CREATE\s+(?:(?:TEMP|TEMPORARY|UNLOGGED|UNIQUE|MATERIALIZED)\s+)*(?:TABLE|INDEX|VIEW|SCHEMA|SEQUENCE)\b)/i;
/** Words of one that deletes within: a trigger that is made, a query whose answer is written. */
const deleting = /\b(?:DELETE|DROP|TRUNCATE|REPLACE|MERGE)\b/i;
const mayDelete = (sql: string): boolean => !adding.test(sql) || deleting.test(sql);

/** @param writing the statement that writes; undefined for one that only reads. */
async function accessesOf(
  connection: ConfiguredDatabase,
  context: AccessContext,
  writing: string | undefined,
): Promise<readonly Access[]> {
  const write = writing !== undefined;
  const { name } = connection;
  const onData: readonly Access[] = [
    { effect: write ? 'database.write' : 'database.read', resource: name },
    ...(write && mayDelete(writing) ? [{ effect: 'database.delete', resource: name } as const] : []),
  ];
  if (connection.type === 'postgres') {
    if (!write) return [...onData, { effect: 'network.socket', resource: serverOf(connection.url), onlyReads: true }];
    // Whoever writes with a role that can run programs can run programs.
    const exec = { effect: 'system.exec', resource: `postgres ${connection.name}` };
    return [...onData, ...(connection.acceptPowerfulRole ? [exec] : [])];
  }
  const { files } = context.ports;
  const named = await resolvePath(files, connection.path);
  const real = await files.canonical(named);
  // A link is judged by its own name and by where it leads.
  const places = samePath(named, real) ? [named] : [named, real];
  return [
    ...onData,
    ...places.map((place) => ({ effect: write ? 'fs.write' : 'fs.read', resource: accessLabel(place, files) })),
  ];
}

/**
 * The server that the driver connects to: a host among the parameters counts more than the one of the address, and a
 * path is this machine.
 */
function serverOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.getAll('host').at(-1) || decodeURIComponent(hostname);
  return `${host === '' || host.startsWith('/') ? 'localhost' : host}:${searchParams.getAll('port').at(-1) || port || '5432'}`;
}

async function opened(connection: ConfiguredDatabase, context: ToolContext, tool: string): Promise<DatabaseConnection> {
  if (connection.type === 'sqlite') {
    const { files } = context.ports;
    const named = await resolvePath(files, connection.path);
    const path = await files.canonical(named);
    // The link may lead elsewhere than when the call was judged.
    const verdict = samePath(named, path)
      ? undefined
      : await context.access({ effect: 'fs.read', resource: accessLabel(path, files) });
    if (verdict && !verdict.allowed) throw permissionDenied(tool, `may not read the database: ${verdict.reason}`);
    return { type: 'sqlite', name: connection.name, path };
  }
  const server = await withPassword(connection, context);
  if (!server) throw notAvailable('db_query', `the secret \`${connection.secret ?? ''}\` is not set`);
  return server;
}

/** Undefined where its secret is not set. */
async function withPassword(
  { name, url, acceptPowerfulRole, secret }: Extract<ConfiguredDatabase, { type: 'postgres' }>,
  { ports }: Pick<AccessContext, 'ports'>,
): Promise<DatabaseConnection | undefined> {
  const server = { type: 'postgres', name, url, acceptPowerfulRole } as const;
  if (secret === undefined) return server;
  const password = await ports.secrets.get(secret);
  return password === undefined ? undefined : { ...server, password };
}

export const dbQuery: ToolHandler<QueryInput> = {
  missing,
  // What its words tell is judged before the call, so that a person is asked and `why` says it; the rest is met
  // while it runs, when the connection refuses to write.
  accesses: async ({ connection, query }, context) => {
    const named = chosen(connection, context);
    const reading = await accessesOf(named, context, undefined);
    if (context.scopes?.includes(writeScope) !== true || !saysThatItWrites(query)) return reading;
    return [...reading, ...(await accessesOf(named, context, query))];
  },
  preview: async (input, context) => {
    const { query, params } = input;
    const rows = context.asked?.some(isWrite) ? await rowsOf(input, context) : undefined;
    return {
      lines: [
        ...query.split('\n'),
        ...(params && params.length > 0 ? [say('preview_query_values', JSON.stringify(params))] : []),
      ],
      ...(rows === undefined ? {} : { stake: { rows } }),
    };
  },
  async run(input, context) {
    const databases = need(context.ports.databases, 'db_query', 'databases');
    const named = chosen(input.connection, context);
    const connection = await opened(named, context, 'db_query');
    const query: DatabaseQuery = {
      sql: input.query,
      params: input.params ?? [],
      write: false,
      maxRows: input.max_rows,
      timeoutMs: input.timeout_ms,
      signal: context.signal,
    };
    const mayWrite = context.scopes.includes(writeScope);
    try {
      return { payload: shaped(await databases.query(connection, query)) };
    } catch (error) {
      // The read-only connection itself tells that the statement writes; nothing has happened yet. A new SQLite file is
      // made by writing.
      const writes =
        isToolError(error) &&
        (error.data.code === 'permission_denied' || (error.data.code === 'not_found' && named.type === 'sqlite'));
      if (!writes) throw error;
      if (!mayWrite)
        throw error.data.code === 'not_found'
          ? error
          : permissionDenied(
              'db_query',
              `may only read, because the profile is not granted \`${writeScope}\` (${error.message})`,
            );
      for (const access of await accessesOf(named, context, input.query)) {
        const verdict = await context.access(access);
        if (!verdict.allowed) throw permissionDenied('db_query', `may not write: ${verdict.reason}`);
      }
      if (connection.type === 'sqlite' && connection.path !== ':memory:') await makeParent(connection.path, context);
      const result = await databases.query(connection, { ...query, write: true });
      return { payload: shaped(result), accesses: await accessesOf(named, context, input.query) };
    }
  },
};

const isWrite = ({ effect }: Access): boolean => effect === 'database.write' || effect === 'fs.write';

/** Nobody waits longer for a question because rows are counted. */
const mostCountingMs = 1000;

/** The rows that a statement would change; undefined where the database does not tell. */
async function rowsOf(input: QueryInput, context: AccessContext): Promise<number | undefined> {
  const { databases } = context.ports;
  const connection = chosen(input.connection, context);
  if (!databases?.foresee) return undefined;
  const place = await countedAt(connection, context);
  const timeoutMs = Math.min(input.timeout_ms, mostCountingMs);
  const query = { sql: input.query, params: input.params ?? [], timeoutMs, signal: context.signal };
  return place && databases.foresee(place, query).catch(() => undefined);
}

/** Where rows are counted; undefined where that would be done before somebody allowed it. */
async function countedAt(
  connection: ConfiguredDatabase,
  context: AccessContext,
): Promise<DatabaseConnection | undefined> {
  if (connection.type === 'sqlite') {
    const { files } = context.ports;
    const { name, path } = connection;
    if (path === ':memory:') return undefined;
    return { type: 'sqlite', name, path: await files.canonical(await resolvePath(files, path)) };
  }
  // The server hears of us with the first look.
  const isFirst = context.asked?.some(({ effect }) => effect === 'network.socket') === true;
  return isFirst ? undefined : withPassword(connection, context);
}

/** A new database may lie in a folder that is not there yet, as the default one does. */
async function makeParent(file: WorkspacePath, { ports: { files } }: ToolContext): Promise<void> {
  const at = file.path.lastIndexOf('/');
  if (at > 0) await files.makeDirectory({ ...file, path: file.path.slice(0, at) });
}

function shaped({ columns, rows, truncated, changes }: DatabaseResult): Json {
  return { columns, rows, row_count: rows.length, truncated, ...(changes === undefined ? {} : { changes }) };
}

export const listTables: ToolHandler<ListTablesInput> = {
  missing,
  accesses: async ({ connection }, context) => accessesOf(chosen(connection, context), context, undefined),
  async run(input, context) {
    const databases = need(context.ports.databases, 'list_tables', 'databases');
    const tables = await databases.tables(
      await opened(chosen(input.connection, context), context, 'list_tables'),
      context.signal,
    );
    return {
      payload: {
        tables: tables.map(({ name, type, columns }) => ({
          name,
          type,
          columns: columns.map(({ primaryKey, ...column }) => ({
            ...column,
            ...(primaryKey ? { primary_key: true } : {}),
          })),
        })),
      },
    };
  },
};
