import type { StopSign } from '../../core/base/stopSign';
import type { Steps } from '../../core/files/searchText';

const sliceMs = 8;

/**
 * Slices of work in this thread, which is given back after each, so that a walk or a search holds nothing else up. Each
 * lasts 8 ms.
 */
export class TimeSlices {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > sliceMs;
  }

  /** Ends the slice. Throws where the work is to stop. */
  async next(stopped: StopSign): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (stopped.aborted) throw stopped.reason;
    this.#since = performance.now();
  }

  /** Runs steps, with turns for others in between. */
  async run<T>(steps: Steps<T>, stopped: StopSign): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      try {
        if (this.isOver) await this.next(stopped);
      } catch (error) {
        // The steps close what they opened.
        steps.throw(error);
        throw error;
      }
    }
  }
}
