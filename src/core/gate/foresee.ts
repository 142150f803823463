import { canonicalJson } from '../base/json';
import type { ApprovalRequest, GateCall, InnerCalls } from '../call/gateCall';
import type { CallPreview } from '../capability/tool';
import { type Access, familyOf } from '../vocabulary/access';
import { type Reason, reasonKey } from '../vocabulary/decision';
import { isToolError, type ToolError } from '../vocabulary/errors';
import { answeredAbove } from './answeredAbove';
import type { GateDependencies } from './dependencies';
import { accessContext } from './judge';
import { openAsks } from './steps';

/**
 * What a call would do and what it puts at stake, for the person who is asked about accesses; a ToolError where the
 * tool says that it cannot succeed. Nothing is changed.
 */
export async function foresee(
  gate: GateDependencies,
  call: GateCall,
  asked: readonly Access[],
  reasons: readonly Reason[],
): Promise<CallPreview | ToolError> {
  const { ports, changes, stakes } = gate;
  const undo = await changes?.undoOf(call);
  const known = undo === undefined ? {} : { undo };
  let seen: CallPreview = known;
  try {
    const handler = await call.tool.load();
    const preview = await handler.preview?.(call.input, { ...accessContext(ports, call), asked });
    // What is not kept, such as a file of secrets, still comes back from the trash.
    seen = undo === 'never' && preview?.undo === 'from-trash' ? preview : { ...preview, ...known };
  } catch (error) {
    if (isToolError(error)) return error;
    ports.log.warn(`the preview of ${call.tool.id} failed: ${String(error)}`);
  }
  if (!stakes) return seen;
  const stake = await stakes.of(call, asked, seen, keepsBelow(gate, call, reasons));
  return Object.keys(stake).length === 0 ? seen : { ...seen, stake };
}

/**
 * A failure tells what stands in the files that the call names, so it is told without asking only where the caller may
 * read them anyway.
 */
export function mayTell({ boundaries }: GateDependencies, call: GateCall): boolean {
  const { accesses } = call;
  return (
    accesses.length > 0 &&
    accesses.every(
      (access) =>
        familyOf(access.effect) === 'fs' &&
        boundaries.judge(call, [{ ...access, effect: 'fs.read' }]).effect === 'pass',
    )
  );
}

/** Whether something below a folder stays although a person allows that the folder goes. */
function keepsBelow(
  { approvals, boundaries }: GateDependencies,
  call: GateCall,
  reasons: readonly Reason[],
): (access: Access) => boolean {
  const isAnswered = answeredAbove(call, reasons);
  return (access) => {
    const answer = boundaries.judge(call, [access]);
    if (answer.effect !== 'ask') return answer.effect === 'deny';
    const asks = openAsks([answer]);
    return asks.length > 0 && !isAnswered(access, asks) && approvals.covering(call, [access], asks) === undefined;
  };
}

/** A call that only passes on another one, and what is asked about both. */
interface PassedOn extends Pick<ApprovalRequest, 'accesses' | 'reasons'> {
  /** The other call, as the gate judges it now. */
  readonly call: GateCall;
  /** What a yes answers of the other call. */
  readonly asks: readonly Reason[];
}

/**
 * The call that this one only passes on, so that one question is asked for both; undefined where there is none, where
 * it is denied anyway, or where its own question needs more than a yes to what can be shown before.
 */
export async function passedOn(
  gate: GateDependencies,
  inner: InnerCalls,
  call: GateCall,
  reasons: readonly Reason[],
): Promise<PassedOn | undefined> {
  const handler = await call.tool.load();
  const next = handler.passesOn?.(call.input, accessContext(gate.ports, call));
  if (!next) return undefined;
  const { actor, mode, invocation } = call;
  const { prompt } = invocation;
  const seen = await inner.preview({
    ...next,
    actor,
    surface: 'tool',
    mode,
    parentId: call.invocationId,
    ...(prompt === undefined ? {} : { prompt }),
  });
  if (!seen.call || seen.effect === 'deny' || seen.reasons.some(({ admin, story }) => admin || story)) return undefined;
  const asks = seen.effect === 'ask' ? seen.reasons : [];
  const said = new Set(reasons.map(reasonKey));
  return {
    call: seen.call,
    // What the tool does not name is what the other call touches, which does.
    accesses: distinct([...call.accesses.filter(({ resource }) => resource !== ''), ...seen.call.accesses]),
    reasons: [...reasons, ...asks.filter((one) => !said.has(reasonKey(one)))],
    asks,
  };
}

function distinct(accesses: readonly Access[]): readonly Access[] {
  return [...new Map(accesses.map((one) => [canonicalJson(one), one])).values()];
}
