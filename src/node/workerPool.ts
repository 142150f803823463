import { Worker } from 'node:worker_threads';
import type { Disposable } from '../core/base/lifecycle';
import { toolError } from '../core/vocabulary/errors';
import type { WorkerPool } from '../core/ports/platform';
import { IdlePool } from './processes/idlePool';
import { JobQueue } from './processes/jobQueue';

/** What goes to the worker and comes back; see `src/worker.ts`. */
export interface WorkerRequest {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly output: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

interface Job {
  readonly request: WorkerRequest;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

interface Slot {
  readonly worker: Worker;
  readonly memoryMb: number;
  /** The running task's ears; none while the thread is idle. */
  listener?: { answer(answer: WorkerAnswer): void; fail(error: Error & { code?: string }): void };
}

const defaultMemoryMb = 512;
/** A worker without work ends after so long. */
const idleMs = 60_000;
/** A task that waits for the processor may take so many times as long by the clock. */
const patience = 5;

/**
 * Runs tasks in worker threads, at most two at a time; the others wait. A task that exceeds its time or memory loses
 * its thread and nothing else: the caller gets a `timeout` or `too_large` error, the next task a new thread. On a busy
 * machine the clock alone does not tell: a task has not had its time before this process has had as much of the
 * processor.
 */
export function createWorkerPool(script: string, size = 2): WorkerPool & Disposable {
  const idle = new IdlePool<Slot>(idleMs, ({ worker }) => void worker.terminate());
  const busy = new Set<Worker>();
  const queue = new JobQueue<Job>(size, () => busy.size, start);
  let nextId = 1;
  let disposed = false;

  function start(job: Job): void {
    if (job.signal?.aborted) return job.reject(cancelled(job));
    const slot = idle.take(({ memoryMb }) => memoryMb === job.memoryMb) ?? startThread(script, job.memoryMb, idle);
    busy.add(slot.worker);
    runIn(slot, job, (keep) => {
      busy.delete(slot.worker);
      if (keep && !disposed && idle.size < size) idle.keep(slot);
      else void slot.worker.terminate();
      queue.next();
    });
  }

  return {
    run(task, input, { timeoutMs, signal, memoryMb }) {
      if (disposed) return Promise.reject(new Error('the worker pool is closed'));
      return new Promise((resolve, reject) => {
        queue.add({
          request: { id: nextId++, task, input },
          memoryMb: memoryMb ?? defaultMemoryMb,
          timeoutMs,
          signal,
          resolve,
          reject,
        });
      });
    },
    dispose() {
      disposed = true;
      idle.endAll();
      for (const worker of busy) void worker.terminate();
      for (const job of queue.end()) job.reject(new Error('the worker pool is closed'));
    },
  };
}

function startThread(script: string, memoryMb: number, idle: IdlePool<Slot>): Slot {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: false,
    stderr: false,
  });
  // A thread must not keep the process alive once everything else is done.
  worker.unref();
  const slot: Slot = { worker, memoryMb };
  // Attached once: taking all listeners off a worker and putting new ones on silences it.
  worker.on('message', (answer: WorkerAnswer) => slot.listener?.answer(answer));
  worker.on('error', (error: Error) => slot.listener?.fail(error));
  worker.on('exit', (code) => {
    idle.forget(slot);
    slot.listener?.fail(new Error(`the worker thread ended with code ${code}`));
  });
  return slot;
}

/** Runs one job; `ended` hears whether its thread may run another, before the caller hears of the job. */
function runIn(slot: Slot, job: Job, ended: (keep: boolean) => void): void {
  const { signal, request } = job;
  const end = (keep: boolean): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    delete slot.listener;
    ended(keep);
  };
  const fail = (error: Error): void => {
    end(false);
    job.reject(error);
  };
  const onAbort = (): void => fail(cancelled(job));
  const late = `\`${request.task}\` did not finish within ${job.timeoutMs} ms`;
  const began = { clock: performance.now(), processor: process.cpuUsage() };
  const onTime = (): void => {
    const { user, system } = process.cpuUsage(began.processor);
    const left = Math.min(
      job.timeoutMs - (user + system) / 1000,
      job.timeoutMs * patience - (performance.now() - began.clock),
    );
    if (left > 0) timer = setTimeout(onTime, left);
    else fail(toolError('timeout', late, { details: { phase: 'worker' } }));
  };
  let timer = setTimeout(onTime, job.timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  slot.listener = {
    answer(answer) {
      if (answer.id !== request.id) return;
      end(true);
      if (answer.ok) job.resolve(answer.output);
      else job.reject(new Error(answer.message));
    },
    fail: (error) =>
      fail(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? toolError('too_large', `\`${request.task}\` needed more than ${job.memoryMb} MB of memory`)
          : error,
      ),
  };
  slot.worker.postMessage(request);
}

const cancelled = ({ request }: Job): Error => toolError('cancelled', `the task \`${request.task}\` was cancelled`);
