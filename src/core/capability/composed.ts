import { camelCase, isObject, type Json, sanitizeJson, typeName } from '../base/json';
import type { Capability, ComposedCapability } from './capability';
import type { Parsed, Problem } from '../base/problem';
import { costClasses, type Idempotency, riskLevels } from '../vocabulary/toolDefinition';
import { highest } from '../base/order';

/**
 * All requirement ids in a `requires`, however it is nested; each once, in the order of the text. Keys are names of
 * groups, not ids.
 */
export function flattenRequires(requires: unknown): readonly string[] {
  const out = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') out.add(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) Object.values(value).forEach(walk);
  };
  walk(requires);
  return [...out];
}

/**
 * Reads a capability without tools, in snake_case or camelCase. What is missing takes the strict reading where it
 * matters: an unknown risk is `critical`, an unknown cost `paid`, an unreadable `approval_required` counts as true.
 */
export function parseComposed(raw: unknown): Parsed<ComposedCapability | undefined> {
  const problems: Problem[] = [];
  if (!isObject(raw))
    return { value: undefined, problems: [fault('', `a capability must be an object (got ${typeName(raw)})`)] };
  const fields = new Map(
    Object.entries(sanitizeJson(raw) as object).map(([key, value]): [string, unknown] => [camelCase(key), value]),
  );
  const id = fields.get('id');
  if (typeof id !== 'string' || id === '')
    return { value: undefined, problems: [fault('/id', `must be a string that is not empty (got ${typeName(id)})`)] };
  const report = (at: string, message: string): void => {
    problems.push({ ...fault(at, `the capability \`${id}\`: ${at} ${message}`), subject: id });
  };
  const word = <T extends string>(key: string, allowed: readonly T[], missing: T, strict: T): T => {
    const value = fields.get(key);
    if (value === undefined) return missing;
    const lower = typeof value === 'string' ? value.toLowerCase() : value;
    const plain = lower === 'med' ? 'medium' : lower;
    const found = allowed.find((one) => one === plain);
    if (found !== undefined) return found;
    report(`/${key}`, `must be one of ${allowed.join(', ')} (got ${JSON.stringify(value)}); it is read as ${strict}`);
    return strict;
  };
  const rawEffects = fields.get('sideEffects') ?? [];
  const sideEffects = Array.isArray(rawEffects)
    ? rawEffects.filter((one): one is string => typeof one === 'string')
    : [];
  if (!Array.isArray(rawEffects) || sideEffects.length !== rawEffects.length)
    report('/sideEffects', 'must be an array of strings');
  const approval = fields.get('approvalRequired') ?? false;
  if (typeof approval !== 'boolean')
    report('/approvalRequired', `must be boolean (got ${typeName(approval)}); it counts as true`);
  const hours = fields.get('freshnessBudgetHours');
  const goodHours = typeof hours === 'number' && Number.isFinite(hours) && hours > 0;
  if (hours !== undefined && hours !== null && !goodHours)
    report('/freshnessBudgetHours', `must be a number of hours over 0 (got ${JSON.stringify(hours)})`);
  const name = fields.get('name');
  // `sanitizeJson` answers JSON; the type says so here.
  const requires = (fields.get('requires') ?? {}) as Json;
  return {
    value: {
      id,
      name: typeof name === 'string' ? name : id,
      requires,
      sideEffects,
      riskLevel: word('riskLevel', riskLevels, 'low', 'critical'),
      costClass: word('costClass', costClasses, 'free', 'paid'),
      idempotency: word<Idempotency>(
        'idempotency',
        ['idempotent', 'non-idempotent'],
        'non-idempotent',
        'non-idempotent',
      ),
      approvalRequired: approval !== false,
      ...(goodHours ? { freshnessBudgetHours: hours } : {}),
      aliases: [],
    },
    problems,
  };
}

function fault(pointer: string, message: string): Problem {
  return { severity: 'error', code: 'invalid_capability', message, pointer };
}

/**
 * A registered capability as the resolver sees it: the strongest of its tools' risks and costs, the union of their side
 * effects.
 */
export function composedOf(capability: Capability): ComposedCapability {
  const { composed } = capability;
  const common = {
    id: capability.id,
    name: capability.name,
    requires: composed?.requires ?? capability.requires ?? [],
    aliases: capability.aliases ?? [],
    ...(capability.freshnessBudgetHours === undefined ? {} : { freshnessBudgetHours: capability.freshnessBudgetHours }),
  };
  if (composed) return { ...composed, ...common };
  const definitions = capability.tools.map((tool) => tool.definition);
  return {
    ...common,
    sideEffects: [...new Set(definitions.flatMap((one) => one.sideEffects))],
    riskLevel: highest(riskLevels, 'low', ...definitions.map((one) => one.riskLevel)),
    costClass: highest(costClasses, 'free', ...definitions.map((one) => one.costClass)),
    idempotency: definitions.some((one) => one.idempotency === 'non-idempotent') ? 'non-idempotent' : 'idempotent',
    approvalRequired: false,
  };
}
