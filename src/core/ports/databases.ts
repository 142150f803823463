import type { Json } from '../base/json';
import type { WorkspacePath } from './workspacePath';

export type DatabaseConnection =
  | { readonly type: 'sqlite'; readonly name: string; readonly path: WorkspacePath | ':memory:' }
  | {
      readonly type: 'postgres';
      readonly name: string;
      readonly url: string;
      readonly password?: string;
      /** The owner of the database accepts that the role could run programs or reach files of the server. */
      readonly acceptPowerfulRole?: boolean;
    };

export interface DatabaseQuery {
  /** One statement. */
  readonly sql: string;
  readonly params: readonly Json[];
  /**
   * False makes the database itself refuse all but reading: a read-only file handle and query_only for SQLite; for
   * PostgreSQL a read-only transaction, a role that can do no more, and no function that acts.
   */
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
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly nullable: boolean;
    readonly primaryKey: boolean;
  }[];
}

/**
 * Runs one statement with bound parameters. Errors are ToolErrors: `invalid_query` for what the database refuses to
 * understand or more than one statement, `permission_denied` for a statement that does more than read on a read-only
 * connection, `powerful_role` for a role that can do more than read and write data, `not_available` where the runtime
 * has no driver, `timeout`, `cancelled`, `database_error` for all else.
 */
export interface DatabaseClient {
  query(connection: DatabaseConnection, query: DatabaseQuery): Promise<DatabaseResult>;
  /**
   * The rows that a writing statement would change, counted in a transaction that is rolled back. Undefined where that
   * cannot be told without leaving something behind.
   */
  foresee?(
    connection: DatabaseConnection,
    query: Omit<DatabaseQuery, 'write' | 'maxRows'>,
  ): Promise<number | undefined>;
  tables(connection: DatabaseConnection, signal: AbortSignal): Promise<readonly DatabaseTable[]>;
}
