import { isObject, type Json, sanitizeJson } from '../base/json';
import { Findings, got, gotJson, ObjectReader } from '../base/jsonReader';
import { say, type Sentence } from '../base/sentence';
import type { Capability, ComposedCapability } from './capability';
import { type Parsed, problem } from '../base/problem';
import { costClasses, riskLevels } from '../vocabulary/toolDefinition';
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

/** What a file says of a capability as a whole. */
type Declaration = Pick<
  ComposedCapability,
  'sideEffects' | 'riskLevel' | 'costClass' | 'idempotency' | 'approvalRequired'
>;

export const declarationKeys = ['sideEffects', 'riskLevel', 'costClass', 'idempotency', 'approvalRequired'] as const;

/**
 * Reads what a capability says of itself as a whole, the same for the resolver and for definitions. What is missing or
 * cannot be read takes the strict reading where it matters: an unknown risk is `critical`, an unknown cost `paid`, an
 * unreadable `approvalRequired` counts as true, and what does not say that it is idempotent is not.
 */
export function readDeclaration(reader: ObjectReader): Declaration {
  const word = <T extends string>(key: string, allowed: readonly T[], missing: T, strict: T): T => {
    const value = reader.raw(key);
    if (value === undefined) return missing;
    const lower = typeof value === 'string' ? value.toLowerCase() : '';
    const plain = { med: 'medium', nonidempotent: 'non-idempotent', non_idempotent: 'non-idempotent' }[lower] ?? lower;
    const found = allowed.find((one) => one === plain);
    if (found !== undefined) return found;
    const fault = say('must_be_one_of', allowed, gotJson(value), '');
    reader.error(key, say('instead', fault, say('it_is_read_as', strict)));
    return strict;
  };
  const approval = reader.flag('approvalRequired', say('counts_as_true'));
  return {
    sideEffects: reader.texts('sideEffects') ?? [],
    riskLevel: word('riskLevel', riskLevels, 'low', 'critical'),
    costClass: word('costClass', costClasses, 'free', 'paid'),
    idempotency: word('idempotency', ['idempotent', 'non-idempotent'], 'non-idempotent', 'non-idempotent'),
    approvalRequired: approval ?? (reader.raw('approvalRequired') ?? false) !== false,
  };
}

/** Reads a capability of the resolver's files, in snake_case or camelCase; its tools are read by the definitions. */
export function parseComposed(raw: unknown): Parsed<ComposedCapability | undefined> {
  const nothing = (pointer: string, said: Sentence): Parsed<undefined> => ({
    value: undefined,
    problems: [problem({ severity: 'error', code: 'invalid_capability', said, pointer })],
  });
  if (!isObject(raw)) return nothing('', say('part_must_be', say('a_capability'), say('an_object'), got(raw)));
  // What `sanitizeJson` answers for an object is one.
  const fields = sanitizeJson(raw) as Record<string, unknown>;
  const { id } = fields;
  if (typeof id !== 'string' || id === '') return nothing('/id', say('must_have_text', got(id)));
  const findings = new Findings({
    code: 'invalid_capability',
    subject: id,
    sentence: (pointer, _key, fault) => say('capability_at', id, pointer, fault),
  });
  const reader = new ObjectReader(fields, '', findings);
  const hours = reader.raw('freshnessBudgetHours');
  const goodHours = typeof hours === 'number' && Number.isFinite(hours) && hours > 0;
  if (hours !== undefined && hours !== null && !goodHours)
    reader.error('freshnessBudgetHours', say('hours_over_zero', gotJson(hours)));
  const name = reader.raw('name');
  return {
    value: {
      id,
      name: typeof name === 'string' ? name : id,
      // `sanitizeJson` answers JSON; the type says so here.
      requires: (reader.raw('requires') ?? {}) as Json,
      ...readDeclaration(reader),
      ...(goodHours ? { freshnessBudgetHours: hours } : {}),
      aliases: [],
    },
    problems: findings.problems,
  };
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
