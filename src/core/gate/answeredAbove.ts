import { canonicalJson } from '../base/json';
import type { AnsweredCall, GateCall } from '../call/gateCall';
import type { Access } from '../vocabulary/access';
import { type Reason, reasonKey } from '../vocabulary/decision';

/**
 * Tells for what a call meets while it runs whether its questions were answered with the call, so that the very rules
 * that asked do not ask again: it named this access itself, or one below a folder that it named as `recursive`, of
 * which whoever allowed it was told that everything below is meant. Other rules do ask, and denials hold.
 */
export function answeredAbove(
  call: Pick<GateCall, 'accesses'>,
  asked: readonly Reason[],
): (access: Access, asks: readonly Reason[]) => boolean {
  const rules = new Set(asked.flatMap((reason) => (reason.rule === undefined ? [] : [reason.rule])));
  if (rules.size === 0) return () => false;
  return (access, asks) =>
    call.accesses.some((named) => isSame(named, access) || isBelow(named, access)) &&
    asks.every((reason) => reason.rule !== undefined && rules.has(reason.rule));
}

function isBelow(folder: Access, { effect, resource }: Access): boolean {
  return folder.recursive === true && folder.effect === effect && resource.startsWith(`${folder.resource}/`);
}

/** The same in everything that a rule or a person could go by. */
function isSame(one: Access, other: Access): boolean {
  return (
    one.effect === other.effect &&
    one.resource === other.resource &&
    one.method === other.method &&
    one.recursive === other.recursive &&
    one.permanent === other.permanent &&
    one.suspected === undefined
  );
}

/** Whether all that is asked now was shown and answered before. */
export function isAllAnswered(
  shown: Pick<AnsweredCall, 'accesses' | 'reasons'>,
  accesses: readonly Access[],
  reasons: readonly Reason[],
): boolean {
  const seen = new Set(shown.accesses.map((one) => canonicalJson(one)));
  const answered = new Set(shown.reasons.map(reasonKey));
  return (
    reasons.every((one) => !one.admin && !one.story && answered.has(reasonKey(one))) &&
    accesses.every((one) => seen.has(canonicalJson(one)))
  );
}
