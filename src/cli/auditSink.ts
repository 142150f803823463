import type { AuditSink } from '../core/audit/event';
import { worded } from '../core/base/sentence';
import type { Settings } from '../core/settings/settings';
import { AuditService } from '../node/audit/auditService';
import type { CliIo } from './args';

/** The key of a log that is chained with one comes from the environment, where a pipeline keeps its secrets. */
export const auditKeyVariable = 'AGENT_CAPABILITIES_AUDIT_KEY';

export function auditKey(io: CliIo): { readonly key?: Uint8Array } {
  const key = io.environment[auditKeyVariable];
  return key === undefined ? {} : { key: Buffer.from(key, 'utf8') };
}

/**
 * The durable audit of `--audit-dir`; without it nothing is kept, because a command leaves no files that it was not
 * told to. The rules that find secrets are loaded first: the process makes one call and ends.
 */
export async function openAudit(
  dir: string | undefined,
  settings: () => Settings,
  io: CliIo,
): Promise<{ readonly sink: AuditSink; close(): Promise<void> }> {
  if (dir === undefined) return { sink: { record() {} }, close: async () => undefined };
  const audit = new AuditService({
    dir,
    settings,
    ...auditKey(io),
    onProblem: (said) => io.error(worded(said)),
    version: '1',
  });
  await audit.loadRules();
  return {
    sink: audit,
    async close() {
      await audit.flush();
      audit.dispose();
    },
  };
}
