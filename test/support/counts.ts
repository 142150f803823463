/** True in the full run (`npm test`), false in the fast tier. */
export const full = process.env['AGENT_CAPABILITIES_TESTS'] === 'full';

/** The number of runs of a property or fault test: the whole number in the full run, a small one in the fast tier. */
export function runs(count: number, fastCount = Math.min(count, 50)): number {
  return full ? count : fastCount;
}
