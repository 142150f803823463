import type { DisposableStore } from '../core/base/lifecycle';
import type { HttpClient } from '../core/ports/http';
import type { Settings } from '../core/settings/settings';
import type { SettingsSource } from '../core/settings/settingsInForce';
import { BundledSettings } from '../node/bundles/bundledSettings';
import { proxyFor, readProxySettings } from '../node/http/proxy';
import { lateHttpClient } from '../node/lazyPorts';
import { stateFolder } from '../node/stateFolder';
import { systemClock } from '../node/system';
import type { Platform } from './platform';

interface MachineOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The settings without what signed bundles add to them. */
  readonly settings: SettingsSource;
  /** The settings in force, once the system runs. */
  readonly current: () => Settings;
  /** The folder of this machine that bundles are for. */
  readonly workspace: () => string | undefined;
  /** True for a command that ends: it waits for bundles of which nothing is held. */
  readonly waits: boolean;
  /** Where it is kept what calls changed; undefined where it goes with the command. */
  readonly changes: string | undefined;
  /** Where it is remembered what stands in the workspace; nothing of it is where this is undefined. */
  readonly checkpoints: string | undefined;
  /** The folders whose changes are kept, as texts that tell them apart. */
  readonly folders: () => readonly string[];
  readonly onError: (message: string) => void;
  readonly onDropped: (message: string) => void;
}

interface MachineParts extends Pick<Platform, 'http' | 'versions' | 'changes' | 'checkpoints'> {
  readonly settings: BundledSettings;
  /** The folder in which bundles are held. */
  readonly bundles: string | undefined;
}

/**
 * What the editor and the command line take from this machine in the same way. Most of it is loaded with its first use.
 */
export function machineParts(options: MachineOptions, store: DisposableStore): MachineParts {
  const { environment, checkpoints, onError } = options;
  const proxies = readProxySettings(environment);
  const http = (settings: () => Settings): HttpClient =>
    lateHttpClient({
      allowedPrivateHosts: () => settings().get('network.allowedPrivateHosts'),
      proxyFor: (url) => proxyFor(url, proxies),
    });
  const bundles = stateFolder('bundles', environment);
  const settings = store.add(
    new BundledSettings(options.settings, {
      open: async () =>
        new (await import('../node/bundles/heldBundles')).HeldBundles({
          folder: bundles,
          workspace: options.workspace,
          http: http(options.current),
          clock: systemClock,
          onError,
        }),
      waits: options.waits,
      onError: (error) => onError(`bundles of policy: ${String(error)}`),
    }),
  );
  return {
    settings,
    bundles,
    http,
    versions: async () => (await import('../node/versions/gitVersions')).gitVersions,
    changes: async (current) =>
      (await import('../node/changes/changeFolder')).changeFolder({
        storage: options.changes,
        folders: options.folders(),
        settings: current,
        onDropped: (count) => options.onDropped(`${count} older changes of agents are no longer kept`),
      }),
    ...(checkpoints === undefined
      ? {}
      : {
          checkpoints: async (current: () => Settings) =>
            (await import('../node/changes/checkpoints/checkpoints')).gitCheckpoints({
              storage: checkpoints,
              environment,
              keepsSecrets: () => current().get('changes.keepSecrets'),
            }),
        }),
  };
}
