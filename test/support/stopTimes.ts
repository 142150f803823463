/**
 * How long calls went on after they were cancelled, in milliseconds, shortest first: each is cancelled after one of the
 * delays, and left out where it was over by then.
 */
export async function stopTimes(
  delays: readonly number[],
  call: (signal: AbortSignal) => Promise<unknown>,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (const delay of delays) {
    const controller = new AbortController();
    let aborted = 0;
    setTimeout(() => {
      aborted = performance.now();
      controller.abort(new Error('cancelled by the test'));
    }, delay);
    await call(controller.signal).catch((error: unknown) => error);
    if (aborted > 0) took.push(performance.now() - aborted);
  }
  return took.sort((a, b) => a - b);
}

/** What the work needs to stop, not what else the machine is doing. */
export const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? Infinity;
