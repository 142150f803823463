import path from 'node:path';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { combineSinks } from '../core/audit/sinks';
import type { AuditSink } from '../core/audit/event';
import type { AuditReader } from '../core/audit/reader';
import type { AuditRecord } from '../core/audit/record';
import type { RecentInputs } from '../core/audit/recentInputs';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { Log, SecretStore } from '../core/ports/platform';
import type { Settings } from '../core/settings/settings';
import { AuditService } from '../node/audit/auditService';
import { FolderReader } from '../node/audit/folderReader';
import { randomToken } from '../node/system';
import { AuditChannel } from '../vscode/audit/auditChannel';
import type { AuditToHandle, auditCommands } from '../vscode/audit/auditCommands';
import { headMemento } from '../vscode/audit/headMemento';
import type { AuditView } from '../vscode/audit/auditView';
import { type OwnArgument, runCommand } from '../vscode/manifest/commands/runCommand';
import type { LazyChanges } from '../vscode/changes/register';
import type { ReadOnlyText } from '../vscode/files/readOnlyText';
import type { CommandRuns } from '../vscode/commands/commandRuns';

interface AuditOptions {
  readonly context: vscode.ExtensionContext;
  readonly channel: vscode.LogOutputChannel;
  /** Gets the commands on it. */
  readonly commands: CommandRuns;
  readonly texts: ReadOnlyText;
  readonly log: Log;
  readonly settings: () => Settings;
  /** Marks an argument of our own for a command of ours. */
  readonly ownArgument: <Value>(value: Value) => OwnArgument<Value>;
  /** The arguments of this window's last calls. */
  readonly inputs: Pick<RecentInputs, 'of'>;
  readonly profileName: (id: string) => string;
  /** What calls changed in files, once it is there; undefined where nothing is kept. */
  readonly changes: () => Pick<LazyChanges, 'ofCalls' | 'takeBackCall'> | undefined;
  /** The key of a signed record (`audit.signed`); without it the chain is not keyed. */
  readonly key?: Uint8Array;
}

/** The audit of one window. */
export interface EditorAudit extends Disposable {
  readonly sink: AuditSink;
  readonly reader: AuditReader;
}

const keyName = 'agentCapabilities.auditKey';

/**
 * The key that signs the record, made on first use and kept in the editor's secret storage; undefined where
 * `audit.signed` is off.
 */
export async function auditKey(secrets: SecretStore, isSigned: boolean): Promise<Uint8Array | undefined> {
  if (!isSigned) return undefined;
  const kept = await secrets.get(keyName);
  const key = kept ?? randomToken();
  if (kept === undefined) await secrets.set(keyName, key);
  return Buffer.from(key, 'utf8');
}

/**
 * The audit of one window: the durable log, its live view in the output channel, the view, and the commands on them.
 */
export function composeAudit(options: AuditOptions): EditorAudit {
  const { context, channel, texts, log } = options;
  const store = new DisposableStore();
  const onProblem = (message: string): void => {
    log.error(message);
    void vscode.window.showWarningMessage(message);
  };
  // One folder holds one kind of chain, because each is verified as a whole.
  const dir = path.join(context.globalStorageUri.fsPath, options.key ? 'audit-signed' : 'audit');
  const key = options.key ? { key: options.key } : {};
  const keeper = headMemento(context.globalState, options.key ? 'audit.heads.signed' : 'audit.heads');
  const service = store.add(
    new AuditService({
      dir,
      ...key,
      keeper,
      settings: options.settings,
      onProblem,
      version: String(context.extension.packageJSON['version'] ?? ''),
    }),
  );
  const reader = new FolderReader(dir, { ...key, keeper, before: () => service.store.flush() });
  const showMarkdown = async (name: string, text: string): Promise<void> => {
    await vscode.commands.executeCommand('markdown.showPreview', texts.put(name, text));
  };
  const takeBack = async (record: AuditRecord, action: 'undo' | 'redo'): Promise<void> => {
    const call = record['gen_ai.tool.call.id'];
    if (call !== undefined) await options.changes()?.takeBackCall(call, action);
  };
  const undoOf: AuditToHandle['undoOf'] = (calls) => options.changes()?.ofCalls(calls);
  let view: AuditView | undefined;
  const showView = async (): Promise<void> => {
    const [{ AuditView }, { openTouchedFile }, { argumentsToRunAgain }] = await Promise.all([
      import('../vscode/audit/auditView'),
      import('../vscode/audit/auditCommands'),
      import('../core/audit/runAgain'),
    ]);
    if (store.isDisposed) return;
    view ??= store.add(
      new AuditView({
        extensionUri: context.extensionUri,
        reader,
        randomId: randomUUID,
        profileName: options.profileName,
        undoOf,
        onProblem: (message) => log.error(message),
        actions: {
          explain: async (record) => {
            const [{ explainMarkdown }, { localTime }] = await Promise.all([
              import('../core/present/recordText'),
              import('../vscode/times'),
            ]);
            return showMarkdown('Explanation.md', explainMarkdown(record, localTime, vscode.l10n.t));
          },
          // The person sees the arguments and can change them before the tool runs.
          runAgain: (record) =>
            record.tool === undefined
              ? runCommand('runTool')
              : runCommand(
                  'runTool',
                  options.ownArgument(record.tool),
                  options.ownArgument(argumentsToRunAgain(record, options.inputs)),
                  options.ownArgument(true),
                ),
          turnIntoRule: (record) => runCommand('turnIntoRule', record),
          undo: (record) => takeBack(record, 'undo'),
          redo: (record) => takeBack(record, 'redo'),
          openFile: openTouchedFile,
        },
      }),
    );
    view.show();
  };
  const audit: AuditToHandle = {
    reader,
    showView,
    clear: (reason) => service.store.clear(reason, { type: 'user', id: 'user' }).records,
    undoOf,
    sessionStart: Date.now(),
    showMarkdown,
  };
  const loaded = async (): Promise<typeof auditCommands> =>
    (await import('../vscode/audit/auditCommands')).auditCommands;
  store.add(
    options.commands.add({
      openAuditView: showView,
      verifyAudit: async () => (await loaded()).verifyAudit(audit),
      makeAuditReport: async () => (await import('../vscode/audit/makeAuditReport')).makeAuditReport(reader),
      exportAudit: async () => (await loaded()).exportAudit(audit),
      clearAudit: async () => (await loaded()).clearAudit(audit),
      sessionSummary: async () => (await loaded()).sessionSummary(audit),
    }),
  );
  const live = new AuditChannel(channel, service.redactor, options.profileName);
  const changed: AuditSink = { record: () => view?.changed() };
  return {
    sink: combineSinks([service, live, changed], (message) => log.error(message)),
    reader,
    dispose: () => store.dispose(),
  };
}
