import type { AuditReader } from '../../core/audit/reader';
import type { Translate } from '../../core/base/translate';
import { rowOf } from '../../core/present/auditDetails';
import { happenedLine } from '../../core/present/auditWords';
import type { TourPage } from '../../core/present/tourHtml';

/** How calls ended, and what a person answered. */
const told: ReadonlySet<string> = new Set(['invocation.finished', 'policy.violation', 'approval.answered']);

/** The record of the tour, the oldest first, and whether it is whole. */
export async function tourRecord(reader: AuditReader, t: Translate): Promise<NonNullable<TourPage['record']>> {
  const { ok, records } = await reader.verify();
  const { found } = await reader.page({}, { limit: 1000 });
  const rows = found
    .filter(({ record }) => told.has(record.event))
    .reverse()
    .map((one) => {
      const { tool, what } = rowOf(one, t, (id) => id);
      return { tool, what, said: happenedLine(one.record, t) };
    });
  return { rows, count: records, isWhole: ok };
}
