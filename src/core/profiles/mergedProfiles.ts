import { foreignWord } from '../base/foreignWords';
import { type Problem, problem } from '../base/problem';
import { say, worded } from '../base/sentence';
import type { CapabilityRegistry } from '../registry/registry';
import { readSettings } from '../settings/readSettings';
import type { Settings } from '../settings/settings';
import { wordsOfWorkspace } from '../vocabulary/ruleWords';
import type { AcceptedProfiles, AcceptedVersion } from './acceptedProfiles';
import { allowanceOf, within } from './allowance';
import { type KeptEntry, type Profile, resolveProfile, type ResolvedProfile } from './profile';
import {
  type BundledProfile,
  completed,
  type HeldKey,
  heldTo,
  tightenedProfile,
  withOwnConfiguration,
} from './profileMeeting';
import { isSameList } from '../base/order';
import { ProfileReader } from './profileReader';

/** A profile after the scopes have met, and what the workspace wants beyond what the user's own settings allow. */
export interface MergedProfile {
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

export interface PendingWidening {
  /** Names what waits; `acceptWidening` accepts just this. */
  readonly hash: string;
  readonly version: AcceptedVersion;
  readonly wanted: Profile;
  /**
   * The configuration that it says and that does not count, because the user's is stricter or the key is not the
   * workspace's to change.
   */
  readonly held: readonly HeldKey[];
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

/** A profile as a bundle's version of it left it, with a registry of one revision. */
interface BundledResult {
  readonly wanted: Profile;
  readonly revision: number;
  readonly profile: Profile;
}

/**
 * Every profile, shipped → user → workspace, by id: a workspace's version that widens what the user's own settings
 * allow counts only once this user made it in the tree or accepted it (invariant: the repository only tightens).
 */
export class MergedProfiles {
  readonly #registry: CapabilityRegistry;
  readonly #settings: () => Settings;
  readonly #accepted: AcceptedProfiles;
  readonly #reader: ProfileReader;
  #ownChoice: { readonly of: Settings; readonly id: string } | undefined;
  #ownProfiles: ReadonlyMap<string, Profile> | undefined;
  /** What bundles in force say of profiles. */
  #inForce: readonly BundledProfile[] = [];
  /** What bundles made smaller, as it is written. */
  #unbundled: ReadonlyMap<string, Profile> = new Map();
  #merged: ReadonlyMap<string, MergedProfile> | undefined;
  #problems: readonly Problem[] = [];
  /** The revision of the registry that profiles were resolved against. */
  #revision: number;
  /** Resolving is felt with thousands of tools, and merging asks for the same profile several times. */
  #resolutions = new WeakMap<Profile, Resolution[]>();
  /** What bundles made of profiles: the same object while nothing changes. */
  readonly #bundled = new WeakMap<Profile, readonly BundledResult[]>();
  /** How workspace profiles met the user's own, for as long as neither changes. */
  readonly #met = new WeakMap<Profile, Meeting>();

  /** @param brought capabilities that the user's own settings bring; the shipped `default` holds them too. */
  constructor(
    registry: CapabilityRegistry,
    settings: () => Settings,
    accepted: AcceptedProfiles,
    brought: () => readonly string[],
  ) {
    this.#registry = registry;
    this.#settings = settings;
    this.#accepted = accepted;
    this.#reader = new ProfileReader(brought);
    this.#revision = registry.revision;
  }

  /**
   * To be called when settings, the registry or an acceptance may have changed.
   * @param everything whether what profiles resolve to may have changed too, though no capability did.
   */
  forget(everything = false): void {
    if (everything || this.#registry.revision !== this.#revision) {
      this.#revision = this.#registry.revision;
      this.#resolutions = new WeakMap();
    }
    this.#ownProfiles = undefined;
    this.#merged = undefined;
  }

  all(): ReadonlyMap<string, MergedProfile> {
    this.#merged ??= this.#merge();
    return this.#merged;
  }

  /** True once somebody asked for the profiles since they were forgotten. */
  get isKnown(): boolean {
    return this.#merged !== undefined;
  }

  /** What is wrong with profiles as they are written, and what waits for the user. */
  problems(): readonly Problem[] {
    this.all();
    return this.#problems;
  }

  resolve(id: string): ResolvedProfile | undefined {
    const merged = this.all().get(id);
    return merged && this.held(merged.profile, merged.keeping);
  }

  /** The profile of an id; one that allows nothing where there is none. */
  resolveStrictly(id: string): ResolvedProfile {
    return this.resolve(id) ?? this.held(this.#reader.empty(id));
  }

  /** What a workspace's version of a profile would come to once it is accepted; undefined where nothing waits. */
  ifAccepted(id: string): ResolvedProfile | undefined {
    const wanted = this.all().get(id)?.pendingWidening?.wanted;
    if (!wanted) return undefined;
    const own = this.held(this.#baseFor(id, this.#own()));
    return resolveProfile(withOwnConfiguration(wanted, own, this.#registry), this.#registry, this.#keepable(id));
  }

  /** What a version of a workspace's profile comes to, which this user accepted before it is in the settings. */
  onceAccepted(profile: Profile): ResolvedProfile {
    const own = this.held(this.#baseFor(profile.id, this.#own()));
    const version = this.#accepted.version(this.held(profile));
    const keeping = own.entries.filter((entry) => isKeepable(entry) && !this.#accepted.hasDropped(version, entry));
    return resolveProfile(withOwnConfiguration(profile, own, this.#registry), this.#registry, keeping);
  }

  /** The user's own profile of an id, whatever a workspace makes of it. */
  ownProfile(id: string): Profile | undefined {
    return this.#own().get(id);
  }

  /** The user's own profile of an id as it is written; undefined where no bundle makes it smaller. */
  unbundled(id: string): Profile | undefined {
    this.#own();
    return this.#unbundled.get(id);
  }

  /**
   * What a model is told that a profile is called and for. Of a workspace's profile that nobody accepted, names that
   * are not the user's own are one word, and the description is marked as data.
   */
  wordsFor(id: string): Pick<Profile, 'id' | 'name' | 'description'> {
    const merged = this.all().get(id);
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
   * What a workspace's version of a profile is held to: the user's own one of its id, else `default`. Where the user's
   * own settings name a profile that they do not have, nothing is allowed, and a workspace that has one of that name
   * changes nothing of it.
   */
  #baseFor(id: string, own: ReadonlyMap<string, Profile>): Profile {
    return own.get(id) ?? (id === this.ownId() ? undefined : own.get('default')) ?? this.#reader.empty(id);
  }

  /** A profile as it is written, held against the registry. */
  held(profile: Profile, keeping: readonly KeptEntry[] = []): ResolvedProfile {
    const known = this.#resolutions.get(profile) ?? [];
    this.#resolutions.set(profile, known);
    const same = known.find((one) => isSameList(one.keeping, keeping));
    if (same) return same.resolved;
    const resolved = resolveProfile(profile, this.#registry, keeping);
    known.push({ keeping, resolved });
    return resolved;
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
    return this.held(base).entries.filter(isKeepable);
  }

  /** The profiles that are not the workspace's, by id. */
  #own(problems: Problem[] = []): ReadonlyMap<string, Profile> {
    this.#ownProfiles ??= this.#tightened(problems);
    return this.#ownProfiles;
  }

  /** The profiles of the user and the managed file, each held to what signed bundles say of it. */
  #tightened(problems: Problem[]): ReadonlyMap<string, Profile> {
    const { layers } = this.#settings();
    const written = this.#reader.own(layers, problems);
    const own = new Map(written);
    const unbundled = new Map<string, Profile>();
    this.#inForce = this.#reader.bundled(layers, problems);
    for (const bundled of this.#inForce) {
      const { wanted } = bundled;
      own.set(wanted.id, this.#smaller(this.#baseFor(wanted.id, own), bundled));
      const before = written.get(wanted.id);
      if (before) unbundled.set(wanted.id, before);
    }
    this.#unbundled = unbundled;
    return own;
  }

  /** A profile held to what a signed bundle says of it; the same object while nothing changes. */
  #smaller(base: Profile, bundled: BundledProfile, keeping: readonly KeptEntry[] = []): Profile {
    const { wanted } = bundled;
    const known = this.#bundled.get(base)?.find((one) => one.wanted === wanted && one.revision === this.#revision);
    if (known) return known.profile;
    const profile = tightenedProfile(this.held(base, keeping), bundled, this.held(wanted).scopes, this.#registry);
    const others = (this.#bundled.get(base) ?? []).filter((one) => one.wanted.id !== wanted.id);
    this.#bundled.set(base, [...others, { wanted, revision: this.#revision, profile }]);
    return profile;
  }

  /** What a bundle says of a profile holds for a workspace's version too, also for one that the user accepted. */
  #heldToBundles(merged: MergedProfile): MergedProfile {
    const named = this.#inForce.filter(({ wanted }) => wanted.id === merged.profile.id);
    if (named.length === 0) return merged;
    const profile = named.reduce((one, bundled) => this.#smaller(one, bundled, merged.keeping), merged.profile);
    return { ...merged, profile };
  }

  #merge(): ReadonlyMap<string, MergedProfile> {
    const problems: Problem[] = [];
    this.#ownProfiles = undefined;
    const own = this.#own(problems);
    const merged = new Map<string, MergedProfile>([...own].map(([id, profile]) => [id, { profile }]));
    for (const wanted of this.#reader.read('workspace', this.#settings().layers, problems))
      merged.set(wanted.id, this.#heldToBundles(this.#meet(wanted, this.held(this.#baseFor(wanted.id, own)))));
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
    const version = known?.version ?? this.#accepted.version(this.held(wanted));
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
    const resolved = this.held(profile, keeping);
    if (within(allowanceOf(resolved), allowanceOf(own))) return { profile, isForeign: true, keeping };
    const { held, profile: both } = heldTo(own, profile, resolved.scopes, this.#registry);
    const hash = this.#accepted.nameOf(version);
    return { profile: both, isForeign: true, keeping, pendingWidening: { hash, version, wanted, held } };
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
