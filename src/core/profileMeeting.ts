import { meetConfiguration } from './allowance';
import type { Profile, ProfileEntry, ResolvedProfile } from './profile';
import type { CapabilityRegistry } from './registry';

/** Of a capability's configuration, what a workspace's profile does not say is the user's, whatever else was accepted of it. */
export function withOwnConfiguration(wanted: Profile, own: ResolvedProfile, registry: CapabilityRegistry): Profile {
  const capabilities = wanted.capabilities.map((entry) => {
    const mine = ownEntry(entry, own, registry);
    return mine ? { ...entry, config: { ...mine.entry.config, ...entry.config } } : entry;
  });
  return { ...wanted, capabilities };
}

/** What a workspace's profile means beside the user's own while nobody accepted it: what it does not say is the user's, the base prompt too. */
export function completed(wanted: Profile, own: ResolvedProfile, registry: CapabilityRegistry): Profile {
  const profile = withOwnConfiguration(wanted, own, registry);
  return wanted.systemPrompt !== '' || wanted.systemPromptFile !== undefined ? profile : withOwnPrompt(profile, own);
}

/**
 * Holds a workspace's profile to the user's own: capabilities, tools and scopes intersect, `plan` wins, of each configuration key the stricter
 * value counts, the base prompt is the user's; the workspace's order stands.
 */
export function heldTo(own: ResolvedProfile, wanted: Profile, granted: ReadonlySet<string>, registry: CapabilityRegistry): Profile {
  const { scopes: listed, ...rest } = wanted;
  const { profile } = own;
  const scopes = listed === undefined && profile.scopes === undefined ? undefined : [...granted].filter((one) => own.scopes.has(one));
  return withOwnPrompt(
    {
      ...rest,
      mode: own.mode === 'plan' ? 'plan' : wanted.mode,
      ...(scopes === undefined ? {} : { scopes }),
      capabilities: wanted.capabilities.map((entry) => heldEntry(entry, own, registry)),
    },
    own,
  );
}

function heldEntry(entry: ProfileEntry, own: ResolvedProfile, registry: CapabilityRegistry): ProfileEntry {
  const capability = registry.capability(entry.ref);
  if (!capability) {
    const isOn = own.profile.capabilities.some((one) => one.ref === entry.ref && one.enabled);
    return isOn ? entry : { ...entry, enabled: false };
  }
  const mine = ownEntry(entry, own, registry);
  const { config } = meetConfiguration(capability, entry.config, mine?.entry.config ?? {});
  if (!mine?.entry.enabled) return { ...entry, enabled: false, config };
  const off = mine.tools.filter((one) => !one.enabled).map(({ tool }) => [tool.definition.name, false] as const);
  return { ...entry, tools: { ...entry.tools, ...Object.fromEntries(off) }, config };
}

function ownEntry(entry: ProfileEntry, own: ResolvedProfile, registry: CapabilityRegistry): ResolvedProfile['entries'][number] | undefined {
  const id = registry.capability(entry.ref)?.id;
  return own.entries.find(({ capability }) => capability.id === id);
}

function withOwnPrompt(profile: Profile, { profile: own }: ResolvedProfile): Profile {
  const { systemPromptFile: _dropped, ...rest } = profile;
  const { systemPrompt, systemPromptFile } = own;
  return { ...rest, systemPrompt, ...(systemPromptFile === undefined ? {} : { systemPromptFile }) };
}
