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
  platform: Pick<Platform, 'storage' | 'crypto' | 'files' | 'withoutSqlite' | 'toolWords'>,
  settings: SettingsInForce,
  own: () => readonly string[],
): Tools {
  const { storage, crypto, files, withoutSqlite, toolWords } = platform;
  const store = new DisposableStore();
  let host: ((id: string) => RegisteredTool | undefined) | undefined;
  const registry = store.add(new CapabilityRegistry((id) => host?.(id)));
  const missing = (): Sentence | undefined =>
    withoutSqlite === undefined || hasPostgres(settings) ? undefined : say('needs_sqlite', withoutSqlite);
  for (const capability of builtinCapabilities) {
    const worded = toolWords ? inPersonsWords(capability, toolWords) : capability;
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
    );
  };
  return { registry, profiles, discovery, loadHostTools, dispose: () => store.dispose() };
}

/** A capability whose tools say to people what the surface has of them in its language. */
function inPersonsWords(capability: Capability, wordsOf: NonNullable<Platform['toolWords']>): Capability {
  const tools = capability.tools.map((tool) => ({
    ...tool,
    definition: { ...tool.definition, ...wordsOf(tool.definition.name) },
  }));
  return { ...capability, tools };
}

/** True where a connection is set up that needs no SQLite. */
const hasPostgres = ({ now }: SettingsInForce): boolean =>
  Object.values(now.get('database.connections')).some((one) => isObject(one) && one['type'] === 'postgres');
