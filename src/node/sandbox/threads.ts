import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../core/base/lifecycle';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import type { Sandbox, SandboxHost, SandboxLimits, SandboxOutcome, SandboxProgram } from '../../core/ports/sandbox';
import type { FromSandbox, ToSandbox } from './protocol';

/** After its own limit the interpreter has so long to end by itself before its thread is ended. */
const graceMs = 500;
const startupMs = 10_000;
const idleMs = 30_000;
/** A thread is replaced after so many runs, because the interpreter's memory grows and never shrinks. */
const mostRuns = 50;
const threadMemoryMb = 256;

/**
 * So many calls of the host are answered at a time; a program that makes more waits, and their answers do not pile up
 * here.
 */
const mostAtOnce = 4;

/**
 * So many programs run at a time, those that wait for a tool that runs another one included; a program that calls
 * itself ends here.
 */
const mostPrograms = 16;

const ignore = (): void => undefined;

interface Thread {
  readonly worker: Worker;
  runs: number;
}

/**
 * Runs programs in threads of their own. Whatever a program does, its thread can be ended; a thread in which one failed
 * is not used again.
 */
export function createThreads(script: string): Sandbox & Disposable {
  const idle = new Map<Thread, NodeJS.Timeout>();
  const busy = new Set<Thread>();
  let disposed = false;

  const take = (): Thread => {
    const [entry] = idle;
    if (entry) {
      const [thread, timer] = entry;
      clearTimeout(timer);
      idle.delete(thread);
      return thread;
    }
    const worker = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
      env: {},
      stdout: true,
      stderr: true,
    });
    worker.unref();
    return { worker, runs: 0 };
  };

  const giveBack = (thread: Thread): void => {
    const timer = setTimeout(() => {
      idle.delete(thread);
      void thread.worker.terminate();
    }, idleMs);
    timer.unref();
    idle.set(thread, timer);
  };

  const run = (
    program: SandboxProgram,
    limits: SandboxLimits,
    host: SandboxHost,
    signal: AbortSignal,
  ): Promise<SandboxOutcome> =>
    new Promise((resolve, reject) => {
      if (disposed) return reject(new Error('the sandbox is closed'));
      if (signal.aborted) return reject(toolError('cancelled', `\`${program.fileName}\` was cancelled`));
      if (busy.size >= mostPrograms)
        return reject(
          toolError(
            'too_many_calls',
            `${mostPrograms} programs run in the sandbox already; call again when one of them has ended`,
            {
              retryable: true,
            },
          ),
        );
      const thread = take();
      const { worker } = thread;
      thread.runs++;
      busy.add(thread);
      let ended = false;
      const end = (keep: boolean): void => {
        ended = true;
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        // Only our own: those of Node itself keep the thread's port open.
        worker.off('message', onMessage).off('exit', onExit).off('error', onError).on('error', ignore);
        busy.delete(thread);
        if (keep && !disposed && thread.runs < mostRuns) giveBack(thread);
        else void worker.terminate();
      };
      const fail = (error: Error): void => {
        if (ended) return;
        end(false);
        reject(error);
      };
      const onAbort = (): void => fail(toolError('cancelled', `\`${program.fileName}\` was cancelled`));
      const late = (): void =>
        fail(toolError('timeout', `the code did not finish within ${limits.timeoutMs} ms and was ended`));
      const timer = setTimeout(late, limits.timeoutMs + graceMs + (thread.runs === 1 ? startupMs : 0));
      signal.addEventListener('abort', onAbort, { once: true });
      const send = (message: ToSandbox): void => {
        if (!ended) worker.postMessage(message);
      };
      const calls: Extract<FromSandbox, { type: 'call' }>[] = [];
      let answering = 0;
      const answerNext = (): void => {
        const call = ended || answering >= mostAtOnce ? undefined : calls.shift();
        if (!call) return;
        answering++;
        host(call.name, call.args)
          .then(
            (value) => send({ type: 'answer', id: call.id, ok: true, value }),
            (error: unknown) =>
              send({
                type: 'answer',
                id: call.id,
                ok: false,
                message: isToolError(error) || error instanceof TypeError ? error.message : 'the host could not answer',
              }),
          )
          .finally(() => {
            answering--;
            answerNext();
          });
      };
      const onMessage = (message: FromSandbox): void => {
        switch (message.type) {
          case 'done':
            end(true);
            return resolve(message.outcome);
          case 'failed':
            if (ended) return;
            end(message.clean);
            return reject(toolError(message.code, message.message, placeOf(message.place)));
          case 'call':
            calls.push(message);
            return answerNext();
        }
      };
      const onError = (error: Error & { code?: string }): void =>
        fail(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? toolError('too_large', 'the code needed more memory than it may have')
            : toolError('sandbox_error', `the sandbox ended: ${error.message}`),
        );
      const onExit = (): void => fail(toolError('sandbox_error', 'the sandbox ended before it answered'));
      worker.off('error', ignore).on('message', onMessage).on('error', onError).on('exit', onExit);
      send({ type: 'run', program, limits });
    });

  return {
    run,
    dispose() {
      disposed = true;
      for (const [thread, timer] of idle) {
        clearTimeout(timer);
        void thread.worker.terminate();
      }
      idle.clear();
      for (const { worker } of busy) void worker.terminate();
    },
  };
}

const placeOf = (place: string | undefined) => (place === undefined ? {} : { details: { place } });
