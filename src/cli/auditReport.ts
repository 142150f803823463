import { plainWords } from '../core/base/translate';
import { writeFileSync } from 'node:fs';
import { parseTime } from '../core/audit/query';
import type { ReportedAgent, ReportPeriod } from '../core/audit/report';
import { say, worded } from '../core/base/sentence';
import { reportFormats, reportText } from '../core/present/reportText';
import { FolderReader } from '../node/audit/folderReader';
import { auditKey } from './auditSink';
import { type CliArgs, type CliIo, oneOf, UsageError } from './args';
import { agentProtections } from './hookAgents';

/**
 * `audit report DIR [--from T] [--to T] [--format markdown|html|json] [--out FILE]`. Exit 1 where the chain is broken;
 * the report is written all the same, and says so.
 */
export async function runAuditReport(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const format = oneOf(args, 'format', reportFormats, 'markdown');
  const reader = new FolderReader(dir, auditKey(io));
  const report = await reader.report(periodOf(args), agentsOf(args, io));
  const text = reportText(report, format, { t: plainWords });
  const out = args.value('out');
  if (out === undefined) io.out(text.trimEnd());
  else {
    writeFileSync(out, text, { mode: 0o600 });
    io.error(`report written to ${out}`);
  }
  if (!report.proof.ok) io.error('the record is broken; `audit verify` names where');
  return report.proof.ok ? 0 : 1;
}

function periodOf(args: CliArgs): ReportPeriod {
  const now = Date.now();
  const from = timeOf(args, 'from', now);
  return { ...(from === undefined ? {} : { from }), to: timeOf(args, 'to', now) ?? new Date(now).toISOString() };
}

function timeOf(args: CliArgs, option: 'from' | 'to', now: number): string | undefined {
  const value = args.value(option);
  if (value === undefined || value === '') return undefined;
  const time = parseTime(value, now);
  if (time === undefined) throw new UsageError(worded(say('audit_filter_time', `--${option}`, value)));
  return time;
}

/** How far the hooks of the agents on this machine hold now. */
function agentsOf(args: CliArgs, io: CliIo): readonly ReportedAgent[] {
  return agentProtections(args, io)
    .filter(({ isHere, isInstalled }) => isHere || isInstalled)
    .map(({ name, state, faults }) => ({ name, state, faults: faults.map(({ said }) => worded(said)) }));
}
