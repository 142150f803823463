import { math } from '../../src/capabilities/math/math';
import { type DefinitionWorld, makeWorld, type WorldOptions } from './definitions';

/** What a tool of a definition says of itself where a test is about what it does. */
export const open = { permissions: { user: 'allowed', agent: 'allowed' }, description: 'Do it.' };

/** A world in which a definition `t` brings these tools, beside `math` and further files of the workspace. */
export async function worldWithTools(
  tools: unknown[],
  options: WorldOptions = {},
  files: Record<string, string> = {},
): Promise<DefinitionWorld> {
  const world = makeWorld({ capabilities: [math], ...options });
  await world.define({ ...files, 't.capability.json': { id: 't', tools } });
  return world;
}
