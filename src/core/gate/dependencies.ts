import type { AuditSink } from '../audit/event';
import { stackOf } from '../base/errorText';
import type { SchemaValidator } from '../base/schema';
import type {
  CallApprover,
  CallChanges,
  CallStakes,
  CallFlow,
  BoundaryJudge,
  LimitJudge,
  PlanJudge,
  RequirementJudge,
} from '../call/gateCall';
import type { ToolPorts } from '../ports/toolPorts';
import type { ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry } from '../registry/registry';
import { internalError, type ToolError } from '../vocabulary/errors';
import type { Redaction } from './redaction';

/** Everything that the gate works with; made by the composition. */
export interface GateDependencies {
  readonly registry: CapabilityRegistry;
  readonly ports: ToolPorts;
  readonly validator: SchemaValidator;
  /** The profile that holds for a call now; `mode` of the invocation tightens it. */
  readonly profile: () => ResolvedProfile;
  readonly boundaries: BoundaryJudge;
  /** Brings rules and requirements up to what their files say now; every call and preview waits for it. */
  readonly refreshPolicy?: () => Promise<void>;
  readonly plans: PlanJudge;
  readonly requirements: RequirementJudge;
  readonly limits: LimitJudge;
  readonly approvals: CallApprover;
  /** Keeps what was there before a change; nothing can be taken back where it is left out. */
  readonly changes?: CallChanges;
  /** Looks up what is at stake; only what tools foresee is told where it is left out. */
  readonly stakes?: CallStakes;
  /** Follows what was read; nothing is followed where it is left out. */
  readonly flow?: CallFlow;
  readonly audit: AuditSink;
  readonly confirmationTimeoutSeconds: () => number;
  /** Hides secrets from models and puts them back; nothing is hidden where it is left out. Loaded when first needed. */
  readonly redaction?: () => Promise<Redaction>;
}

/** Logs a fault with a reference and answers what the model may know of it. */
export function internalFault({ crypto, log }: ToolPorts, cause: unknown): ToolError {
  const reference = `ref-${crypto.randomId().slice(0, 8)}`;
  log.error(`${reference} ${stackOf(cause)}`);
  return internalError(reference);
}
