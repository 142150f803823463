/** Keeps answers for a moment, by key. What is still being found out counts as an answer; a failure is not kept. */
export class ShortMemory<T> {
  readonly #keepMs: number;
  readonly #most: number;
  readonly #kept = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  constructor(keepMs: number, most = 1000) {
    this.#keepMs = keepMs;
    this.#most = most;
  }

  /** Answers what is kept, or finds it out and keeps it. */
  get(key: string, find: () => Promise<T>): Promise<T> {
    return this.#recall(key) ?? this.#keep(key, find());
  }

  /** The same, but an answer is given a second time only once. */
  getTwice(key: string, find: () => Promise<T>): Promise<T> {
    const known = this.#recall(key);
    if (!known) return this.#keep(key, find());
    this.#kept.delete(key);
    return known;
  }

  forget(): void {
    this.#kept.clear();
  }

  #recall(key: string): Promise<T> | undefined {
    const known = this.#kept.get(key);
    return known && known.until > performance.now() ? known.answer : undefined;
  }

  #keep(key: string, answer: Promise<T>): Promise<T> {
    if (this.#kept.size >= this.#most) this.#kept.clear();
    this.#kept.set(key, { until: performance.now() + this.#keepMs, answer });
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }
}
