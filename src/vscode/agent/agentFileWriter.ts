import { lazy } from '../../core/base/lazy';
import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { SettingValues } from '../../core/settings/settingTable';
import type { AgentFileKeeper, AgentFileOptions, ListedAgent } from './agentFileKeeper';

const pauses = {
  /** A profile changes in bursts; the file is written once for each. */
  burstMs: 300,
  /**
   * So long after a change the file is written once more. A window that opens, or a chat that takes another
   * conversation, may leave the editor with an empty list of agents until a file of theirs changes: chats would go on
   * in its own agent.
   */
  onceMoreMs: 2000,
  /** The next file is written so long after the one before. */
  apartMs: 400,
};

/**
 * Brings the custom agent up to date when something changed, one time after the other, and when the window comes to
 * the front: the user's own agents are one folder for all windows, of which the one in front says the profile. What
 * writes it is loaded with the first time.
 */
export class AgentFileWriter extends DisposableStore {
  readonly #options: AgentFileOptions;
  readonly #apartMs: number;
  readonly #writing: Debounce;
  readonly #onceMore: Debounce;
  readonly #keeper = lazy(async (): Promise<AgentFileKeeper> => {
    const { AgentFileKeeper: Keeper } = await import('./agentFileKeeper');
    const keeper = new Keeper(this.#options, this.#apartMs);
    this.add(keeper.watch());
    return keeper;
  });
  readonly #chooser = lazy(async () => {
    const { AgentChooser } = await import('./agentChooser');
    return new AgentChooser(() => this.write(true));
  });
  readonly #changed = this.add(new Emitter<void>());
  /** Another agent stands in the editor's list, or none any more. */
  readonly onDidChange = this.#changed.event;
  #current: ListedAgent | undefined;
  /** The file was not written once more, because the window had left the front. */
  #isOwed = false;
  #running: Promise<void> = Promise.resolve();
  #told: Promise<unknown> = Promise.resolve();

  constructor(options: AgentFileOptions, { burstMs, onceMoreMs, apartMs } = pauses) {
    super();
    this.#options = options;
    this.#apartMs = apartMs;
    this.#writing = this.add(new Debounce(() => void this.write(), burstMs));
    this.#onceMore = this.add(new Debounce(() => this.#writeOnceMore(), onceMoreMs));
    this.add(options.onDidChange(() => this.#writing.restart()));
    this.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#writing.restart()));
    this.#writing.restart();
  }

  /** The agent in the editor's list as it was written last. */
  get listed(): ListedAgent | undefined {
    return this.#current;
  }

  /** Where the settings in force have it. */
  get location(): SettingValues['customAgent.location'] {
    return this.#options.settings().get('customAgent.location');
  }

  /** The agent in the editor's list, after its file has been brought up to date; undefined where there is none. */
  async current(): Promise<ListedAgent | undefined> {
    await this.write();
    return this.#current;
  }

  /** Opens the chat with the agent in the editor's list. */
  async openChat(agent: ListedAgent): Promise<void> {
    return (await this.#chooser()).open(agent);
  }

  /** The same, once no notice about it is open. */
  async told(): Promise<ListedAgent | undefined> {
    const agent = await this.current();
    await this.#told;
    return agent;
  }

  /** Only in front: the window that came there meanwhile has written its own. */
  #writeOnceMore(): void {
    this.#isOwed = !vscode.window.state.focused;
    if (!this.#isOwed) void this.write(true);
  }

  /**
   * Writes the file now, after what is being written.
   * @param again has the listed file written also where it is as it should be: the editor, which watches it, reads its
   * agents anew.
   */
  write(again = false): Promise<void> {
    const { storage, userStorage, settings, log } = this.#options;
    this.#running = this.#running
      .then(async () => {
        const before = this.#current?.name;
        const keeper = await this.#keeper();
        this.#current = await keeper.write(again);
        if (keeper.isAnother || this.#isOwed) this.#onceMore.restart();
        if (this.#current?.name !== before) this.#changed.fire();
        if (settings().get('customAgent.notice'))
          this.#told = Promise.allSettled([
            this.#told,
            (await import('./agentNotice')).tellOfAgent(this.#current, { user: userStorage, workspace: storage }),
          ]);
      })
      .catch((error: unknown) => log.warn(`the custom agent was not written: ${String(error)}`));
    return this.#running;
  }
}
