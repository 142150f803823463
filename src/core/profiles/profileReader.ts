import { isSameList } from '../base/order';
import { isObject, ownValue } from '../base/json';
import type { Parsed, Problem } from '../base/problem';
import type { SettingScope, SettingsLayers } from '../settings/settings';
import { parseProfile, type Profile, type ProfileEntry } from './profile';
import type { BundledProfile } from './profileMeeting';
import { shippedProfiles } from './shippedProfiles';

type KnownProfile = Parsed<Profile> & { readonly text: string };

/** Reads the profiles of settings. A profile of which nothing changed stays the same object. */
export class ProfileReader {
  readonly #shipped = shippedProfiles();
  /** Capabilities that the user's own settings bring. */
  readonly #brought: () => readonly string[];
  readonly #known = new Map<string, ReadonlyMap<string, KnownProfile>>();
  readonly #empty = new Map<string, Profile>();
  #default: { readonly brought: readonly string[]; readonly profile: Profile } | undefined;

  constructor(brought: () => readonly string[]) {
    this.#brought = brought;
  }

  /** The profiles that are not the workspace's, by id. */
  own(layers: SettingsLayers, problems: Problem[]): ReadonlyMap<string, Profile> {
    const own = new Map(
      this.#shipped.map((profile) => [profile.id, profile.id === 'default' ? this.#withBrought(profile) : profile]),
    );
    for (const layer of ['user', 'managed'] as const)
      for (const profile of this.read(layer, layers, problems)) own.set(profile.id, profile);
    const managed = layers.managed['profiles'];
    // What an administrator wrote of profiles and nobody can read means the strictest: that no profile allows anything.
    return managed === undefined || isObject(managed)
      ? own
      : new Map([...own.keys()].map((id) => [id, this.empty(id)]));
  }

  read(layer: SettingScope, layers: SettingsLayers, problems: Problem[]): readonly Profile[] {
    return this.#readAll(layer, layers[layer]['profiles'], problems);
  }

  /** What signed bundles say of profiles, in their order. */
  bundled({ bundles = [] }: SettingsLayers, problems: Problem[]): readonly BundledProfile[] {
    return bundles.flatMap(({ name, settings: { profiles } }) =>
      this.#readAll(`bundle ${name}`, profiles, problems).map((wanted): BundledProfile => {
        const raw = isObject(profiles) ? ownValue(profiles, wanted.id) : undefined;
        return { wanted, listsCapabilities: !isObject(raw) || Object.hasOwn(raw, 'capabilities') };
      }),
    );
  }

  #readAll(layer: string, raw: unknown, problems: Problem[]): readonly Profile[] {
    const before = this.#known.get(layer);
    const now = new Map<string, KnownProfile>();
    for (const [id, value] of Object.entries(isObject(raw) ? raw : {})) {
      const text = JSON.stringify(value);
      const known = before?.get(id);
      const origin = layer === 'workspace' ? layer : 'user';
      now.set(id, known?.text === text ? known : { text, ...parseProfile(id, value, origin) });
    }
    this.#known.set(layer, now);
    problems.push(...[...now.values()].flatMap((one) => one.problems));
    return [...now.values()].map(({ value }) => value);
  }

  /** The profile that holds where an id names none: it allows nothing. */
  empty(id: string): Profile {
    const empty: Profile = this.#empty.get(id) ?? {
      id,
      name: id,
      description: '',
      systemPrompt: '',
      mode: 'plan',
      scopes: [],
      capabilities: [],
      origin: 'user',
    };
    this.#empty.set(id, empty);
    return empty;
  }

  /** Whoever adds a server to their own settings wants its tools; their calls are judged like all others. */
  #withBrought(profile: Profile): Profile {
    const brought = this.#brought();
    if (brought.length === 0) return profile;
    if (this.#default && isSameList(this.#default.brought, brought)) return this.#default.profile;
    const added = brought.map((ref): ProfileEntry => ({ ref, enabled: true, tools: {}, config: {} }));
    this.#default = { brought, profile: { ...profile, capabilities: [...profile.capabilities, ...added] } };
    return this.#default.profile;
  }
}
