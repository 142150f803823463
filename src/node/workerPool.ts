import { Worker } from 'node:worker_threads';
import type { Disposable } from '../core/base/lifecycle';
import { toolError } from '../core/vocabulary/errors';
import type { WorkerPool } from '../core/ports/platform';

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

/**
 * Runs tasks in worker threads, at most two at a time; the others wait. A task that exceeds its time or memory loses
 * its thread and nothing else: the caller gets a `timeout` or `too_large` error, the next task a new thread.
 */
export function createWorkerPool(script: string, size = 2): WorkerPool & Disposable {
  const idle: { readonly slot: Slot; readonly timer: NodeJS.Timeout }[] = [];
  const waiting: Job[] = [];
  const busy = new Set<Worker>();
  let nextId = 1;
  let disposed = false;

  function take(memoryMb: number): Slot {
    const at = idle.findIndex((one) => one.slot.memoryMb === memoryMb);
    const found = at >= 0 ? idle.splice(at, 1)[0] : undefined;
    if (found) {
      clearTimeout(found.timer);
      return found.slot;
    }
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
      const at = idle.findIndex((one) => one.slot === slot);
      for (const gone of at >= 0 ? idle.splice(at, 1) : []) clearTimeout(gone.timer);
      slot.listener?.fail(new Error(`the worker thread ended with code ${code}`));
    });
    return slot;
  }

  function giveBack(slot: Slot): void {
    if (disposed || idle.length >= size) {
      void slot.worker.terminate();
      return;
    }
    const timer = setTimeout(() => {
      const at = idle.findIndex((one) => one.slot === slot);
      if (at >= 0) idle.splice(at, 1);
      void slot.worker.terminate();
    }, idleMs);
    timer.unref();
    idle.push({ slot, timer });
  }

  function startNext(): void {
    while (busy.size < size) {
      const job = waiting.shift();
      if (!job) return;
      start(job);
    }
  }

  function start(job: Job): void {
    const { signal, request } = job;
    if (signal?.aborted) return job.reject(toolError('cancelled', `the task \`${request.task}\` was cancelled`));
    const slot = take(job.memoryMb);
    const { worker } = slot;
    busy.add(worker);
    const end = (keep: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      delete slot.listener;
      busy.delete(worker);
      if (keep) giveBack(slot);
      else void worker.terminate();
      startNext();
    };
    const fail = (error: Error): void => {
      end(false);
      job.reject(error);
    };
    const onAbort = (): void => fail(toolError('cancelled', `the task \`${request.task}\` was cancelled`));
    const timer = setTimeout(
      () =>
        fail(
          toolError('timeout', `\`${request.task}\` did not finish within ${job.timeoutMs} ms`, {
            details: { phase: 'worker' },
          }),
        ),
      job.timeoutMs,
    );
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
    worker.postMessage(request);
  }

  return {
    run(task, input, { timeoutMs, signal, memoryMb }) {
      if (disposed) return Promise.reject(new Error('the worker pool is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({
          request: { id: nextId++, task, input },
          memoryMb: memoryMb ?? defaultMemoryMb,
          timeoutMs,
          signal,
          resolve,
          reject,
        });
        startNext();
      });
    },
    dispose() {
      disposed = true;
      for (const { slot, timer } of idle.splice(0)) {
        clearTimeout(timer);
        void slot.worker.terminate();
      }
      for (const worker of busy) void worker.terminate();
      for (const job of waiting.splice(0)) job.reject(new Error('the worker pool is closed'));
    },
  };
}
