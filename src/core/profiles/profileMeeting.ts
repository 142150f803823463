import { defined } from '../base/json';
import { meetConfiguration } from './allowance';
import type { Profile, ProfileEntry, ResolvedEntry, ResolvedProfile } from './profile';
import type { CapabilityRegistry } from '../registry/registry';

/**
 * Of a capability's configuration, what a workspace's profile does not say is the user's, whatever else was accepted of
 * it.
 */
export function withOwnConfiguration(wanted: Profile, own: ResolvedProfile, registry: CapabilityRegistry): Profile {
  const capabilities = wanted.capabilities.map((entry) => {
    const mine = ownEntry(entry, own, registry);
    return mine ? { ...entry, config: { ...mine.entry.config, ...entry.config } } : entry;
  });
  return { ...wanted, capabilities };
}

/**
 * What a workspace's profile means beside the user's own while nobody accepted it: what it does not say is the user's,
 * the base prompt too.
 */
export function completed(wanted: Profile, own: ResolvedProfile, registry: CapabilityRegistry): Profile {
  const profile = withOwnConfiguration(wanted, own, registry);
  return wanted.systemPrompt !== '' || wanted.systemPromptFile !== undefined ? profile : withOwnPrompt(profile, own);
}

/** A key of a configuration whose value in a workspace's profile does not count. */
export interface HeldKey {
  readonly capability: string;
  readonly key: string;
  /** True where the key has an order, so that a stricter value would have counted. */
  readonly isOrdered: boolean;
}

/**
 * Holds a workspace's profile to the user's own: capabilities, tools and scopes intersect, `plan` wins, of each
 * configuration key the stricter value counts, the base prompt is the user's; the workspace's order stands.
 */
export function heldTo(
  own: ResolvedProfile,
  wanted: Profile,
  granted: ReadonlySet<string>,
  registry: CapabilityRegistry,
): { readonly profile: Profile; readonly held: readonly HeldKey[] } {
  const { scopes: listed, ...rest } = wanted;
  const held: HeldKey[] = [];
  const scopes =
    listed === undefined && own.profile.scopes === undefined
      ? undefined
      : [...granted].filter((one) => own.scopes.has(one));
  const profile: Profile = defined({
    ...rest,
    mode: own.mode === 'plan' ? 'plan' : wanted.mode,
    scopes,
    capabilities: wanted.capabilities.map((entry) => heldEntry(entry, own, registry, held)),
  });
  return { profile: withOwnPrompt(profile, own), held };
}

function heldEntry(
  entry: ProfileEntry,
  own: ResolvedProfile,
  registry: CapabilityRegistry,
  held: HeldKey[],
): ProfileEntry {
  const capability = registry.capability(entry.ref);
  if (!capability) {
    const isOn = own.profile.capabilities.some((one) => one.ref === entry.ref && one.enabled);
    return isOn ? entry : { ...entry, enabled: false };
  }
  const mine = ownEntry(entry, own, registry);
  const met = meetConfiguration(capability, entry.config, mine?.entry.config ?? {});
  const { config } = met;
  const { id, stricterConfig = {} } = capability;
  held.push(...met.held.map((key) => ({ capability: id, key, isOrdered: Object.hasOwn(stricterConfig, key) })));
  if (!mine?.entry.enabled) return { ...entry, enabled: false, config };
  const off = mine.tools.filter((one) => !one.enabled).map(({ tool }) => tool.definition.name);
  return { ...withToolsOff(entry, off), config };
}

function ownEntry(
  entry: ProfileEntry,
  own: ResolvedProfile,
  registry: CapabilityRegistry,
): ResolvedProfile['entries'][number] | undefined {
  const id = registry.capability(entry.ref)?.id;
  return own.entries.find(({ capability }) => capability.id === id);
}

function withOwnPrompt(profile: Profile, { profile: own }: ResolvedProfile): Profile {
  const { systemPromptFile: _dropped, ...rest } = profile;
  const { systemPrompt, systemPromptFile } = own;
  return defined({ ...rest, systemPrompt, systemPromptFile });
}

function withToolsOff(entry: ProfileEntry, names: readonly string[]): ProfileEntry {
  return { ...entry, tools: { ...entry.tools, ...Object.fromEntries(names.map((name) => [name, false])) } };
}

/** What a signed bundle says of a profile. */
export interface BundledProfile {
  readonly wanted: Profile;
  /** False where it names no capabilities at all, so that it restricts none. */
  readonly listsCapabilities: boolean;
}

/**
 * The user's own profile with everything off that a bundle's version does not have on: it is the user's that is made
 * smaller, so its order, prompts and configuration stay. What carries boundaries or limits stays on without its tools.
 */
export function tightenedProfile(
  own: ResolvedProfile,
  { wanted, listsCapabilities }: BundledProfile,
  granted: ReadonlySet<string>,
  registry: CapabilityRegistry,
): Profile {
  const { profile } = own;
  const isSame = profile.id === wanted.id;
  const idOf = (ref: string): string => registry.capability(ref)?.id ?? ref;
  const entryFor = (entry: ProfileEntry): ProfileEntry | undefined =>
    wanted.capabilities.find((one) => one.enabled && idOf(one.ref) === idOf(entry.ref));
  return defined({
    ...profile,
    id: wanted.id,
    name: isSame ? profile.name : wanted.name,
    description: isSame ? profile.description : wanted.description,
    mode: wanted.mode === 'plan' ? 'plan' : profile.mode,
    scopes: wanted.scopes === undefined ? profile.scopes : [...granted].filter((one) => own.scopes.has(one)),
    capabilities: listsCapabilities
      ? profile.capabilities.map((entry) => tightenedEntry(entry, entryFor(entry), own.entries, registry))
      : profile.capabilities,
  });
}

function tightenedEntry(
  entry: ProfileEntry,
  wanted: ProfileEntry | undefined,
  entries: readonly ResolvedEntry[],
  registry: CapabilityRegistry,
): ProfileEntry {
  const mine = entries.find((one) => one.entry === entry);
  if (!mine) return wanted ? entry : { ...entry, enabled: false };
  const { capability } = mine;
  if (wanted) {
    const { config } = meetConfiguration(capability, wanted.config, entry.config);
    const without = Object.keys(wanted.tools).filter((name) => !wanted.tools[name]);
    return { ...withToolsOff(entry, without), config };
  }
  const carries = entry.enabled && ((capability.boundaries ?? []).length > 0 || capability.limits !== undefined);
  if (!carries) return { ...entry, enabled: false };
  const names = registry.toolsOf(capability.id).map(({ definition }) => definition.name);
  return withToolsOff(entry, names);
}
