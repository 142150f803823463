import { Emitter, type Event } from '../base/event';
import { isObject } from '../base/json';
import { foreignWord } from '../base/foreignWords';
import { proposal } from '../base/nearest';
import { AcceptedProfiles, type AcceptedVersion } from './acceptedProfiles';
import { allowanceOf, type AllowanceField, beyond, within } from './allowance';
import type { KeyValueStore, Crypto } from '../ports/platform';
import { type Problem, problem } from '../base/problem';
import { say, worded } from '../base/sentence';
import { wordsOfWorkspace } from '../vocabulary/ruleWords';
import { completed, type HeldKey, heldTo, withOwnConfiguration } from './profileMeeting';
import {
  type KeptEntry,
  parseProfile,
  type Profile,
  type ProfileEntry,
  type ProfileOrigin,
  resolveProfile,
  type ResolvedProfile,
} from './profile';
import type { CapabilityRegistry } from '../registry/registry';
import { readSettings } from '../settings/readSettings';
import type { Settings } from '../settings/settings';
import { shippedProfiles } from './shippedProfiles';

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
  /** In what it allows more. */
  readonly fields: readonly AllowanceField[];
  /**
   * The configuration that it says and that does not count, because the user's is stricter or the key is not the
   * workspace's to change.
   */
  readonly held: readonly HeldKey[];
}

/** The profile that the settings name for a window. */
export interface ConfiguredProfile {
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
  readonly #registry: CapabilityRegistry;
  readonly #settings: () => Settings;
  readonly #accepted: AcceptedProfiles;
  readonly #own: () => readonly string[];
  readonly #changed = new Emitter<void>();
  readonly #chosen = new Emitter<string>();
  #active: string | undefined;
  #merged: ReadonlyMap<string, MergedProfile> | undefined;
  #problems: readonly Problem[] = [];
  #configured: ConfiguredProfile | undefined;
  #resolved: ResolvedProfile | undefined;
  /** Resolving is felt with thousands of tools, and merging asks for the same profile several times. */
  #resolutions = new WeakMap<Profile, ResolvedProfile>();

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
    this.#own = parts.own ?? (() => []);
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

  /** To be called when settings, the registry or an acceptance changed. */
  refresh(): void {
    this.#merged = undefined;
    this.#resolved = undefined;
    this.#resolutions = new WeakMap();
    this.#configured = undefined;
    this.#changed.fire();
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
    const { name, description } = merged?.profile ?? emptyProfile(id);
    if (!merged?.isForeign) return { id, name, description };
    const own = this.#readOwn([]).get(id);
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
    return readSettings({ ...this.#settings().layers, workspace: {} }).get('activeProfile');
  }

  /**
   * True where the first profile allows nothing that the second does not, nor tells a model anything else; one that
   * does not exist does neither.
   */
  isWithin(id: string, other: string): boolean {
    const wanted = this.resolve(id);
    if (!wanted) return true;
    const base = this.resolve(other) ?? resolveProfile(emptyProfile(other), this.#registry);
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
    return own.get(id) ?? (id === this.ownId() ? undefined : own.get('default')) ?? emptyProfile(id);
  }

  #configuredNow(): ConfiguredProfile {
    const id = this.#settings().get('activeProfile');
    const own = this.ownId();
    const wanted = this.resolve(id);
    if (id === own || !wanted) return { id };
    const base = this.resolve(own) ?? resolveProfile(emptyProfile(own), this.#registry);
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
    this.#resolved ??= this.resolve(this.activeId) ?? resolveProfile(emptyProfile(this.activeId), this.#registry);
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
    const own = this.#held(this.#baseFor(id, this.#readOwn([])));
    return resolveProfile(withOwnConfiguration(wanted, own, this.#registry), this.#registry, this.#keepable(id));
  }

  #held(profile: Profile, keeping: readonly KeptEntry[] = []): ResolvedProfile {
    const known = this.#resolutions.get(profile) ?? resolveProfile(profile, this.#registry, keeping);
    this.#resolutions.set(profile, known);
    return known;
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
    const base = this.#baseFor(id, this.#readOwn([]));
    return this.#held(base).entries.filter(isKeepable);
  }

  #heldBackProblems(): readonly Problem[] {
    const { id, heldBack } = this.configured();
    if (!heldBack || this.activeId === heldBack.id) return [];
    return [
      {
        severity: 'warning',
        code: 'active_profile_pending',
        message: `this workspace asks for the profile \`${heldBack.id}\`, which allows more than \`${id}\` of your own settings; it becomes active when you accept it or switch to it`,
        subject: heldBack.id,
      },
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
  #readOwn(problems: Problem[]): ReadonlyMap<string, Profile> {
    const { layers } = this.#settings();
    const own = new Map(
      shippedProfiles().map((profile) => [
        profile.id,
        profile.id === 'default' ? withOwn(profile, this.#own()) : profile,
      ]),
    );
    for (const layer of [layers.user, layers.managed])
      for (const profile of readProfiles(layer['profiles'], 'user', problems)) own.set(profile.id, profile);
    const managed = layers.managed['profiles'];
    // What an administrator wrote of profiles and nobody can read means the strictest: that no profile allows anything.
    return managed === undefined || isObject(managed)
      ? own
      : new Map([...own.keys()].map((id) => [id, emptyProfile(id)]));
  }

  #merge(): ReadonlyMap<string, MergedProfile> {
    const problems: Problem[] = [];
    const own = this.#readOwn(problems);
    const merged = new Map<string, MergedProfile>([...own].map(([id, profile]) => [id, { profile }]));
    for (const wanted of readProfiles(this.#settings().layers.workspace['profiles'], 'workspace', problems))
      merged.set(wanted.id, this.#meet(wanted, this.#held(this.#baseFor(wanted.id, own))));
    for (const [id, one] of merged) {
      for (const held of one.pendingWidening?.held ?? []) problems.push(configurationHeld(id, held));
      if (one.pendingWidening)
        problems.push({
          severity: 'warning',
          code: 'widening_pending',
          message: `the workspace's profile \`${id}\` allows more than your own settings; until you accept it, only what both allow is on`,
          subject: id,
        });
    }
    this.#problems = problems;
    return merged;
  }

  /** Lets a workspace's profile meet the user's own of its id. */
  #meet(wanted: Profile, own: ResolvedProfile): MergedProfile {
    const registry = this.#registry;
    const version = this.#accepted.version(this.#held(wanted));
    const keepable = own.entries.filter(isKeepable);
    if (this.#accepted.hasVersion(version))
      return {
        profile: withOwnConfiguration(wanted, own, registry),
        keeping: keepable.filter((entry) => !this.#accepted.hasDropped(version, entry)),
      };
    const profile = completed(wanted, own, registry);
    const resolved = this.#held(profile, keepable);
    const fields = beyond(allowanceOf(resolved), allowanceOf(own));
    if (fields.length === 0) return { profile, isForeign: true, keeping: keepable };
    const { held, profile: both } = heldTo(own, profile, resolved.scopes, registry);
    const hash = this.#accepted.nameOf(version);
    return {
      profile: both,
      isForeign: true,
      keeping: keepable,
      pendingWidening: { hash, version, wanted, fields, held },
    };
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
  const why = isOrdered ? 'your own value is stricter' : "it is not the workspace's to change";
  return {
    severity: 'warning',
    code: 'configuration_held',
    message: `the workspace's profile \`${id}\` sets \`${key}\` of \`${capability}\`, and ${why}; it counts once you accept the profile`,
    args: [id, key, capability, isOrdered ? 'ordered' : ''],
    subject: id,
  };
}

function readProfiles(raw: unknown, origin: ProfileOrigin, problems: Problem[]): readonly Profile[] {
  if (!isObject(raw)) return [];
  return Object.entries(raw).map(([id, value]) => {
    const parsed = parseProfile(id, value, origin);
    problems.push(...parsed.problems);
    return parsed.value;
  });
}

/** Whoever adds a server to their own settings wants its tools; their calls are judged like all others. */
function withOwn(profile: Profile, refs: readonly string[]): Profile {
  const added = refs.map((ref): ProfileEntry => ({ ref, enabled: true, tools: {}, config: {} }));
  return added.length === 0 ? profile : { ...profile, capabilities: [...profile.capabilities, ...added] };
}

function emptyProfile(id: string): Profile {
  return {
    id,
    name: id,
    description: '',
    systemPrompt: '',
    mode: 'plan',
    scopes: [],
    capabilities: [],
    origin: 'user',
  };
}
