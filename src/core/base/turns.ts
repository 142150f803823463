/**
 * Lets pieces of work on the same thing run one after the other, in the order in which they were asked for; work on
 * different things runs at once. For what reads a thing and then changes it: two of them at the same time would both
 * start from the old state, and one change would be lost.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs the work once all earlier work for the same key has ended, however that ended. Answers what the work answers.
   */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let end = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(key, turn);
    try {
      if (before) await before;
      return await work();
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
      end();
    }
  }
}
