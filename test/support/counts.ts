/** True in the full run (`npm test`), false in the fast tier. */
export const full = process.env['AGENT_CAPABILITIES_TESTS'] === 'full';

/** The number of runs of a property or fault test: the whole number in the full run, a small one in the fast tier. */
export function runs(count: number, fastCount = Math.min(count, 50)): number {
  return full ? count : fastCount;
}

/** Cases of which each costs several processes: all of them in the full run, the first few in the fast tier. */
export function cases<T>(all: readonly T[], fastCount: number): readonly T[] {
  return full ? all : all.slice(0, fastCount);
}
