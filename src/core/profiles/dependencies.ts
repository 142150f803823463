import type { Profile } from './profile';
import type { CapabilityRegistry } from '../registry/registry';

/**
 * What a capability needs beside itself, directly or through others, nearest first; a cycle ends where it began.
 * Unknown ids are left out.
 */
export function neededBy(registry: CapabilityRegistry, id: string): readonly string[] {
  const found = new Set<string>();
  const walk = (from: string): void => {
    for (const dependency of registry.capability(from)?.dependencies ?? []) {
      const needed = registry.capability(dependency.id);
      if (!needed || needed.id === id || found.has(needed.id)) continue;
      found.add(needed.id);
      walk(needed.id);
    }
  };
  walk(id);
  return [...found];
}

function enabledIds(registry: CapabilityRegistry, profile: Profile): readonly string[] {
  return profile.capabilities
    .filter((entry) => entry.enabled)
    .map((entry) => registry.capability(entry.ref)?.id ?? entry.ref);
}

/** The enabled capabilities of a profile that need one of these, directly or through others. */
export function dependentsOf(
  registry: CapabilityRegistry,
  profile: Profile,
  ids: readonly string[],
): readonly string[] {
  return enabledIds(registry, profile).filter(
    (other) => !ids.includes(other) && neededBy(registry, other).some((needed) => ids.includes(needed)),
  );
}

/** What has to be switched on together with these: their dependencies that are off. */
export function missingDependencies(
  registry: CapabilityRegistry,
  profile: Profile,
  ids: readonly string[],
): readonly string[] {
  const on = new Set([...enabledIds(registry, profile), ...ids]);
  return [...new Set(ids.flatMap((id) => neededBy(registry, id)))].filter((id) => !on.has(id));
}

/** Every cycle among capabilities' dependencies, each once, as the ids along it: `['a', 'b', 'a']`. */
export function dependencyCycles(registry: CapabilityRegistry): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (id: string): void => {
    const at = path.indexOf(id);
    if (at >= 0) {
      cycles.push([...path.slice(at), id]);
      return;
    }
    if (done.has(id)) return;
    path.push(id);
    for (const dependency of registry.capability(id)?.dependencies ?? []) {
      const needed = registry.capability(dependency.id);
      if (needed) visit(needed.id);
    }
    path.pop();
    done.add(id);
  };
  for (const id of registry.capabilityIds()) visit(id);
  return cycles;
}
