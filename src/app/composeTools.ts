import { builtinCapabilities } from '../capabilities/index';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { Discovery } from '../core/profiles/discovery';
import { hostTools } from '../core/hooks/hostTools';
import { ProfileStore } from '../core/profiles/profileStore';
import { CapabilityRegistry } from '../core/registry/registry';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import type { Platform } from './platform';

/** What tools there are, and which of them a profile offers. */
export interface Tools extends Disposable {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly discovery: Discovery;
}

/** @param own the capabilities of servers and definitions that the user wants without a profile naming them. */
export function composeTools(
  { storage, crypto, files }: Pick<Platform, 'storage' | 'crypto' | 'files'>,
  settings: SettingsInForce,
  own: () => readonly string[],
): Tools {
  const store = new DisposableStore();
  const registry = store.add(new CapabilityRegistry(hostTools(() => files)));
  for (const capability of builtinCapabilities) store.add(registry.register(capability));
  const profiles = store.add(new ProfileStore({ registry, settings: () => settings.now, storage, crypto, own }));
  const discovery = store.add(new Discovery(registry, profiles));
  store.add(registry.onDidChange(() => profiles.refresh()));
  return { registry, profiles, discovery, dispose: () => store.dispose() };
}
