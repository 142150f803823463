import type { AuditFilter } from '../../core/audit/query';
import { type FoundRecord, reportedFault } from '../../core/audit/reader';
import type { AuditReport, ReportedAgent, ReportPeriod } from '../../core/audit/report';
import { ReportBuilder } from '../../core/audit/reportBuilder';
import type { VerifiedFolder } from './verifyFolder';

/**
 * Counts the records of a period as far as the proof vouches for them: what windows write meanwhile is left out, so
 * that whoever counts again by the places of the proof comes to the same numbers.
 */
export async function makeReport(
  read: (filter: AuditFilter) => AsyncIterable<FoundRecord>,
  verified: VerifiedFolder & { readonly alg: string; readonly key?: string },
  { from, to }: ReportPeriod,
  agents?: readonly ReportedAgent[],
): Promise<AuditReport> {
  const { ends, alg, key, ok, records, removed, faults } = verified;
  const places = new Map(ends.map(({ segment, seq }) => [segment, seq]));
  const builder = new ReportBuilder();
  for await (const { segment, record } of read({ ...(from === undefined ? {} : { since: from }), until: to }))
    if (record.seq <= (places.get(segment) ?? 0)) builder.add(record);
  const proof = {
    ok,
    alg,
    ...(key === undefined ? {} : { key }),
    records,
    removed,
    faults: faults.map(reportedFault),
    segments: ends,
  };
  return builder.build(new Date().toISOString(), { ...(from === undefined ? {} : { from }), to }, proof, agents);
}
