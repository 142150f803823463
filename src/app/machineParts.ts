import type { DisposableStore } from '../core/base/lifecycle';
import type { HttpClient } from '../core/ports/http';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import type { SecretStore } from '../core/ports/platform';
import type { Settings } from '../core/settings/settings';
import type { SettingsSource } from '../core/settings/settingsInForce';
import { BundledSettings } from '../node/bundles/bundledSettings';
import { withoutSqlite } from '../node/databases/hasSqlite';
import { createSqliteProcesses } from '../node/databases/sqliteProcesses';
import { proxyFor, readProxySettings } from '../node/http/proxy';
import { lateDatabaseClient, lateHttpClient, lateMailClient, lateProber, lateProgramRunner } from '../node/lazyPorts';
import type { NodeProberOptions } from '../node/prober';
import { createSandbox } from '../node/sandbox/sandbox';
import { scryptHasher } from '../node/scrypt';
import { stateFolder } from '../node/stateFolder';
import { systemClock } from '../node/system';
import { createWorkerPool } from '../node/workerPool';
import type { Core } from './compose';
import type { Platform } from './platform';

interface MachineOptions extends Pick<NodeProberOptions, 'runEditorCommand'> {
  readonly environment: NodeJS.ProcessEnv;
  readonly secrets: SecretStore;
  /** The file of a bundle of the program, by its name. */
  readonly bundle: (name: string) => string;
  /** The settings without what signed bundles add to them. */
  readonly settings: SettingsSource;
  /** The system that is made over it; asked only once it runs. */
  readonly core: () => Core;
  /** The folder of this machine that bundles are for, and in which probes run. */
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

interface MachineParts extends Pick<
  Platform,
  | ('clock' | 'secrets' | 'tokenHasher' | 'worker' | 'http' | 'prober' | 'versions' | 'changes' | 'checkpoints')
  | ('withoutSqlite' | 'environment')
> {
  /** What tools may use beside files and the network. */
  readonly extras: NonNullable<Platform['extras']>;
  readonly settings: BundledSettings;
  /** The folder in which bundles are held. */
  readonly bundles: string | undefined;
}

/**
 * What the editor and the command line take from this machine in the same way. Most of it is loaded with its first use.
 */
export function machineParts(options: MachineOptions, store: DisposableStore): MachineParts {
  const { environment, secrets, bundle, core, workspace, checkpoints, onError } = options;
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
          workspace,
          http: http(() => core().settings()),
          clock: systemClock,
          onError,
        }),
      waits: options.waits,
      onError: (error) => onError(`bundles of policy: ${String(error)}`),
    }),
  );
  return {
    clock: systemClock,
    environment,
    secrets,
    tokenHasher: scryptHasher,
    worker: store.add(createWorkerPool(bundle('worker.js'))),
    settings,
    bundles,
    http,
    prober: (client) =>
      lateProber({
        http: client,
        secrets: withoutOwnSecrets(secrets),
        environment,
        folder: workspace,
        isServerUp: (name) => core().servers.isRunning(name),
        isChannelLoaded: (name) => core().definitions.channelState(name),
        ...(options.runEditorCommand ? { runEditorCommand: options.runEditorCommand } : {}),
      }),
    withoutSqlite: withoutSqlite(),
    extras: {
      programs: lateProgramRunner(environment),
      databases: lateDatabaseClient(store.add(createSqliteProcesses(bundle('sqliteProcess.js')))),
      mail: lateMailClient(),
      sandbox: store.add(createSandbox(bundle('sandboxWorker.js'))),
    },
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
