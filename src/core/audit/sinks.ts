import type { AuditEvent, AuditSink } from './event';
import { messageOf } from '../base/errorText';

/**
 * Hands every event to every sink. One that throws, against its contract, is reported once and does not keep the others
 * from hearing.
 */
export function combineSinks(sinks: readonly AuditSink[], onProblem: (message: string) => void): AuditSink {
  const reported = new Set<AuditSink>();
  return {
    record(event: AuditEvent): void {
      for (const sink of sinks) {
        try {
          sink.record(event);
        } catch (error) {
          if (reported.has(sink)) continue;
          reported.add(sink);
          onProblem(`an audit sink failed: ${messageOf(error)}`);
        }
      }
    },
  };
}
