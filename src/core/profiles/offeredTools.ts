import { isReadOnly } from '../vocabulary/access';
import { isHiddenFrom, missingScopes, type ResolvedProfile } from './profile';
import type { RegisteredTool } from '../registry/registry';
import { buildRuntimeAgent, type RuntimeAgent } from './runtimeAgent';

/**
 * True where every call of the tool would be denied under this profile, whatever its input: then no model is told of
 * it. `network.http` alone does not decide, because GET and HEAD read.
 */
function neverAllowed(tool: RegisteredTool, profile: ResolvedProfile): boolean {
  const { definition, capability } = tool;
  if (capability.missing?.() !== undefined) return true;
  if (isHiddenFrom('agent', definition) || definition.permissions.agent === 'forbidden') return true;
  if (missingScopes(tool, profile).length > 0) return true;
  if (profile.mode !== 'plan') return false;
  const acts = definition.kind === 'action' || definition.kind === 'control';
  return (
    acts && definition.sideEffects.some((effect) => effect !== 'network.http' && !isReadOnly({ effect, resource: '' }))
  );
}

/**
 * The tools that agents are offered under a profile, in the profile's order. The one answer for context keys, the
 * budget, the participant and `.agent.md`.
 */
export function offeredTools(
  profile: ResolvedProfile,
  agent: RuntimeAgent = buildRuntimeAgent(profile),
): readonly RegisteredTool[] {
  return agent.tools.filter((tool) => !neverAllowed(tool, profile));
}

/**
 * The capability whose tools find others; its configuration in the profile says whether all tools are listed or what
 * was found.
 */
export const discoveryCapability = 'capabilities';

/**
 * True where the profile lists its searching tools alone, and others once a search found them. Without a tool that
 * searches it lists all.
 */
export function offersSearch(
  profile: ResolvedProfile,
  offered: readonly RegisteredTool[] = offeredTools(profile),
): boolean {
  if (profile.config(discoveryCapability)['offer'] !== 'search') return false;
  return offered.some((tool) => tool.capability.id === discoveryCapability);
}

/**
 * The tools that a model is listed now, in the profile's order: all that are offered, or the searching ones with those
 * that were found.
 */
export function listedTools(
  profile: ResolvedProfile,
  found: ReadonlySet<string>,
  offered: readonly RegisteredTool[] = offeredTools(profile),
): readonly RegisteredTool[] {
  if (!offersSearch(profile, offered)) return offered;
  return offered.filter((tool) => tool.capability.id === discoveryCapability || found.has(tool.modelName));
}
