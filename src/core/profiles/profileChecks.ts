import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { SchemaValidator } from '../base/schema';
import { configurationProblems } from './configuration';
import { isKnownUnfit } from './configurationFit';
import { dependencyCycles } from './dependencies';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import type { ResolvedProfile } from './profile';
import type { ProfileStore } from './profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import type { RuntimeAgent } from './runtimeAgent';

/** Cycles among dependencies, told once for each. They are faults of the capabilities, whatever is on. */
function cycleProblems(registry: CapabilityRegistry): readonly Problem[] {
  return dependencyCycles(registry).map((cycle) =>
    problem({
      severity: 'error',
      said: say('dependency_cycle', cycle.map((id) => `\`${id}\``).join(' → ')),
      subject: cycle[0] ?? '',
    }),
  );
}

/**
 * Knows what is wrong with the active profile beyond its own words: circular dependencies, names that clash, a base
 * prompt that cannot be read, configurations that do not fit their capability's schema. The last are checked in the
 * background; `onDidChange` tells of news.
 */
export class ProfileChecks implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #registry: CapabilityRegistry;
  readonly #profiles: ProfileStore;
  readonly #validator: SchemaValidator;
  readonly #agent: (profileId?: string) => RuntimeAgent;
  readonly #promptsRead: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #cycles: readonly Problem[] | undefined;
  #checked: ResolvedProfile | undefined;
  #checking: Promise<void> = Promise.resolve();
  #configuration: readonly Problem[] = [];
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(parts: {
    registry: CapabilityRegistry;
    profiles: ProfileStore;
    validator: SchemaValidator;
    agent: (profileId?: string) => RuntimeAgent;
    promptsRead: () => Promise<void>;
    onError: (error: unknown) => void;
  }) {
    this.#registry = parts.registry;
    this.#profiles = parts.profiles;
    this.#validator = parts.validator;
    this.#agent = parts.agent;
    this.#promptsRead = parts.promptsRead;
    this.#onError = parts.onError;
    this.#store.add(parts.registry.onDidChange(() => (this.#cycles = undefined)));
    this.#store.add(parts.profiles.onDidChange(() => void this.check()));
  }

  /** Checks the configurations of the active profile; resolves when they are known. */
  check(): Promise<void> {
    const profile = this.#profiles.active();
    if (this.#checked !== profile) {
      this.#checked = profile;
      this.#checking = this.#check(profile);
    }
    return this.#checking;
  }

  async #check(profile: ResolvedProfile): Promise<void> {
    try {
      const found = await configurationProblems(profile, this.#validator);
      if (
        this.#checked !== profile ||
        this.#store.isDisposed ||
        canonicalJson(found) === canonicalJson(this.#configuration)
      )
        return;
      this.#configuration = found;
      this.#changed.fire();
      // A capability whose configuration was found unfit is off from now on.
      if (profile.entries.some(({ capability, entry, isUnfit }) => isUnfit !== isKnownUnfit(capability, entry.config)))
        this.#profiles.refresh(true);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** The problems as they are known now; those that the profile store reports by itself are not repeated. */
  problems(): readonly Problem[] {
    this.#cycles ??= cycleProblems(this.#registry);
    const told = new Set(this.#profiles.active().problems);
    return [...this.#cycles, ...this.#agent().problems.filter((one) => !told.has(one)), ...this.#configuration];
  }

  /** What is wrong with any profile, active or not, and with a workspace's version of it that is held back. */
  async everyProfile(): Promise<readonly Problem[]> {
    const ids = [...this.#profiles.profiles().keys()];
    // Asking for the agent is what makes a prompt in a file be read.
    for (const id of ids) this.#agent(id);
    await this.#promptsRead();
    const found = ids.map(async (id): Promise<readonly Problem[]> => {
      const versions = [this.#profiles.resolve(id), this.#profiles.ifAccepted(id)].filter((one) => one !== undefined);
      const configured = versions.map((one) => configurationProblems(one, this.#validator));
      return [
        ...this.#agent(id).problems,
        ...versions.flatMap(({ problems }) => problems),
        ...(await Promise.all(configured)).flat(),
      ];
    });
    return (await Promise.all(found)).flat();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
