import type { Json } from '../base/json';
import type { WorkspacePath } from './files';

export type DatabaseConnection =
  | { readonly type: 'sqlite'; readonly name: string; readonly path: WorkspacePath | ':memory:' }
  | { readonly type: 'postgres'; readonly name: string; readonly url: string; readonly password?: string };

export interface DatabaseQuery {
  /** One statement. */
  readonly sql: string;
  readonly params: readonly Json[];
  /** False makes the connection itself refuse to write: a read-only file handle and query_only for SQLite, a read-only transaction for PostgreSQL. */
  readonly write: boolean;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface DatabaseResult {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Json>>[];
  /** True where there were more rows than `maxRows`. */
  readonly truncated: boolean;
  /** Rows that a writing statement changed. */
  readonly changes?: number;
}

export interface DatabaseTable {
  readonly name: string;
  readonly type: 'table' | 'view';
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean; readonly primaryKey: boolean }[];
}

/**
 * Runs one statement with bound parameters. Errors are ToolErrors: `invalid_query` for what the database refuses to understand or more than
 * one statement, `permission_denied` for a write on a read-only connection, `not_available` where the runtime has no driver,
 * `timeout`, `cancelled`, `database_error` for all else.
 */
export interface DatabaseClient {
  query(connection: DatabaseConnection, query: DatabaseQuery): Promise<DatabaseResult>;
  tables(connection: DatabaseConnection, signal: AbortSignal): Promise<readonly DatabaseTable[]>;
}
