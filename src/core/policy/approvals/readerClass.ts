import { isObject } from '../../base/json';
import type { ApprovalRequest, GateCall } from '../../call/gateCall';
import { type Access, accessHosts, familyOf, isReadOnly } from '../../vocabulary/access';
import type { Boundary } from '../../vocabulary/boundary';
import { permissionReasons, type Reason, reasonKey } from '../../vocabulary/decision';

/** Why a question goes to the person and to no model. */
type ReaderBar =
  'not-an-agent' | 'risk' | 'admin' | 'labelled' | 'other-reason' | 'managed' | 'effect' | 'irreversible' | 'new-here';

export interface ReaderFacts {
  /** The rules of an id that are in force. */
  rules(id: string): readonly Pick<Boundary, 'scope' | 'admin'>[];
  /** Whether a person allowed this in this workspace before; one of `placesOf`. */
  isKnown(place: string): boolean;
}

/**
 * Decides whether a model may answer in place of a person; undefined where it may. Everything that is not plainly of
 * the class goes to the person: the class is all that a model that says yes to everything could ever let through.
 */
export function readerBar(request: ApprovalRequest, facts: ReaderFacts): ReaderBar | undefined {
  const { call, accesses, preview } = request;
  const { riskLevel } = call.tool.definition;
  const reasons = asking(request);
  if (call.actor.type !== 'agent') return 'not-an-agent';
  if (riskLevel !== 'low' && riskLevel !== 'medium') return 'risk';
  if (request.needsAdmin || reasons.some((one) => one.admin)) return 'admin';
  if (isLabelled(call)) return 'labelled';
  for (const reason of reasons) {
    const bar = reasonBar(reason, call, facts);
    if (bar) return bar;
  }
  if (reasons.length === 0 || accesses.length === 0) return 'other-reason';
  if (!accesses.every(isOfClass)) return 'effect';
  const changes = accesses.some((access) => !isReadOnly(access));
  const isKept = preview.undo === 'possible' || preview.undo === 'from-trash';
  if (preview.undo === 'never' || (changes && !isKept)) return 'irreversible';
  if (accesses.some(({ permanent, recursive }) => permanent === true || recursive === true)) return 'irreversible';
  return placesOf(request).every((place) => facts.isKnown(place)) ? undefined : 'new-here';
}

const asking = ({ reasons }: ApprovalRequest): readonly Reason[] => reasons.filter((one) => !one.advisory);

/** The permission of a tool, or a rule that is read whole and comes from nobody who administers. */
function reasonBar(reason: Reason, { actor }: GateCall, facts: ReaderFacts): ReaderBar | undefined {
  if (reason.rule === undefined)
    return reasonKey(reason) === permissionReasons[actor.type] ? undefined : 'other-reason';
  const rules = facts.rules(reason.rule);
  if (rules.length === 0 || reason.said.code !== 'boundary_says') return 'other-reason';
  if (rules.some(({ scope }) => scope === 'managed' || scope === 'bundle')) return 'managed';
  return rules.some(({ admin }) => admin) ? 'admin' : undefined;
}

/** Files that are read, changed or put in the trash, and what only reads elsewhere: no command, no key, no payment. */
function isOfClass(access: Access): boolean {
  switch (access.effect) {
    case 'fs.read':
    case 'fs.write':
    case 'fs.delete':
      return !/^(?:\/|[A-Za-z]:|~)|(?:^|\/)\.\.(?:\/|$)|\\/.test(access.resource);
    case 'network.http':
      return isReadOnly(access) && accessHosts(access) !== undefined;
    case 'database.read':
      return true;
    default:
      return false;
  }
}

/** True where the session read what is private or what a stranger wrote, and where nobody can tell. */
function isLabelled(call: GateCall): boolean {
  const flow: unknown = 'flow' in call ? call.flow : undefined;
  if (flow === undefined) return false;
  if (!isObject(flow)) return true;
  return [flow['private'], flow['untrusted']].some((label) => !Array.isArray(label) || label.length > 0);
}

/**
 * What a person has to have allowed here once: the tool and the reasons with the folder, host or connection of each
 * access.
 */
export function placesOf(request: ApprovalRequest): readonly string[] {
  const reasons = [...new Set(asking(request).map(reasonKey))].sort();
  const about = request.accesses.flatMap((access) => {
    const hosts = accessHosts(access) ?? [access.resource];
    const names = hosts.length > 0 ? hosts : [familyOf(access.effect) === 'fs' ? folderOf(access) : access.resource];
    return names.map((name) => [access.effect, name]);
  });
  return about.map((one) => JSON.stringify([request.call.tool.id, ...one, ...reasons]));
}

const folderOf = ({ resource }: Access): string => resource.split('/').slice(0, -1).join('/');
