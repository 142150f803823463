import { DisposableStore } from '../core/base/lifecycle';
import { ChannelPoller } from '../core/definitions/channelPoller';
import { ChannelFetcher, readChannelSettings } from '../core/definitions/channels';
import { DefinitionLoader } from '../core/definitions/loader';
import { refreshThrough } from '../core/gate/channelRefresh';
import type { ToolRouter } from '../core/gate/router';
import { entriesInForce } from '../core/settings/entriesInForce';
import { pinnedHashes } from '../core/settings/bundleLayer';
import { sourceKey } from '../core/vocabulary/toolSource';
import type { Definitions, MadeFrom } from './coreParts';

type DefinitionsOptions = MadeFrom<
  'http' | 'settings' | 'tools',
  'clock' | 'crypto' | 'definitions' | 'files' | 'log' | 'storage' | 'userStorage'
> & {
  readonly router: () => ToolRouter;
};

export function composeDefinitions({ platform, settings, tools, http, router }: DefinitionsOptions): Definitions {
  const { registry } = tools;
  const { clock, crypto, files, log, storage, userStorage } = platform;
  const store = new DisposableStore();
  const channels = new ChannelFetcher({
    http,
    settings: (problems) => {
      const { managed, user, workspace } = entriesInForce(settings.now, 'channels', problems);
      return [
        ...readChannelSettings(managed ?? user, 'user', problems),
        ...readChannelSettings(workspace, 'workspace', problems),
      ];
    },
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
      const entries = entriesInForce(settings.now, 'channels', []);
      const named = Object.values(entries).flatMap((layer) => Object.keys(Object(layer)));
      return named.includes(name) ? false : undefined;
    },
    async reloadChannels() {
      channels.refresh();
      await loader?.reload();
    },
    dispose: () => store.dispose(),
  };
}
