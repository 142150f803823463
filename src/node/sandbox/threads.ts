import { Worker } from 'node:worker_threads';
import { defined } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { say } from '../../core/base/sentence';
import { isToolError, refusal, toolError } from '../../core/vocabulary/errors';
import type { Sandbox, SandboxHost, SandboxLimits, SandboxOutcome, SandboxProgram } from '../../core/ports/sandbox';
import { IdlePool } from '../processes/idlePool';
import { JobQueue } from '../processes/jobQueue';
import type { FromSandbox, ToSandbox } from './protocol';

/** After its own limit the interpreter has so long to end by itself before its thread is ended. */
const graceMs = 500;
/** Until a program begins, its thread has so long and as long as the program may take. */
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
  /** True once its program has ended and left nothing behind. */
  isClean: boolean;
}

/**
 * Runs programs in threads of their own. Whatever a program does, its thread can be ended; a thread in which one failed
 * is not used again.
 */
export function createThreads(script: string): Sandbox & Disposable {
  const idle = new IdlePool<Thread>(idleMs, ({ worker }) => void worker.terminate());
  const busy = new Set<Thread>();
  let disposed = false;
  return {
    async run(program, limits, host, signal) {
      if (disposed) throw new Error('the sandbox is closed');
      if (signal.aborted) throw cancelled(program);
      if (busy.size >= mostPrograms)
        throw toolError(
          'too_many_calls',
          `${mostPrograms} programs run in the sandbox already; call again when one of them has ended`,
          { retryable: true },
        );
      const thread = idle.take(() => true) ?? startThread(script);
      busy.add(thread);
      try {
        return await runIn(thread, program, limits, host, signal);
      } finally {
        busy.delete(thread);
        if (thread.isClean && !disposed && thread.runs < mostRuns) idle.keep(thread);
        else void thread.worker.terminate();
      }
    },
    dispose() {
      disposed = true;
      idle.endAll();
      for (const { worker } of busy) void worker.terminate();
    },
  };
}

function startThread(script: string): Thread {
  const worker = new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.unref();
  return { worker, runs: 0, isClean: true };
}

/** Runs one program, until it ends, fails, is cancelled or takes too long. */
function runIn(
  thread: Thread,
  program: SandboxProgram,
  limits: SandboxLimits,
  host: SandboxHost,
  signal: AbortSignal,
): Promise<SandboxOutcome> {
  const { worker } = thread;
  thread.isClean = false;
  thread.runs++;
  return new Promise((resolve, reject) => {
    const calls = hostCalls(host, worker);
    const end = (isClean: boolean): void => {
      thread.isClean = isClean;
      calls.end();
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // Only our own: those of Node itself keep the thread's port open.
      worker.off('message', onMessage).off('exit', onExit).off('error', onError).on('error', ignore);
    };
    const fail = (error: Error, isClean = false): void => {
      end(isClean);
      reject(error);
    };
    const onAbort = (): void => fail(cancelled(program));
    const late = (): void => fail(refusal('timeout', say('code_late', limits.timeoutMs)));
    let timer = setTimeout(late, limits.timeoutMs + startupMs);
    signal.addEventListener('abort', onAbort, { once: true });
    const onMessage = (message: FromSandbox): void => {
      switch (message.type) {
        case 'began':
          clearTimeout(timer);
          timer = setTimeout(late, limits.timeoutMs + graceMs);
          return;
        case 'done':
          end(true);
          return resolve(message.outcome);
        case 'failed':
          return fail(toolError(message.code, message.message, defined({ details: message.details })), message.clean);
        case 'call':
          return calls.answer(message);
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
    worker.postMessage({ type: 'run', program, limits } satisfies ToSandbox);
  });
}

type HostCall = Extract<FromSandbox, { type: 'call' }>;

/** Answers the calls of one program, a few at a time. */
function hostCalls(host: SandboxHost, worker: Worker): { answer(call: HostCall): void; end(): void } {
  let answering = 0;
  let hasEnded = false;
  const send = (message: ToSandbox): void => {
    if (!hasEnded) worker.postMessage(message);
  };
  const queue = new JobQueue<HostCall>(
    mostAtOnce,
    () => answering,
    (call) => {
      answering++;
      host(call.name, call.args)
        .then(
          (value) => send({ type: 'answer', id: call.id, ok: true, value }),
          (error: unknown) => send({ type: 'answer', id: call.id, ok: false, message: messageOf(error) }),
        )
        .finally(() => {
          answering--;
          queue.next();
        });
    },
  );
  return {
    answer: (call) => queue.add(call),
    /** What is still asked gets no answer: the thread may run another program. */
    end() {
      hasEnded = true;
      queue.end();
    },
  };
}

const messageOf = (error: unknown): string =>
  isToolError(error) || error instanceof TypeError ? error.message : 'the host could not answer';

const cancelled = ({ fileName }: SandboxProgram): Error => toolError('cancelled', `\`${fileName}\` was cancelled`);
