import type * as vscode from 'vscode';
import type { AuditSink } from '../../core/audit/event';
import { auditLine } from '../../core/audit/line';
import type { Redactor } from '../../core/audit/redact';

/** The name under which the log stands in the Output view. */
export const auditChannelName = 'Agent Capabilities Audit';

/**
 * The live view of the audit: one line per event in a log output channel. The durable log is another sink, because a
 * person can turn this one's level down. `profileName` turns a profile's id into what people call it.
 */
export const auditChannel = (
  channel: Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>,
  redactor: Redactor,
  profileName?: (id: string) => string,
): AuditSink => ({
  record(event) {
    try {
      const line = auditLine(event, redactor, profileName);
      if (line) channel[line.level](line.text);
    } catch {
      // A channel that was closed must not fail the call; the durable log has the record.
    }
  },
});
