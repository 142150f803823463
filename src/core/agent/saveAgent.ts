import { type AllowanceField, allowanceOf, beyond } from '../profiles/allowance';
import { type Profile, resolveProfile, type ResolvedProfile } from '../profiles/profile';
import type { ProfileStore } from '../profiles/profileStore';
import type { CapabilityRegistry } from '../registry/registry';

/** A change from outside that would allow more than holds now, or tell a model something else. */
export interface Widening {
  readonly profile: Profile;
  readonly isNew: boolean;
  /** What it is compared with: the profile as it is, or the default one where it is new. */
  readonly from: ResolvedProfile;
  readonly to: ResolvedProfile;
  /** The names of the tools that would be added. */
  readonly added: readonly string[];
}

export interface SavingOptions {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  /** Writes a profile where the tree writes them too. */
  readonly save: (profile: Profile, label: string) => Promise<void>;
  /** Asks the person; anything but yes keeps the profile as it was. */
  readonly approve: (widening: Widening, signal: AbortSignal) => Promise<boolean>;
}

/** What the person has not approved. */
export interface Refusal {
  readonly added: readonly string[];
  readonly fields: readonly AllowanceField[];
}

/**
 * Saves an agent that a program sent, which is a profile. A change that allows more than holds now, or that changes
 * what a model is told, asks the person first; answers what was refused, undefined where it is saved.
 */
export async function saveAgent(
  profile: Profile,
  isNew: boolean,
  { registry, profiles, save, approve }: SavingOptions,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const nothing: Profile = { ...profile, systemPrompt: '', mode: 'plan', scopes: [], capabilities: [] };
  const from = profiles.resolve(isNew ? 'default' : profile.id) ?? resolveProfile(nothing, registry);
  const to = resolveProfile(profile, registry, isNew ? [] : from.kept);
  const fields = beyond(allowanceOf(to), allowanceOf(from));
  if (fields.length > 0) {
    const before = new Set(from.tools.map((tool) => tool.id));
    const added = to.tools.filter((tool) => !before.has(tool.id)).map((tool) => tool.modelName);
    if (!(await approve({ profile, isNew, from, to, added }, signal))) return { added, fields };
  }
  await save(profile, isNew ? `Create ${profile.name}` : `Change ${profile.name}`);
  return undefined;
}
