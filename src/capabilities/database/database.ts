import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, integer, object, objects, strings } from '../../core/capability/declare';
import { listTablesInput, queryInput } from './inputs';

const shared = {
  kind: 'data',
  permissions: { user: 'allowed', agent: 'allowed' },
  scopes: ['database:read'],
  riskLevel: 'medium',
  sideEffects: ['database.read'],
  costClass: 'free',
  timeoutMs: 70_000,
  icon: 'database',
  untrustedOutput: true,
} as const satisfies Partial<ToolDefinition>;

/**
 * Queries on SQLite and PostgreSQL (also under the name `db-query`); read-only by the connection itself unless the
 * profile has the scope `database:write`.
 */
export const database = builtin({
  id: 'database',
  name: 'Database',
  description: 'Queries SQLite and PostgreSQL databases; read-only unless database:write is granted.',
  summary: 'SQLite and PostgreSQL',
  icon: 'database',
  category: 'Data',
  tools: [
    defineTool(
      {
        ...shared,
        name: 'db_query',
        title: 'Database query',
        modelDescription:
          'Execute one SQL statement with bound parameters. Use it for rows of a database that the user set up; for the schema use list_tables first. Put every value into params (? in SQLite, $1 in PostgreSQL), never into the text. Writing works only where the profile has the scope database:write. Returns columns, rows, row_count and truncated.',
        userDescription: 'Execute database query',
        inputSchema: queryInput,
        outputSchema: object(
          { columns: strings, rows: objects, row_count: integer, truncated: boolean },
          { changes: integer },
        ),
        sideEffectsByScope: { 'database:write': ['database.write', 'database.delete'] },
        idempotency: 'non-idempotent',
        reversible: false,
        aliases: ['db-query'],
        tags: ['sql', 'database', 'sqlite', 'postgres', 'query', 'select'],
      },
      async () => (await import('./databaseTools')).dbQuery,
    ),
    defineTool(
      {
        ...shared,
        name: 'list_tables',
        title: 'List tables',
        modelDescription:
          'List the tables and views of a database with their columns, types and primary keys. Use it before writing a query; not for the rows themselves. Returns tables.',
        userDescription: 'List tables and columns of a database',
        inputSchema: listTablesInput,
        outputSchema: object({ tables: objects }),
        riskLevel: 'low',
        idempotency: 'idempotent',
        reversible: true,
        tags: ['sql', 'database', 'schema', 'columns'],
      },
      async () => (await import('./databaseTools')).listTables,
    ),
  ],
});
