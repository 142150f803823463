import type { AuditSink } from '../core/audit/event';
import { AuditStore } from '../node/audit/auditStore';
import type { CliIo } from './args';

/** The durable audit of `--audit-dir`; without it nothing is kept, because a command leaves no files that it was not told to. */
export function openAudit(dir: string | undefined, io: CliIo): { readonly sink: AuditSink; close(): Promise<void> } {
  if (dir === undefined) return { sink: { record() {} }, close: async () => undefined };
  const store = new AuditStore({ dir, onProblem: (message) => io.error(message) });
  return {
    sink: store,
    async close() {
      store.dispose();
    },
  };
}
