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
