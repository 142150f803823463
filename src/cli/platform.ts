import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { compose, type Core } from '../app/compose';
import { Emitter } from '../core/base/event';
import { DisposableStore, toDisposable } from '../core/base/lifecycle';
import type { PolicyFile } from '../core/policy/rules/boundaryFile';
import type { ApprovalDesk } from '../core/call/gateCall';
import type { KeyValueStore, Log } from '../core/ports/platform';
import type { ServerUser } from '../core/foreign/serverUser';
import type { Problem } from '../core/base/problem';
import type { ProfileSettings } from '../core/profiles/profileEditor';
import { isResolverFile } from '../core/resolver/workspace';
import { readSettings } from '../core/settings/readSettings';
import { changesInPlace } from '../node/files/changesInPlace';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { SessionRoots } from '../node/files/sessionRoots';
import { ownPlaces } from '../node/files/ownPlaces';
import { WriteJournal } from '../node/files/writeJournal';
import { createHttpClient } from '../node/http/client';
import { proxyFor, readProxySettings } from '../node/http/proxy';
import { createDatabaseClient } from '../node/databases/databaseClient';
import { createSqliteProcesses } from '../node/databases/sqliteProcesses';
import { createMailClient } from '../node/mail/smtpClient';
import { createProgramRunner } from '../node/programs/programRunner';
import { createSandbox } from '../node/sandbox/sandbox';
import { environmentSecrets, memoryStore } from '../node/memory';
import { createNodeProber } from '../node/prober';
import { readSmallFile } from '../node/regularFile';
import { scryptHasher } from '../node/scrypt';
import { withRecentDigests } from '../node/recentDigests';
import { nodeCrypto, systemClock } from '../node/system';
import { makeSearchEngine } from '../node/files/search/searchEngine';
import { createWorkerPool } from '../node/workerPool';
import { type CliArgs, type CliIo, UsageError } from './args';
import { openAudit } from './auditSink';
import { commandLineDesk, commandLineUser } from './commandLineApprovals';
import { PolicyStamp } from './policyStamp';
import { sessionsFolder, writesFolder } from './writesFolder';
import { readLayers, workspaceFolder } from './workspace';

export interface OpenedWorkspace {
  readonly core: Core;
  readonly folder: string;
  /** Mistakes in the files that were read; those of settings and profiles are in `core.problems()`. */
  readonly problems: readonly Problem[];
  /** Profiles for as long as the command runs; a command changes no settings file. */
  readonly profileSettings: ProfileSettings;
  close(): Promise<void>;
}

/** The folder of a workspace that holds definitions and policy files. */
const capabilitiesFolder = path.join('.vscode', 'capabilities');

/** What a command that stays running puts in place of what others do: who is asked, and where things are kept. */
export interface WorkspaceOptions {
  readonly desk?: ApprovalDesk;
  readonly serverUser?: ServerUser;
  readonly storage?: KeyValueStore;
}

/**
 * Composes the core over one folder, without an editor. An unknown `--profile` is a usage error that names the nearest
 * ones.
 */
export async function openWorkspace(
  args: CliArgs,
  io: CliIo,
  options: WorkspaceOptions = {},
): Promise<OpenedWorkspace> {
  const folder = workspaceFolder(args);
  const problems: Problem[] = [];
  let layers = readLayers(folder, args, problems);
  const store = new DisposableStore();
  const log: Log = {
    debug() {},
    info() {},
    warn: (message) => io.error(message),
    error: (message) => io.error(message),
  };
  const settingsChanged = store.add(new Emitter<void>());
  const filesChanged = store.add(new Emitter<void>());
  const policyStamp = new PolicyStamp(path.join(folder, capabilitiesFolder), isResolverFile);
  let stamp = policyStamp.now();
  const secrets = environmentSecrets(io.environment);
  const proxies = readProxySettings(io.environment);
  // Session files go with the command, wherever it makes them.
  const state = args.value('state-dir');
  const sessions = store.add(
    new SessionRoots(state === undefined ? sessionsFolder(io.environment) : path.resolve(state, 'sessions')),
  );
  const records = writesFolder(io.environment);
  const journal = records === undefined ? undefined : store.add(new WriteJournal(records));
  const swept = Promise.all([journal?.sweep(), sessions.sweep()]);
  const audit = await openAudit(args.value('audit-dir'), () => readSettings(layers), io);
  const own = ['audit-dir', 'state-dir', 'token-file', 'api-token-file'].flatMap((name) => args.value(name) ?? []);
  own.push(...[records, sessionsFolder(io.environment)].filter((one) => one !== undefined));
  const worker = store.add(createWorkerPool(besideBundle(io, 'worker.js')));
  const files = new NodeFileSystem({
    folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
    sessionStorage: sessions,
    changes: changesInPlace,
    onSyncFailure: (error) => io.error(`a file was written but could not be synced to the disk: ${String(error)}`),
    ...(journal ? { journal } : {}),
    search: () => makeSearchEngine({ worker }),
  });
  const core: Core = store.add(
    compose({
      clock: systemClock,
      crypto: withRecentDigests(nodeCrypto),
      log,
      files,
      http: (settings) =>
        createHttpClient({
          allowedPrivateHosts: () => settings().get('network.allowedPrivateHosts'),
          proxyFor: (url) => proxyFor(url, proxies),
        }),
      worker,
      secrets,
      tokenHasher: scryptHasher,
      storage: options.storage ?? memoryStore(),
      userStorage: memoryStore(),
      settings: { read: () => layers, onDidChange: settingsChanged.event },
      boundaryFiles: {
        read: () => policyFile(folder, 'boundaries.json'),
        onDidChange: filesChanged.event,
        // One look serves both sources. `serve` runs for days, and nothing else tells it that a rule was added.
        async refresh() {
          const now = policyStamp.now();
          if (now === stamp) return;
          stamp = now;
          filesChanged.fire();
        },
      },
      resolverFiles: { read: () => policyFiles(folder), onDidChange: filesChanged.event },
      prober: (http) =>
        createNodeProber({
          http,
          secrets,
          environment: io.environment,
          folder: () => folder,
          isServerUp: (name) => core.servers.isRunning(name),
          isChannelLoaded: (name) => core.definitions.channelState(name),
        }),
      approvesProbes: args.has('yes'),
      approvals: { type: 'preset', desk: options.desk ?? commandLineDesk(args.has('yes')) },
      serverUser: options.serverUser ?? commandLineUser(args.has('yes')),
      environment: io.environment,
      audit: audit.sink,
      ownPlaces: () => ownPlaces(files.folders(), own),
      // A command line reads once; `--yes` approves what the workspace defines, as it approves calls.
      definitions: {
        watcher: { watch: () => toDisposable(() => undefined) },
        approver: { ask: async () => false },
        trusted: () => true,
      },
      extras: {
        programs: createProgramRunner(io.environment),
        databases: createDatabaseClient(store.add(createSqliteProcesses(besideBundle(io, 'sqliteProcess.js')))),
        mail: createMailClient(),
        sandbox: store.add(createSandbox(besideBundle(io, 'sandboxWorker.js'))),
      },
    }),
  );
  const close = async (): Promise<void> => {
    // The record of this process goes last, so that nothing of the folder of records stays.
    await swept;
    store.dispose();
    await Promise.all([audit.close(), files.synced()]);
  };
  const profile = args.value('profile');
  const problem = profile === undefined ? undefined : core.tools.profiles.activate(profile);
  if (problem) {
    await close();
    throw new UsageError(problem.message);
  }
  await core.ready;
  if (args.has('yes'))
    for (const { hash } of core.definitions.loader?.pending() ?? []) await core.definitions.loader?.approve(hash);
  const prompt = args.has('yes') ? core.agents.prompts.pending(core.tools.profiles.active().profile) : undefined;
  if (prompt) await core.agents.prompts.accept(prompt.hash);
  const profileSettings: ProfileSettings = {
    target: () => 'user',
    read: (target) => layers[target]['profiles'],
    async write(target, value) {
      layers = { ...layers, [target]: { ...layers[target], profiles: value ?? {} } };
      settingsChanged.fire();
    },
  };
  return { core, folder, problems, profileSettings, close };
}

/**
 * The bundles of threads stand beside the command line's; tests name their folder by the environment, because they run
 * elsewhere.
 */
function besideBundle(io: CliIo, name: string): string {
  return path.join(
    io.environment['AGENT_CAPABILITIES_BUNDLES'] ?? path.join(__dirname, __dirname.endsWith('chunks') ? '..' : '.'),
    name,
  );
}

/** One policy file of the workspace, where it exists. */
function policyFile(folder: string, name: string): readonly PolicyFile[] {
  const file = path.join(folder, capabilitiesFolder, name);
  const read = readSmallFile(file, { within: folder });
  if (read.type === 'absent') return [];
  return [read.type === 'text' ? { path: file, text: read.text } : { path: file, text: '', fault: read.fault }];
}

/**
 * Every policy file and definition of the workspace, in the order of their names. A folder that cannot be listed holds
 * rules that cannot be read.
 */
function policyFiles(folder: string): readonly PolicyFile[] {
  const directory = path.join(folder, capabilitiesFolder);
  if (!existsSync(directory)) return [];
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    return policyFile(folder, 'boundaries.json');
  }
  return names
    .filter((name) => isResolverFile(name))
    .sort()
    .flatMap((name) => policyFile(folder, name));
}
