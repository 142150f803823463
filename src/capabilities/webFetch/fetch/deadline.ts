import type { Clock } from '../../../core/ports/platform';

/** One deadline for robots.txt, all attempts, hops and the body of one URL. */
export class Deadline {
  readonly #clock: Clock;
  readonly #end: number;

  constructor(clock: Clock, totalMs: number) {
    this.#clock = clock;
    this.#end = clock.monotonic() + totalMs;
  }

  /** At least one millisecond, so that a request that comes too late is made and ends at once. */
  remaining(): number {
    return Math.max(1, this.#end - this.#clock.monotonic());
  }
}
