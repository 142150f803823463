import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { proposal } from '../base/nearest';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import type { Crypto, KeyValueStore } from '../ports/platform';
import type { CapabilityRegistry } from '../registry/registry';
import type { Settings } from '../settings/settings';
import { AcceptedProfiles } from './acceptedProfiles';
import { allowanceOf, type AllowanceField, beyond, within } from './allowance';
import { type MergedProfile, MergedProfiles, type PendingWidening } from './mergedProfiles';
import type { KeptEntry, Profile, ResolvedProfile } from './profile';
import { isSameList } from '../base/order';
import type { Translate } from '../base/translate';
import { profileWords } from './shippedProfiles';

/** The profile that the settings name for a window. */
interface ConfiguredProfile {
  readonly id: string;
  /** What the workspace names instead, while it allows more and this user has not accepted it. */
  readonly heldBack?: { readonly id: string; readonly hash: string };
}

/** What a model is told. */
const promptFields: ReadonlySet<AllowanceField> = new Set<AllowanceField>(['basePrompt', 'promptAdditions']);

/**
 * Knows every profile and which one is active. Shipped → user → workspace, by id; a workspace's version that widens
 * what the user's own settings allow counts only once this user made it in the tree or accepted it (invariant: the
 * repository only tightens).
 */
export class ProfileStore {
  readonly #settings: () => Settings;
  readonly #accepted: AcceptedProfiles;
  /** What each profile is, whichever is active. */
  readonly merged: MergedProfiles;
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #chosen = new Emitter<string>();
  /** Fires with the profile that somebody switched to; not when the settings lead to one. */
  readonly onDidChoose: Event<string> = this.#chosen.event;
  #active: string | undefined;
  #configured: ConfiguredProfile | undefined;

  /**
   * @param options.own capabilities that the user's own settings bring (MCP servers); the shipped `default` holds them
   * too.
   */
  constructor(options: {
    readonly registry: CapabilityRegistry;
    readonly settings: () => Settings;
    readonly storage: KeyValueStore;
    readonly crypto: Crypto;
    readonly own?: () => readonly string[];
  }) {
    const { registry, settings, storage, crypto, own = () => [] } = options;
    this.#settings = settings;
    this.#accepted = new AcceptedProfiles(storage, crypto);
    this.merged = new MergedProfiles(registry, settings, this.#accepted, own);
  }

  /**
   * To be called when settings, the registry or an acceptance may have changed. True where profiles are others now, of
   * which all have heard.
   * @param everything whether profiles may resolve to something else although they and the registry are the same.
   */
  refresh(everything = false): boolean {
    const before = this.merged.isKnown ? this.#state() : undefined;
    this.merged.forget(everything);
    this.#configured = undefined;
    if (before && isSameState(before, this.#state())) return false;
    this.#changed.fire();
    return true;
  }

  /** Everything that whoever asks here can be told. */
  #state(): ProfilesState {
    return {
      merged: this.profiles(),
      active: this.active(),
      rest: canonicalJson([this.configured(), this.merged.ownId(), this.merged.problems()]),
    };
  }

  /** Activates a profile for this window; an unknown id is refused with the nearest names. */
  activate(id: string): Problem | undefined {
    if (!this.profiles().has(id)) return this.#unknown(id);
    this.follow(id);
    this.#chosen.fire(id);
    return undefined;
  }

  /**
   * Takes over the setting's value as it stands: an id that names no profile is a problem, and nothing is allowed until
   * one is chosen.
   */
  follow(id: string): void {
    if (this.#active === id) return;
    this.#active = id;
    this.#changed.fire();
  }

  get activeId(): string {
    return this.#active ?? this.configured().id;
  }

  /** True where a change of a profile, as it is in force, leaves it with nothing that it does not allow now. */
  isOnlyLess(id: string, change: (profile: Profile) => Profile): boolean {
    const merged = this.profiles().get(id);
    if (!merged) return false;
    const [now, next] = [merged.profile, change(merged.profile)].map((one) => this.merged.held(one, merged.keeping));
    return now !== undefined && next !== undefined && within(allowanceOf(next), allowanceOf(now));
  }

  /**
   * The profile that the settings name. A workspace's `activeProfile` that allows more than the one of the user's own
   * settings is held back until this user accepts it or switches by hand (invariant: the repository only tightens).
   */
  configured(): ConfiguredProfile {
    this.#configured ??= this.#configuredNow();
    return this.#configured;
  }

  /**
   * True where the first profile allows nothing that the second does not, nor tells a model anything else; one that
   * does not exist does neither.
   */
  isWithin(id: string, other: string): boolean {
    const wanted = this.resolve(id);
    if (!wanted) return true;
    const base = this.merged.resolveStrictly(other);
    const more = beyond(allowanceOf(wanted), allowanceOf(base));
    // Without a tool nothing can be done, whatever the mode or the scopes; what a model is told counts all the same.
    return wanted.tools.length === 0 ? !more.some((field) => promptFields.has(field)) : more.length === 0;
  }

  #configuredNow(): ConfiguredProfile {
    const id = this.#settings().get('activeProfile');
    const own = this.merged.ownId();
    const wanted = this.resolve(id);
    if (id === own || !wanted) return { id };
    const base = this.merged.resolveStrictly(own);
    const hash = this.#accepted.hashOf(wanted);
    if (this.#accepted.has(hash) || within(allowanceOf(wanted), allowanceOf(base))) return { id };
    return { id: own, heldBack: { id, hash } };
  }

  /** Remembers that this user lets the workspace choose the profile that was shown under this hash. */
  async acceptConfigured(hash: string): Promise<void> {
    await this.#accepted.remember([hash]);
    this.refresh();
  }

  /** Remembers that this user accepts a workspace's version of a profile, as it was shown. */
  async acceptWidening({ version, wanted }: PendingWidening): Promise<void> {
    const keep = this.#keepActive(wanted);
    await this.#accepted.rememberVersion(version);
    await keep();
    this.refresh();
  }

  /**
   * A person who accepts more of the active profile means to go on with it, although the workspace chose it while it
   * allowed less.
   */
  #keepActive(profile: Profile): () => Promise<void> {
    const { id } = profile;
    if (this.activeId !== id) return () => Promise.resolve();
    const isConfigured = this.configured().id === id;
    const before = this.active();
    return async () => {
      const accepted = this.merged.onceAccepted(profile);
      const isWithin = (other: ResolvedProfile): boolean => within(allowanceOf(accepted), allowanceOf(other));
      if (isConfigured && !isWithin(this.merged.resolveStrictly(this.merged.ownId())))
        await this.#accepted.remember([this.#accepted.hashOf(accepted)]);
      if (!isWithin(before)) this.#chosen.fire(id);
    };
  }

  profiles(): ReadonlyMap<string, MergedProfile> {
    return this.merged.all();
  }

  /** What a person calls a profile; its id where there is no such profile any more. */
  nameOf(id: string, translate: Translate): string {
    const merged = this.profiles().get(id);
    return merged ? profileWords(merged.profile, translate).name : id;
  }

  /**
   * The active profile held against the registry. Where the active id names no profile, a profile with nothing in it
   * holds, so that a typing error never gives an agent more than it should have.
   */
  active(): ResolvedProfile {
    return this.merged.resolveStrictly(this.activeId);
  }

  resolve(id: string): ResolvedProfile | undefined {
    return this.merged.resolve(id);
  }

  problems(): readonly Problem[] {
    const unknown = this.profiles().has(this.activeId) ? [] : [this.#unknown(this.activeId)];
    return [...this.merged.problems(), ...unknown, ...this.#heldBackProblems(), ...this.active().problems];
  }

  /**
   * Remembers that this user made or accepted a workspace's version of a profile, by the hash of all of it.
   * @param dropping what of the user's own profile the user left out by this change, so that it is kept no more.
   */
  async accept(profile: Profile, dropping: readonly KeptEntry[] = []): Promise<void> {
    const keep = this.#keepActive(profile);
    await this.#accepted.rememberVersion(this.#accepted.version(this.merged.held(profile)), dropping);
    await keep();
    this.refresh();
  }

  #heldBackProblems(): readonly Problem[] {
    const { id, heldBack } = this.configured();
    if (!heldBack || this.activeId === heldBack.id) return [];
    const said = say('active_profile_pending', heldBack.id, id);
    return [problem({ severity: 'warning', said, subject: heldBack.id })];
  }

  #unknown(id: string): Problem {
    const said = say('unknown_profile', id, proposal(id, this.profiles().keys()));
    return problem({ severity: 'error', said, subject: id });
  }

  dispose(): void {
    this.#chosen.dispose();
    this.#changed.dispose();
  }
}

interface ProfilesState {
  readonly merged: ReadonlyMap<string, MergedProfile>;
  readonly active: ResolvedProfile;
  readonly rest: string;
}

function isSameState(one: ProfilesState, other: ProfilesState): boolean {
  if (one.active !== other.active || one.rest !== other.rest) return false;
  if (!isSameList([...one.merged.keys()], [...other.merged.keys()])) return false;
  return [...one.merged].every(([id, mine]) => {
    const theirs = other.merged.get(id);
    // The one and only object of a workspace's profile says how it met the user's own.
    return mine === theirs || (mine.profile === theirs?.profile && !mine.keeping && !theirs.keeping);
  });
}
