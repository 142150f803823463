/** Threads or processes that wait for their next use; what nobody uses for a time is ended. */
export class IdlePool<T> {
  readonly #timers = new Map<T, NodeJS.Timeout>();
  readonly #idleMs: number;
  readonly #end: (one: T) => void;

  constructor(idleMs: number, end: (one: T) => void) {
    this.#idleMs = idleMs;
    this.#end = end;
  }

  get size(): number {
    return this.#timers.size;
  }

  /** The one that waits longest of those that fit. */
  take(fits: (one: T) => boolean): T | undefined {
    for (const one of this.#timers.keys())
      if (fits(one)) {
        this.forget(one);
        return one;
      }
    return undefined;
  }

  keep(one: T): void {
    this.#timers.set(one, setTimeout(() => this.end(one), this.#idleMs).unref());
  }

  /** For one that ended by itself. */
  forget(one: T): void {
    clearTimeout(this.#timers.get(one));
    this.#timers.delete(one);
  }

  end(one: T): void {
    this.forget(one);
    this.#end(one);
  }

  endOldest(): void {
    for (const one of this.#timers.keys()) return this.end(one);
  }

  endAll(): void {
    for (const one of [...this.#timers.keys()]) this.end(one);
  }
}
