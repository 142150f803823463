import type { Clock } from '../../ports/platform';

/** After so long a call is waited for no more: one that was announced may never come. */
const longestMs = 2000;

/**
 * The calls that may soon ask a person: announced by the editor, or within the gate before its question. A modal that
 * opens cannot say later how many calls wait, so whoever opens one looks here first.
 */
export class ComingCalls {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @param id the call's, or one of the caller's own for a call that has none yet. */
  add(id: string): void {
    const now = this.#clock.monotonic();
    // Each may be worth as long, so the oldest come first.
    for (const [old, until] of this.#until) {
      if (now < until) break;
      this.#until.delete(old);
    }
    this.#until.set(id, now + longestMs);
  }

  /** It asks now, or never will. */
  delete(id: string): void {
    this.#until.delete(id);
  }

  /** True while there is one that is worth waiting for. */
  get isAny(): boolean {
    const now = this.#clock.monotonic();
    return [...this.#until.values()].some((until) => now < until);
  }
}
