import type { PastCall } from './explain';
import type { CapabilityRegistry } from '../registry/registry';
import { riskLevels } from '../vocabulary/toolDefinition';
import type { RecentInputs } from '../audit/recentInputs';
import type { AuditRecord } from '../audit/record';

/**
 * Turns finished and denied calls of the audit into what `simulate` judges; records of anything else are left out. The
 * audit keeps no arguments: those of this window's last calls come from `inputs`.
 */
export function pastCalls(
  records: readonly AuditRecord[],
  registry: CapabilityRegistry,
  inputs?: Pick<RecentInputs, 'of'>,
): readonly PastCall[] {
  return records.flatMap((record): PastCall[] => {
    const { capability, risk, actor } = record;
    if (record.event !== 'invocation.finished' && record.event !== 'policy.violation') return [];
    if (record.tool === undefined || capability === undefined || risk === undefined || !riskLevels.includes(risk))
      return [];
    const tool = registry.tool(record.tool);
    const invocationId = record['gen_ai.tool.call.id'] ?? String(record.seq);
    const known = inputs?.of(invocationId);
    return [
      {
        invocationId,
        ...(known ? { arguments: known } : {}),
        time: Date.parse(record.time),
        toolId: record.tool,
        toolName: record['gen_ai.tool.name'] ?? record.tool,
        capabilityId: capability,
        riskLevel: risk,
        actor: { type: actor === 'user' ? 'user' : 'agent' },
        accesses: record.accesses ?? [],
        ...(tool ? { tool } : {}),
      },
    ];
  });
}
