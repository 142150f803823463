import { byTimer, type Schedule } from './debounce';

/**
 * Ends after so many milliseconds, and early where the signal aborts or has aborted; whoever waits looks at the signal.
 * @param clock what decides gives the one that it was given itself.
 */
export function pause(
  ms: number,
  signal?: AbortSignal,
  clock: { readonly schedule: Schedule } = { schedule: byTimer },
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      timer.dispose();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.schedule(done, Math.max(0, ms));
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** The answer, or undefined as soon as the signal aborts: what nobody answers any more must not hold who waits. */
export async function untilAborted<T>(answer: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return answer;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The answer, or undefined where it takes longer than so many milliseconds; what is waited for is not ended. */
export async function withinMs<T>(
  answer: PromiseLike<T>,
  ms: number,
  clock: { readonly schedule: Schedule } = { schedule: byTimer },
): Promise<T | undefined> {
  const late = new AbortController();
  const timer = clock.schedule(() => late.abort(), ms);
  try {
    return await untilAborted(answer, late.signal);
  } finally {
    timer.dispose();
  }
}
