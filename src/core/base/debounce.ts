import { type Disposable, MutableDisposable } from './lifecycle';

export type Schedule = (work: () => void, delayMs: number) => Disposable;

/** What a surface waits by; what decides gives the clock that it was given itself. */
export const byTimer: Schedule = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  return { dispose: () => clearTimeout(timer) };
};

/** Does a piece of work once for a burst of calls. After disposal nothing starts any more. */
export class Debounce implements Disposable {
  readonly #work: () => void;
  readonly #delayMs: number;
  readonly #schedule: Schedule;
  readonly #waiting = new MutableDisposable<Disposable>();

  constructor(work: () => void, delayMs: number, schedule: Schedule = byTimer) {
    this.#work = work;
    this.#delayMs = delayMs;
    this.#schedule = schedule;
  }

  get isWaiting(): boolean {
    return this.#waiting.value !== undefined;
  }

  /** The work is done once nobody has called for the delay: each call puts it off. */
  restart(): void {
    this.#waiting.value = this.#schedule(() => {
      this.#waiting.value = undefined;
      this.#work();
    }, this.#delayMs);
  }

  /** The work is done the delay after the first call: those that follow until then join it. */
  start(): void {
    if (!this.isWaiting) this.restart();
  }

  cancel(): void {
    this.#waiting.value = undefined;
  }

  dispose(): void {
    this.#waiting.dispose();
  }
}
