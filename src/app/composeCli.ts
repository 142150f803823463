import path from 'node:path';
import type { AuditSink } from '../core/audit/event';
import { Emitter } from '../core/base/event';
import { isObject, type JsonObject } from '../core/base/json';
import { DisposableStore, toDisposable } from '../core/base/lifecycle';
import type { CallApprover } from '../core/call/gateCall';
import type { ServerUser } from '../core/foreign/serverUser';
import type { KeyValueStore, Log } from '../core/ports/platform';
import type { ProfileSettings } from '../core/profiles/profileEditor';
import type { SettingsLayers } from '../core/settings/settings';
import { besideBundle } from '../node/besideBundle';
import { createDatabaseClient } from '../node/databases/databaseClient';
import { withoutSqlite } from '../node/databases/hasSqlite';
import { createSqliteProcesses } from '../node/databases/sqliteProcesses';
import { changesInPlace } from '../node/files/changesInPlace';
import { ownPlaces } from '../node/files/ownPlaces';
import { makeSearchEngine } from '../node/files/search/searchEngine';
import { SessionRoots } from '../node/files/sessionRoots';
import { WriteJournal } from '../node/files/writeJournal';
import { privateFolderPath } from '../node/hooks/privateFolder';
import { createMailClient } from '../node/mail/smtpClient';
import { withAdminHash } from '../core/policy/approvals/adminToken';
import { environmentSecrets, memoryStore } from '../node/memory';
import { FolderWatch } from '../node/folderWatch';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { PolicyFolder } from '../node/policyFolder';
import { createNodeProber } from '../node/prober';
import { createProgramRunner } from '../node/programs/programRunner';
import { withRecentDigests } from '../node/recentDigests';
import { createSandbox } from '../node/sandbox/sandbox';
import { scryptHasher } from '../node/scrypt';
import { stateFolder } from '../node/stateFolder';
import { nodeCrypto, systemClock } from '../node/system';
import { createWorkerPool } from '../node/workerPool';
import { compose, type Core } from './compose';
import { machineParts } from './machineParts';

interface CliOptions {
  /** The workspace. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly layers: SettingsLayers;
  readonly audit: AuditSink;
  readonly onError: (message: string) => void;
  /** Where sessions keep their files; without it they go with the command. */
  readonly stateFolder: string | undefined;
  /** Where hooks leave what they kept; the user's own, wherever the command keeps its state. */
  readonly privateFolder: string | undefined;
  /** Files and folders of the command itself, which no tool may touch. */
  readonly own: readonly string[];
  /** True where the command allows what a person would be asked. */
  readonly yes: boolean;
  readonly approver: CallApprover;
  readonly serverUser: ServerUser;
  readonly storage: KeyValueStore | undefined;
  /** The settings files of a command that stays running. */
  readonly follow?: {
    isChanged(): boolean;
    /** Without what cannot be read now. */
    read(): Partial<SettingsLayers>;
  };
}

interface CliSystem {
  readonly core: Core;
  /** Profiles, kept with the state of the command where it has some; a command changes no settings file. */
  readonly profileSettings: ProfileSettings;
  /** Settles once the bundles that the settings name are in force. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Makes every object of a command once, over one folder and without an editor. */
export function composeCli(options: CliOptions): CliSystem {
  const { folder, environment, onError } = options;
  const store = new DisposableStore();
  const log: Log = { debug() {}, info() {}, warn: onError, error: onError };
  let layers = options.storage ? withKeptProfiles(options.layers, options.storage) : options.layers;
  const settingsChanged = store.add(new Emitter<void>());
  const policy = store.add(new PolicyFolder(folder));
  const { follow } = options;
  const readAgain = (): void => {
    // The user's own part was given on the command line, and changes over the API.
    layers = { ...layers, ...follow?.read() };
    settingsChanged.fire();
  };
  const watch = follow && store.add(new FolderWatch(path.join(folder, '.vscode')));
  if (watch) store.add(watch.onDidChange(readAgain));
  const { boundaryFiles } = policy;
  const secrets = options.storage
    ? withAdminHash(environmentSecrets(environment), options.storage)
    : environmentSecrets(environment);
  // Session files go with the command, wherever it makes them.
  const session = stateFolder('sessions', environment);
  const sessions = store.add(
    new SessionRoots(options.stateFolder === undefined ? session : path.resolve(options.stateFolder, 'sessions')),
  );
  const records = stateFolder('writes', environment);
  const journal = records === undefined ? undefined : store.add(new WriteJournal(records));
  const swept = Promise.all([journal?.sweep(), sessions.sweep()]);
  const kept =
    options.stateFolder === undefined
      ? stateFolder('changes', environment)
      : path.resolve(options.stateFolder, 'changes');
  const { bundles, ...machine } = machineParts(
    {
      environment,
      settings: { read: () => layers, onDidChange: settingsChanged.event },
      current: () => core.settings(),
      workspace: () => folder,
      waits: !follow,
      changes: kept,
      checkpoints: kept === undefined ? undefined : path.join(kept, 'checkpoints'),
      folders: () => [folder],
      onError,
      onDropped: onError,
    },
    store,
  );
  const privateFolder = privateFolderPath(options.privateFolder);
  const own = [...options.own, privateFolder, ...[records, session, kept, bundles].filter((one) => one !== undefined)];
  const worker = store.add(createWorkerPool(besideBundle(environment, 'worker.js')));
  const files = new NodeFileSystem({
    folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
    sessionStorage: sessions,
    changes: changesInPlace,
    onSyncFailure: (error) => onError(`a file was written but could not be synced to the disk: ${String(error)}`),
    ...(journal ? { journal } : {}),
    search: () => makeSearchEngine({ worker }),
  });
  const core: Core = store.add(
    compose({
      clock: systemClock,
      crypto: withRecentDigests(nodeCrypto),
      log,
      files,
      worker,
      ...machine,
      hostCalls: { privateFolder, folders: () => files.folders(), isOwner: false },
      secrets,
      tokenHasher: scryptHasher,
      storage: options.storage ?? memoryStore(),
      userStorage: memoryStore(),
      boundaryFiles: {
        ...boundaryFiles,
        async refresh() {
          if (follow?.isChanged()) readAgain();
          await machine.settings.settled();
          await boundaryFiles.refresh?.();
        },
      },
      resolverFiles: policy.resolverFiles,
      prober: (http) =>
        createNodeProber({
          http,
          secrets,
          environment,
          folder: () => folder,
          isServerUp: (name) => core.servers.isRunning(name),
          isChannelLoaded: (name) => core.definitions.channelState(name),
        }),
      approvesProbes: options.yes,
      approvals: { type: 'preset', approver: options.approver },
      serverUser: options.serverUser,
      environment,
      audit: options.audit,
      ownPlaces: () => ownPlaces(files.folders(), own),
      // A command that ends reads once; `--yes` approves what the workspace defines, as it approves calls.
      definitions: {
        watcher: { watch: (onChange) => watch?.onDidChange(onChange) ?? toDisposable(() => undefined) },
        approver: { ask: async () => options.yes },
        trusted: () => true,
      },
      withoutSqlite: withoutSqlite(),
      extras: {
        programs: createProgramRunner(environment),
        databases: createDatabaseClient(
          store.add(createSqliteProcesses(besideBundle(environment, 'sqliteProcess.js'))),
        ),
        mail: createMailClient(),
        sandbox: store.add(createSandbox(besideBundle(environment, 'sandboxWorker.js'))),
      },
    }),
  );
  return {
    core,
    settled: () => machine.settings.settled(),
    profileSettings: {
      target: () => 'user',
      read: (target) => layers[target]['profiles'],
      async write(target, value) {
        layers = { ...layers, [target]: { ...layers[target], profiles: value ?? {} } };
        settingsChanged.fire();
        if (target === 'user') await options.storage?.set(keptProfiles, (value ?? {}) as JsonObject); // reason: settings are JSON
      },
    },
    async close() {
      // The record of this process goes last, so that nothing of the folder of records stays.
      await swept;
      store.dispose();
      await files.synced();
    },
  };
}

/** Where agents that were made over the API are kept. */
const keptProfiles = 'profiles';

/**
 * The user's settings with the agents that an earlier command was asked to make; what this one names itself counts
 * more.
 */
function withKeptProfiles(layers: SettingsLayers, storage: KeyValueStore): SettingsLayers {
  const kept = storage.get(keptProfiles);
  if (!isObject(kept)) return layers;
  const given = layers.user['profiles'];
  return { ...layers, user: { ...layers.user, profiles: { ...kept, ...(isObject(given) ? given : {}) } } };
}
