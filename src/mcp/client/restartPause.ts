import type { Clock } from '../../core/ports/platform';

const firstMs = 500;
const longestMs = 60_000;

/** How long a server rests before it is started again: twice as long after each failure in a row. */
export class RestartPause {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #failures = 0;
  #until = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get remainingMs(): number {
    return Math.max(0, this.#until - this.#clock.monotonic());
  }

  failed(): void {
    this.#failures++;
    this.#until = this.#clock.monotonic() + Math.min(longestMs, firstMs * 2 ** (this.#failures - 1));
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Lets the next start happen at once. */
  end(): void {
    this.#until = 0;
  }
}
