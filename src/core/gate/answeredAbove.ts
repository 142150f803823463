import type { GateCall } from '../call/gateCall';
import type { Access } from '../vocabulary/access';
import type { Reason } from '../vocabulary/decision';

/**
 * Tells for what a call meets below a folder whether its questions were answered with the call: whoever allowed
 * `recursive` work on a folder was told that everything below it is meant, so the very rules that asked about the
 * folder do not ask again there. Other rules do, and denials hold.
 */
export function answeredAbove(
  call: Pick<GateCall, 'accesses'>,
  asked: readonly Reason[],
): (access: Access, asks: readonly Reason[]) => boolean {
  const folders = call.accesses.filter((access) => access.recursive === true);
  if (folders.length === 0) return () => false;
  const rules = new Set(asked.flatMap((reason) => (reason.rule === undefined ? [] : [reason.rule])));
  return (access, asks) =>
    folders.some((folder) => folder.effect === access.effect && access.resource.startsWith(`${folder.resource}/`)) &&
    asks.every((reason) => reason.rule !== undefined && rules.has(reason.rule));
}
