import { canonicalJson, isObject, type Json, stringsIn } from '../base/json';
import { changeStored, type Crypto, type KeyValueStore } from '../ports/platform';
import type { Capability } from '../capability/capability';
import type { KeptEntry, Profile, ResolvedEntry, ResolvedProfile } from './profile';

const hashesKey = 'profiles.accepted';
const versionsKey = 'profiles.acceptedVersions';
/** The most versions of profiles, and other hashes, that are remembered; the oldest go first. */
const mostAccepted = 500;

/** What a person accepted of a workspace's profile, as hashes. */
export interface AcceptedVersion {
  /** Of every word of it. */
  readonly said: string;
  /**
   * Of the tools and scopes that each of its capabilities came to. One that is not there yet at a start is missed by
   * nobody.
   */
  readonly capabilities: Readonly<Record<string, string>>;
}

/** Remembers, by hashes in the extension's storage, what of a workspace's profiles this person made or accepted. */
export class AcceptedProfiles {
  readonly #storage: KeyValueStore;
  readonly #crypto: Crypto;
  /** Of capabilities with all their tools on: hashing thousands anew for each change would be felt. */
  readonly #whole = new WeakMap<Capability, string>();

  constructor(storage: KeyValueStore, crypto: Crypto) {
    this.#storage = storage;
    this.#crypto = crypto;
  }

  /**
   * Names everything that a workspace's profile says, and what it comes to with the capabilities that are there now.
   */
  version(resolved: ResolvedProfile): AcceptedVersion {
    const on = resolved.entries.filter(({ entry }) => entry.enabled);
    return {
      said: this.#crypto.sha256(canonicalJson({ version: 2, said: wordsOf(resolved.profile) })),
      capabilities: Object.fromEntries(on.map((entry) => [entry.capability.id, this.#hashOfTools(entry)])),
    };
  }

  #hashOfTools({ capability, tools }: ResolvedEntry): string {
    const enabled = tools.filter((one) => one.enabled);
    const isWhole = enabled.length === tools.length;
    const known = isWhole ? this.#whole.get(capability) : undefined;
    if (known !== undefined) return known;
    const lines = enabled.map(({ tool }) => canonicalJson([tool.id, [...tool.definition.scopes].sort()]));
    const hash = this.#crypto.sha256(canonicalJson(lines.sort()));
    if (isWhole) this.#whole.set(capability, hash);
    return hash;
  }

  /** One name for a version. */
  nameOf(version: AcceptedVersion): string {
    return this.#crypto.sha256(canonicalJson(version));
  }

  hasVersion({ said, capabilities }: AcceptedVersion): boolean {
    const known = versionsIn(this.#storage.get(versionsKey)).find((one) => one.said === said)?.capabilities;
    return (
      known !== undefined &&
      Object.entries(capabilities).every(([id, hash]) => Object.hasOwn(known, id) && known[id] === hash)
    );
  }

  /** @param dropping what of the user's own profile the person left out by this version, so that it is kept no more. */
  async rememberVersion({ said, capabilities }: AcceptedVersion, dropping: readonly KeptEntry[] = []): Promise<void> {
    await changeStored(this.#storage, versionsKey, (now) => {
      const versions = versionsIn(now);
      // What is not there now stays as it was accepted with the same words.
      const known = versions.find((one) => one.said === said)?.capabilities;
      const others = versions.filter((one) => one.said !== said);
      const kept = [...others, { said, capabilities: { ...known, ...capabilities } }].slice(-mostAccepted);
      return kept.map((one) => ({ ...one }));
    });
    if (dropping.length > 0) await this.remember(dropping.map((entry) => this.#dropHash(said, entry)));
  }

  hasDropped({ said }: AcceptedVersion, entry: KeptEntry): boolean {
    return this.has(this.#dropHash(said, entry));
  }

  /** Names all that a profile is and comes to, as one that is to be active. */
  hashOf({ profile, tools, scopes, mode, kept }: ResolvedProfile): string {
    const all = {
      version: 2,
      activate: profile.id,
      said: wordsOf(profile),
      tools: tools.map((tool) => tool.id).sort(),
      scopes: [...scopes].sort(),
      mode,
      kept: kept.map(({ capability }) => capability.id).sort(),
    };
    return this.#crypto.sha256(canonicalJson(all));
  }

  has(hash: string): boolean {
    return stringsIn(this.#storage.get(hashesKey)).includes(hash);
  }

  remember(hashes: readonly string[]): Promise<void> {
    return changeStored(this.#storage, hashesKey, (now) => {
      const before = stringsIn(now).filter((one) => !hashes.includes(one));
      return [...before, ...hashes].slice(-mostAccepted);
    });
  }

  #dropHash(said: string, { capability, entry }: KeptEntry): string {
    const { id, boundaries = [], limits = null } = capability;
    return this.#crypto.sha256(canonicalJson({ said, drop: id, boundaries, limits, config: entry.config }));
  }
}

function versionsIn(stored: Json | undefined): readonly AcceptedVersion[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown): AcceptedVersion[] => {
    if (!isObject(one) || typeof one['said'] !== 'string' || !isObject(one['capabilities'])) return [];
    const texts = Object.entries(one['capabilities']).flatMap(([id, hash]) =>
      typeof hash === 'string' ? [[id, hash] as const] : [],
    );
    return [{ said: one['said'], capabilities: Object.fromEntries(texts) }];
  });
}

/** Every word of a profile; in which settings it stands changes nothing. */
function wordsOf({ origin: _origin, ...said }: Profile): string {
  return canonicalJson(said);
}
