import path from 'node:path';
import * as vscode from 'vscode';
import type { AuditSink } from '../core/audit/event';
import type { DisposableStore } from '../core/base/lifecycle';
import { DocumentAwareFiles } from '../core/files/documentAware';
import { RoutedFiles } from '../core/files/routedFiles';
import { VirtualFiles } from '../core/files/virtualFiles';
import type { FileSystem } from '../core/ports/files';
import { nameOfFile } from '../core/resolver/workspace';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { ownPlaces } from '../node/files/ownPlaces';
import { makeSearchEngine, type SearchEngineOptions } from '../node/files/search/searchEngine';
import type { Trash } from '../node/files/trash';
import { SessionRoots } from '../node/files/sessionRoots';
import { WriteJournal } from '../node/files/writeJournal';
import { createBlobStore } from '../node/blobStore';
import { editorPrivateFolder, privateFolderPath } from '../node/hooks/privateFolder';
import { createTrustedModules } from '../node/sandbox/trustedModules';
import { nodeCrypto, systemClock } from '../node/system';
import { editorDefinitionApprover } from '../vscode/definitions/definitionApprover';
import { editorDefinitionWatcher } from '../vscode/definitions/definitionWatcher';
import { editorCommands, editorNotifier, runGuarded } from '../vscode/definitions/editorPorts';
import type { PolicyFiles } from '../vscode/files/policyFiles';
import type { PolicyFolders } from '../vscode/files/policyFolders';
import { promptWatch } from '../vscode/files/promptWatch';
import type { Confirmer } from '../core/policy/approvals/approvals';
import { editorServerUser } from '../vscode/servers/serverUser';
import {
  editorExcludes,
  editorFiles,
  localFolders,
  openDocuments,
  workspaceFolders,
} from '../vscode/files/workspaceFiles';
import { manifestWords } from '../vscode/tools/manifestWords';
import type { Core } from './compose';
import type { EditorBase } from './editorParts';
import { machineParts } from './machineParts';
import type { Platform } from './platform';

interface EditorPlatformOptions {
  readonly base: EditorBase;
  /** Owns what is made here. */
  readonly store: DisposableStore;
  readonly policyFolders: PolicyFolders;
  readonly policyFiles: PolicyFiles;
  readonly confirmer: Confirmer;
  readonly audit: AuditSink;
  /** The system that is made over it; asked only once it runs. */
  readonly core: () => Core;
}

/** The most bytes of fetched pages that are kept. */
const webCacheBytes = 50_000_000;

/** What the system needs from outside, as the editor and this machine give it. */
export function editorPlatform({
  base,
  store,
  policyFolders,
  policyFiles,
  confirmer,
  audit,
  core,
}: EditorPlatformOptions): Platform {
  const { context, log, settings, storage, userStorage, secrets, questions, textQuestions } = base;
  const globalStorage = context.globalStorageUri.fsPath;
  const storages = [context.globalStorageUri, ...(context.storageUri ? [context.storageUri] : [])];
  const { bundles, ...machine } = machineParts(
    {
      environment: process.env,
      secrets,
      bundle: (name) => context.asAbsolutePath(path.join('dist', name)),
      settings: { read: () => settings.layers(), onDidChange: settings.onDidChange },
      core,
      workspace: () => localFolders()[0],
      waits: false,
      changes: path.join(globalStorage, 'changes'),
      checkpoints: path.join(globalStorage, 'checkpoints'),
      folders: () => workspaceFolders().map(({ scheme, path: at }) => `${scheme}:${at}`),
      onError: (message) => log.error(message),
      onDropped: (message) => log.info(message),
      runEditorCommand: runGuarded,
    },
    store,
  );
  const privateFolder = editorPrivateFolder(process.env);
  const own = [
    ...storages.map(({ fsPath }) => fsPath),
    ...[privateFolderPath(), privateFolder, bundles].filter((one) => one !== undefined),
  ];
  return {
    crypto: nodeCrypto,
    log,
    files: editorWorkspace(
      sweptLater(new SessionRoots(path.join(globalStorage, 'sessions')), store),
      sweptLater(new WriteJournal(path.join(globalStorage, 'writes')), store),
      { worker: machine.worker, appRoot: vscode.env.appRoot },
    ),
    ...machine,
    hostCalls: { privateFolder, folders: workspaceFolders, isOwner: true },
    blobs: createBlobStore(path.join(globalStorage, 'web-cache'), webCacheBytes),
    storage,
    userStorage,
    // One look at the folder serves both.
    boundaryFiles: {
      read: () => policyFiles.read().filter(({ path: file }) => nameOfFile(file) === 'boundaries.json'),
      onDidChange: policyFiles.onDidChange,
      async refresh() {
        await settings.lookAgain();
        await machine.settings.settled();
      },
    },
    resolverFiles: policyFiles,
    serverUser: editorServerUser({ modal: questions, text: textQuestions }),
    approvals: {
      type: 'person',
      confirmer,
      reader: async () => (await import('../vscode/confirm/editorReader')).editorReader(),
    },
    prompts: promptWatch,
    audit,
    ownPlaces: () => ownPlaces(workspaceFolders(), own),
    definitions: {
      watcher: editorDefinitionWatcher(policyFolders),
      approver: editorDefinitionApprover(textQuestions),
      trusted: () => vscode.workspace.isTrusted,
    },
    toolWords: manifestWords(context.extension.packageJSON),
    translate: vscode.l10n.t,
    extras: {
      ...machine.extras,
      commands: editorCommands,
      notifier: editorNotifier,
      trustedModules: createTrustedModules(),
    },
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

/** What an editor that was killed left goes some seconds after the start, when nobody waits for it. */
function sweptLater<Swept extends SessionRoots | WriteJournal>(made: Swept, store: DisposableStore): Swept {
  store.add(systemClock.schedule(() => void made.sweep(), 5000));
  return store.add(made);
}

const editorTrash: Trash = {
  move: async (absolute) => {
    await vscode.workspace.fs.delete(vscode.Uri.file(absolute), { recursive: true, useTrash: true });
    return undefined;
  },
};
