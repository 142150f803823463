import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Json } from '../../src/core/base/json';
import { parseProfile, resolveProfile, type ResolvedProfile } from '../../src/core/profiles/profile';
import { shippedProfiles } from '../../src/core/profiles/shippedProfiles';
import type { Capability } from '../../src/core/capability/capability';
import type { CapabilityRegistry } from '../../src/core/registry/registry';

const ids = ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math'];
const tools = ['read_file', 'write_file', 'grep_files', 'web_fetch', 'read_todos', 'multiply'];

/** What a person does in the Capabilities view and beside it. */
export type TreeAction =
  | { do: 'capability'; id: string }
  | { do: 'tool'; name: string }
  | { do: 'move'; id: string; up: boolean }
  | { do: 'switch'; profile: string }
  | { do: 'undo' }
  | { do: 'edit'; capabilities: string[] }
  | { do: 'reload' };

const anyAction: fc.Arbitrary<TreeAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('capability' as const), id: fc.constantFrom(...ids) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tool' as const), name: fc.constantFrom(...tools) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('move' as const), id: fc.constantFrom(...ids), up: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('switch' as const), profile: fc.constantFrom('default', 'readOnly') }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'undo' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('edit' as const), capabilities: fc.shuffledSubarray(ids) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'reload' as const }) },
);

/** Long enough that each two actions come one after the other several times in a hundred sequences. */
export const anySequence = fc.array(anyAction, { minLength: 1, maxLength: 12 });

/** The profile as a person writes it by hand: no more than the shipped one allows, which nobody has to accept. */
export function editedByHand(active: string, capabilities: readonly string[]): Json {
  const own = shippedProfiles().find((one) => one.id === active);
  return {
    mode: active === 'readOnly' ? 'plan' : 'execute',
    ...(own?.scopes ? { scopes: [...own.scopes] } : {}),
    capabilities: capabilities.map((ref) => ({
      ref,
      tools: { ...own?.capabilities.find((entry) => entry.ref === ref)?.tools },
    })),
  };
}

/** What the workspace's settings say, read by the same rules but without a view; the user has the shipped profiles. */
export function expectedProfile(raw: unknown, active: string, registry: CapabilityRegistry): ResolvedProfile {
  const profile =
    raw === undefined
      ? shippedProfiles().find((one) => one.id === active)
      : parseProfile(active, raw, 'workspace').value;
  assert.ok(profile);
  return resolveProfile(profile, registry);
}

/** The rows that the view has to show for a profile where all of them stand open: each with its box and its name. */
export function expectedRows(
  profile: ResolvedProfile,
  registry: CapabilityRegistry,
  isOffered: (capability: Capability) => boolean = () => true,
): string[] {
  const listed = profile.entries.map((one) => one.capability);
  const all = [
    ...listed,
    ...registry.capabilities().filter((capability) => !listed.includes(capability) && isOffered(capability)),
  ];
  const on = new Set(profile.entries.filter((one) => one.entry.enabled).map((one) => one.capability));
  return all.flatMap((capability) => [
    `${on.has(capability) ? '☑' : '☐'} ${capability.name}`,
    ...registry
      .toolsOf(capability.id)
      .map((tool) => `${profile.isToolEnabled(tool) ? '☑' : '☐'} ${tool.definition.name}`),
  ]);
}

/**
 * Few of these sequences, in which each kind of step follows each, as far as any of them has it so: for where a step
 * takes seconds. Those that load the window anew are left out.
 */
export function everyPair(sequences: readonly TreeAction[][]): TreeAction[][] {
  const pairs = (actions: readonly TreeAction[]): string[] =>
    actions.slice(1).map((action, at) => `${actions[at]?.do} ${action.do}`);
  const usable = sequences.filter((actions) => actions.every((one) => one.do !== 'reload'));
  const wanted = new Set(usable.flatMap(pairs));
  const gain = (actions: readonly TreeAction[]): number =>
    new Set(pairs(actions).filter((pair) => wanted.has(pair))).size;
  const chosen: TreeAction[][] = [];
  while (wanted.size > 0) {
    const best = usable.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    for (const pair of pairs(best)) wanted.delete(pair);
    chosen.push(best);
  }
  return chosen;
}
