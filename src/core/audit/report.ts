import type { Sentence } from '../base/sentence';
import type { Access } from '../vocabulary/access';

/** The part of the record that a report is about, as ISO times: `from` is included, `to` is not. */
export interface ReportPeriod {
  readonly from?: string;
  readonly to: string;
}

/** The place that a segment had reached. */
export interface SegmentPlace {
  readonly segment: string;
  readonly seq: number;
  readonly hash: string;
}

/** A fault of the chain: its English words, and what they say as a sentence. */
export interface ReportedFault {
  readonly file: string;
  /** 1-based; undefined where the whole file is meant. */
  readonly line?: number;
  readonly message: string;
  readonly said: Sentence;
}

/** What vouches for the numbers of a report: the chain as it was verified, and where each segment ended. */
export interface ReportProof {
  readonly ok: boolean;
  /** Records and removed segments of the whole log. */
  readonly records: number;
  readonly removed: number;
  readonly faults: readonly ReportedFault[];
  readonly alg: string;
  readonly key?: string;
  readonly segments: readonly SegmentPlace[];
}

/** How far the hook of another agent held when the report was made. */
export interface ReportedAgent {
  readonly name: string;
  readonly state: string;
  readonly faults: readonly string[];
}

/** What words of a record say, as a sentence; absent where the record has words alone. */
interface Said {
  readonly said?: Sentence | undefined;
}

/** A call, as far as it is told where it was denied, asked about or taken back. */
interface ReportedCall {
  readonly time: string;
  readonly call?: string | undefined;
  readonly tool?: string | undefined;
  readonly actor?: string | undefined;
}

export interface ReportedQuestion extends Omit<ReportedCall, 'actor'>, Said {
  readonly reasons?: string | undefined;
  answer?: string;
  by?: string | undefined;
  waitedMs?: number | undefined;
}

export interface ReportedNote extends Said {
  readonly time: string;
  readonly what: string;
  readonly id?: string | undefined;
  readonly detail?: string | undefined;
  readonly by?: string | undefined;
}

/** `docs/audit-format.md` says what each number counts. */
export interface AuditReport {
  readonly kind: 'agent-capabilities.audit-report';
  readonly v: 1;
  readonly made: string;
  readonly from?: string;
  readonly to: string;
  readonly records: number;
  readonly calls: Readonly<
    Record<'total' | 'succeeded' | 'denied' | 'failed' | 'byAgents' | 'byUsers' | 'unfinished', number>
  >;
  readonly tools: readonly Readonly<ToolCounts>[];
  readonly rules: readonly Readonly<RuleCounts>[];
  readonly answers: readonly Readonly<AnswerCounts>[];
  readonly questions: {
    readonly asked: number;
    readonly allowed: number;
    readonly denied: number;
    readonly list: readonly Readonly<ReportedQuestion>[];
  };
  readonly denials: readonly (ReportedCall &
    Said & {
      readonly rules: readonly string[];
      readonly message?: string | undefined;
    })[];
  readonly takenBack: readonly (Omit<ReportedCall, 'tool'> & {
    /** `accesses` in English. */
    readonly touched: readonly string[];
    readonly accesses: readonly Access[];
  })[];
  readonly changes: readonly ReportedNote[];
  readonly policies: readonly Readonly<PolicyCounts>[];
  readonly notGoverned: {
    readonly hooked: readonly Readonly<HookedCounts>[];
    readonly skippedQuestions: number;
    readonly lost: number;
    readonly removed: readonly (ReportedNote & { readonly segments: number })[];
    readonly broken: readonly ReportedNote[];
  };
  readonly agents?: readonly ReportedAgent[];
  readonly proof: ReportProof;
  readonly cut: readonly string[];
}

export interface ToolCounts {
  readonly tool: string;
  calls: number;
  denied: number;
  failed: number;
}
export interface RuleCounts {
  readonly rule: string;
  denied: number;
  asked: number;
  advised: number;
  waived: number;
}
export interface AnswerCounts {
  readonly by: string;
  allowed: number;
  denied: number;
}
export interface PolicyCounts {
  readonly revision: string;
  records: number;
  first: string;
  last: string;
}
export interface HookedCounts {
  readonly source: string;
  calls: number;
}
