import type { SqliteAnswer, SqliteInput } from './sqliteTask';

/** What goes to the process of `src/sqliteProcess.ts` and comes back. */
export interface SqliteProcessRequest {
  readonly id: number;
  readonly input: SqliteInput;
}
export type SqliteProcessAnswer =
  { readonly type: 'ready' } | { readonly type: 'done'; readonly id: number; readonly answer: SqliteAnswer };

/** The number of the pipe that is closed when the process at its other end is gone. */
export const watchedPipe = 3;
/** Written to that pipe by a process that ends because of its memory. */
export const outOfMemory = 'm';
/** The memory that the process of one query may take. */
export const memoryMb = 512;

export interface SqliteProcessOptions {
  /** A Node with SQLite; default this process's own. */
  readonly execPath?: string;
  /** A process without work ends after so long. */
  readonly idleMs?: number;
}
