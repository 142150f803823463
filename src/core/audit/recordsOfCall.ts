import type { AuditReader } from './reader';
import type { AuditRecord } from './record';

/** The longest that a question about a call is looked for after it was asked. */
const answerMs = 600_000;
/** Records are written a little before and after what they tell. */
const slackMs = 5_000;
const most = 500;

/**
 * All records of the call that a record is about, the oldest first: the question, its answer, the start and the end. A
 * record of no call stands alone.
 */
export async function recordsOfCall(
  reader: Pick<AuditReader, 'page'>,
  record: AuditRecord,
): Promise<readonly AuditRecord[]> {
  const call = record['gen_ai.tool.call.id'];
  const name = record['gen_ai.tool.name'];
  if (call === undefined || name === undefined) return [record];
  const time = Date.parse(record.time);
  const isLast = record.event === 'invocation.finished' || record.event === 'policy.violation';
  const before = (record.duration_ms ?? 0) + (record['approval.waited_ms'] ?? 0) + (isLast ? 0 : answerMs) + slackMs;
  const { found } = await reader.page(
    {
      since: new Date(time - before).toISOString(),
      until: new Date(time + (isLast ? slackMs : answerMs)).toISOString(),
      // A name with a star would be read as a pattern; it finds more, never less.
      tool: [name],
    },
    { limit: most },
  );
  const all = found.map((one) => one.record).filter((one) => one['gen_ai.tool.call.id'] === call);
  return all.some((one) => one.hash === record.hash) ? all.reverse() : [record];
}
