import { defined } from '../base/json';
import type { CapabilityRegistry } from '../registry/registry';
import { meetConfiguration } from './allowance';
import type { Profile, ProfileEntry, ResolvedEntry, ResolvedProfile } from './profile';

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
  const off = (names: readonly string[]): Record<string, boolean> =>
    Object.fromEntries(names.map((name) => [name, false]));
  if (wanted) {
    const { config } = meetConfiguration(capability, wanted.config, entry.config);
    const without = Object.keys(wanted.tools).filter((name) => !wanted.tools[name]);
    return { ...entry, tools: { ...entry.tools, ...off(without) }, config };
  }
  const carries = entry.enabled && ((capability.boundaries ?? []).length > 0 || capability.limits !== undefined);
  if (!carries) return { ...entry, enabled: false };
  const names = registry.toolsOf(capability.id).map(({ definition }) => definition.name);
  return { ...entry, tools: { ...entry.tools, ...off(names) } };
}
