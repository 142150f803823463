import { type AllowanceField, allowanceOf, beyond, within } from '../profiles/allowance';
import { type Profile, resolveProfile, type ResolvedProfile } from '../profiles/profile';
import type { ProfileChange } from '../profiles/profileEdit';
import type { ProfileEditor } from '../profiles/profileEditor';
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
  /** Writes profiles as the tree does, one change after the other. */
  readonly editor: Pick<ProfileEditor, 'put' | 'change'>;
  /** Asks the person; anything but yes keeps the profile as it was. */
  readonly approve: (widening: Widening, signal: AbortSignal) => Promise<boolean>;
}

/** Why an agent was not saved. */
export type Refusal =
  /** The person has not approved it. */
  | { readonly type: 'declined'; readonly added: readonly string[]; readonly fields: readonly AllowanceField[] }
  /** The person has not reviewed yet what the workspace makes of it. */
  | { readonly type: 'held-back' }
  | { readonly type: 'gone' };

/**
 * Saves a new agent that a program sent, which is a profile. One that allows more than the default one, or that tells a
 * model something else, asks the person first; answers what was refused, or the profile as it was saved.
 * @param make makes the profile, again after the person has answered: its id may be taken by then.
 */
export async function createAgent(
  make: () => Profile,
  { registry, profiles, editor, approve }: SavingOptions,
  signal: AbortSignal,
): Promise<Refusal | Profile> {
  const asked = make();
  const empty = resolveProfile({ ...asked, systemPrompt: '', mode: 'plan', scopes: [], capabilities: [] }, registry);
  const from = profiles.resolve('default') ?? empty;
  const refusal = await ask(
    { profile: asked, isNew: true, from, to: resolveProfile(asked, registry, []) },
    approve,
    signal,
  );
  if (refusal) return refusal;
  const profile = make();
  await editor.put(profile, `Create ${profile.name}`);
  return profile;
}

/**
 * Changes an agent for a program. What the person is asked about is what they saw: where the profile became another one
 * meanwhile, and the change would now allow what nobody approved, they are asked again.
 */
export async function changeAgent(
  id: string,
  change: ProfileChange,
  { registry, profiles, editor, approve }: SavingOptions,
  signal: AbortSignal,
): Promise<Refusal | Profile> {
  /** What holds now, and what would. */
  const compared = () => {
    const [merged, from] = [profiles.profiles().get(id), profiles.resolve(id)];
    if (!merged || !from) return undefined;
    const profile = change(merged.profile);
    return { merged, profile, from, to: resolveProfile(profile, registry, from.kept) };
  };
  for (;;) {
    const seen = compared();
    if (!seen) return { type: 'gone' };
    if (seen.merged.pendingWidening && !profiles.isOnlyLess(id, change)) return { type: 'held-back' };
    const refusal = await ask({ ...seen, isNew: false }, approve, signal);
    if (refusal) return refusal;
    let isOther: boolean | undefined;
    await editor.change(id, `Change ${seen.profile.name}`, (current) => {
      if (isOther === undefined) {
        const now = compared();
        isOther = !now || !(lies(now.to, now.from) || isApproved(now, seen));
      }
      return isOther ? current : change(current);
    });
    if (isOther !== true) return profiles.profiles().get(id)?.profile ?? seen.profile;
  }
}

type Compared = Omit<Widening, 'added'>;

/** What a change makes of a profile. */
type Step = Pick<Compared, 'from' | 'to'>;

const lies = (one: ResolvedProfile, other: ResolvedProfile): boolean => within(allowanceOf(one), allowanceOf(other));

/** Whether a change adds nothing but what the person has seen as added, and approved. */
const isApproved = (now: Step, seen: Step): boolean =>
  !lies(seen.to, seen.from) && lies(now.to, seen.to) && lies(seen.from, now.from);

/** Asks the person where they have to be; undefined where nothing keeps the agent from being saved. */
async function ask(
  { profile, isNew, from, to }: Compared,
  approve: SavingOptions['approve'],
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const fields = beyond(allowanceOf(to), allowanceOf(from));
  if (fields.length === 0) return undefined;
  const before = new Set(from.tools.map((tool) => tool.id));
  const added = to.tools.filter((tool) => !before.has(tool.id)).map((tool) => tool.modelName);
  if (await approve({ profile, isNew, from, to, added }, signal)) return undefined;
  return { type: 'declined', added, fields };
}
