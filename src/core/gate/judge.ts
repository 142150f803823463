import type { GateCall, Invocation } from '../call/gateCall';
import type { ResolvedPaths } from '../ports/files';
import type { GateStep, Mode, Reason, StepAnswer } from '../vocabulary/decision';
import { invalidInput, isToolError } from '../vocabulary/errors';
import { portsOf } from '../files/root';
import type { AccessContext } from '../capability/tool';
import type { ToolPorts } from '../ports/toolPorts';
import { type GateDependencies, internalFault } from './dependencies';
import type { Progress } from './progress';
import {
  asksNothing,
  callAccesses,
  callerSteps,
  checkConfiguration,
  checkMode,
  findTool,
  isOwnUse,
  waivePermission,
} from './steps';
import { deny, pass } from '../call/stepAnswer';
import { mentionsPlaceholder } from '../secrets/texts';
import type { PutBackInput } from './redaction';
import { defined, sanitizeJson } from '../base/json';

/**
 * Steps 1 to 10. Answers the denial, or undefined where the call may go on; what asks is in `progress.steps`, and the
 * call as it was judged in `progress.call`.
 */
export async function judgeCall(
  gate: GateDependencies,
  invocation: Invocation,
  progress: Progress,
  isPreview: boolean,
): Promise<StepAnswer | undefined> {
  const { registry, ports } = gate;
  const add = (answer: StepAnswer): StepAnswer | undefined => {
    progress.steps.push(answer);
    return answer.effect === 'deny' ? answer : undefined;
  };
  // A step that fails must not let a call through.
  const denyThrown = (step: GateStep, error: unknown): StepAnswer | undefined =>
    add(deny(step, isToolError(error) ? error : internalFault(ports, error)));
  const profile = gate.profile();
  const found = findTool(registry, invocation.tool, profile);
  if (!('tool' in found)) return add(found);
  const { tool } = found;
  progress.tool = tool;
  add(found.answer);
  const { actor } = invocation;
  const unfit = await checkConfiguration(tool, profile, gate.validator);
  for (const answer of unfit ? [unfit] : callerSteps(tool, profile, actor)) if (add(answer)) return answer;

  const mode: Mode = invocation.mode === 'plan' ? 'plan' : profile.mode;
  const { invocationId, signal } = progress;
  let call: GateCall;
  try {
    const read = await readWithSecrets(gate, { invocation, invocationId, tool, profile, mode, isPreview, signal });
    call = read.call;
    if (asksNothing(tool, call.accesses)) waivePermission(progress.steps);
    add(pass('input', read.reasons));
  } catch (error) {
    return denyThrown('input', error);
  }
  progress.call = call;
  progress.rules = gate.boundaries.revision;
  try {
    return (
      (isOwnUse(tool, actor) ? undefined : add(checkMode(mode, tool, call.accesses))) ??
      add(gate.plans.judge(call)) ??
      add(both(gate.boundaries.judge(call, call.accesses), await gate.changes?.judge(call))) ??
      add(await gate.requirements.judge(call)) ??
      add(gate.limits.judge(call))
    );
  } catch (error) {
    return denyThrown('boundaries', error);
  }
}

type AskedCall = Pick<GateCall, 'invocation' | 'invocationId' | 'tool' | 'profile' | 'mode' | 'isPreview' | 'signal'>;

/** Step 5, with the secrets in place of the placeholders that the model was given for them. */
async function readWithSecrets(
  gate: GateDependencies,
  asked: AskedCall,
): Promise<{ readonly call: GateCall; readonly reasons?: readonly Reason[] }> {
  const call = await readCall(gate, asked);
  // What touches nothing keeps the placeholder as it stands: a list of tasks, a note, a call that makes others.
  const takesSecrets = call.accesses.length > 0 && mentionsPlaceholder(call.input);
  const redaction = takesSecrets ? await gate.redaction?.() : undefined;
  const putBack = await redaction?.putBack(call);
  if (!redaction || !putBack) return { call };
  const filled = await readCall(gate, asked, putBack);
  redaction.checkPlaces(call, filled);
  return { call: { ...filled, shownInput: call.input }, reasons: putBack.reasons };
}

/**
 * Step 5: the call with its input as the tool reads it, and what it would touch. Throws a ToolError for an input that
 * can never work.
 */
export async function readCall(
  { ports, validator, flow }: Pick<GateDependencies, 'ports' | 'validator' | 'flow'>,
  asked: AskedCall,
  putBack?: PutBackInput,
): Promise<GateCall> {
  const { invocationId, invocation, tool, profile, mode, isPreview, signal } = asked;
  const { capability } = tool;
  const { actor } = invocation;
  const resolved: ResolvedPaths = new Map();
  const config = profile.config(capability.id);
  const input = copyInput(putBack ? putBack.input : invocation.input);
  const violations = await validator.validate(`input:${tool.id}`, tool.definition.inputSchema, input);
  if (violations.length > 0) throw invalidInput(violations);
  const handler = await tool.load();
  const found = await handler.accesses(
    input,
    accessContext(ports, { profile, config, actor, signal, resolved, invocation }),
  );
  const { accesses, suspects } = callAccesses(tool, found);
  // Written out and filled in: an object that is spread into another has a shape that each later read pays for.
  const call: { -readonly [Key in keyof GateCall]: GateCall[Key] } = {
    invocationId,
    invocation,
    tool,
    capability,
    profile,
    mode,
    actor,
    input,
    config,
    accesses,
    suspects,
    isPreview,
    signal,
    resolved,
    flow: undefined,
  };
  call.flow = await flow?.of(call);
  return call;
}

/** What a handler may know while it only tells what a call would touch. */
export function accessContext(
  ports: ToolPorts,
  {
    profile,
    config,
    actor,
    signal,
    resolved,
    invocation: { cwd, folders, stayed },
  }: Pick<GateCall, 'profile' | 'config' | 'actor' | 'signal' | 'resolved' | 'invocation'>,
): AccessContext {
  const scopes = [...profile.scopes];
  const known = { ports: portsOf(ports, profile), config, actor, profileId: profile.id, scopes, signal, resolved };
  if (cwd === undefined && !folders && !stayed) return known;
  return { ...known, ...defined({ cwd, folders, stayed }) };
}

/** What the rules say, and what cannot be taken back: one step. */
function both(rules: StepAnswer, changes: StepAnswer | undefined): StepAnswer {
  if (rules.effect === 'deny' || !changes || (changes.effect === 'pass' && changes.reasons.length === 0)) return rules;
  return {
    ...rules,
    effect: changes.effect === 'pass' ? rules.effect : changes.effect,
    reasons: [...rules.reasons, ...changes.reasons],
    ...defined({ error: changes.error, said: changes.said }),
  };
}

/** The caller keeps its object: defaults are filled into a copy that holds no key that could reach a prototype. */
function copyInput(input: unknown): unknown {
  if (input === undefined) return {};
  try {
    return sanitizeJson(input);
  } catch {
    throw invalidInput([{ path: '', expected: 'must be JSON of at most 64 levels', got: 'deeper or cyclic' }]);
  }
}
