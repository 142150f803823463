import type { GateCall, Invocation } from '../call/gateCall';
import type { StepAnswer } from '../vocabulary/decision';
import type { ToolResult } from '../vocabulary/toolResult';
import type { GateDependencies } from './dependencies';
import { internalFault } from './fault';
import type { Progress } from './progress';
import { advisories, effectsOf, factsOf, factsOfUnknown, finishedRecord, type Ran } from './records';

/** Step 14 for a call that ran. */
export function answerCall(
  { audit, ports: { clock } }: GateDependencies,
  call: GateCall,
  progress: Progress,
  ran: Ran,
): ToolResult {
  const durationMs = duration(progress, clock.monotonic());
  const accesses = progress.met.length === 0 ? call.accesses : [...call.accesses, ...progress.met];
  const declaredSideEffects = effectsOf(accesses);
  const [invocationId, toolId] = [progress.invocationId, call.tool.id];
  audit.record(
    finishedRecord(call, {
      time: clock.now(),
      durationMs,
      accesses,
      withheld: progress.withheld,
      steps: [...progress.steps],
      declaredSideEffects,
      ran,
      approval: progress.approval,
    }),
  );
  if ('error' in ran)
    return { success: false, invocationId, toolId, declaredSideEffects, durationMs, error: ran.error };
  const { payload, media, parts } = ran.outcome;
  const warnings = [...advisories(progress.steps), ...(ran.outcome.warnings ?? [])];
  return {
    success: true,
    invocationId,
    toolId,
    declaredSideEffects,
    durationMs,
    payload,
    ...(media ? { media } : undefined),
    ...(parts ? { parts } : undefined),
    ...(warnings.length > 0 ? { warnings } : undefined),
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
  const error = answer.error ?? internalFault(ports, `the step ${answer.step} denied without an error`).data;
  const durationMs = duration(progress, ports.clock.monotonic());
  const { call, tool } = progress;
  audit.record({
    ...(call ? factsOf(call) : factsOfUnknown(invocation, progress.invocationId, tool, gate.profile())),
    type: 'policy.violation',
    time: ports.clock.now(),
    step: answer.step,
    errorCode: error.code,
    errorMessage: error.message,
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
