import { worded } from '../core/base/sentence';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { compose, type Core } from './compose';
import { RecentInputs } from '../core/audit/recentInputs';
import { combineSinks } from '../core/audit/sinks';
import { DisposableStore } from '../core/base/lifecycle';
import { DocumentAwareFiles } from '../core/files/documentAware';
import { RoutedFiles } from '../core/files/routedFiles';
import { VirtualFiles } from '../core/files/virtualFiles';
import type { FileSystem } from '../core/ports/files';
import type { ApiSystem } from './extensionApi';
import { isResolverFile, nameOfFile } from '../core/resolver/workspace';
import { readSettings } from '../core/settings/readSettings';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { auditKey, type EditorAudit, openEditorAudit } from './editorAudit';
import { startEditorMcp } from './editorMcp';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { ownPlaces } from '../node/files/ownPlaces';
import { makeSearchEngine, type SearchEngineOptions } from '../node/files/search/searchEngine';
import type { Trash } from '../node/files/trash';
import { SessionRoots } from '../node/files/sessionRoots';
import { WriteJournal } from '../node/files/writeJournal';
import { createBlobStore } from '../node/blobStore';
import { createHttpClient } from '../node/http/client';
import { proxyFor, readProxySettings } from '../node/http/proxy';
import { createSqliteProcesses } from '../node/databases/sqliteProcesses';
import { createMailClient } from '../node/mail/smtpClient';
import { createSandbox } from '../node/sandbox/sandbox';
import { createTrustedModules } from '../node/sandbox/trustedModules';
import { readSmallFile } from '../node/regularFile';
import { ManagedFile, managedFileInForce } from '../node/managedFile';
import { lateDatabaseClient, lateProber, lateProgramRunner } from '../node/lazyPorts';
import { FileLock } from '../node/fileLock';
import { scryptHasher } from '../node/scrypt';
import { nodeCrypto, systemClock } from '../node/system';
import { createWorkerPool } from '../node/workerPool';
import { rememberActiveProfile } from '../vscode/settings/activeProfile';
import { AgentFileWriter } from '../vscode/agent/agentFileWriter';
import { auditChannelName } from '../vscode/audit/auditChannel';
import { CapabilitySwitch } from '../vscode/tree/capabilitySwitch';
import { CapabilityView } from '../vscode/tree/capabilityView';
import { ChannelsInTree } from '../vscode/tree/channelsInTree';
import { registerCommands } from '../vscode/commands/index';
import { editorDefinitionApprover } from '../vscode/definitions/definitionApprover';
import { registerDefinitionCommands } from '../vscode/definitions/definitionCommands';
import { DefinitionDiagnostics } from '../vscode/definitions/definitionDiagnostics';
import { editorDefinitionWatcher } from '../vscode/definitions/definitionWatcher';
import { editorCommands, editorNotifier, runGuarded } from '../vscode/definitions/editorPorts';
import { EditorConfirmer } from '../vscode/confirm/confirmer';
import { ContextKeys, followTools } from '../vscode/settings/contextKeys';
import { EditorSettings } from '../vscode/settings/editorSettings';
import { ExtensionTools } from '../vscode/tools/extensionTools';
import { governanceInTree, registerGovernance } from '../vscode/governance/register';
import { prepareSearchInTime } from '../vscode/files/idleSearch';
import type { ToolHost } from '../vscode/tools/languageModelTools';
import { ModalQuestions } from '../vscode/confirm/modalQuestions';
import { offerToDecide, showModal } from '../vscode/confirm/modalSurface';
import { registerParticipant } from '../vscode/participant/register';
import { commandTitle, OutsideCalls } from '../vscode/confirm/outsideCalls';
import { PolicyFiles } from '../vscode/files/policyFiles';
import { askAboutPrompts } from '../vscode/confirm/promptQuestion';
import { promptWatch } from '../vscode/files/promptWatch';
import { ReadOnlyText } from '../vscode/files/readOnlyText';
import { RuntimeAgentPanel } from '../vscode/agent/runtimeAgentPanel';
import { TextQuestions } from '../vscode/confirm/textQuestions';
import { editorServerUser } from '../vscode/servers/serverUser';
import { allRows, extensionsInTree, serversInTree } from '../vscode/servers/serversInTree';
import { showStatus } from '../vscode/tree/statusBar';
import { channelLog, editorSecrets, mementoStore } from '../vscode/settings/storage';
import { walkthroughProgress } from '../vscode/commands/walkthroughProgress';
import { registerSecretCommands } from '../vscode/commands/secretCommands';
import { TodoView } from '../vscode/todos/todoView';
import { widerCall } from '../vscode/confirm/widerCalls';
import { askAboutWidening } from '../vscode/confirm/wideningQuestion';
import { editorExcludes, editorFiles, openDocuments, workspaceFolders } from '../vscode/files/workspaceFiles';

/** The most bytes of fetched pages that are kept. */
const webCacheBytes = 50_000_000;

export interface EditorSystem {
  readonly api: ApiSystem;
  readonly tools: ToolHost;
  /** Keeps what is still in memory; awaited before `dispose`. */
  save(): Promise<void>;
  dispose(): void;
}

/** Makes every object of the extension once, in order of dependency, and wires it to the editor. */
export async function composeEditor(context: vscode.ExtensionContext): Promise<EditorSystem> {
  const store = new DisposableStore();
  try {
    return await wire(context, store);
  } catch (error) {
    store.dispose();
    throw error;
  }
}

async function wire(context: vscode.ExtensionContext, store: DisposableStore): Promise<EditorSystem> {
  const channel = store.add(vscode.window.createOutputChannel('Agent Capabilities', { log: true }));
  const auditChannel = store.add(vscode.window.createOutputChannel(auditChannelName, { log: true }));
  const log = channelLog(channel);
  const named = vscode.workspace
    .getConfiguration('agentCapabilities')
    .inspect<string>('policy.managedFile')?.globalValue;
  const managed = store.add(new ManagedFile(managedFileInForce(named), (said) => log.error(worded(said))));
  const settings = store.add(
    new EditorSettings({ managed: () => managed.values, globalStorage: context.globalStorageUri, log }),
  );
  managed.watch(() => settings.refresh());
  const storage = mementoStore(context.workspaceState);
  const texts = store.add(new ReadOnlyText());
  const questions = new ModalQuestions(showModal, systemClock);
  const textQuestions = new TextQuestions({
    questions,
    showText: (name, text) => texts.open(name, text),
    goOn: offerToDecide,
    t: vscode.l10n.t,
  });
  const inputs = new RecentInputs();
  const policyFiles = store.add(await PolicyFiles.open(isResolverFile, log, readSmallFile));
  const secrets = editorSecrets(context.secrets);
  const proxies = readProxySettings(process.env);
  const globalStorage = context.globalStorageUri.fsPath;
  const key = await auditKey(secrets, readSettings(settings.layers()).get('audit.signed'));
  // Events are recorded once the core exists, so both may ask it.
  const audit: EditorAudit = store.add(
    openEditorAudit({
      context,
      channel: auditChannel,
      texts,
      log,
      settings: () => core.settings(),
      ownArgument: (value) => outside.own(value),
      profileName: (id) => profiles.profiles().get(id)?.profile.name ?? id,
      ...(key ? { key } : {}),
    }),
  );

  const own = [globalStorage, ...(context.storageUri ? [context.storageUri.fsPath] : [])];
  const keys = new ContextKeys();
  const worker = store.add(createWorkerPool(context.asAbsolutePath(path.join('dist', 'worker.js'))));

  const core: Core = store.add(
    compose({
      clock: systemClock,
      crypto: nodeCrypto,
      log,
      files: editorWorkspace(sessionRoots(globalStorage, store), writeJournal(globalStorage, store), {
        worker,
        appRoot: vscode.env.appRoot,
      }),
      http: (current) =>
        createHttpClient({
          allowedPrivateHosts: () => current().get('network.allowedPrivateHosts'),
          proxyFor: (url) => proxyFor(url, proxies),
        }),
      worker,
      secrets,
      blobs: createBlobStore(path.join(globalStorage, 'web-cache'), webCacheBytes),
      tokenHasher: scryptHasher,
      storage,
      userStorage: mementoStore(context.globalState),
      settings: { read: () => settings.layers(), onDidChange: settings.onDidChange },
      // One look at the folder serves both.
      boundaryFiles: {
        read: () => policyFiles.read().filter(({ path: file }) => nameOfFile(file) === 'boundaries.json'),
        onDidChange: policyFiles.onDidChange,
      },
      resolverFiles: policyFiles,
      prober: (http) =>
        lateProber({
          http,
          secrets: withoutOwnSecrets(secrets),
          environment: process.env,
          folder: () => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
          isChannelLoaded: (name) => core.definitions.channelState(name),
          isServerUp: (name) => core.servers.isRunning(name),
          runEditorCommand: runGuarded,
        }),
      environment: process.env,
      serverUser: editorServerUser({ modal: questions, text: textQuestions }),
      approvals: {
        type: 'person',
        confirmer: new EditorConfirmer({
          questions,
          texts,
          clock: systemClock,
          isUnlocked: () => core.policy.admin.isUnlocked,
          inbox: () => core.policy.queue,
        }),
      },
      prompts: promptWatch,
      audit: combineSinks([audit.sink, walkthroughProgress(keys), inputs], (message) => log.error(message)),
      ownPlaces: () => ownPlaces(workspaceFolders(), own),
      definitions: {
        watcher: editorDefinitionWatcher,
        approver: editorDefinitionApprover(textQuestions),
        trusted: () => vscode.workspace.isTrusted,
      },
      extras: {
        programs: lateProgramRunner(process.env),
        commands: editorCommands,
        notifier: editorNotifier,
        databases: lateDatabaseClient(
          store.add(createSqliteProcesses(context.asAbsolutePath(path.join('dist', 'sqliteProcess.js')))),
        ),
        mail: createMailClient(),
        sandbox: store.add(createSandbox(context.asAbsolutePath(path.join('dist', 'sandboxWorker.js')))),
        trustedModules: createTrustedModules(),
      },
    }),
  );
  const { onDidChange, problems, settings: current } = core;
  const { registry, profiles, discovery } = core.tools;
  const { router, resolver, todos, ports } = core.gate;
  const { runtimeAgent, basePrompt, ownAgent, prompts } = core.agents;
  const { engine, grants, plans, limits, admin, queue } = core.policy;
  store.add(
    rememberActiveProfile({
      profiles,
      setting: () => profiles.configured().id,
      own: () => profiles.ownId(),
      onDidChangeSettings: core.onDidChangeSettings,
      storage,
    }),
  );
  const profilesLock = new FileLock(path.join(globalStorage, 'profiles.lock'));
  const editor = store.add(
    new ProfileEditor({ store: profiles, settings, log, storage, exclusive: (work) => profilesLock.run(work) }),
  );
  store.add(followTools({ registry, profiles, found: discovery.found }, keys));
  store.add(
    prepareSearchInTime({
      prepareSearch: (isTimeUp) => discovery.prepare(isTimeUp),
      onDidChange: registry.onDidChange,
    }),
  );
  const capabilitySwitch = new CapabilitySwitch(registry, profiles, editor);
  // Our run-time tools come back to the editor from our own MCP server, under a name that it makes of the server's
  // label.
  const otherTools = (): number =>
    vscode.lm.tools.filter(
      ({ name, tags }) => !tags.includes('agent-capabilities') && !/^mcp_agent[-_. ]capab/i.test(name),
    ).length;
  const extensionTools = store.add(
    new ExtensionTools({
      registry: registry,
      ownId: context.extension.id,
      log,
      files: ports.files,
      judgements: () => core.settings().get('extensionTools'),
      onDidChangeSettings: core.onDidChangeSettings,
    }),
  );
  const governed = { policy: engine, grants, plans, admin, queue, resolver };
  const channelsInTree = store.add(new ChannelsInTree(core.definitions.poller));
  const more = allRows(
    serversInTree({ servers: core.servers.list, registry, profiles }),
    extensionsInTree(extensionTools),
    channelsInTree.rows,
    governanceInTree({ ...governed, registry, clock: systemClock }),
  );
  const view = store.add(
    new CapabilityView({
      registry,
      profiles,
      found: discovery.found,
      problems,
      basePrompt,
      onDidChange,
      editor,
      capabilitySwitch,
      keys,
      otherTools,
      more,
    }),
  );
  channelsInTree.follow(view.view);
  const outside = new OutsideCalls({
    questions: textQuestions,
    registry: registry,
    isRow: (value) => view.isOwnRow(value),
    titleOf: (id) => commandTitle(context.extension.packageJSON, id),
    wider: (id, args) => widerCall({ profiles: profiles, registry: registry, t: vscode.l10n.t }, id, args),
    t: vscode.l10n.t,
  });
  store.add(
    showStatus({
      profile: () => profiles.active(),
      pendingApprovals: () => queue?.pending().length ?? 0,
      changes: [profiles.onDidChange, ...(queue ? [queue.onDidChange] : [])],
    }),
  );
  store.add(
    new TodoView({
      todos: todos,
      profile: () => profiles.active().profile,
      onDidChangeProfile: profiles.onDidChange,
      keys,
      texts,
    }),
  );
  const agentFile = store.add(
    new AgentFileWriter({
      profiles,
      settings: current,
      runtimeAgent,
      ownAgent,
      isTrusted: core.isTrusted,
      report: core.report,
      onDidChange,
      files: ports.files,
      crypto: nodeCrypto,
      storage,
      userStorage: mementoStore(context.globalState),
      log,
      texts,
      userFolder: vscode.Uri.file(path.join(homedir(), '.copilot', 'agents')),
      extensionId: context.extension.id.toLowerCase(),
    }),
  );
  store.add(registerParticipant({ registry, profiles, router, plans, runtimeAgent, log }, context.extensionUri));
  store.add(registerSecretCommands(withoutOwnSecrets(secrets)));
  if (core.definitions.loader) {
    store.add(new DefinitionDiagnostics(core.definitions.loader));
    store.add(
      registerDefinitionCommands({
        loader: core.definitions.loader,
        registry: registry,
        questions: textQuestions,
        outside,
        reloadChannels: () => core.definitions.reloadChannels(),
        showText: async (title, markdown) => {
          await vscode.commands.executeCommand('markdown.showPreviewToSide', texts.put(`${title}.md`, markdown));
        },
      }),
    );
  }
  store.add(askAboutWidening(profiles, keys, storage));
  store.add(askAboutPrompts({ prompts, profiles }, keys, storage));
  const runtimeAgentPanel = store.add(new RuntimeAgentPanel(runtimeAgent, onDidChange, nodeCrypto));
  store.add(startEditorMcp({ context, core, editor, view, log, questions: textQuestions, texts, outside }));
  store.add(
    registerCommands(
      {
        registry,
        profiles,
        router,
        prompts,
        editor,
        view,
        capabilitySwitch,
        texts,
        textQuestions,
        outside,
        queue,
        agentFile,
        runtimeAgentPanel,
        auditChannel,
      },
      log,
    ),
  );
  store.add(
    registerGovernance({
      ...governed,
      registry,
      settings: current,
      problems,
      onDidChange,
      files: policyFiles,
      audit: audit.reader,
      inputs,
      texts,
      questions,
      outside,
      keys,
      clock: systemClock,
      log,
      selection: (clicked, selected) => view.selection(clicked, selected),
    }),
  );
  await core.ready;

  return {
    api: { registry, profiles, router, runtimeAgent },
    tools: {
      router,
      tool: (reference) => registry.tool(reference),
      surface: () => current().get('confirmation.surface'),
    },
    save: () => limits.save(),
    dispose: () => store.dispose(),
  };
}

/**
 * The workspace's files: those of the machine through our own port, all others through the editor's; unsaved editors
 * come first.
 */
function editorWorkspace(sessionStorage: SessionRoots, journal: WriteJournal, search: SearchEngineOptions): FileSystem {
  const local = new NodeFileSystem({
    folders: workspaceFolders,
    sessionStorage,
    excludes: editorExcludes,
    // The desktop's trash on Linux, which is loaded with the first delete; elsewhere the editor's.
    ...(process.platform === 'linux' ? {} : { trash: editorTrash }),
    journal,
    search: () => makeSearchEngine(search),
  });
  const virtual = new VirtualFiles({
    raw: editorFiles,
    folders: workspaceFolders,
    excludes: editorExcludes,
  });
  return new DocumentAwareFiles(new RoutedFiles(local, virtual, workspaceFolders), openDocuments);
}

/**
 * The session roots of this window; those of a window that was killed go with the same delay as its temporary files.
 */
function sessionRoots(globalStorage: string, store: DisposableStore): SessionRoots {
  const roots = store.add(new SessionRoots(path.join(globalStorage, 'sessions')));
  store.add(systemClock.schedule(() => void roots.sweep(), 5000));
  return roots;
}

/** Temporary files of an editor that was killed go some seconds after the start, when nobody waits for it. */
function writeJournal(globalStorage: string, store: DisposableStore): WriteJournal {
  const journal = store.add(new WriteJournal(path.join(globalStorage, 'writes')));
  store.add(systemClock.schedule(() => void journal.sweep(), 5000));
  return journal;
}

const editorTrash: Trash = {
  move: async (absolute) => {
    await vscode.workspace.fs.delete(vscode.Uri.file(absolute), { recursive: true, useTrash: true });
    return undefined;
  },
};
