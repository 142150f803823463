import { Emitter, type Event } from './base/event';
import { canonicalJson, isObject, type JsonObject } from './base/json';
import { didYouMean } from './base/nearest';
import type { KeyValueStore, Crypto } from './ports';
import type { Problem } from './problem';
import { parseProfile, type Profile, type ProfileEntry, type ProfileOrigin, resolveProfile, type ResolvedProfile } from './profile';
import type { CapabilityRegistry } from './registry';
import { readSettings, type Settings } from './settings';
import { shippedProfiles } from './shippedProfiles';

const acceptedKey = 'profiles.accepted';

/** A profile after the scopes have met, and what the workspace wants beyond what the user's own settings allow. */
export interface MergedProfile {
  readonly profile: Profile;
  /** Set while the workspace's version widens and this user has not accepted it: the profile holds only what both allow. */
  readonly pendingWidening?: { readonly hash: string; readonly wanted: Profile };
}

/** The profile that the settings name for a window. */
export interface ConfiguredProfile {
  readonly id: string;
  /** What the workspace names instead, while it allows more and this user has not accepted it. */
  readonly heldBack?: { readonly id: string; readonly hash: string };
}

/** The user's own version of a profile: user settings over the shipped one, `default` where there is none (design.md 6). */
function baseFor(id: string, own: ReadonlyMap<string, Profile>): Profile | undefined {
  return own.get(id) ?? own.get('default');
}

/** Intersects a workspace profile with the user's: enabled and scopes intersect, `plan` wins, the workspace's order stands. */
export function intersectProfiles(wanted: Profile, base: Profile, registry: CapabilityRegistry): Profile {
  const idOf = (ref: string): string => registry.capability(ref)?.id ?? ref;
  const allowed = new Map(base.capabilities.map((entry) => [idOf(entry.ref), entry]));
  const capabilities = wanted.capabilities.map((entry): ProfileEntry => {
    const own = allowed.get(idOf(entry.ref));
    if (!own?.enabled) return { ...entry, enabled: false };
    const tools: Record<string, boolean> = { ...entry.tools };
    for (const [name, on] of Object.entries(own.tools)) if (!on) tools[name] = false;
    return { ...entry, tools };
  });
  const scopes = base.scopes === undefined ? wanted.scopes : (wanted.scopes ?? base.scopes).filter((scope) => base.scopes?.includes(scope));
  const { scopes: _dropped, ...rest } = wanted;
  return { ...rest, mode: base.mode === 'plan' ? 'plan' : wanted.mode, ...(scopes === undefined ? {} : { scopes }), capabilities };
}

/** What of a profile decides what is allowed; names and prompts do not count. */
function allowance(resolved: ResolvedProfile): JsonObject {
  return { tools: resolved.tools.map((tool) => tool.id).sort(), scopes: [...resolved.scopes].sort(), mode: resolved.mode };
}

/** Tells whether the first profile allows anything that the second does not. */
export function widens(wanted: Profile, base: Profile, registry: CapabilityRegistry): boolean {
  return widensResolved(resolveProfile(wanted, registry), resolveProfile(base, registry));
}

function widensResolved(a: ResolvedProfile, b: ResolvedProfile): boolean {
  const tools = new Set(b.tools.map((tool) => tool.id));
  if (a.mode === 'execute' && b.mode === 'plan') return true;
  if (a.tools.some((tool) => !tools.has(tool.id))) return true;
  return b.profile.scopes !== undefined && [...a.scopes].some((scope) => !b.scopes.has(scope));
}

/**
 * Knows every profile and which one is active. Shipped → user → workspace, by id; a workspace's version that widens what the user's own
 * settings allow counts only once this user made it in the tree or accepted it (invariant: the repository only tightens).
 */
export class ProfileStore {
  readonly #registry: CapabilityRegistry;
  readonly #settings: () => Settings;
  readonly #storage: KeyValueStore;
  readonly #crypto: Crypto;
  readonly #own: () => readonly string[];
  readonly #changed = new Emitter<void>();
  #active: string | undefined;
  #merged: ReadonlyMap<string, MergedProfile> | undefined;
  #problems: readonly Problem[] = [];
  #configured: ConfiguredProfile | undefined;
  #resolved: ResolvedProfile | undefined;
  /** Resolving is felt with thousands of tools, and merging asks for the same profile several times. */
  #resolutions = new WeakMap<Profile, ResolvedProfile>();

  /** @param parts.own capabilities that the user's own settings bring (MCP servers); the shipped `default` holds them too. */
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
    this.#storage = parts.storage;
    this.#crypto = parts.crypto;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
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
    if (this.#active === id) return undefined;
    this.#active = id;
    this.#resolved = undefined;
    this.#changed.fire();
    return undefined;
  }

  /** Takes over the setting's value as it stands: an id that names no profile is a problem, and nothing is allowed until one is chosen. */
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
   * The profile that the settings name. A workspace's `activeProfile` that allows more than the one of the user's own settings is held back
   * until this user accepts it or switches by hand (invariant: the repository only tightens).
   */
  configured(): ConfiguredProfile {
    this.#configured ??= this.#configuredNow();
    return this.#configured;
  }

  #configuredNow(): ConfiguredProfile {
    const settings = this.#settings();
    const id = settings.string('activeProfile');
    const own = readSettings({ ...settings.layers, workspace: {} }).string('activeProfile');
    const wanted = this.profiles().get(id)?.profile;
    if (id === own || !wanted) return { id };
    const base = this.profiles().get(own)?.profile ?? emptyProfile(own);
    const hash = this.#crypto.sha256(canonicalJson({ activate: id, ...allowance(this.#held(wanted)) }));
    if (this.#accepted().includes(hash) || !widensResolved(this.#held(wanted), this.#held(base))) return { id };
    return { id: own, heldBack: { id, hash } };
  }

  /** Remembers that this user lets the workspace choose this profile, as it is now. */
  acceptConfigured(hash: string): Promise<void> {
    return this.#remember(hash);
  }

  profiles(): ReadonlyMap<string, MergedProfile> {
    this.#merged ??= this.#merge();
    return this.#merged;
  }

  /**
   * The active profile held against the registry. Where the active id names no profile, a profile with nothing in it holds,
   * so that a typing error never gives an agent more than it should have.
   */
  active(): ResolvedProfile {
    this.#resolved ??= this.resolve(this.activeId) ?? resolveProfile(emptyProfile(this.activeId), this.#registry);
    return this.#resolved;
  }

  resolve(id: string): ResolvedProfile | undefined {
    const merged = this.profiles().get(id);
    return merged && this.#held(merged.profile);
  }

  #held(profile: Profile): ResolvedProfile {
    const known = this.#resolutions.get(profile) ?? resolveProfile(profile, this.#registry);
    this.#resolutions.set(profile, known);
    return known;
  }

  problems(): readonly Problem[] {
    this.profiles();
    const unknown = this.profiles().has(this.activeId) ? [] : [this.#unknown(this.activeId)];
    return [...this.#problems, ...unknown, ...this.#heldBackProblems(), ...this.active().problems];
  }

  /** Remembers that this user made or accepted a workspace's version of a profile, by the hash of what it allows. */
  async accept(profile: Profile): Promise<void> {
    await this.#remember(this.hash(profile));
  }

  async #remember(hash: string): Promise<void> {
    const accepted = new Set(this.#accepted());
    accepted.add(hash);
    await this.#storage.set(acceptedKey, [...accepted].slice(-500));
    this.refresh();
  }

  hash(profile: Profile): string {
    return this.#crypto.sha256(canonicalJson({ id: profile.id, ...allowance(this.#held(profile)) }));
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
    return {
      severity: 'error',
      code: 'unknown_profile',
      message: `there is no profile \`${id}\`${didYouMean(id, this.profiles().keys())}; until one is chosen nothing is allowed`,
      subject: id,
    };
  }

  #accepted(): readonly string[] {
    const value = this.#storage.get(acceptedKey);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  #merge(): ReadonlyMap<string, MergedProfile> {
    const problems: Problem[] = [];
    const { layers } = this.#settings();
    const read = (raw: unknown, origin: ProfileOrigin): Map<string, Profile> => {
      const out = new Map<string, Profile>();
      if (!isObject(raw)) return out;
      for (const [id, value] of Object.entries(raw)) {
        const parsed = parseProfile(id, value, origin);
        problems.push(...parsed.problems);
        out.set(id, parsed.value);
      }
      return out;
    };
    const own = new Map(
      shippedProfiles().map((profile) => [profile.id, profile.id === 'default' ? withOwn(profile, this.#own()) : profile]),
    );
    for (const [id, profile] of read(layers.user['profiles'], 'user')) own.set(id, profile);
    for (const [id, profile] of read(layers.managed['profiles'], 'user')) own.set(id, profile);
    const merged = new Map<string, MergedProfile>([...own].map(([id, profile]) => [id, { profile }]));
    const accepted = new Set(this.#accepted());
    for (const [id, wanted] of read(layers.workspace['profiles'], 'workspace')) {
      const base = baseFor(id, own);
      if (!base || !widensResolved(this.#held(wanted), this.#held(base)) || accepted.has(this.hash(wanted)))
        merged.set(id, { profile: wanted });
      else
        merged.set(id, {
          profile: intersectProfiles(wanted, base, this.#registry),
          pendingWidening: { hash: this.hash(wanted), wanted },
        });
    }
    for (const [id, one] of merged)
      if (one.pendingWidening)
        problems.push({
          severity: 'warning',
          code: 'widening_pending',
          message: `the workspace's profile \`${id}\` allows more than your own settings; until you accept it, only what both allow is on`,
          subject: id,
        });
    this.#problems = problems;
    return merged;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Whoever adds a server to their own settings wants its tools; their calls are judged like all others. */
function withOwn(profile: Profile, refs: readonly string[]): Profile {
  const added = refs.map((ref): ProfileEntry => ({ ref, enabled: true, tools: {}, config: {} }));
  return added.length === 0 ? profile : { ...profile, capabilities: [...profile.capabilities, ...added] };
}

function emptyProfile(id: string): Profile {
  return { id, name: id, description: '', systemPrompt: '', mode: 'plan', scopes: [], capabilities: [], origin: 'user' };
}
