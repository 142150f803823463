import { pause } from '../../core/base/pause';

/**
 * Keeps changes of agents apart in time. The editor reads its agents 100 ms after it heard of a change; a change of
 * which it hears in the moment in which it begins leaves it with an empty list until the next one, and chats fall back
 * to its own agent for good. What watches the files tells of them up to 250 ms late.
 */
export class Apart {
  readonly #apartMs: number;
  /** By a clock that nobody sets. */
  #changedAt = -Infinity;

  constructor(apartMs: number) {
    this.#apartMs = apartMs;
  }

  /** Something was changed just now. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /**
   * True where the next change may come now; false after the pause that it has to keep: what was there before may be
   * another by then.
   * @param othersAt when somebody else made the last change, in milliseconds since 1970; ignored where it is to come.
   */
  async turn(othersAt = -Infinity): Promise<boolean> {
    const othersAgoMs = Date.now() - othersAt;
    const agoMs = Math.min(performance.now() - this.#changedAt, othersAgoMs < 0 ? Infinity : othersAgoMs);
    if (agoMs >= this.#apartMs) return true;
    await pause(this.#apartMs - agoMs);
    return false;
  }

  /** Ends when the next change may come. */
  async whole(): Promise<void> {
    while (!(await this.turn()));
  }
}
