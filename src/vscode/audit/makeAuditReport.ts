import * as vscode from 'vscode';
import { parseFilter } from '../../core/audit/query';
import type { AuditReader } from '../../core/audit/reader';
import { type ReportFormat, reportEndings, reportFormats, reportText } from '../../core/present/reportText';
import { startingIn } from '../files/fileText';
import { localTime } from '../times';
import { pickFormat } from './auditCommands';
import { inProgress, showInformation, showWarning } from '../notices';

/**
 * Make Audit Report…: asks from when on and in what form, writes the report where the person says, and offers to open
 * it. The report of a broken record is written too, and says so.
 */
export async function makeAuditReport(reader: Pick<AuditReader, 'report'>): Promise<void> {
  const from = await askFrom();
  if (from === undefined) return;
  const format = await askFormat();
  if (!format) return;
  const ending = reportEndings[format];
  // Beside the folder: within it, it would be committed with all that it tells.
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Make an audit report'),
    filters: { [ending]: [ending] },
    ...startingIn('..', `audit-report.${ending}`),
  });
  if (!uri) return;
  const to = new Date().toISOString();
  const report = await inProgress(vscode.l10n.t('Making the audit report…'), () =>
    reader.report({ ...(from === '' ? {} : { from }), to }),
  );
  const { language } = vscode.env;
  const text = reportText(report, format, { t: vscode.l10n.t, when: localTime, language });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const open = vscode.l10n.t('Open');
  const answer = report.proof.ok
    ? await showInformation(vscode.l10n.t('The audit report is in {0}.', uri.fsPath), open)
    : await showWarning(
        vscode.l10n.t('The audit report is in {0}. The record is broken, and the report says so.', uri.fsPath),
        open,
      );
  if (answer !== open) return;
  if (format === 'html') await vscode.env.openExternal(uri);
  else if (format === 'markdown') await vscode.commands.executeCommand('markdown.showPreview', uri);
  else await vscode.window.showTextDocument(uri);
}

/** Answers an ISO time, `''` for the beginning, undefined where the person gave up. */
async function askFrom(): Promise<string | undefined> {
  const periods = [
    { label: vscode.l10n.t('Last 24 hours'), since: '24h' },
    { label: vscode.l10n.t('Last 7 days'), since: '7d' },
    { label: vscode.l10n.t('Last 30 days'), since: '30d' },
    { label: vscode.l10n.t('Since a day…'), since: undefined },
    { label: vscode.l10n.t('All that is kept'), since: '' },
  ];
  const picked = await vscode.window.showQuickPick(periods, { title: vscode.l10n.t('Audit report: period') });
  if (!picked) return undefined;
  const since = picked.since ?? (await askDay());
  return since === undefined || since === '' ? since : timeOf(since);
}

function askDay(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Audit report: since'),
    placeHolder: '2026-11-21',
    validateInput: (value) =>
      timeOf(value) === undefined
        ? vscode.l10n.t('Give a day such as 2026-11-21, or a span such as 36h or 14d.')
        : undefined,
  });
}

/** The moment that a day or a span means; undefined for what is neither. */
function timeOf(since: string): string | undefined {
  const parsed = parseFilter({ since: since.trim() }, Date.now());
  return parsed.ok ? parsed.filter.since : undefined;
}

function askFormat(): Promise<ReportFormat | undefined> {
  const formats: Readonly<Record<ReportFormat, string>> = {
    html: vscode.l10n.t('A page to read and print'),
    markdown: vscode.l10n.t('Text for an issue or a wiki'),
    json: vscode.l10n.t('For programs, and for the separate verifier'),
  };
  return pickFormat(reportFormats, formats, vscode.l10n.t('Audit report: format'));
}
