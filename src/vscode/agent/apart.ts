import { pause } from '../../core/base/pause';

/** So long a change is waited for that what watches the files should tell of. */
const longestUnheardMs = 3000;

/**
 * Keeps changes of agents apart in time. The editor reads its agents 100 ms after it heard of a change; a change of
 * which it hears in the moment in which it begins leaves it with an empty list until the next one, and chats fall back
 * to its own agent for good. What watches the files tells of them 250 ms late, on a busy machine seconds: then the next
 * change waits until it has told of this one.
 */
export class Apart {
  readonly #apartMs: number;
  /** By a clock that nobody sets. */
  #changedAt = -Infinity;
  #heardAt = -Infinity;
  /** True once something was heard: before that nobody knows whether anything tells of these files. */
  #isHearing = false;
  #isUnheard = false;

  constructor(apartMs: number) {
    this.#apartMs = apartMs;
  }

  /** Something was changed just now. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /** Something is about to be changed of which `heard` is told. */
  changing(): void {
    this.changed();
    this.#isUnheard = true;
  }

  /** What watches the files told of a change. */
  heard(): void {
    if (this.#isUnheard) this.#heardAt = performance.now();
    this.#isHearing = true;
    this.#isUnheard = false;
  }

  /**
   * True where the next change may come now; false after the pause that it has to keep: what was there before may be
   * another by then.
   * @param othersAt when somebody else made the last change, in milliseconds since 1970; ignored where it is to come.
   */
  async turn(othersAt = -Infinity): Promise<boolean> {
    const now = performance.now();
    const unheardMs = this.#changedAt + longestUnheardMs - now;
    if (this.#isHearing && this.#isUnheard && unheardMs > 0) {
      await pause(Math.min(this.#apartMs, unheardMs));
      return false;
    }
    if (unheardMs <= 0) this.#isUnheard = false;
    const othersAgoMs = Date.now() - othersAt;
    const oursAgoMs = now - Math.max(this.#changedAt, this.#heardAt);
    const agoMs = Math.min(oursAgoMs, othersAgoMs < 0 ? Infinity : othersAgoMs);
    if (agoMs >= this.#apartMs) return true;
    await pause(this.#apartMs - agoMs);
    return false;
  }

  /** Ends when the next change may come. */
  async whole(): Promise<void> {
    while (!(await this.turn()));
  }
}
