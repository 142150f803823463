import path from 'node:path';
import type { AuditSink } from '../core/audit/event';
import { Emitter } from '../core/base/event';
import { messageOf } from '../core/base/errorText';
import { isObject, type Json, type JsonObject } from '../core/base/json';
import { DisposableStore, toDisposable } from '../core/base/lifecycle';
import type { CallApprover } from '../core/call/gateCall';
import type { ServerUser } from '../core/foreign/serverUser';
import type { DefinitionWatcher } from '../core/definitions/files';
import { enduringStore } from '../core/ports/enduringStore';
import { changeStored, type KeyValueStore, type Log, type WorkerPool } from '../core/ports/platform';
import type { ProfileSettings } from '../core/profiles/profileEditor';
import type { SettingsLayers } from '../core/settings/settings';
import type { SettingsSource } from '../core/settings/settingsInForce';
import { besideBundle } from '../node/besideBundle';
import { changesInPlace } from '../node/files/changesInPlace';
import { ownPlaces } from '../node/files/ownPlaces';
import { makeSearchEngine } from '../node/files/search/searchEngine';
import { SessionRoots } from '../node/files/sessionRoots';
import { WriteJournal } from '../node/files/writeJournal';
import { privateFolderPath } from '../node/hooks/privateFolder';
import { withAdminHash } from '../core/policy/approvals/adminToken';
import { environmentSecrets, memoryStore } from '../node/memory';
import { FolderWatch } from '../node/folderWatch';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { PolicyFolder } from '../node/policyFolder';
import { withRecentDigests } from '../node/recentDigests';
import { stateFolder } from '../node/stateFolder';
import { nodeCrypto } from '../node/system';
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
  const { boundaryFiles, resolverFiles } = store.add(new PolicyFolder(folder));
  const unstored = (error: unknown): void => onError(`what is kept cannot be stored: ${messageOf(error)}`);
  const storage = options.storage && enduringStore(options.storage, unstored);
  const settings = cliSettings({ ...options, storage }, store);
  const secrets = storage ? withAdminHash(environmentSecrets(environment), storage) : environmentSecrets(environment);
  const changes =
    options.stateFolder === undefined
      ? stateFolder('changes', environment)
      : path.resolve(options.stateFolder, 'changes');
  const { bundles, ...machine } = machineParts(
    {
      environment,
      secrets,
      bundle: (name) => besideBundle(environment, name),
      settings,
      core: () => core,
      workspace: () => folder,
      waits: !options.follow,
      changes,
      checkpoints: changes === undefined ? undefined : path.join(changes, 'checkpoints'),
      folders: () => [folder],
      onError,
      onDropped: onError,
    },
    store,
  );
  const { files, swept, ...disk } = cliFiles(options, machine.worker, store);
  const privateFolder = privateFolderPath(options.privateFolder);
  const own = [...options.own, privateFolder, ...[...disk.own, changes, bundles].filter((one) => one !== undefined)];
  const core: Core = store.add(
    compose({
      crypto: withRecentDigests(nodeCrypto),
      log,
      files,
      ...machine,
      hostCalls: { privateFolder, folders: () => files.folders(), isOwner: false },
      storage: storage ?? memoryStore(),
      userStorage: memoryStore(),
      boundaryFiles: {
        ...boundaryFiles,
        async refresh() {
          settings.lookAgain();
          await machine.settings.settled();
          await boundaryFiles.refresh?.();
        },
      },
      resolverFiles,
      approvesProbes: options.yes,
      approvals: { type: 'preset', approver: options.approver },
      serverUser: options.serverUser,
      audit: options.audit,
      ownPlaces: () => ownPlaces(files.folders(), own),
      // `--yes` approves what the workspace defines, as it approves calls.
      definitions: { watcher: settings.watcher, approver: { ask: async () => options.yes }, trusted: () => true },
    }),
  );
  return {
    core,
    settled: () => machine.settings.settled(),
    profileSettings: settings.profiles,
    async close() {
      // The record of this process goes last, so that nothing of the folder of records stays.
      await swept;
      store.dispose();
      await files.synced();
    },
  };
}

interface CliSettings extends SettingsSource {
  readonly profiles: ProfileSettings;
  /** Looks at the settings files of a command that stays running; one that ends reads once. */
  readonly watcher: DefinitionWatcher;
  /** Reads them again where they have changed. */
  lookAgain(): void;
}

/** The settings that a command was given, with what is changed over the API and in the files that it follows. */
function cliSettings(
  { folder, follow, layers: given, storage }: Pick<CliOptions, 'folder' | 'follow' | 'layers' | 'storage'>,
  store: DisposableStore,
): CliSettings {
  let layers = storage ? withKeptProfiles(given, storage) : given;
  const changed = store.add(new Emitter<void>());
  const readAgain = (): void => {
    // The user's own part was given on the command line, and changes over the API.
    layers = { ...layers, ...follow?.read() };
    changed.fire();
  };
  const watch = follow && store.add(new FolderWatch(path.join(folder, '.vscode')));
  if (watch) store.add(watch.onDidChange(readAgain));
  return {
    read: () => layers,
    onDidChange: changed.event,
    profiles: {
      target: () => 'user',
      read: (target) => layers[target]['profiles'],
      async write(target, value) {
        const before = layers[target]['profiles'];
        layers = { ...layers, [target]: { ...layers[target], profiles: value ?? {} } };
        changed.fire();
        if (target === 'user' && storage)
          await changeStored(storage, keptProfiles, (now) => withChanged(now, before, value ?? {}));
      },
    },
    watcher: { watch: (onChange) => watch?.onDidChange(onChange) ?? toDisposable(() => undefined) },
    lookAgain: () => void (follow?.isChanged() && readAgain()),
  };
}

interface CliFiles {
  readonly files: NodeFileSystem;
  /** Settles once what killed commands left is gone. */
  readonly swept: Promise<unknown>;
  /** The folders that no tool may touch; those that there are. */
  readonly own: readonly (string | undefined)[];
}

/** The files of the workspace and of the session. */
function cliFiles(
  { environment, folder, onError, stateFolder: state }: CliOptions,
  worker: WorkerPool,
  store: DisposableStore,
): CliFiles {
  // Session files go with the command, wherever it makes them.
  const session = stateFolder('sessions', environment);
  const sessions = store.add(new SessionRoots(state === undefined ? session : path.resolve(state, 'sessions')));
  const records = stateFolder('writes', environment);
  const journal = records === undefined ? undefined : store.add(new WriteJournal(records));
  return {
    files: new NodeFileSystem({
      folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
      sessionStorage: sessions,
      changes: changesInPlace,
      onSyncFailure: (error) => onError(`a file was written but could not be synced to the disk: ${String(error)}`),
      ...(journal ? { journal } : {}),
      search: () => makeSearchEngine({ worker }),
    }),
    swept: Promise.all([journal?.sweep(), sessions.sweep()]),
    own: [records, session],
  };
}

/** Where agents that were made over the API are kept. */
const keptProfiles = 'profiles';

/** What is kept by now, with what this command made of its own view of it: another one may have kept others. */
function withChanged(kept: Json | undefined, before: unknown, after: JsonObject): Json {
  const was = isObject(before) ? before : {};
  const isChanged = (id: string): boolean => JSON.stringify(was[id]) !== JSON.stringify(after[id]);
  const others = Object.entries(isObject(kept) ? (kept as JsonObject) : {}).filter(([id]) => !isChanged(id));
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(Object.entries(after).filter(([id]) => isChanged(id))),
  };
}

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
