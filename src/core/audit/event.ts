import type { Sentence } from '../base/sentence';
import type { Access, SideEffect } from '../vocabulary/access';
import type { ReaderNote } from '../call/gateCall';
import type { Json } from '../base/json';
import type { Stake } from '../vocabulary/stake';
import type { ErrorCode } from '../vocabulary/errors';
import type { Actor, RiskLevel } from '../vocabulary/toolDefinition';
import type { Mode, StepAnswer, Surface } from '../vocabulary/decision';

/**
 * The record tells so many accesses of each kind that were met while running; the tool's own result counts the rest.
 */
export const recordedAccesses = 200;

/** The policy by which a call was judged. */
export interface PolicyRevision {
  /** The SHA-256 of the rules and limits in force, as canonical JSON, without the rules about our own places. */
  readonly hash: string;
  /** The signed bundles in force: name, revision and the SHA-256 of the payload, with spaces between. */
  readonly bundles: readonly string[];
}

/** What every record of a call says about it. */
export interface CallFacts {
  readonly invocationId: string;
  readonly parentId?: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly capabilityId: string;
  readonly source: string;
  readonly riskLevel: RiskLevel;
  readonly actor: Actor;
  readonly surface: Surface;
  readonly profileId: string;
  readonly mode: Mode;
  readonly policy?: PolicyRevision;
}

/** What the record of a call says that was judged. */
interface JudgedFacts extends CallFacts {
  readonly accesses: readonly Access[];
  readonly steps: readonly StepAnswer[];
  /** The arguments; the sink keeps their shape unless the setting asks for redacted content. */
  readonly input: unknown;
}

export type ChangeType =
  'profile' | 'policy' | 'definition' | 'grant' | 'pin' | 'plan' | 'settings' | 'label' | 'secret';

/** Every event that is audited (issue: audit). `time` is milliseconds since 1970, UTC. */
export type AuditEvent = { readonly time: number } & (
  | (JudgedFacts & { readonly type: 'invocation.started' })
  | (JudgedFacts & {
      readonly type: 'invocation.finished';
      readonly outcome: 'success' | 'tool_error' | 'internal_error';
      readonly errorCode?: ErrorCode;
      readonly errorMessage?: string;
      /** What `errorMessage` says, where it is a sentence of ours. */
      readonly said?: Sentence;
      /** For an internal error: finds its details in the log. */
      readonly reference?: string;
      readonly durationMs: number;
      /** True where calls that the call made touched files, or may have. */
      readonly touchedFilesWithin?: boolean;
      /** How many places the call was not let touch; the first `recordedAccesses` of them end `accesses`. */
      readonly withheld: number;
      /** The tries after the first, each with its cause and the wait before it. */
      readonly retries?: readonly { readonly cause: string; readonly waitedMs: number }[];
      readonly declaredSideEffects: readonly SideEffect[];
      readonly payload?: Json;
      /** Who or what let an asked call through. */
      readonly approvedBy?: string;
      readonly approvalWaitMs?: number;
    })
  | (JudgedFacts & {
      readonly type: 'policy.violation';
      readonly step: string;
      readonly errorCode: ErrorCode;
      readonly errorMessage: string;
      /** What `errorMessage` says. */
      readonly said?: Sentence;
      readonly rules: readonly string[];
      readonly deniedBy?: string;
      readonly approvalWaitMs?: number;
    })
  | (CallFacts & {
      readonly type: 'approval.asked';
      readonly accesses: readonly Access[];
      readonly reasons: readonly Sentence[];
      /** What the person was told to be at stake. */
      readonly stake?: Stake;
    })
  | (CallFacts & {
      readonly type: 'approval.answered';
      readonly outcome: 'allowed' | 'denied';
      readonly by: string;
      readonly grantId?: string;
      /** The words of the second reader that said yes. */
      readonly reader?: ReaderNote;
      readonly waitedMs: number;
    })
  | {
      readonly type: 'changed';
      readonly what: ChangeType;
      readonly id: string;
      readonly detail: Sentence;
      readonly actor: Actor;
    }
  | {
      readonly type: 'probe';
      readonly requirementId: string;
      readonly state: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'server';
      readonly server: string;
      readonly state: 'started' | 'stopped' | 'failed';
      readonly detail: Sentence;
    }
  | {
      /**
       * What the store says about itself: a segment was opened, what another process left was set right or found
       * broken, the head of a segment of another window was taken in, records were lost, segments were retired or
       * cleared.
       */
      readonly type: 'audit';
      readonly what: NoteKind;
      readonly detail: Sentence;
      /** The segment that it is about. */
      readonly id?: string;
      readonly count?: number;
      readonly actor?: Actor;
      /** What was found breaks the chain of the segment and cannot be what a crash leaves. */
      readonly isBreak?: boolean;
      /** The place that the segment had reached, as its head told. */
      readonly head?: { readonly seq: number; readonly hash: string };
      /** The segments that were removed. */
      readonly segments?: readonly string[];
    }
);

/** What the log says of itself. */
export type AuditNote = Extract<AuditEvent, { type: 'audit' }>;

type NoteKind = 'opened' | 'recovered' | 'witnessed' | 'lost' | 'retired' | 'cleared';

/**
 * Receives every event. It never throws and never blocks: a sink that cannot keep up counts what it lost and says so
 * once.
 */
export interface AuditSink {
  record(event: AuditEvent): void;
}
