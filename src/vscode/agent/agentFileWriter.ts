import { Debounce } from '../../core/base/debounce';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { AgentFileKeeper, AgentFileOptions } from './agentFileKeeper';

/** A profile changes in bursts; the file is written once for each. */
const burstMs = 300;

/**
 * Brings the custom agent up to date when something changed, one time after the other. What writes it is loaded with
 * the first time.
 */
export class AgentFileWriter implements Disposable {
  readonly #options: AgentFileOptions;
  readonly #store = new DisposableStore();
  #keeper: Promise<AgentFileKeeper> | undefined;
  #current: string | undefined;
  #hasLeft = false;
  readonly #writing = this.#store.add(new Debounce(() => void this.write(), burstMs));
  #running: Promise<void> = Promise.resolve();

  constructor(options: AgentFileOptions) {
    this.#options = options;
    this.#store.add(options.onDidChange(() => this.#schedule()));
    this.#schedule();
  }

  /**
   * The agent's name in the editor's list, after its file has been brought up to date; undefined where there is none.
   */
  async current(): Promise<string | undefined> {
    await this.write();
    return this.#current;
  }

  /** Writes the file now, after what is being written. */
  write(): Promise<void> {
    return this.#inTurn(async (keeper) => {
      if (!this.#hasLeft) this.#current = await keeper.write();
    });
  }

  /** Takes away what was written for this window's time only; nothing is written afterwards. */
  leave(): Promise<void> {
    this.#hasLeft = true;
    this.#writing.cancel();
    return this.#inTurn((keeper) => keeper.sweep());
  }

  #inTurn(work: (keeper: AgentFileKeeper) => Promise<void>): Promise<void> {
    this.#keeper ??= import('./agentFileKeeper').then((module) => new module.AgentFileKeeper(this.#options));
    const keeper = this.#keeper;
    this.#running = this.#running
      .then(async () => work(await keeper))
      .catch((error: unknown) => this.#options.log.warn(`the custom agent was not written: ${String(error)}`));
    return this.#running;
  }

  #schedule(): void {
    if (!this.#hasLeft) this.#writing.restart();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
