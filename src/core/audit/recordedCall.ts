import type { PastCall } from './recentCalls';
import type { AuditRecord } from './record';

/** A call as the log holds it; undefined for a record of anything else. */
export function callOfRecord(record: AuditRecord): PastCall | undefined {
  if (record.tool === undefined) return undefined;
  const denied = record.outcome === 'denied' || record.event === 'policy.violation';
  const failed = record.outcome === 'tool_error' || record.outcome === 'internal_error';
  return {
    invocationId: record['gen_ai.tool.call.id'] ?? String(record.seq),
    time: Date.parse(record.time),
    tool: record.tool,
    toolName: record['gen_ai.tool.name'] ?? record.tool,
    isAgents: record.actor !== 'user',
    accesses: record.accesses ?? [],
    outcome: denied ? 'denied' : failed ? 'failed' : 'ran',
    ...(record['error.type'] === undefined ? {} : { code: record['error.type'] }),
    ...(record['error.message'] === undefined ? {} : { message: record['error.message'] }),
  };
}
