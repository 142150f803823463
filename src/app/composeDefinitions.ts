import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { ChannelPoller } from '../core/definitions/channelPoller';
import { ChannelFetcher, readChannelSettings } from '../core/definitions/channels';
import { DefinitionLoader } from '../core/definitions/loader';
import { refreshThrough } from '../core/gate/channelRefresh';
import type { ToolRouter } from '../core/gate/router';
import type { HttpClient } from '../core/ports/http';
import type { CapabilityRegistry } from '../core/registry/registry';
import { pinnedHashes } from '../core/settings/bundleLayer';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import { sourceKey } from '../core/vocabulary/toolSource';
import type { Platform } from './platform';

/** Capabilities of one's own: the definitions of the workspace, and channels. */
export interface Definitions extends Disposable {
  /** Undefined where none are loaded. */
  readonly loader: DefinitionLoader | undefined;
  /** Refreshes what channels recommend while somebody watches. */
  readonly poller: ChannelPoller;
  /** The capabilities of approved definitions: who approved one wants its tools; a profile that names it says more. */
  own(): readonly string[];
  /** True for a channel whose tools exist, false for one that is only named; undefined where none has this name. */
  channelState(name: string): boolean | undefined;
  /** Asks every channel of the settings for its manifest again. */
  reloadChannels(): Promise<void>;
}

interface DefinitionsOptions {
  readonly platform: Pick<Platform, 'clock' | 'crypto' | 'definitions' | 'files' | 'log' | 'storage' | 'userStorage'>;
  readonly settings: SettingsInForce;
  readonly registry: CapabilityRegistry;
  readonly http: HttpClient;
  readonly router: () => ToolRouter;
}

export function composeDefinitions({ platform, settings, registry, http, router }: DefinitionsOptions): Definitions {
  const { clock, crypto, files, log, storage, userStorage } = platform;
  const store = new DisposableStore();
  const channels = new ChannelFetcher({
    http,
    settings: (problems) => [
      ...readChannelSettings(settings.now.layers.user['channels'], 'user', problems),
      ...readChannelSettings(settings.now.layers.workspace['channels'], 'workspace', problems),
    ],
  });
  const loader =
    platform.definitions &&
    store.add(
      new DefinitionLoader({
        registry,
        files,
        storage,
        userStorage,
        crypto,
        clock,
        log,
        ...platform.definitions,
        enabled: () => settings.now.get('definitions.enabled'),
        pinned: (file) => pinnedHashes(settings.now.layers.bundles, 'definitions', file),
        channels,
      }),
    );
  const poller = store.add(
    new ChannelPoller({ clock, invoke: refreshThrough(router), polling: () => loader?.polling() ?? [] }),
  );
  return {
    loader,
    poller,
    own: () => (loader?.definitions() ?? []).flatMap((one) => (one.state === 'active' ? [one.capabilityId] : [])),
    channelState(name) {
      const key = sourceKey({ type: 'channel', channel: name });
      if (registry.capabilities().some(({ source }) => sourceKey(source) === key)) return true;
      const { user, workspace } = settings.now.layers;
      const named = [user, workspace].flatMap((layer) => Object.keys(Object(layer['channels'])));
      return named.includes(name) ? false : undefined;
    },
    async reloadChannels() {
      channels.refresh();
      await loader?.reload();
    },
    dispose: () => store.dispose(),
  };
}
