import type { Clock } from '../../src/core/ports/platform';
import { systemClock } from '../../src/node/system';

/** A clock on which every look comes so many milliseconds after the one before: whoever answers took so long. */
export function unhurriedClock(stepMs = 1000): Clock {
  let passed = 0;
  return { ...systemClock, monotonic: () => (passed += stepMs) };
}
