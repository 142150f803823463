import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { foreignWord } from '../base/foreignWords';
import { proposal } from '../base/nearest';
import { AcceptedProfiles, type AcceptedVersion } from './acceptedProfiles';
import { allowanceOf, type AllowanceField, beyond, within } from './allowance';
import type { KeyValueStore, Crypto } from '../ports/platform';
import { type Problem, problem } from '../base/problem';
import { say, worded } from '../base/sentence';
import { wordsOfWorkspace } from '../vocabulary/ruleWords';
import { completed, type HeldKey, heldTo, withOwnConfiguration } from './profileMeeting';
import { type KeptEntry, type Profile, resolveProfile, type ResolvedProfile } from './profile';
import { isSameList, ProfileReader } from './profileReader';
import type { CapabilityRegistry } from '../registry/registry';
import { readSettings } from '../settings/readSettings';
import type { Settings } from '../settings/settings';

/** A profile after the scopes have met, and what the workspace wants beyond what the user's own settings allow. */
interface MergedProfile {
  readonly profile: Profile;
  /** True for a workspace's profile that this user neither made nor accepted: its words are not the user's. */
  readonly isForeign?: true;
  /** Of a workspace's profile: what of the user's own stays in force beside it where it leaves it out. */
  readonly keeping?: readonly KeptEntry[];
  /**
   * Set while the workspace's version widens and this user has not accepted it: the profile holds only what both allow.
   */
  readonly pendingWidening?: PendingWidening;
}

interface PendingWidening {
  /** Names what waits; `acceptWidening` accepts just this. */
  readonly hash: string;
  readonly version: AcceptedVersion;
  readonly wanted: Profile;
  /** In what it allows more. */
  readonly fields: readonly AllowanceField[];
  /**
   * The configuration that it says and that does not count, because the user's is stricter or the key is not the
   * workspace's to change.
   */
  readonly held: readonly HeldKey[];
}

/** The profile that the settings name for a window. */
interface ConfiguredProfile {
  readonly id: string;
  /** What the workspace names instead, while it allows more and this user has not accepted it. */
  readonly heldBack?: { readonly id: string; readonly hash: string };
}

/** A profile as it is with what is kept beside it. */
interface Resolution {
  readonly keeping: readonly KeptEntry[];
  readonly resolved: ResolvedProfile;
}

/** How a workspace's profile met the user's own one. */
interface Meeting {
  readonly own: ResolvedProfile;
  readonly version: AcceptedVersion;
  readonly isAccepted: boolean;
  readonly keeping: readonly KeptEntry[];
  readonly merged: MergedProfile;
}

/** What a model is told. */
const promptFields: ReadonlySet<AllowanceField> = new Set<AllowanceField>(['basePrompt', 'promptAdditions']);

/**
 * Knows every profile and which one is active. Shipped → user → workspace, by id; a workspace's version that widens
 * what the user's own settings allow counts only once this user made it in the tree or accepted it (invariant: the
 * repository only tightens).
 */
export class ProfileStore {
  readonly #registry: CapabilityRegistry;
  readonly #settings: () => Settings;
  readonly #accepted: AcceptedProfiles;
  readonly #changed = new Emitter<void>();
  readonly #chosen = new Emitter<string>();
  readonly #reader: ProfileReader;
  #active: string | undefined;
  #ownChoice: { readonly of: Settings; readonly id: string } | undefined;
  #ownProfiles: ReadonlyMap<string, Profile> | undefined;
  #merged: ReadonlyMap<string, MergedProfile> | undefined;
  #problems: readonly Problem[] = [];
  #configured: ConfiguredProfile | undefined;
  #resolved: ResolvedProfile | undefined;
  /** The revision of the registry that profiles were resolved against. */
  #revision: number;
  /** Resolving is felt with thousands of tools, and merging asks for the same profile several times. */
  #resolutions = new WeakMap<Profile, Resolution[]>();
  /** How workspace profiles met the user's own, for as long as neither changes. */
  readonly #met = new WeakMap<Profile, Meeting>();

  /**
   * @param parts.own capabilities that the user's own settings bring (MCP servers); the shipped `default` holds them
   * too.
   */
  constructor(parts: {
    registry: CapabilityRegistry;
    settings: () => Settings;
    storage: KeyValueStore;
    crypto: Crypto;
    own?: () => readonly string[];
  }) {
    this.#reader = new ProfileReader(parts.own ?? (() => []));
    this.#revision = parts.registry.revision;
    this.#registry = parts.registry;
    this.#settings = parts.settings;
    this.#accepted = new AcceptedProfiles(parts.storage, parts.crypto);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Fires with the profile that somebody switched to; not when the settings lead to one. */
  get onDidChoose(): Event<string> {
    return this.#chosen.event;
  }

  /**
   * To be called when settings, the registry or an acceptance may have changed. True where profiles are others now, of
   * which all have heard.
   */
  refresh(): boolean {
    const before = this.#merged && this.#state();
    if (this.#registry.revision !== this.#revision) {
      this.#revision = this.#registry.revision;
      this.#resolutions = new WeakMap();
    }
    this.#ownProfiles = undefined;
    this.#merged = undefined;
    this.#resolved = undefined;
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
      rest: canonicalJson([this.configured(), this.ownId(), this.#problems]),
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
    this.#resolved = undefined;
    this.#changed.fire();
  }

  get activeId(): string {
    return this.#active ?? this.configured().id;
  }

  /**
   * What a model is told that a profile is called and for. Of a workspace's profile that nobody accepted, names that
   * are not the user's own are one word, and the description is marked as data.
   */
  wordsFor(id: string): Pick<Profile, 'id' | 'name' | 'description'> {
    const merged = this.profiles().get(id);
    const { name, description } = merged?.profile ?? this.#reader.empty(id);
    if (!merged?.isForeign) return { id, name, description };
    const own = this.#own().get(id);
    return {
      id: own ? id : foreignWord(id),
      name: name === own?.name ? name : foreignWord(name),
      description:
        description === '' || description === own?.description ? description : worded(wordsOfWorkspace(description)),
    };
  }

  /**
   * The profile that the settings name. A workspace's `activeProfile` that allows more than the one of the user's own
   * settings is held back until this user accepts it or switches by hand (invariant: the repository only tightens).
   */
  configured(): ConfiguredProfile {
    this.#configured ??= this.#configuredNow();
    return this.#configured;
  }

  /** The profile that the settings would name without the workspace. */
  ownId(): string {
    const settings = this.#settings();
    if (this.#ownChoice?.of !== settings) {
      const id = readSettings({ ...settings.layers, workspace: {} }).get('activeProfile');
      this.#ownChoice = { of: settings, id };
    }
    return this.#ownChoice.id;
  }

  /**
   * True where the first profile allows nothing that the second does not, nor tells a model anything else; one that
   * does not exist does neither.
   */
  isWithin(id: string, other: string): boolean {
    const wanted = this.resolve(id);
    if (!wanted) return true;
    const base = this.resolve(other) ?? this.#held(this.#reader.empty(other));
    const more = beyond(allowanceOf(wanted), allowanceOf(base));
    // Without a tool nothing can be done, whatever the mode or the scopes; what a model is told counts all the same.
    return wanted.tools.length === 0 ? !more.some((field) => promptFields.has(field)) : more.length === 0;
  }

  /**
   * What a workspace's version of a profile is held to: the user's own one of its id, else `default`. Where the user's
   * own settings name a profile that they do not have, nothing is allowed, and a workspace that has one of that name
   * changes nothing of it.
   */
  #baseFor(id: string, own: ReadonlyMap<string, Profile>): Profile {
    return own.get(id) ?? (id === this.ownId() ? undefined : own.get('default')) ?? this.#reader.empty(id);
  }

  #configuredNow(): ConfiguredProfile {
    const id = this.#settings().get('activeProfile');
    const own = this.ownId();
    const wanted = this.resolve(id);
    if (id === own || !wanted) return { id };
    const base = this.resolve(own) ?? this.#held(this.#reader.empty(own));
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
  async acceptWidening({ version }: PendingWidening): Promise<void> {
    await this.#accepted.rememberVersion(version);
    this.refresh();
  }

  profiles(): ReadonlyMap<string, MergedProfile> {
    this.#merged ??= this.#merge();
    return this.#merged;
  }

  /**
   * The active profile held against the registry. Where the active id names no profile, a profile with nothing in it
   * holds, so that a typing error never gives an agent more than it should have.
   */
  active(): ResolvedProfile {
    this.#resolved ??= this.resolve(this.activeId) ?? this.#held(this.#reader.empty(this.activeId));
    return this.#resolved;
  }

  resolve(id: string): ResolvedProfile | undefined {
    const merged = this.profiles().get(id);
    return merged && this.#held(merged.profile, merged.keeping);
  }

  /** What a workspace's version of a profile would come to once it is accepted; undefined where nothing waits. */
  ifAccepted(id: string): ResolvedProfile | undefined {
    const wanted = this.profiles().get(id)?.pendingWidening?.wanted;
    if (!wanted) return undefined;
    const own = this.#held(this.#baseFor(id, this.#own()));
    return resolveProfile(withOwnConfiguration(wanted, own, this.#registry), this.#registry, this.#keepable(id));
  }

  #held(profile: Profile, keeping: readonly KeptEntry[] = []): ResolvedProfile {
    const known = this.#resolutions.get(profile) ?? [];
    this.#resolutions.set(profile, known);
    const same = known.find((one) => isSameList(one.keeping, keeping));
    if (same) return same.resolved;
    const resolved = resolveProfile(profile, this.#registry, keeping);
    known.push({ keeping, resolved });
    return resolved;
  }

  problems(): readonly Problem[] {
    this.profiles();
    const unknown = this.profiles().has(this.activeId) ? [] : [this.#unknown(this.activeId)];
    return [...this.#problems, ...unknown, ...this.#heldBackProblems(), ...this.active().problems];
  }

  /**
   * Remembers that this user made or accepted a workspace's version of a profile, by the hash of all of it.
   * @param dropping what of the user's own profile the user left out by this change, so that it is kept no more.
   */
  async accept(profile: Profile, dropping: readonly KeptEntry[] = []): Promise<void> {
    await this.#accepted.rememberVersion(this.#accepted.version(this.#held(profile)), dropping);
    this.refresh();
  }

  /**
   * What a change of a profile by this user would leave out of what its version in force has on or has been left with.
   */
  dropped(profile: Profile): readonly KeptEntry[] {
    const kept = new Set(this.resolve(profile.id)?.kept.map(({ capability }) => capability.id));
    return resolveProfile(profile, this.#registry, this.#keepable(profile.id)).kept.filter(
      ({ capability }) => !kept.has(capability.id),
    );
  }

  /** What the user's own version of a profile has on that can outlast it: boundaries, limits, configuration. */
  #keepable(id: string): readonly KeptEntry[] {
    const base = this.#baseFor(id, this.#own());
    return this.#held(base).entries.filter(isKeepable);
  }

  #heldBackProblems(): readonly Problem[] {
    const { id, heldBack } = this.configured();
    if (!heldBack || this.activeId === heldBack.id) return [];
    return [
      problem({
        severity: 'warning',
        said: say('active_profile_pending', heldBack.id, id),
        subject: heldBack.id,
      }),
    ];
  }

  #unknown(id: string): Problem {
    return problem({
      severity: 'error',
      said: say('unknown_profile', id, proposal(id, this.profiles().keys())),
      subject: id,
    });
  }

  /** The profiles that are not the workspace's, by id. */
  #own(problems: Problem[] = []): ReadonlyMap<string, Profile> {
    this.#ownProfiles ??= this.#reader.own(this.#settings().layers, problems);
    return this.#ownProfiles;
  }

  #merge(): ReadonlyMap<string, MergedProfile> {
    const problems: Problem[] = [];
    this.#ownProfiles = undefined;
    const own = this.#own(problems);
    const merged = new Map<string, MergedProfile>([...own].map(([id, profile]) => [id, { profile }]));
    for (const wanted of this.#reader.read('workspace', this.#settings().layers, problems))
      merged.set(wanted.id, this.#meet(wanted, this.#held(this.#baseFor(wanted.id, own))));
    for (const [id, one] of merged) {
      for (const held of one.pendingWidening?.held ?? []) problems.push(configurationHeld(id, held));
      if (one.pendingWidening)
        problems.push(problem({ severity: 'warning', said: say('widening_pending', id), subject: id }));
    }
    this.#problems = problems;
    return merged;
  }

  /** Lets a workspace's profile meet the user's own of its id. */
  #meet(wanted: Profile, own: ResolvedProfile): MergedProfile {
    const before = this.#met.get(wanted);
    const known = before?.own === own ? before : undefined;
    const version = known?.version ?? this.#accepted.version(this.#held(wanted));
    const isAccepted = this.#accepted.hasVersion(version);
    const keepable = own.entries.filter(isKeepable);
    const keeping = isAccepted ? keepable.filter((entry) => !this.#accepted.hasDropped(version, entry)) : keepable;
    if (known?.isAccepted === isAccepted && isSameList(known.keeping, keeping)) return known.merged;
    const merged = isAccepted
      ? { profile: withOwnConfiguration(wanted, own, this.#registry), keeping }
      : this.#meetForeign(wanted, own, version, keeping);
    this.#met.set(wanted, { own, version, isAccepted, keeping, merged });
    return merged;
  }

  /** What counts of a workspace's profile that this user neither made nor accepted. */
  #meetForeign(
    wanted: Profile,
    own: ResolvedProfile,
    version: AcceptedVersion,
    keeping: readonly KeptEntry[],
  ): MergedProfile {
    const profile = completed(wanted, own, this.#registry);
    const resolved = this.#held(profile, keeping);
    const fields = beyond(allowanceOf(resolved), allowanceOf(own));
    if (fields.length === 0) return { profile, isForeign: true, keeping };
    const { held, profile: both } = heldTo(own, profile, resolved.scopes, this.#registry);
    const hash = this.#accepted.nameOf(version);
    return { profile: both, isForeign: true, keeping, pendingWidening: { hash, version, wanted, fields, held } };
  }

  dispose(): void {
    this.#chosen.dispose();
    this.#changed.dispose();
  }
}

/** True for what outlasts a profile that leaves it out: what says nothing is the same whether it is on or not. */
function isKeepable({ capability, entry }: KeptEntry): boolean {
  if (!entry.enabled) return false;
  const { boundaries = [], limits } = capability;
  return boundaries.length > 0 || limits !== undefined || Object.keys(entry.config).length > 0;
}

function configurationHeld(id: string, { capability, key, isOrdered }: HeldKey): Problem {
  const said = say(isOrdered ? 'configuration_stricter' : 'configuration_held', id, key, capability);
  return problem({ severity: 'warning', code: 'configuration_held', said, subject: id });
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
