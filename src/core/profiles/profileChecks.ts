import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { SchemaValidator } from '../base/schema';
import { configurationViolations, isKnownUnfit, unfitConfiguration } from './configurationFit';
import { dependencyCycles } from './dependencies';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { ResolvedProfile } from './profile';
import type { ProfileStore } from './profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import type { RuntimeAgent } from './runtimeAgent';

/** Checks each enabled capability's configuration in a profile against its schema. */
export async function configurationProblems(
  profile: ResolvedProfile,
  validator: SchemaValidator,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], subject: string, said: Sentence): void => {
    problems.push(problem({ severity, code: 'invalid_configuration', said, subject }));
  };
  for (const { capability, entry } of profile.entries) {
    if (!entry.enabled) continue;
    if (!capability.configSchema) {
      if (Object.keys(entry.config).length > 0)
        report('warning', capability.id, say('takes_no_configuration', profile.id, capability.id));
      continue;
    }
    // What nobody configured has the schema's defaults, which the conformance test checks: nothing heavy is loaded for
    // it.
    if (Object.keys(entry.config).length === 0 && (capability.configSchema.required ?? []).length === 0) continue;
    const violations = await configurationViolations(capability, entry.config, validator);
    if (violations.length > 0) report('error', capability.id, unfitConfiguration(profile.id, capability, violations));
  }
  return problems;
}

/** Cycles among dependencies, told once for each. They are faults of the capabilities, whatever is on. */
function cycleProblems(registry: CapabilityRegistry): readonly Problem[] {
  return dependencyCycles(registry).map((cycle) => {
    const said = say('dependency_cycle', cycle.map((id) => `\`${id}\``).join(' → '));
    return problem({ severity: 'error', said, subject: cycle[0] ?? '' });
  });
}

interface CheckParts {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly validator: SchemaValidator;
  readonly agent: (profileId?: string) => RuntimeAgent;
  readonly promptsRead: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Knows what is wrong with the active profile beyond its own words: circular dependencies, names that clash, a base
 * prompt that cannot be read, configurations that do not fit their capability's schema. The last are checked in the
 * background; `onDidChange` tells of news.
 */
export class ProfileChecks implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #parts: CheckParts;
  #cycles: readonly Problem[] | undefined;
  #checked: ResolvedProfile | undefined;
  #checking: Promise<void> = Promise.resolve();
  #configuration: readonly Problem[] = [];
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    this.#store.add(parts.registry.onDidChange(() => (this.#cycles = undefined)));
    this.#store.add(parts.profiles.onDidChange(() => void this.check()));
  }

  /** Checks the configurations of the active profile; resolves when they are known. */
  check(): Promise<void> {
    const profile = this.#parts.profiles.active();
    if (this.#checked !== profile) {
      this.#checked = profile;
      this.#checking = this.#check(profile);
    }
    return this.#checking;
  }

  async #check(profile: ResolvedProfile): Promise<void> {
    try {
      const found = await configurationProblems(profile, this.#parts.validator);
      if (this.#checked !== profile || this.#store.isDisposed) return;
      if (canonicalJson(found) === canonicalJson(this.#configuration)) return;
      this.#configuration = found;
      this.#changed.fire();
      // A capability whose configuration was found unfit is off from now on.
      if (profile.entries.some(({ capability, entry, isUnfit }) => isUnfit !== isKnownUnfit(capability, entry.config)))
        this.#parts.profiles.refresh(true);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  /** The problems as they are known now; those that the profile store reports by itself are not repeated. */
  problems(): readonly Problem[] {
    this.#cycles ??= cycleProblems(this.#parts.registry);
    const told = new Set(this.#parts.profiles.active().problems);
    return [...this.#cycles, ...this.#parts.agent().problems.filter((one) => !told.has(one)), ...this.#configuration];
  }

  /** What is wrong with any profile, active or not, and with a workspace's version of it that is held back. */
  async everyProfile(): Promise<readonly Problem[]> {
    const ids = [...this.#parts.profiles.profiles().keys()];
    // Asking for the agent is what makes a prompt in a file be read.
    for (const id of ids) this.#parts.agent(id);
    await this.#parts.promptsRead();
    const found = ids.map(async (id): Promise<readonly Problem[]> => {
      const versions = [this.#parts.profiles.resolve(id), this.#parts.profiles.merged.ifAccepted(id)].filter(
        (one) => one !== undefined,
      );
      const configured = versions.map((one) => configurationProblems(one, this.#parts.validator));
      return [
        ...this.#parts.agent(id).problems,
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
