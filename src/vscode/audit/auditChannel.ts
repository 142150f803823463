import type * as vscode from 'vscode';
import type { AuditEvent, AuditSink } from '../../core/audit/event';
import { auditLine } from '../../core/audit/line';
import type { Redactor } from '../../core/audit/redact';

/** The name under which the log stands in the Output view. */
export const auditChannelName = 'Agent Capabilities Audit';

/**
 * The live view of the audit: one line per event in a log output channel. The durable log is another sink, because a
 * person can turn this one's level down. `profileName` turns a profile's id into what people call it.
 */
export class AuditChannel implements AuditSink {
  readonly #channel: Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>;
  readonly #redactor: Redactor;
  readonly #profileName: ((id: string) => string) | undefined;

  constructor(
    channel: Pick<vscode.LogOutputChannel, 'debug' | 'info' | 'warn' | 'error'>,
    redactor: Redactor,
    profileName?: (id: string) => string,
  ) {
    this.#channel = channel;
    this.#redactor = redactor;
    this.#profileName = profileName;
  }

  record(event: AuditEvent): void {
    try {
      const line = auditLine(event, this.#redactor, this.#profileName);
      if (line) this.#channel[line.level](line.text);
    } catch {
      // A channel that was closed must not fail the call; the durable log has the record.
    }
  }
}
