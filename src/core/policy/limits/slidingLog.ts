/** The times of calls in one sliding window. Memory is bounded by the largest limit that the calls were held to. */
export class SlidingLog {
  readonly windowMs: number;
  #times: number[] = [];
  #start = 0;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  /** How many calls the window holds at `now`; a call counts until exactly `windowMs` after it. */
  count(now: number): number {
    while (this.#start < this.#times.length && (this.#times[this.#start] ?? 0) + this.windowMs <= now) this.#start++;
    if (this.#start > 64 && this.#start * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#start);
      this.#start = 0;
    }
    return this.size;
  }

  /** Those that counted when it was asked last, and those since. */
  get size(): number {
    return this.#times.length - this.#start;
  }

  /** 0 where a call fits below the limit now, else the milliseconds after which exactly one will. */
  retryAfter(now: number, limit: number): number {
    const used = this.count(now);
    if (used < limit) return 0;
    if (limit <= 0) return this.windowMs;
    const leaving = this.#times[this.#start + used - limit] ?? now;
    return leaving + this.windowMs - now;
  }

  add(now: number): void {
    this.#times.push(now);
  }

  /** The times that still count, oldest first. */
  times(now: number): readonly number[] {
    this.count(now);
    return this.#times.slice(this.#start);
  }
}
