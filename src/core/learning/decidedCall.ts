import { type AuditBody, stepsOf } from '../audit/record';
import { worded, say } from '../base/sentence';
import { type Access, readAccess } from '../vocabulary/access';
import { permissionReasons } from '../vocabulary/decision';
import type { ActorType } from '../vocabulary/toolDefinition';

/** A call of the past: whether a person was asked about it and allowed it, whether it was denied, or simply ran. */
export interface DecidedCall {
  readonly tool: string;
  readonly toolName: string;
  readonly actor: ActorType;
  readonly accesses: readonly Access[];
  /** What asked, by the keys that grants keep; undefined where the record does not tell them all. */
  readonly reasons: readonly string[] | undefined;
  /** `denied` by whomever: a rule, a person, nobody in time. */
  readonly outcome: 'allowed' | 'denied' | 'ran';
}

/** Reads a record of the log; undefined for one that ends no call. */
export function decidedCall(record: AuditBody): DecidedCall | undefined {
  const isDenied = record.event === 'policy.violation';
  if ((!isDenied && record.event !== 'invocation.finished') || record.tool === undefined) return undefined;
  return {
    tool: record.tool,
    toolName: record['gen_ai.tool.name'] ?? record.tool,
    actor: record.actor === 'user' ? 'user' : 'agent',
    accesses: accessesOf(record.accesses),
    reasons: reasonsOf(record),
    outcome: isDenied ? 'denied' : record['approval.by'] === 'user' ? 'allowed' : 'ran',
  };
}

/** The accesses of a record, each checked; what is none is left out. */
const accessesOf = (value: unknown): readonly Access[] =>
  Array.isArray(value) ? value.flatMap((one: unknown) => readAccess(one) ?? []) : [];

const permissionWords = new Map(Object.values(permissionReasons).map((code) => [worded(say(code)), code as string]));

function reasonsOf(record: AuditBody): readonly string[] | undefined {
  const asked = stepsOf(record)
    .filter(({ effect }) => effect === 'ask')
    .flatMap(({ reasons = [], waived = [] }) => (waived.length > 0 ? [] : reasons))
    .filter((one) => !one.advisory && !one.advice);
  const keys = asked.map(({ rule, text }) => rule ?? permissionWords.get(text));
  return keys.every((key) => key !== undefined) ? [...new Set(keys)].sort() : undefined;
}
