import { database } from '../capabilities/database/database';
import { builtinCapabilities } from '../capabilities/index';
import { isObject } from '../core/base/json';
import { say, type Sentence } from '../core/base/sentence';
import { DisposableStore } from '../core/base/lifecycle';
import type { Capability } from '../core/capability/capability';
import { Discovery } from '../core/profiles/discovery';
import { ProfileStore } from '../core/profiles/profileStore';
import { CapabilityRegistry, type RegisteredTool } from '../core/registry/registry';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import type { Tools } from './coreParts';
import type { Platform } from './platform';

/** @param own the capabilities of servers and definitions that the user wants without a profile naming them. */
export function composeTools(
  platform: Pick<Platform, 'storage' | 'crypto' | 'files' | 'withoutSqlite' | 'toolWords' | 'translate'>,
  settings: SettingsInForce,
  own: () => readonly string[],
): Tools {
  const { storage, crypto, files, withoutSqlite } = platform;
  const store = new DisposableStore();
  let host: ((id: string) => RegisteredTool | undefined) | undefined;
  const registry = store.add(new CapabilityRegistry((id) => host?.(id)));
  const missing = (): Sentence | undefined =>
    withoutSqlite === undefined || hasPostgres(settings) ? undefined : say('needs_sqlite', withoutSqlite);
  for (const capability of builtinCapabilities) {
    const worded = inPersonsWords(capability, platform);
    store.add(registry.register(capability.id === database.id ? { ...worded, missing } : worded));
  }
  const profiles = store.add(new ProfileStore({ registry, settings: () => settings.now, storage, crypto, own }));
  const discovery = store.add(new Discovery(registry, profiles));
  store.add(registry.onDidChange(() => profiles.refresh()));
  const loadHostTools = async (): Promise<void> => {
    const { hostTools } = await import('../core/hooks/hostTools');
    host ??= hostTools(
      () => files,
      async (agent, folders) => {
        const { repositoryTakesOurName } = await import('../node/hooks/repositoryServers');
        // The editor takes servers from each of its folders.
        const open = agent === 'vscode' ? files.folders().filter(({ scheme }) => scheme === 'file') : [];
        return repositoryTakesOurName(agent, [...folders, ...open.map((folder) => folder.path)]);
      },
      async (name, folders) => (await import('../node/hooks/skillFiles')).skillTexts(name, folders),
    );
  };
  return { registry, profiles, discovery, loadHostTools, dispose: () => store.dispose() };
}

/** A capability that says to people, with its tools, what the surface has of them in its language. */
function inPersonsWords(
  capability: Capability,
  { toolWords, translate }: Pick<Platform, 'toolWords' | 'translate'>,
): Capability {
  const { name, category } = capability;
  const tools = capability.tools.map((tool) => ({
    ...tool,
    definition: { ...tool.definition, ...toolWords?.(tool.definition.name) },
  }));
  const local = translate && { name: translate(name), category: category && translate(category) };
  return { ...capability, tools, ...(local ? { local } : {}) };
}

/** True where a connection is set up that needs no SQLite. */
const hasPostgres = ({ now }: SettingsInForce): boolean =>
  Object.values(now.get('database.connections')).some((one) => isObject(one) && one['type'] === 'postgres');
