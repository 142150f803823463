import { isToolError } from '../errors';
import type { Clock } from '../ports';
import type { GateCall } from './types';

const transientCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'EPIPE', 'ECONNREFUSED']);
const retryDelaysMs = [100, 300];

/** Tells a fault that may pass from one that will stay. Only idempotent tools are tried again (S0.errors). */
function isTransient(error: unknown): boolean {
  if (isToolError(error)) return error.data.retryable && error.data.details?.['transient'] === true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && transientCodes.has(code);
}

/**
 * Step 12: runs a handler under the tool's timeout and the caller's cancellation, and tries a transient failure again where the tool is idempotent.
 * A handler that ignores its signal is abandoned: its late answer is dropped. `pause` stops the timeout while a person is being asked.
 */
export async function runHandler<T>(
  call: GateCall,
  clock: Clock,
  run: (signal: AbortSignal, pause: <W>(wait: Promise<W>) => Promise<W>) => Promise<T>,
): Promise<T> {
  const { idempotency } = call.tool.definition;
  for (let attempt = 0; ; attempt++) {
    try {
      return await runOnce(call, clock, run);
    } catch (error) {
      const delay = retryDelaysMs[attempt];
      if (delay === undefined || idempotency !== 'idempotent' || call.signal.aborted || !isTransient(error)) throw error;
      await new Promise<void>((resolve) => clock.schedule(resolve, delay));
    }
  }
}

/** Tells work that a handler left behind that its call is over. One object for all calls: making one takes as long as the rest of this step. */
const finished = Object.freeze({ name: 'AbortError', message: 'finished' });

async function runOnce<T>(
  call: GateCall,
  clock: Clock,
  run: (signal: AbortSignal, pause: <W>(wait: Promise<W>) => Promise<W>) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let rejectStop: (error: Error) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    rejectStop = reject;
  });
  const fail = (error: Error): void => {
    controller.abort(error);
    rejectStop(error);
  };
  const onAbort = (): void => fail(new DOMException('cancelled', 'AbortError'));
  if (call.signal.aborted) onAbort();
  call.signal.addEventListener('abort', onAbort, { once: true });
  let left = call.tool.definition.timeoutMs;
  let since = clock.monotonic();
  const start = () => clock.schedule(() => fail(new DOMException('timed out', 'TimeoutError')), Math.max(1, left));
  let timer = start();
  let waiting = 0;
  const pause = async <W>(wait: Promise<W>): Promise<W> => {
    if (waiting++ === 0) {
      timer.dispose();
      left -= clock.monotonic() - since;
    }
    try {
      return await wait;
    } finally {
      if (--waiting === 0) {
        since = clock.monotonic();
        timer = start();
      }
    }
  };
  stopped.catch(() => undefined);
  try {
    return await Promise.race([run(controller.signal, pause), stopped]);
  } finally {
    timer.dispose();
    call.signal.removeEventListener('abort', onAbort);
    if (!controller.signal.aborted) controller.abort(finished);
  }
}
