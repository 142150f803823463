import type { CallFacts } from '../audit/event';
import type { ResolvedProfile } from '../profile';
import type { RegisteredTool } from '../registry';
import { sourceKey } from '../tool';
import type { ApprovalAnswer, GateCall, Invocation, Reason, StepAnswer } from './types';

/** The confirmations that are still open after the waivers: what nobody may remove stays (design.md 4, `allow`). */
export function openAsks(steps: readonly StepAnswer[]): readonly Reason[] {
  const waived = steps.some((step) => (step.waivedBy ?? []).length > 0);
  return steps
    .filter((step) => step.effect === 'ask')
    .flatMap((step) => step.reasons.filter((reason) => reason.advisory !== true && !(waived && reason.waivable === true)));
}

/** What the caller should hear beside the result: warnings of the find step, such as a deprecation. */
export function advisories(steps: readonly StepAnswer[]): readonly string[] {
  return steps.flatMap((step) =>
    step.reasons.filter((reason) => reason.advisory === true && step.step === 'find').map((reason) => reason.text),
  );
}

/** Names who or what allowed a call, for the record. */
export function approver(answer: ApprovalAnswer): string {
  return answer.outcome === 'allowed' && answer.grantId ? `grant ${answer.grantId}` : answer.by;
}

/** What every record of a call says about it. */
export function factsOf(call: GateCall): CallFacts {
  const { tool, invocation } = call;
  return {
    invocationId: call.invocationId,
    ...(invocation.parentId ? { parentId: invocation.parentId } : {}),
    toolId: tool.id,
    toolName: tool.modelName,
    capabilityId: tool.capability.id,
    source: sourceKey(tool.source),
    riskLevel: tool.definition.riskLevel,
    actor: call.actor,
    surface: invocation.surface,
    profileId: call.profile.id,
    mode: call.mode,
  };
}

/** The same for a call that was refused before it was judged, perhaps because no such tool exists. */
export function factsOfUnknown(
  invocation: Invocation,
  invocationId: string,
  tool: RegisteredTool | undefined,
  profile: ResolvedProfile,
): CallFacts {
  return {
    invocationId: invocationId,
    ...(invocation.parentId ? { parentId: invocation.parentId } : {}),
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
}
