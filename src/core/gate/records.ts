import { worded } from '../base/sentence';
import type { Access, SideEffect } from '../vocabulary/access';
import { type AuditEvent, type AuditSink, type CallFacts, type PolicyRevision, recordedAccesses } from '../audit/event';
import { byGrant } from '../audit/grantAnswer';
import type { ResolvedProfile } from '../profiles/profile';
import type { RegisteredTool } from '../registry/registry';
import { sourceKey } from '../vocabulary/toolSource';
import type { ToolResult } from '../vocabulary/toolResult';
import type { ApprovalAnswer, EditorAnswer, GateCall, Invocation } from '../call/gateCall';
import { adviceOf, type StepAnswer } from '../vocabulary/decision';
import { type GateDependencies, internalFault } from './dependencies';
import { failedWith, type Progress, type Ran } from './progress';

/** What the caller should hear beside the result: warnings of the find step, such as a deprecation, and advice. */
function advisories({ steps, advice }: Progress): readonly string[] {
  const found = steps.find((step) => step.step === 'find');
  const warnings = found ? found.reasons.filter((reason) => reason.advisory === true) : [];
  const advised = [...adviceOf(steps), ...(advice?.values() ?? [])];
  return [...new Set([...warnings, ...advised].map((reason) => worded(reason.said)))];
}

/** Names who or what allowed a call, for the record. */
function approver(answer: ApprovalAnswer | EditorAnswer): string {
  return answer.outcome === 'allowed' && answer.grantId ? byGrant(answer.grantId) : answer.by;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * What every record of a call says about it, also of one that was refused before a tool was found. Written without
 * spreading, because each call makes two of them.
 */
function factsFrom(
  invocation: Invocation,
  invocationId: string,
  tool: RegisteredTool | undefined,
  profile: ResolvedProfile,
): Mutable<CallFacts> {
  const facts: Mutable<CallFacts> = {
    invocationId,
    toolId: tool?.id ?? invocation.tool.slice(0, 200),
    toolName: tool?.modelName ?? invocation.tool.slice(0, 200),
    capabilityId: tool?.capability.id ?? '',
    source: tool ? sourceKey(tool.source) : '',
    riskLevel: tool?.definition.riskLevel ?? 'low',
    actor: invocation.actor,
    surface: invocation.surface,
    profileId: profile.id,
    mode: invocation.mode === 'plan' ? 'plan' : profile.mode,
  };
  if (invocation.parentId) facts.parentId = invocation.parentId;
  return facts;
}

export const factsOf = ({ invocation, invocationId, tool, profile }: GateCall): Mutable<CallFacts> =>
  factsFrom(invocation, invocationId, tool, profile);

type Started = Extract<AuditEvent, { type: 'invocation.started' }>;
type Finished = Extract<AuditEvent, { type: 'invocation.finished' }>;

/** The record of a call that is about to run. */
export function startedRecord(call: GateCall, steps: readonly StepAnswer[], time: number): Started {
  return Object.assign(factsOf(call), {
    type: 'invocation.started' as const,
    time,
    accesses: call.accesses,
    steps,
    input: call.shownInput ?? call.input,
  });
}

function outcomeOf(ran: Ran): Finished['outcome'] {
  if ('outcome' in ran) return 'success';
  return ran.error.code === 'internal_error' ? 'internal_error' : 'tool_error';
}

/** Each effect once. */
export function effectsOf(accesses: readonly Access[]): readonly SideEffect[] {
  const [first] = accesses;
  if (accesses.length <= 1) return first ? [first.effect] : [];
  return [...new Set(accesses.map((access) => access.effect))];
}

/** Step 14 for a call that ran. */
export function answerCall(
  { audit, ports: { clock } }: GateDependencies,
  call: GateCall,
  progress: Progress,
  ran: Ran,
): ToolResult {
  const durationMs = duration(progress, clock.monotonic());
  const accesses = [...call.accesses, ...progress.met.slice(0, recordedAccesses), ...progress.refused];
  const declaredSideEffects = effectsOf(accesses);
  const [invocationId, toolId] = [progress.invocationId, call.tool.id];
  const record: Mutable<Finished> = Object.assign(factsOf(call), {
    type: 'invocation.finished' as const,
    time: clock.now(),
    outcome: outcomeOf(ran),
    durationMs,
    accesses,
    withheld: progress.withheld,
    steps: [...progress.steps],
    declaredSideEffects,
    input: call.shownInput ?? call.input,
  });
  if ('outcome' in ran) record.payload = ran.outcome.payload;
  else {
    record.errorCode = ran.error.code;
    record.errorMessage = ran.error.message;
    if (ran.said) record.said = ran.said;
    if (ran.reference) record.reference = ran.reference;
  }
  if (progress.touchedFilesWithin) record.touchedFilesWithin = true;
  if (progress.retries) record.retries = progress.retries;
  if (progress.approval) {
    record.approvedBy = approver(progress.approval);
    record.approvalWaitMs = progress.approval.waitedMs;
  }
  audit.record(record);
  const within = progress.touchedFilesWithin ? { touchedFilesWithin: true as const } : undefined;
  if ('error' in ran)
    return { success: false, invocationId, toolId, declaredSideEffects, ...within, durationMs, error: ran.error };
  const { payload, media, parts } = ran.outcome;
  const warnings = [...advisories(progress), ...(ran.outcome.warnings ?? [])];
  return {
    success: true,
    invocationId,
    toolId,
    declaredSideEffects,
    ...within,
    durationMs,
    payload,
    ...(media ? { media } : undefined),
    ...(parts ? { parts } : undefined),
    ...(warnings.length > 0 ? { warnings } : undefined),
    ...(progress.keptChanges > 0 ? { keptChanges: progress.keptChanges } : undefined),
  };
}

/** Step 14 for a call that was denied. */
export function refuseCall(
  gate: GateDependencies,
  invocation: Invocation,
  progress: Progress,
  answer: StepAnswer,
): ToolResult {
  const { audit, ports } = gate;
  const { error, said } = answer.error
    ? { error: answer.error, said: answer.said }
    : failedWith(internalFault(ports, `the step ${answer.step} denied without an error`));
  const durationMs = duration(progress, ports.clock.monotonic());
  const { call, tool } = progress;
  audit.record({
    ...factsFrom(invocation, progress.invocationId, tool, call?.profile ?? gate.profile()),
    type: 'policy.violation',
    time: ports.clock.now(),
    step: answer.step,
    errorCode: error.code,
    errorMessage: error.message,
    ...(said ? { said } : {}),
    rules: answer.reasons.flatMap((reason) => (reason.rule ? [reason.rule] : [])),
    accesses: call?.accesses ?? [],
    steps: [...progress.steps],
    input: invocation.input,
    ...(progress.approval ? { deniedBy: progress.approval.by, approvalWaitMs: progress.approval.waitedMs } : {}),
  });
  return {
    success: false,
    invocationId: progress.invocationId,
    toolId: tool?.id ?? invocation.tool,
    error,
    declaredSideEffects: [],
    durationMs,
  };
}

/** The time that the call itself took, in milliseconds: waiting for a person does not count. */
function duration({ startedAt, waitedMs }: Progress, now: number): number {
  return Math.max(0, Math.round((now - startedAt - waitedMs) * 100) / 100);
}

/**
 * A sink whose records of calls name the policy by which they were judged: that in force when the call began to run.
 */
export function namingPolicy(audit: AuditSink, revision: () => PolicyRevision): AuditSink {
  const running = new Map<string, PolicyRevision>();
  return {
    record(event) {
      if (!('invocationId' in event)) return audit.record(event);
      const { type, invocationId } = event;
      const policy = running.get(invocationId) ?? revision();
      if (type === 'invocation.started') running.set(invocationId, policy);
      else if (type === 'invocation.finished') running.delete(invocationId);
      audit.record({ ...event, policy });
    },
  };
}
