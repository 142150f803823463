import path from 'node:path';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { combineSinks } from './core/audit/sinks';
import type { AuditSink } from './core/audit/event';
import type { AuditReader } from './core/audit/reader';
import { explainMarkdown } from './core/audit/explain';
import { type Disposable, DisposableStore } from './core/base/lifecycle';
import type { Log } from './core/ports';
import { AuditService, type AuditSettings } from './node/audit/auditService';
import { FolderReader } from './node/audit/folderReader';
import { AuditChannel } from './vscode/auditChannel';
import { openTouchedFile, registerAuditCommands, ruleFromRecord } from './vscode/auditCommands';
import { AuditView } from './vscode/auditView/auditView';
import { commandId } from './vscode/manifest/commands';
import type { ReadOnlyText } from './vscode/readOnlyText';

export interface EditorAuditOptions {
  readonly context: vscode.ExtensionContext;
  readonly channel: vscode.LogOutputChannel;
  readonly texts: ReadOnlyText;
  readonly log: Log;
  readonly settings: () => AuditSettings;
  readonly profileName: (id: string) => string;
}

export interface EditorAudit extends Disposable {
  readonly sink: AuditSink;
  readonly service: AuditService;
  readonly reader: AuditReader;
}

/** The audit of one window: the durable log, its live view in the output channel, the view, and the commands on them. */
export function openEditorAudit(options: EditorAuditOptions): EditorAudit {
  const { context, channel, texts, log } = options;
  const store = new DisposableStore();
  const onProblem = (message: string): void => {
    log.error(message);
    void vscode.window.showWarningMessage(message);
  };
  const dir = path.join(context.globalStorageUri.fsPath, 'audit');
  const service = store.add(
    new AuditService({ dir, settings: options.settings, onProblem, version: String(context.extension.packageJSON['version'] ?? '') }),
  );
  const reader = new FolderReader(dir, { before: () => service.store.flush() });
  const showMarkdown = async (name: string, text: string): Promise<void> => {
    await vscode.commands.executeCommand('markdown.showPreview', texts.put(name, text));
  };
  const view = store.add(
    new AuditView({
      extensionUri: context.extensionUri,
      reader,
      randomId: randomUUID,
      onProblem: (message) => log.error(message),
      actions: {
        explain: (record) => showMarkdown('Explanation.md', explainMarkdown(record)),
        // Arguments are kept as shape or cleaned of secrets, so they are asked for again.
        runAgain: (record) => vscode.commands.executeCommand(commandId('runTool'), record.tool),
        turnIntoRule: (record) => texts.open('Rule.json', `${JSON.stringify(ruleFromRecord(record), undefined, 2)}\n`),
        openFile: openTouchedFile,
      },
    }),
  );
  store.add(
    registerAuditCommands({
      reader,
      view,
      clear: (reason) => service.store.clear(reason, { type: 'user', id: 'user' }).records,
      sessionStart: Date.now(),
      showMarkdown,
      onProblem: (message) => log.error(message),
    }),
  );
  const live = new AuditChannel(channel, service.redactor, options.profileName);
  const changed: AuditSink = { record: () => view.changed() };
  return { sink: combineSinks([service, live, changed], (message) => log.error(message)), service, reader, dispose: () => store.dispose() };
}
