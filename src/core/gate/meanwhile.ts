import { say } from '../base/sentence';
import { permissionDenied } from '../vocabulary/errors';
import type { GateDependencies } from './dependencies';
import type { Progress } from './progress';
import { checkEnabled, checkMode, checkScopes, openAsks } from './steps';
import type { GateCall, PlanJudge } from '../call/gateCall';
import { type Reason, reasonKey, type StepAnswer } from '../vocabulary/decision';
import { deny } from '../call/stepAnswer';

/**
 * Judges a call once more after a person took their time to allow it: what is denied by then stays denied, whoever said
 * yes to what was shown before. Undefined where nobody was asked, or where rules and profile are the very ones by which
 * the call was judged. A rule that asks since then was not answered.
 */
export async function deniedMeanwhile(
  call: GateCall,
  progress: Progress,
  judges: Pick<GateDependencies, 'profile' | 'boundaries' | 'refreshPolicy'>,
): Promise<StepAnswer | undefined> {
  const { approval, foreseen, steps, rules } = progress;
  if (approval?.outcome !== 'allowed' || foreseen) return undefined;
  if (approval.by !== 'user' && approval.by !== 'reader') return undefined;
  await judges.refreshPolicy?.();
  const profile = judges.profile();
  if (rules !== undefined && rules === judges.boundaries.revision && profile === call.profile) return undefined;
  const mode = call.invocation.mode === 'plan' ? 'plan' : profile.mode;
  const ruled = judges.boundaries.judge({ ...call, profile, mode }, call.accesses);
  const answers = [
    checkEnabled(call.tool, profile, call.actor),
    checkScopes(call.tool, profile),
    checkMode(mode, call.tool, call.accesses),
    ruled,
  ];
  const denied = answers.find(({ effect }) => effect === 'deny');
  const answered = steps.flatMap(({ effect, reasons }) => (effect === 'ask' ? reasons : []));
  const late = denied ?? askedAnew(call, openAsks([ruled]), answered);
  if (late) steps.push(late);
  return late;
}

/** A denial where something is asked that nobody has answered. */
export function askedAnew(
  { tool }: GateCall,
  asks: readonly Reason[],
  answered: readonly Reason[],
): StepAnswer | undefined {
  const known = new Set(answered.map(reasonKey));
  const open = asks.find((reason) => !known.has(reasonKey(reason)));
  return open && deny('boundaries', permissionDenied(tool.modelName, say('asked_anew')), open.rule);
}

/**
 * Counts a call that will run against the frozen plan. Denies it where another call took the last of its line since it
 * was judged, in this process or another one, or the plan was taken back.
 */
export function takeLine(call: GateCall, { steps, foreseen }: Progress, plans: PlanJudge): StepAnswer | undefined {
  if (foreseen) return undefined;
  const answer = plans.consume(call);
  if (answer.effect !== 'deny') return undefined;
  steps.push(answer);
  return answer;
}
