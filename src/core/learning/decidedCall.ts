import { recordedAccesses } from '../audit/event';
import { type AuditBody, type RecordedReason, stepsOf } from '../audit/record';
import { type Access, readAccess } from '../vocabulary/access';
import { permissionReasons } from '../vocabulary/decision';
import type { ActorType } from '../vocabulary/toolDefinition';

/** A call of the past: whether a person was asked about it and allowed it, whether it was denied, or simply ran. */
export interface DecidedCall {
  readonly tool: string;
  readonly toolName: string;
  readonly actor: ActorType;
  /** What it touched, or was to touch where it was denied. */
  readonly accesses: readonly Access[];
  /** What it met while it ran and was not let touch: each of them was denied. */
  readonly refused: readonly Access[];
  /** What asked, by the keys that grants keep; undefined where the record does not tell them all. */
  readonly reasons: readonly string[] | undefined;
  /** `denied` by whomever: a rule, a person, nobody in time. */
  readonly outcome: 'allowed' | 'denied' | 'ran';
}

/** Reads a record of the log; undefined for one that ends no call. */
export function decidedCall(record: AuditBody): DecidedCall | undefined {
  const touched: readonly unknown[] = Array.isArray(record.accesses) ? record.accesses : [];
  // They stand last.
  const end = touched.length - Math.min(record.withheld ?? 0, recordedAccesses);
  const isDenied = record.event === 'policy.violation';
  if ((!isDenied && record.event !== 'invocation.finished') || record.tool === undefined) return undefined;
  return {
    tool: record.tool,
    toolName: record['gen_ai.tool.name'] ?? record.tool,
    actor: record.actor === 'user' ? 'user' : 'agent',
    accesses: accessesOf(touched.slice(0, end)),
    refused: accessesOf(touched.slice(end)),
    reasons: reasonsOf(record),
    outcome: isDenied ? 'denied' : record['approval.by'] === 'user' ? 'allowed' : 'ran',
  };
}

/** The accesses of a record, each checked; what is none is left out. */
const accessesOf = (list: readonly unknown[]): readonly Access[] => list.flatMap((one) => readAccess(one) ?? []);

const permissionCodes: readonly string[] = Object.values(permissionReasons);

/** The key of a reason: its rule, else the permission of the tool. */
const keyOf = ({ rule, code }: RecordedReason): string | undefined =>
  rule ?? permissionCodes.find((one) => one === code);

function reasonsOf(record: AuditBody): readonly string[] | undefined {
  const asked = stepsOf(record)
    .filter(({ effect }) => effect === 'ask')
    .flatMap(({ reasons = [], waived = [] }) => (waived.length > 0 ? [] : reasons))
    .filter((one) => !one.advisory && !one.advice);
  const keys = asked.map(keyOf);
  return keys.every((key) => key !== undefined) ? [...new Set(keys)].sort() : undefined;
}
