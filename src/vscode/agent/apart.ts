import { pause } from '../../core/base/pause';

/** Where agents stand: among the user's own, or in the workspace. */
type AgentPlace = 'user' | 'workspace';

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
  /** Of these something was heard: before that nobody knows whether anything tells of their files. */
  readonly #hearing = new Set<AgentPlace>();
  /** Where the change was made of which nothing was heard yet. */
  #unheard: AgentPlace | undefined;

  constructor(apartMs: number) {
    this.#apartMs = apartMs;
  }

  /** Something was changed just now. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  /** Something is about to be changed of which `heard` is told. */
  changing(place: AgentPlace): void {
    this.changed();
    this.#unheard = place;
  }

  /** What watches the files of a place told of a change. */
  heard(place: AgentPlace): void {
    this.#hearing.add(place);
    if (this.#unheard !== place) return;
    this.#heardAt = performance.now();
    this.#unheard = undefined;
  }

  /**
   * True where the next change may come now; false after the pause that it has to keep: what was there before may be
   * another by then.
   * @param othersAt when somebody else made the last change, in milliseconds since 1970; ignored where it is to come.
   */
  async turn(othersAt = -Infinity): Promise<boolean> {
    const now = performance.now();
    const unheardMs = this.#changedAt + longestUnheardMs - now;
    if (this.#unheard !== undefined && this.#hearing.has(this.#unheard) && unheardMs > 0) {
      await pause(Math.min(this.#apartMs, unheardMs));
      return false;
    }
    if (unheardMs <= 0) this.#unheard = undefined;
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
