import { Emitter } from '../../core/base/event';
import { lazy } from '../../core/base/lazy';
import { DisposableStore } from '../../core/base/lifecycle';
import type { AgentProtection } from '../../core/protection/meter';
import type { TreeRow } from '../../core/present/treeRow';
import type { CommandRuns } from '../commands/commandRuns';
import type { MoreRows } from '../tree/capabilityView';
import type { ProtectionDesk, ProtectionParts } from './protectionDesk';

interface FollowedProtection {
  /** Reads the meters and keeps them up to date. */
  begin(): Promise<void>;
  /** The meters of all agents as they are now, every installed hook tried. */
  meters(): Promise<readonly AgentProtection[]>;
}

/** The group "Protection" of the Capabilities view and its commands; what they do is loaded behind the start. */
export class ProtectionInTree extends DisposableStore implements MoreRows {
  readonly #changed = this.add(new Emitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly changes = [this.onDidChange];
  #rows: readonly TreeRow[] = [];
  #red: readonly string[] = [];

  rows(): readonly TreeRow[] {
    return this.#rows;
  }

  /** Each agent whose hook was installed and does not hold, in words. */
  get red(): readonly string[] {
    return this.#red;
  }

  /** Adds the commands; what they do, and what the answer does, is loaded with the first of it. */
  addCommands(commands: CommandRuns, parts: ProtectionParts): FollowedProtection {
    const desk = lazy(() => this.#load(parts));
    this.add(
      commands.add({
        protectAgent: async (given?: unknown) => (await desk()).protect(given),
        checkProtection: async () => (await desk()).check(),
      }),
    );
    return {
      begin: async () => {
        const opened = await desk();
        if (!this.isDisposed) opened.begin();
      },
      meters: async () => (await desk()).tried(),
    };
  }

  async #load(parts: ProtectionParts): Promise<ProtectionDesk> {
    const [{ ProtectionDesk: Desk }, protector] = await Promise.all([import('./protectionDesk'), parts.protector()]);
    const onRows = (rows: readonly TreeRow[], red: readonly string[]): void => {
      this.#rows = rows;
      this.#red = red;
      if (!this.isDisposed) this.#changed.fire();
    };
    return this.add(new Desk(parts, protector, onRows));
  }
}
