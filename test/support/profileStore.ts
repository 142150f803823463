import { ProfileStore } from '../../src/core/profiles/profileStore';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { readSettings } from '../../src/core/settings/readSettings';
import type { Settings } from '../../src/core/settings/settings';
import { nodeCrypto } from '../../src/node/system';
import { capabilityOf, definition } from './gate';
import { MemoryStore } from './toolContext';

/** The capabilities of a registry for tests of profiles. */
export const ids = ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math'];

/** A registry of capabilities with one tool, one scope, a prompt and an alias each. */
export function registryOf(names: readonly string[] = ids) {
  const registry = new CapabilityRegistry();
  const held = names.map((id) =>
    registry.register(
      capabilityOf(
        definition({ name: `${id}_tool`, scopes: [`${id}:use`] }),
        {},
        { id, systemPrompt: `About ${id}.`, aliases: [`alias_${id}`] },
      ),
    ),
  );
  return {
    registry,
    dispose: () => {
      for (const one of held) one.dispose();
      registry.dispose();
    },
  };
}

/** The profiles of a user and a workspace, whose settings can be written anew. */
export function storeOf(
  user: Record<string, unknown>,
  workspace: Record<string, unknown>,
  registry: CapabilityRegistry,
) {
  let settings: Settings = readSettings({ managed: {}, user, workspace });
  const store = new ProfileStore({
    registry,
    settings: () => settings,
    storage: new MemoryStore(),
    crypto: { ...nodeCrypto, randomId: () => 'id' },
  });
  return {
    store,
    write: (nextUser: Record<string, unknown>, nextWorkspace: Record<string, unknown>) => {
      settings = readSettings({ managed: {}, user: nextUser, workspace: nextWorkspace });
      store.refresh();
    },
  };
}
