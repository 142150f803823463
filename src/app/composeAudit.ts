import path from 'node:path';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { combineSinks } from '../core/audit/sinks';
import type { AuditSink } from '../core/audit/event';
import type { AuditReader } from '../core/audit/reader';
import type { AuditRecord } from '../core/audit/record';
import { DisposableStore, MutableDisposable } from '../core/base/lifecycle';
import { type Sentence, worded } from '../core/base/sentence';
import type { SecretStore } from '../core/ports/platform';
import type { Settings } from '../core/settings/settings';
import { AuditService } from '../node/audit/auditService';
import { FolderReader } from '../node/audit/folderReader';
import { randomToken } from '../node/system';
import { auditChannel } from '../vscode/audit/auditChannel';
import type { AuditToHandle, auditCommands } from '../vscode/audit/auditCommands';
import type { AuditView } from '../vscode/audit/auditView';
import { headMemento } from '../vscode/audit/headMemento';
import type { LazyChanges } from '../vscode/changes/register';
import { preview } from '../vscode/files/readOnlyText';
import type { ByCommand, CommandRun } from '../vscode/manifest/commands/commandRun';
import { type OwnArgument, runCommand } from '../vscode/manifest/commands/runCommand';
import { showWarning } from '../vscode/notices';
import { visible } from '../core/base/visible';
import type { EditorAudit, EditorBase } from './editorParts';

interface AuditOptions {
  readonly base: EditorBase;
  readonly channel: vscode.LogOutputChannel;
  readonly settings: () => Settings;
  /** Marks an argument of our own for a command of ours. */
  readonly ownArgument: <Value>(value: Value) => OwnArgument<Value>;
  readonly profileName: (id: string) => string;
  /** What calls changed in files, once it is there; undefined where nothing is kept. */
  readonly changes: () => Pick<LazyChanges, 'calls'> | undefined;
  /** The key of a signed record (`audit.signed`); without it the chain is not keyed. */
  readonly key: Uint8Array | undefined;
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
  const { channel, settings, profileName } = options;
  const { context, log, version, commands } = options.base;
  const store = new DisposableStore();
  const onProblem = (said: Sentence): void => {
    log.error(worded(said));
    void showWarning(visible(worded(said, vscode.l10n.t)));
  };
  // One folder holds one kind of chain, because each is verified as a whole.
  const dir = path.join(context.globalStorageUri.fsPath, options.key ? 'audit-signed' : 'audit');
  const key = options.key ? { key: options.key } : {};
  const keeper = headMemento(options.base.userStorage, options.key ? 'audit.heads.signed' : 'audit.heads');
  const service = store.add(new AuditService({ dir, ...key, keeper, settings, onProblem, version }));
  const reader = new FolderReader(dir, { ...key, keeper, before: () => service.store.flush() });
  const view = lateView(options, reader, store);
  store.add(commands.add(commandsOn(options, { reader, service, showView: view.show })));
  const live = auditChannel(channel, service.redactor, profileName);
  const changed: AuditSink = { record: () => view.changed() };
  const combined = (...sinks: readonly AuditSink[]): AuditSink => combineSinks(sinks, (message) => log.error(message));
  const shown = combined(live, changed);
  return {
    sink: combined(service, shown),
    keep(events) {
      const kept = service.store.keep(events);
      for (const event of events.slice(0, kept)) shown.record(event);
      return kept;
    },
    reader,
    dispose: () => store.dispose(),
  };
}

/** The view of the audit, loaded when it is first shown. */
function lateView(
  options: AuditOptions,
  reader: AuditReader,
  store: DisposableStore,
): { show(): Promise<void>; changed(): void } {
  const { context, log, texts, inputs } = options.base;
  const view = store.add(new MutableDisposable<AuditView>());
  const takeBack = async (record: AuditRecord, action: 'undo' | 'redo'): Promise<void> => {
    const call = record['gen_ai.tool.call.id'];
    if (call !== undefined) await options.changes()?.calls.takeBack(call, action);
  };
  const explain = async (record: AuditRecord): Promise<void> => {
    const [{ explainMarkdown }, { localTime }] = await Promise.all([
      import('../core/present/recordText'),
      import('../vscode/times'),
    ]);
    await preview(texts, 'Explanation.md', explainMarkdown(record, localTime, vscode.l10n.t));
  };
  // The person sees the arguments and can change them before the tool runs.
  const runAgain = async (record: AuditRecord): Promise<unknown> => {
    if (record.tool === undefined) return runCommand('runTool');
    const { argumentsToRunAgain } = await import('../core/audit/runAgain');
    const own = options.ownArgument;
    return runCommand('runTool', own(record.tool), own(argumentsToRunAgain(record, inputs)), own(true));
  };
  return {
    changed: () => view.value?.changed(),
    async show() {
      const [{ AuditView }, { openTouchedFile }] = await Promise.all([
        import('../vscode/audit/auditView'),
        import('../vscode/audit/auditCommands'),
      ]);
      if (store.isDisposed) return;
      if (view.value?.isDisposed === false) return view.value.reveal();
      view.value = new AuditView({
        extensionUri: context.extensionUri,
        reader,
        randomId: randomUUID,
        profileName: options.profileName,
        undoOf: (calls) => options.changes()?.calls.undoOf(calls),
        onProblem: (message) => log.error(message),
        actions: {
          explain,
          runAgain,
          turnIntoRule: (record) => runCommand('turnIntoRule', record),
          undo: (record) => takeBack(record, 'undo'),
          redo: (record) => takeBack(record, 'redo'),
          openFile: openTouchedFile,
        },
      });
    },
  };
}

/** The commands on the audit; what they do is loaded with the first of them. */
function commandsOn(
  { base, changes }: AuditOptions,
  { service, ...shown }: Pick<AuditToHandle, 'reader' | 'showView'> & { readonly service: AuditService },
): ByCommand<CommandRun> {
  const audit: AuditToHandle = {
    ...shown,
    clear: (reason) => service.store.clear(reason, { type: 'user', id: 'user' }).records,
    undoOf: (calls) => changes()?.calls.undoOf(calls),
    sessionStart: Date.now(),
    showMarkdown: (name, text) => preview(base.texts, name, text),
  };
  const loaded = async (): Promise<typeof auditCommands> =>
    (await import('../vscode/audit/auditCommands')).auditCommands;
  return {
    openAuditView: shown.showView,
    verifyAudit: async () => (await loaded()).verifyAudit(audit),
    makeAuditReport: async () => (await import('../vscode/audit/makeAuditReport')).makeAuditReport(audit.reader),
    exportAudit: async () => (await loaded()).exportAudit(audit),
    clearAudit: async () => (await loaded()).clearAudit(audit),
    sessionSummary: async () => (await loaded()).sessionSummary(audit),
  };
}
