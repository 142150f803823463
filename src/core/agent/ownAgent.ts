import type { Capability } from '../capability/capability';
import type { Crypto, KeyValueStore } from '../ports/platform';
import { type Profile, resolveProfile, type ResolvedProfile } from '../profiles/profile';
import { ProfileStore } from '../profiles/profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import { buildRuntimeAgent, type RuntimeAgent } from '../profiles/runtimeAgent';
import { readSettings } from '../settings/readSettings';
import type { SettingsLayers } from '../settings/settings';

/** An agent with the profile that it was made of. */
export interface AgentOfProfile {
  readonly profile: ResolvedProfile;
  readonly agent: RuntimeAgent;
}

interface OwnAgentParts {
  readonly registry: CapabilityRegistry;
  readonly layers: SettingsLayers;
  readonly storage: KeyValueStore;
  readonly crypto: Crypto;
  /** The user's own servers, which the shipped profile holds too. */
  readonly own: () => readonly string[];
  /** True for a capability of which nothing stands in a workspace. */
  readonly isOwn: (capability: Capability) => boolean;
}

/**
 * The agent of a profile as the user's own parts make it, as if no workspace were open: the user's profile, text and
 * servers. Undefined where the user has no profile of this id. What a file of the workspace says is no part of it,
 * whoever names the file.
 */
export function ownAgent(
  id: string,
  { registry, layers, storage, crypto, own, isOwn }: OwnAgentParts,
): AgentOfProfile | undefined {
  const settings = readSettings({ ...layers, workspace: {} });
  const store = new ProfileStore({ registry, settings: () => settings, storage, crypto, own });
  try {
    const merged = store.profiles().get(id)?.profile;
    if (!merged) return undefined;
    const { systemPromptFile, ...rest } = merged;
    const profile: Profile = {
      ...rest,
      systemPrompt: systemPromptFile === undefined ? merged.systemPrompt : '',
      capabilities: merged.capabilities.filter(({ ref }) => {
        const capability = registry.capability(ref);
        return capability !== undefined && isOwn(capability);
      }),
    };
    const resolved = resolveProfile(profile, registry);
    return { profile: resolved, agent: buildRuntimeAgent(resolved) };
  } finally {
    store.dispose();
  }
}
