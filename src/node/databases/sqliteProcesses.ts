import { lateRunner } from '../processes/lateRunner';
import type { Disposable } from '../../core/base/lifecycle';
import type { WorkerPool } from '../../core/ports/platform';
import type { SqliteProcessOptions } from './sqliteProtocol';

/**
 * Runs the task `sqlite` in processes that can be ended whatever a query does: at its timeout, when the call is
 * cancelled, when this is disposed. A process also ends by itself with the one that started it. What does it is loaded
 * with the first query.
 */
export function createSqliteProcesses(script: string, options: SqliteProcessOptions = {}): WorkerPool & Disposable {
  return lateRunner('the database processes are closed', async () => {
    const { createSqliteRunner } = await import('./sqliteRunner');
    return () => createSqliteRunner(script, options);
  });
}
