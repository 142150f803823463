import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { wholeNumber } from '../../core/present/words';
import { agrees } from '../confirm/modalSurface';
import { GrantRecords } from '../../core/audit/grantRecords';
import { type AuditReader, reportedFault } from '../../core/audit/reader';
import { type ExportFormat, exportFormats } from '../../core/audit/record';
import { codeSpan, proseMarkdown } from '../../core/base/markdown';
import type { CallUndo } from '../../core/changes/undo';
import { timedWords } from '../../core/present/noteWords';
import { AuditSummary, changingCalls, summaryMarkdown } from '../../core/present/summary';
import { startingIn } from '../files/fileText';
import { touchedFile } from '../files/namedFile';
import { grantWords } from './grantNames';
import { localTime } from '../times';
import { inProgress, showError, showInformation } from '../notices';

/** The audit that the commands are about. */
export interface AuditToHandle {
  readonly reader: AuditReader;
  readonly showView: () => unknown;
  /** Clears the log with a reason that stays in it; answers how many records went. */
  readonly clear: (reason: string) => number;
  /** When this window's session began, in milliseconds since 1970. */
  readonly sessionStart: number;
  /** What became of what calls changed in files, by their ids; undefined where nothing is kept here. */
  readonly undoOf: (calls: readonly string[]) => Promise<ReadonlyMap<string, CallUndo>> | undefined;
  /** Shows a markdown text under a name. */
  readonly showMarkdown: (name: string, text: string) => unknown;
}

/** Verify Audit, Export Audit…, Clear Audit… and Session Summary; loaded with the first use of one of them. */
export const auditCommands = { verifyAudit, exportAudit, clearAudit, sessionSummary } as const;

/**
 * Follows all chains and says in a sentence whether they hold, or where the first one breaks. Answers the verification,
 * for other extensions and tests.
 */
async function verifyAudit(audit: AuditToHandle): Promise<unknown> {
  const result = await inProgress(vscode.l10n.t('Verifying the audit…'), () => audit.reader.verify());
  const { t } = vscode.l10n;
  const handedOn = { ...result, faults: result.faults.map(reportedFault) };
  const [first] = result.faults;
  if (result.isEmpty && !first) {
    void showInformation(vscode.l10n.t('The audit has no records yet.'));
    return handedOn;
  }
  if (!first) {
    void showInformation(
      vscode.l10n.t(
        'The audit is whole: each record follows the one before. Records: {0}, segments: {1}.',
        wholeNumber(result.records, vscode.l10n.t),
        wholeNumber(result.segments, vscode.l10n.t),
      ),
    );
    return handedOn;
  }
  const place = first.line === undefined ? first.file : `${first.file}:${first.line}`;
  const details = vscode.l10n.t('Show Details');
  const message = vscode.l10n.t('The audit is broken: {0} {1}', place, timedWords(first.said, t, localTime));
  void showError(visible(message), details, vscode.l10n.t('Open Audit View')).then((picked) => {
    if (picked === details) {
      const lines = result.faults.map(
        ({ file, line, said }) =>
          `- ${codeSpan(line === undefined ? file : `${file}:${line}`)} ${proseMarkdown(timedWords(said, t, localTime))}`,
      );
      return audit.showMarkdown(
        'Audit verification.md',
        [`# ${vscode.l10n.t('Audit verification')}`, '', ...lines, ''].join('\n'),
      );
    }
    if (picked !== undefined) audit.showView();
    return undefined;
  });
  return handedOn;
}

async function exportAudit(audit: AuditToHandle): Promise<void> {
  const formats: Readonly<Record<ExportFormat, string>> = {
    jsonl: vscode.l10n.t('JSON lines, as they stand in the log'),
    csv: vscode.l10n.t('CSV, for a spreadsheet'),
    otlp: vscode.l10n.t('OTLP/HTTP JSON, for a collector'),
  };
  const format = await pickFormat(exportFormats, formats, vscode.l10n.t('Export the audit: format'));
  if (!format) return;
  const suffix = format === 'csv' ? 'csv' : 'jsonl';
  // Beside the folder: within it, it would be committed with all that it tells.
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the audit'),
    filters: { [format]: [suffix] },
    ...startingIn('..', `audit.${suffix}`),
  });
  if (!uri) return;
  const count = await inProgress(vscode.l10n.t('Exporting the audit…'), () =>
    audit.reader.exportTo(uri.fsPath, {}, format),
  );
  const show = vscode.l10n.t('Open');
  const answer = await showInformation(
    vscode.l10n.t('Exported to {1}. Lines: {0}.', wholeNumber(count, vscode.l10n.t), uri.fsPath),
    show,
  );
  if (answer === show) await vscode.window.showTextDocument(uri);
}

/** Asks for one of some formats, each with what it is for. */
export async function pickFormat<Format extends string>(
  formats: readonly Format[],
  uses: Readonly<Record<Format, string>>,
  title: string,
): Promise<Format | undefined> {
  const items = formats.map((format) => ({ label: format, description: uses[format] }));
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}

/** Asks why, and once more whether; the reason stays in the log, and so do the heads of what was removed. */
async function clearAudit(audit: AuditToHandle): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: vscode.l10n.t('Clear the audit: reason'),
    prompt: vscode.l10n.t('The reason is the first record of the new log.'),
    validateInput: (value) => (value.trim().length < 3 ? vscode.l10n.t('Say why in a few words.') : undefined),
  });
  if (reason === undefined) return;
  const question = vscode.l10n.t('Remove the audit of all windows of this user?');
  const detail = vscode.l10n.t('Segments that other open windows write stay. What is removed cannot be restored.');
  if (!(await agrees(question, detail, vscode.l10n.t('Clear Audit')))) return;
  const count = audit.clear(reason.trim());
  void showInformation(vscode.l10n.t('Records removed: {0}.', wholeNumber(count, vscode.l10n.t)));
}

async function sessionSummary(audit: AuditToHandle): Promise<void> {
  const summary = new AuditSummary();
  const grants = new GrantRecords();
  for await (const { record } of audit.reader.all({ since: new Date(audit.sessionStart).toISOString() })) {
    summary.add(record);
    grants.add(record);
  }
  await grants.find(audit.reader, summary.approvals.keys());
  const undone = await audit.undoOf([...changingCalls(summary)]);
  const wording = {
    when: localTime,
    address: addressInPreview,
    undoOf: (call: string) => undone?.get(call),
    grant: (id: string) => grantWords(grants, id),
  };
  await audit.showMarkdown('Session summary.md', summaryMarkdown(summary, vscode.l10n.t, wording));
}

/** A link of a markdown preview, which takes no address with a scheme: the way from the first folder of the window. */
function addressInPreview(resource: string): string | undefined {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = touchedFile(resource);
  if (!root || !file || root.scheme !== file.scheme || root.authority !== file.authority) return undefined;
  const [from, to] = [root, file].map((uri) => uri.path.split('/').filter((part) => part !== ''));
  if (!from || !to) return undefined;
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return `/${'../'.repeat(from.length - shared)}${to.slice(shared).map(encodeURIComponent).join('/')}`;
}

/** Opens a file by the resource of an access. */
export async function openTouchedFile(resource: string): Promise<void> {
  const uri = touchedFile(resource);
  if (!uri) throw new Error(vscode.l10n.t('{0} is not in a folder of this window.', resource));
  await vscode.window.showTextDocument(uri, { preview: true });
}
