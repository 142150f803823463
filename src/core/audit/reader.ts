import { type Sentence, worded } from '../base/sentence';
import type { AuditFilter } from './query';
import type { AuditRecord, ExportFormat } from './record';
import type { AuditReport, ReportedAgent, ReportedFault, ReportPeriod } from './report';

/** A record with the segment that it stands in. */
export interface FoundRecord {
  readonly segment: string;
  readonly record: AuditRecord;
}

export interface AuditPage {
  /** The newest first. */
  readonly found: readonly FoundRecord[];
  /** Where the next, older page begins; undefined at the end. */
  readonly next?: string;
}

export interface AuditFault {
  readonly file: string;
  /** 1-based; undefined where the whole file is meant. */
  readonly line?: number;
  /** Said of the file, or of the line. */
  readonly said: Sentence;
}

/** A fault as it is handed on to programs: with its English words beside the code, as in a record. */
export function reportedFault({ file, line, said }: AuditFault): ReportedFault {
  return { file, ...(line === undefined ? {} : { line }), message: worded(said), said };
}

export interface Verification {
  readonly ok: boolean;
  /** True where there is nothing to verify: no segment, and no head of one. */
  readonly isEmpty: boolean;
  readonly segments: number;
  readonly records: number;
  /** Segments that retention or a clearing removed, with a record of it. */
  readonly removed: number;
  readonly faults: readonly AuditFault[];
}

/** Reads the durable log, of this window and of all others that write to the same folder. */
export interface AuditReader {
  /** One page from the end; `next` of the page before asks for the one that follows. */
  page(filter: AuditFilter, options: { readonly limit: number; readonly next?: string }): Promise<AuditPage>;
  find(segment: string, seq: number): Promise<AuditRecord | undefined>;
  /** All matches, the oldest first, in bounded memory. */
  all(filter: AuditFilter): AsyncIterable<FoundRecord>;
  verify(): Promise<Verification>;
  /** Verifies the log and counts a period of it; `agents` is told of as it is. */
  report(period: ReportPeriod, agents?: readonly ReportedAgent[]): Promise<AuditReport>;
  /** Writes all matches to a file and answers how many lines it has. */
  exportTo(file: string, filter: AuditFilter, format: ExportFormat): Promise<number>;
}
