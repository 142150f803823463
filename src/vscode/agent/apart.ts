/**
 * Keeps changes of agents apart in time. The editor reads its agents 100 ms after it heard of a change; a change of
 * which it hears in the moment in which it begins leaves it with an empty list until the next one, and chats fall back
 * to its own agent for good. What watches the files tells of them up to 250 ms late.
 */
export class Apart {
  readonly #apartMs: number;
  #lastAt = -Infinity;

  constructor(apartMs: number) {
    this.#apartMs = apartMs;
  }

  /**
   * True where the next change may come now, which counts from then; false after the pause that it has to keep: what
   * was there before may be another by then.
   * @param changedAt when somebody else made the last change, in milliseconds since 1970; ignored where it is to come.
   */
  async turn(changedAt = -Infinity): Promise<boolean> {
    const now = Date.now();
    const waitMs = Math.max(this.#lastAt, changedAt > now ? -Infinity : changedAt) + this.#apartMs - now;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    else this.#lastAt = now;
    return waitMs <= 0;
  }

  /** Ends when the next change may come. */
  async whole(): Promise<void> {
    while (!(await this.turn()));
  }
}
