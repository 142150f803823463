import type { AuditEvent, AuditSink } from '../audit/event';

type EndOfCall = Extract<AuditEvent, { type: 'invocation.finished' | 'policy.violation' }>;

/** So many calls are kept. */
const mostKept = 1000;

/**
 * The last calls of this window that a person allowed or that were denied, without arguments and results; in memory, so
 * that no question waits for the record.
 */
export class AnsweredCalls implements AuditSink {
  #calls: EndOfCall[] = [];

  record(event: AuditEvent): void {
    if (event.type === 'policy.violation') this.#keep({ ...event, input: undefined });
    else if (event.type === 'invocation.finished' && event.approvedBy === 'user') {
      const { payload: _payload, ...rest } = event;
      this.#keep({ ...rest, input: undefined });
    }
  }

  /** The newest first. */
  list(): readonly EndOfCall[] {
    return this.#calls.toReversed();
  }

  #keep(event: EndOfCall): void {
    this.#calls.push(event);
    if (this.#calls.length > mostKept * 2) this.#calls = this.#calls.slice(-mostKept);
  }
}
