import assert from 'node:assert/strict';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { shippedProfiles } from '../../../src/core/profiles/shippedProfiles';

/** The names of our tools among others, sorted. */
export const ours = (names: readonly { name: string }[]): string[] =>
  names
    .map((tool) => tool.name)
    .filter((name) => name.startsWith('cap_'))
    .sort();

/** The tools that a shipped profile has on, by the definitions themselves. */
export function toolsOf(profileId: string): string[] {
  const profile = shippedProfiles().find((one) => one.id === profileId);
  assert.ok(profile, profileId);
  return profile.capabilities
    .flatMap((entry) => {
      const capability = builtinCapabilities.find((one) => one.id === entry.ref);
      return (capability?.tools ?? []).filter(({ definition }) => entry.tools[definition.name] !== false);
    })
    .map(({ definition }) => `cap_${definition.name}`)
    .sort();
}
