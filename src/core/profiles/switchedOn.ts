import { isSameList } from '../base/order';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { CapabilityRegistry } from '../registry/registry';
import { isFromRepository } from '../vocabulary/provenance';
import { sourceKind } from '../vocabulary/toolSource';
import type { AcceptedProfiles } from './acceptedProfiles';
import type { Profile, ProfileEntry } from './profile';

/**
 * What the user's own profiles have on of servers and channels was meant for their own of that name. One that a
 * repository brings is off in them until the person switches it on here, too. Definitions have no such double: a
 * repository alone brings them, each approved as a whole.
 */
export class SwitchedOn {
  readonly #registry: CapabilityRegistry;
  readonly #accepted: AcceptedProfiles;
  readonly #isHere: boolean;
  /** The same object for a profile while the same of it is held. */
  readonly #known = new WeakMap<Profile, { readonly held: readonly ProfileEntry[]; readonly profile: Profile }>();

  /** @param isHere whether the user's profiles were written for this very workspace. */
  constructor(registry: CapabilityRegistry, accepted: AcceptedProfiles, isHere: boolean) {
    this.#registry = registry;
    this.#accepted = accepted;
    this.#isHere = isHere;
  }

  /** A profile as it counts here. */
  here(profile: Profile): Profile {
    const held = this.#held(profile);
    if (held.length === 0) return profile;
    const known = this.#known.get(profile);
    if (known && isSameList(known.held, held)) return known.profile;
    const capabilities = profile.capabilities.map((one) => (held.includes(one) ? { ...one, enabled: false } : one));
    const made = { ...profile, capabilities };
    this.#known.set(profile, { held, profile: made });
    return made;
  }

  problems(profile: Profile): readonly Problem[] {
    return this.#held(profile).map(({ ref }) => {
      const said = say('not_switched_on_here', profile.id, ref);
      return problem({ severity: 'warning', said, subject: this.#registry.capability(ref)?.id ?? ref });
    });
  }

  /** Remembers what of a repository's a change switched on or off; true where it did. `before` is what counted here. */
  async remember(before: readonly ProfileEntry[], { id, capabilities }: Profile): Promise<boolean> {
    const [was, is] = [this.#brought(before), this.#brought(capabilities)];
    const [on, off] = [is.filter((one) => !was.includes(one)), was.filter((one) => !is.includes(one))];
    const isSwitched = on.length + off.length > 0;
    if (isSwitched) await this.#accepted.rememberSwitched(id, on, off);
    return isSwitched;
  }

  #held({ id, origin, capabilities }: Profile): readonly ProfileEntry[] {
    // What a workspace's profile says is accepted as a whole, with who brings what it has on.
    if (origin === 'workspace' || this.#isHere) return [];
    return capabilities.filter((entry) =>
      this.#brought([entry]).some((capability) => !this.#accepted.hasSwitchedOn(id, capability)),
    );
  }

  /** What of entries is on and comes from a repository. */
  #brought(entries: readonly ProfileEntry[]): readonly Capability[] {
    return entries.flatMap(({ ref, enabled }) => {
      const capability = enabled ? this.#registry.capability(ref) : undefined;
      const isDouble = capability && sourceKind(capability.source).isOthers && isFromRepository(capability);
      return isDouble ? [capability] : [];
    });
  }
}

/**
 * A changed profile as it is to be written: what is off here alone stays on where it is written so.
 * @param current the profile as it counts here, made of `written`.
 */
export function asWritten(next: Profile, current: Profile, written: Profile): Profile {
  const held = written.capabilities.filter((one) => !current.capabilities.includes(one)).map(({ ref }) => ref);
  if (held.length === 0) return next;
  const capabilities = next.capabilities.map((one) => (held.includes(one.ref) ? { ...one, enabled: true } : one));
  return { ...next, capabilities };
}
