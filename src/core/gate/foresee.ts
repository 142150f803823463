import type { GateCall } from '../call/gateCall';
import type { CallPreview } from '../capability/tool';
import type { Access } from '../vocabulary/access';
import type { Reason } from '../vocabulary/decision';
import { isToolError, type ToolError } from '../vocabulary/errors';
import { answeredAbove } from './answeredAbove';
import { accessContext } from './context';
import type { GateDependencies } from './dependencies';
import { openAsks } from './steps';

/**
 * What a call would do and what it puts at stake, for the person who is asked about accesses; a ToolError where the tool
 * says that it cannot succeed. Nothing is changed.
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
        access.effect.startsWith('fs.') && boundaries.judge(call, [{ ...access, effect: 'fs.read' }]).effect === 'pass',
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
