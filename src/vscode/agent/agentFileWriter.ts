import { lazy } from '../../core/base/lazy';
import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { AgentFileKeeper, AgentFileOptions, ListedAgent } from './agentFileKeeper';

/** A profile changes in bursts; the file is written once for each. */
const burstMs = 300;

/** The agent in the editor's list, and since when it has been this one in this window, in ms of the epoch. */
export interface CurrentAgent extends ListedAgent {
  readonly since: number;
}

/**
 * Brings the custom agent up to date when something changed, one time after the other, and when the window comes to
 * the front: the user's own agents are one folder for all windows, of which the one in front says the profile. What
 * writes it is loaded with the first time.
 */
export class AgentFileWriter implements Disposable {
  readonly #options: AgentFileOptions;
  readonly #store = new DisposableStore();
  readonly #writing = this.#store.add(new Debounce(() => void this.write(), burstMs));
  readonly #keeper = lazy(async (): Promise<AgentFileKeeper> => {
    const { AgentFileKeeper: Keeper } = await import('./agentFileKeeper');
    return new Keeper(this.#options);
  });
  #current: CurrentAgent | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: AgentFileOptions) {
    this.#options = options;
    this.#store.add(options.onDidChange(() => this.#writing.restart()));
    this.#store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#writing.restart()));
    this.#writing.restart();
  }

  /** The agent in the editor's list, after its file has been brought up to date; undefined where there is none. */
  async current(): Promise<CurrentAgent | undefined> {
    await this.write();
    return this.#current;
  }

  /** Writes the file now, after what is being written. */
  write(): Promise<void> {
    const { storage, userStorage, settings, log } = this.#options;
    this.#running = this.#running
      .then(async () => {
        const listed = await (await this.#keeper()).write();
        const since = listed?.uri === this.#current?.uri ? this.#current?.since : undefined;
        this.#current = listed && { ...listed, since: since ?? Date.now() };
        if (settings().get('customAgent.notice'))
          void (await import('./agentNotice')).tellOfAgent(this.#current, { user: userStorage, workspace: storage });
      })
      .catch((error: unknown) => log.warn(`the custom agent was not written: ${String(error)}`));
    return this.#running;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
