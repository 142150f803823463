import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { compose } from './compose';
import { DisposableStore } from './core/base/lifecycle';
import { DocumentAwareFiles } from './core/files/documentAware';
import { RoutedFiles } from './core/files/routedFiles';
import { VirtualFiles } from './core/files/virtualFiles';
import type { FileSystem } from './core/ports/files';
import { ProfileEditor } from './core/profileEditor';
import { type EditorAudit, openEditorAudit } from './editorAudit';
import { auditSettings } from './node/audit/auditService';
import { NodeFileSystem } from './node/files/nodeFileSystem';
import { systemTrash, type Trash } from './node/files/trash';
import { createHttpClient } from './node/http/client';
import { proxyFor, readProxySettings } from './node/http/proxy';
import { scryptHasher } from './node/scrypt';
import { nodeCrypto, systemClock } from './node/system';
import { createWorkerPool } from './node/workerPool';
import { rememberActiveProfile } from './vscode/activeProfile';
import { AgentFileWriter } from './vscode/agentFileWriter';
import { auditChannelName } from './vscode/auditChannel';
import { CapabilitySwitch } from './vscode/capabilitySwitch';
import { CapabilityView } from './vscode/capabilityView';
import { registerCommands } from './vscode/commands/index';
import { EditorConfirmer } from './vscode/confirmer';
import { ContextKeys, followTools } from './vscode/contextKeys';
import { EditorSettings } from './vscode/editorSettings';
import type { ToolHost } from './vscode/languageModelTools';
import { ModalQuestions } from './vscode/modalConfirmer';
import { showModal } from './vscode/modalSurface';
import type { ParticipantParts } from './vscode/participant/participant';
import { PolicyFiles } from './vscode/policyFiles';
import { ReadOnlyText } from './vscode/readOnlyText';
import { participantId } from './vscode/manifest/participants';
import { showStatus } from './vscode/statusBar';
import { channelLog, editorSecrets, mementoStore } from './vscode/storage';
import { editorFiles, isMissing, openDocuments, workspaceFolders } from './vscode/workspaceFiles';

export interface EditorSystem {
  readonly tools: ToolHost;
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
  const settings = store.add(new EditorSettings(() => ({})));
  const storage = mementoStore(context.workspaceState);
  const texts = store.add(new ReadOnlyText());
  const boundaryFiles = store.add(await PolicyFiles.open('boundaries.json', log));
  const proxies = readProxySettings(process.env);
  const globalStorage = context.globalStorageUri.fsPath;
  // Events are recorded once the core exists, so both may ask it.
  const audit: EditorAudit = store.add(
    openEditorAudit({
      context,
      channel: auditChannel,
      texts,
      log,
      settings: () => auditSettings((key) => core.settings().get(key)),
      profileName: (id) => core.profiles.profiles().get(id)?.profile.name ?? id,
    }),
  );

  const core = store.add(
    compose({
      clock: systemClock,
      crypto: nodeCrypto,
      log,
      files: editorWorkspace(globalStorage),
      http: (current) =>
        createHttpClient({
          allowedPrivateHosts: () => current().strings('network.allowedPrivateHosts'),
          proxyFor: (url) => proxyFor(url, proxies),
        }),
      worker: store.add(createWorkerPool(context.asAbsolutePath(path.join('dist', 'worker.js')))),
      secrets: editorSecrets(context.secrets),
      tokenHasher: scryptHasher,
      storage,
      userStorage: mementoStore(context.globalState),
      settings: { read: () => settings.layers(), onDidChange: settings.onDidChange },
      boundaryFiles,
      approvals: { type: 'person', confirmer: new EditorConfirmer(new ModalQuestions(showModal, systemClock), texts) },
      audit: audit.sink,
    }),
  );
  const { queue } = core;
  store.add(
    rememberActiveProfile({
      profiles: core.profiles,
      setting: () => core.settings().string('activeProfile'),
      onDidChangeSettings: settings.onDidChange,
      storage,
    }),
  );
  const editor = store.add(new ProfileEditor({ store: core.profiles, settings, log }));
  const keys = new ContextKeys();
  store.add(followTools(core, keys));
  const capabilitySwitch = new CapabilitySwitch(core);
  const otherTools = (): number => vscode.lm.tools.filter((tool) => !tool.tags.includes('agent-capabilities')).length;
  const view = store.add(new CapabilityView({ core, editor, capabilitySwitch, keys, otherTools }));
  store.add(
    showStatus({
      profile: () => core.profiles.active(),
      pendingApprovals: () => queue?.pending().length ?? 0,
      changes: [core.onDidChange, ...(queue ? [queue.onDidChange] : [])],
    }),
  );
  const agentFile = store.add(
    new AgentFileWriter({
      core,
      crypto: nodeCrypto,
      storage,
      log,
      texts,
      userFolder: vscode.Uri.file(path.join(homedir(), '.copilot', 'agents')),
      extensionId: context.extension.id.toLowerCase(),
      moreTools: () => [],
    }),
  );
  store.add(participant({ core, log }, context.extensionUri));
  store.add(registerCommands({ core, editor, view, capabilitySwitch, texts, queue, agentFile, auditChannel }, log));
  await core.ready;

  return {
    tools: {
      router: core.router,
      tool: (reference) => core.registry.tool(reference),
      surface: () => core.settings().string('confirmation.surface'),
    },
    dispose: () => store.dispose(),
  };
}

/** The workspace's files: those of the machine through our own port, all others through the editor's; unsaved editors come first. */
function editorWorkspace(globalStorage: string): FileSystem {
  const local = new NodeFileSystem({
    folders: workspaceFolders,
    sessionStorage: path.join(globalStorage, 'sessions'),
    excludes,
    trash: trash(),
    search: async () => new (await import('./node/files/search/builtIn')).BuiltInSearch(),
  });
  const virtual = new VirtualFiles({ raw: editorFiles, folders: workspaceFolders, excludes, isMissing });
  return new DocumentAwareFiles(new RoutedFiles(local, virtual, workspaceFolders), openDocuments);
}

/** `@capabilities`, whose loop is loaded when somebody asks it something. */
function participant(parts: ParticipantParts, extensionUri: vscode.Uri): vscode.Disposable {
  const made = vscode.chat.createChatParticipant(participantId, async (request, context, stream, token) => {
    const { answer } = await import('./vscode/participant/participant');
    return answer(parts, request, context, stream, token);
  });
  made.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'container.svg');
  made.followupProvider = {
    provideFollowups: async (result) => (await import('./vscode/participant/participant')).followups(result),
  };
  return made;
}

/** What the editor itself leaves out of listings and searches. */
function excludes(): readonly string[] {
  const config = vscode.workspace.getConfiguration();
  return ['files.exclude', 'search.exclude'].flatMap((key) =>
    Object.entries(config.get<Record<string, unknown>>(key) ?? {}).flatMap(([glob, on]) => (on === true ? [glob] : [])),
  );
}

/** The desktop's trash on Linux; elsewhere the editor's. */
function trash(): Trash {
  if (process.platform === 'linux') return systemTrash();
  return {
    move: async (absolute) => {
      await vscode.workspace.fs.delete(vscode.Uri.file(absolute), { recursive: true, useTrash: true });
    },
  };
}
