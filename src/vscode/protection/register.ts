import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { AgentProtection } from '../../core/protection/meter';
import type { TreeRow } from '../../core/present/treeRow';
import type { CommandRuns } from '../commands/commandRuns';
import type { MoreRows } from '../tree/capabilityView';
import type { ProtectionDesk, ProtectionParts } from './protectionDesk';

/** The group "Protection" of the Capabilities view and its commands; what they do is loaded behind the start. */
export class ProtectionInTree extends DisposableStore implements MoreRows {
  readonly #changed = this.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly changes = [this.onDidChange];
  #rows: readonly TreeRow[] = [];
  #red: readonly string[] = [];
  #desk: Promise<ProtectionDesk> | undefined;

  rows(): readonly TreeRow[] {
    return this.#rows;
  }

  /** Each agent whose hook was installed and does not hold, in words. */
  get red(): readonly string[] {
    return this.#red;
  }

  addCommands(commands: CommandRuns, parts: ProtectionParts): void {
    this.add(
      commands.add({
        protectAgent: async (given?: unknown) => (await this.#open(parts)).protect(given),
        checkProtection: async () => (await this.#open(parts)).check(),
      }),
    );
  }

  /** Reads the meters and keeps them up to date. */
  async begin(parts: ProtectionParts): Promise<void> {
    const desk = await this.#open(parts);
    if (!this.isDisposed) desk.begin();
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
          if (!this.isDisposed) this.#changed.fire();
        });
        if (this.isDisposed) desk.dispose();
        else this.add(desk);
        return desk;
      },
    );
    // A failure is not kept, so that the next click tries again.
    this.#desk.catch(() => (this.#desk = undefined));
    return this.#desk;
  }
}
