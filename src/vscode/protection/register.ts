import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { AgentProtection } from '../../core/protection/meter';
import type { TreeRow } from '../../core/present/treeRow';
import type { CommandRuns } from '../commands/commandRuns';
import type { MoreRows } from '../tree/capabilityView';
import type { ProtectionDesk, ProtectionParts } from './protectionDesk';

/** The group "Protection" of the Capabilities view and its commands; what they do is loaded behind the start. */
export class ProtectionInTree implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  #rows: readonly TreeRow[] = [];
  #red: readonly string[] = [];
  #desk: Promise<ProtectionDesk> | undefined;

  get rows(): MoreRows {
    return {
      rows: () => this.#rows,
      problems: () => [],
      changes: [this.#changed.event],
    };
  }

  /** Each agent whose hook was installed and does not hold, in words. */
  get red(): readonly string[] {
    return this.#red;
  }

  addCommands(commands: CommandRuns, parts: ProtectionParts): void {
    this.#store.add(
      commands.add({
        protectAgent: async (given?: unknown) => (await this.#open(parts)).protect(given),
        checkProtection: async () => (await this.#open(parts)).check(),
      }),
    );
  }

  /** Reads the meters and keeps them up to date. */
  async begin(parts: ProtectionParts): Promise<void> {
    const desk = await this.#open(parts);
    if (!this.#store.isDisposed) desk.begin();
  }

  /** The meters of all agents as they are now, every installed hook tried. */
  async meters(parts: ProtectionParts): Promise<readonly AgentProtection[]> {
    return (await this.#open(parts)).tried();
  }

  #open(parts: ProtectionParts): Promise<ProtectionDesk> {
    this.#desk ??= Promise.all([import('./protectionDesk'), parts.protector()]).then(
      ([{ ProtectionDesk: Desk }, protector]) => {
        const desk = new Desk(parts, protector, (rows, red) => {
          this.#rows = rows;
          this.#red = red;
          if (!this.#store.isDisposed) this.#changed.fire();
        });
        if (this.#store.isDisposed) desk.dispose();
        else this.#store.add(desk);
        return desk;
      },
    );
    // A failure is not kept, so that the next click tries again.
    this.#desk.catch(() => (this.#desk = undefined));
    return this.#desk;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
