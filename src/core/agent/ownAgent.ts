import type { Capability } from '../capability/capability';
import type { Crypto, KeyValueStore } from '../ports/platform';
import { type Profile, type ProfileEntry, resolveProfile, type ResolvedProfile } from '../profiles/profile';
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
  /** The profile as it is in force, of which only is taken what is on, in which order and mode. */
  readonly inForce: ResolvedProfile | undefined;
}

/**
 * The agent of a profile as the user's own parts make it: the user's profile, text and servers. What the person, or the
 * workspace, switches on and off counts, but no word that stands in the workspace is part of it, whoever names the
 * file. Undefined where the user has no profile of this id.
 */
export function ownAgent(
  id: string,
  { registry, layers, storage, crypto, own, isOwn, inForce }: OwnAgentParts,
): AgentOfProfile | undefined {
  const settings = readSettings({ ...layers, workspace: {} });
  const store = new ProfileStore({ registry, settings: () => settings, storage, crypto, own });
  try {
    const merged = store.profiles().get(id)?.profile;
    if (!merged) return undefined;
    const { systemPromptFile, ...rest } = merged;
    const mine = merged.capabilities.filter(({ ref }) => {
      const capability = registry.capability(ref);
      return capability !== undefined && isOwn(capability);
    });
    const profile: Profile = {
      ...rest,
      systemPrompt: systemPromptFile === undefined ? merged.systemPrompt : '',
      ...(inForce
        ? { mode: inForce.mode, scopes: [...inForce.scopes], capabilities: switched(inForce, mine, isOwn, registry) }
        : { capabilities: mine }),
    };
    const resolved = resolveProfile(profile, registry);
    return { profile: resolved, agent: buildRuntimeAgent(resolved) };
  } finally {
    store.dispose();
  }
}

/** The capabilities that are the user's own as they are in force: which is on, in which order; nothing else of them. */
function switched(
  inForce: ResolvedProfile,
  mine: readonly ProfileEntry[],
  isOwn: (capability: Capability) => boolean,
  registry: CapabilityRegistry,
): readonly ProfileEntry[] {
  return inForce.entries
    .filter(({ capability }) => isOwn(capability))
    .map(({ capability, entry, tools }) => ({
      ref: capability.id,
      enabled: entry.enabled,
      tools: Object.fromEntries(tools.map(({ tool, enabled }) => [tool.definition.name, enabled])),
      config: mine.find(({ ref }) => registry.capability(ref) === capability)?.config ?? {},
    }));
}
