/** Which run this is: `fast` while one works, `full` in `npm test`, `explore` where properties look for the unseen. */
const tier = process.env['AGENT_CAPABILITIES_TESTS'] ?? 'fast';

/** True in the full run (`npm test`) and in exploring, false in the fast tier. */
export const full = tier === 'full' || tier === 'explore';

/**
 * The number of runs of a property or fault test. Where cases begin is fixed, so each tier makes the first so many of
 * one sequence: more of them only help once, when they are new.
 * @param fast shows within a moment that what one just changed is not plainly wrong.
 * @param fullCount is chosen by value: three times the case that first shows the last of some ten mistakes planted in
 * what the property guards, or so many that each pair of choices of its inputs comes several times.
 * @param explore is for `AGENT_CAPABILITIES_TESTS=explore`, with another seed.
 */
export function runs(fast: number, fullCount: number, explore = fullCount): number {
  if (fast > fullCount || fullCount > explore) throw new Error(`counts rise: ${fast}, ${fullCount}, ${explore}`);
  return tier === 'explore' ? explore : full ? fullCount : fast;
}

/** Cases of which each costs much: all of them in the full run, the first few in the fast tier. */
export function cases<T>(all: readonly T[], fastCount: number): readonly T[] {
  return full ? all : all.slice(0, fastCount);
}
