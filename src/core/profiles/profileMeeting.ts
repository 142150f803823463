import { defined } from '../base/json';
import { meetConfiguration } from './allowance';
import type { Profile, ProfileEntry, ResolvedProfile } from './profile';
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
  const off = mine.tools.filter((one) => !one.enabled).map(({ tool }) => [tool.definition.name, false] as const);
  return { ...entry, tools: { ...entry.tools, ...Object.fromEntries(off) }, config };
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
