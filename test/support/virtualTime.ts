interface Timer {
  readonly at: number;
  readonly order: number;
  readonly work: () => void;
}

/**
 * Time that passes only when a test says so: what sources ask of `setTimeout` meanwhile runs in its order, and nobody
 * waits for it.
 */
export class VirtualTime {
  #now = 0;
  #order = 0;
  readonly #timers = new Map<object, Timer>();
  readonly #real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

  /** Takes the place of the timers of this process, until `restore`. */
  install(): void {
    const set = (work: () => void, ms = 0): object => {
      const handle = { unref: () => handle, ref: () => handle };
      this.#timers.set(handle, { at: this.#now + ms, order: this.#order++, work });
      return handle;
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: (handle: object) => void this.#timers.delete(handle) });
  }

  restore(): void {
    Object.assign(globalThis, this.#real);
  }

  /** Lets so many milliseconds go by. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await promises();
    for (let next = this.#next(); next && next[1].at <= end; next = this.#next()) await this.#run(next);
    this.#now = end;
  }

  /** Lets time go by until nothing is waiting for it any more. */
  async rest(): Promise<void> {
    await promises();
    for (let next = this.#next(), left = 10_000; next; next = this.#next()) {
      if (left-- === 0) throw new Error('something starts timers for ever');
      await this.#run(next);
    }
  }

  #next(): readonly [object, Timer] | undefined {
    let first: readonly [object, Timer] | undefined;
    for (const entry of this.#timers) {
      const [, timer] = entry;
      if (!first || timer.at < first[1].at || (timer.at === first[1].at && timer.order < first[1].order)) first = entry;
    }
    return first;
  }

  async #run([handle, timer]: readonly [object, Timer]): Promise<void> {
    this.#timers.delete(handle);
    this.#now = Math.max(this.#now, timer.at);
    timer.work();
    await promises();
  }
}

/** What promises have to do before the next timer. */
function promises(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
