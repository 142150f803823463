import { database } from '../capabilities/database/database';
import { builtinCapabilities } from '../capabilities/index';
import { isObject } from '../core/base/json';
import { say, type Sentence } from '../core/base/sentence';
import { DisposableStore } from '../core/base/lifecycle';
import { Discovery } from '../core/profiles/discovery';
import { ProfileStore } from '../core/profiles/profileStore';
import { CapabilityRegistry, type RegisteredTool } from '../core/registry/registry';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import type { Tools } from './coreParts';
import type { Platform } from './platform';

/** @param own the capabilities of servers and definitions that the user wants without a profile naming them. */
export function composeTools(
  { storage, crypto, files, withoutSqlite }: Pick<Platform, 'storage' | 'crypto' | 'files' | 'withoutSqlite'>,
  settings: SettingsInForce,
  own: () => readonly string[],
): Tools {
  const store = new DisposableStore();
  let host: ((id: string) => RegisteredTool | undefined) | undefined;
  const registry = store.add(new CapabilityRegistry((id) => host?.(id)));
  const missing = (): Sentence | undefined =>
    withoutSqlite === undefined || hasPostgres(settings) ? undefined : say('needs_sqlite', withoutSqlite);
  for (const capability of builtinCapabilities)
    store.add(registry.register(capability.id === database.id ? { ...capability, missing } : capability));
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

/** True where a connection is set up that needs no SQLite. */
const hasPostgres = ({ now }: SettingsInForce): boolean =>
  Object.values(now.get('database.connections')).some((one) => isObject(one) && one['type'] === 'postgres');
