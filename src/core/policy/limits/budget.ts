import { deny } from '../../call/stepAnswer';
import type { StepAnswer } from '../../vocabulary/decision';
import { budgetExceeded } from '../../vocabulary/errors';
import type { LimitSettings } from './limitSettings';

/** How much one session has used up. */
export class SessionBudget {
  #calls = 0;
  #ms = 0;
  #bytes = 0;

  get calls(): number {
    return this.#calls;
  }

  get seconds(): number {
    return this.#ms / 1000;
  }

  get megabytes(): number {
    return this.#bytes / 1_000_000;
  }

  denial(layers: readonly LimitSettings[]): StepAnswer | undefined {
    for (const { budget } of layers)
      for (const what of ['calls', 'seconds', 'megabytes'] as const) {
        const most = budget[what];
        if (most !== undefined && this[what] >= most) return deny('limits', budgetExceeded(what, most), 'limit.budget');
      }
    return undefined;
  }

  started(): void {
    this.#calls++;
  }

  finished(ms: number, bytes: number): void {
    this.#ms += Math.max(0, ms);
    this.#bytes += bytes;
  }
}
