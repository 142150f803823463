import { type ChildProcess, spawn } from 'node:child_process';
import type { Disposable } from '../../core/base/lifecycle';
import { toolError, type ToolError } from '../../core/vocabulary/errors';
import type { WorkerPool } from '../../core/ports/platform';
import { variablesOf } from '../programs/searchPath';
import { IdlePool } from '../processes/idlePool';
import { JobQueue } from '../processes/jobQueue';
import {
  memoryMb,
  type SqliteProcessAnswer,
  type SqliteProcessOptions,
  type SqliteProcessRequest,
} from './sqliteProtocol';
import type { SqliteInput } from './sqliteTask';

interface Job {
  readonly request: SqliteProcessRequest;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

interface Child {
  readonly process: ChildProcess;
  /** The file of its queries: what a statement leaves behind in a process never meets another database. */
  readonly file: string;
  isReady: boolean;
  hear: (event: SqliteProcessAnswer | { readonly type: 'gone'; readonly error?: ToolError }) => void;
}

/** At most so many queries run at a time; the others wait. */
const mostBusy = 4;
const mostIdle = 2;
const startupMs = 15_000;

/** The processes of `sqliteProcesses.ts`. Time counts from when the process can take the query. */
export function createSqliteRunner(script: string, options: SqliteProcessOptions): WorkerPool & Disposable {
  const idle = new IdlePool<Child>(options.idleMs ?? 30_000, ({ process }) => process.kill('SIGKILL'));
  const busy = new Set<Child>();
  const queue = new JobQueue<Job>(mostBusy, () => busy.size, start);
  let nextId = 1;
  let disposed = false;

  function giveBack(child: Child): void {
    if (idle.size >= mostIdle) idle.endOldest();
    child.hear = ({ type }) => type === 'gone' && idle.end(child);
    idle.keep(child);
  }

  function start(job: Job): void {
    if (job.signal?.aborted) return job.reject(cancelled());
    const { path } = job.request.input;
    const child = idle.take(({ file }) => file === path) ?? launch(script, path, options.execPath ?? process.execPath);
    busy.add(child);
    runIn(child, job, (keep) => {
      busy.delete(child);
      child.hear = () => undefined;
      if (keep && !disposed) giveBack(child);
      else child.process.kill('SIGKILL');
      queue.next();
    });
  }

  return {
    run(task, input, { timeoutMs, signal }) {
      if (disposed) return Promise.reject(new Error('the database processes are closed'));
      if (task !== 'sqlite') return Promise.reject(new Error(`there is no task \`${task}\` here`));
      return new Promise((resolve, reject) => {
        // The port carries inputs of every task; this one's comes from `databaseClient.ts`.
        queue.add({ request: { id: nextId++, input: input as SqliteInput }, timeoutMs, signal, resolve, reject });
      });
    },
    dispose() {
      disposed = true;
      for (const job of queue.end()) job.reject(new Error('the database processes are closed'));
      idle.endAll();
      for (const child of [...busy])
        child.hear({
          type: 'gone',
          error: toolError('cancelled', 'the query was cancelled, because the databases are closed'),
        });
    },
  };
}

const cancelled = (): ToolError => toolError('cancelled', 'the query was cancelled');

/** Runs one query, as soon as its process is ready; `ended` hears whether the process may run another. */
function runIn(child: Child, job: Job, ended: (keep: boolean) => void): void {
  const { request, timeoutMs, signal } = job;
  const settle = (keep: boolean, answer: () => void): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    answer();
    ended(keep);
  };
  const fail = (error: Error): void => settle(false, () => job.reject(error));
  const onAbort = (): void => fail(cancelled());
  const late = (limit: number, what: string): NodeJS.Timeout =>
    setTimeout(() => fail(toolError('timeout', `${what} within ${limit} ms`, { details: { phase: 'worker' } })), limit);
  let timer = late(startupMs, 'the process for SQLite did not start');
  const run = (): void => {
    clearTimeout(timer);
    timer = late(timeoutMs, 'the query did not finish');
    child.process.send(request);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  child.hear = (event) => {
    if (event.type === 'ready') run();
    else if (event.type === 'gone')
      fail(event.error ?? toolError('database_error', 'the process of the query ended unexpectedly'));
    else if (event.id === request.id) settle(true, () => job.resolve(event.answer));
  };
  if (child.isReady) run();
}

/** The few variables that a process needs to start; nothing of this one's environment tells it to load anything. */
const inherited = ['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'] as const;

function launch(script: string, file: string, execPath: string): Child {
  const made = spawn(execPath, [script], {
    env: { ...variablesOf(process.env, inherited), ELECTRON_RUN_AS_NODE: '1' },
    // The pipe stays open for as long as this process lives, however it ends.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  const child: Child = { process: made, file, isReady: false, hear: () => undefined };
  // It must not keep this process alive; a query that somebody waits for does so by its timer.
  made.unref();
  made.channel?.unref();
  const pipe = made.stdio[3];
  let memory = false;
  const gone = (): void =>
    child.hear({
      type: 'gone',
      ...(memory
        ? { error: toolError('too_large', `the query needed more than ${memoryMb} MB of memory; ask for less`) }
        : {}),
    });
  if (pipe) {
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
    pipe.on('data', () => (memory = true));
    pipe.on('error', () => undefined);
  }
  made.on('message', (answer: SqliteProcessAnswer) => {
    if (answer.type === 'ready') child.isReady = true;
    child.hear(answer);
  });
  made.on('error', gone);
  made.on('close', gone);
  return child;
}
