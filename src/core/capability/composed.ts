import { defined, isObject, type Json, textsIn } from '../base/json';
import { Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
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
  return [...new Set(textsIn(requires))];
}

/** What a file says of a capability as a whole, with its aliases apart, which the resolver's files do not know. */
type Declared = Omit<ComposedCapability, 'aliases'>;

/** A definition that says none of this leaves it to its tools. */
const declarationKeys = ['sideEffects', 'riskLevel', 'costClass', 'idempotency', 'approvalRequired'] as const;

export function declaresItself(reader: ObjectReader): boolean {
  return declarationKeys.some((key) => reader.raw(key) !== undefined);
}

/**
 * Reads what a capability says of itself as a whole, the same for the resolver and for definitions. What is missing or
 * cannot be read takes the strict reading where it matters: an unknown risk is `critical`, an unknown cost `paid`, an
 * unreadable `approvalRequired` counts as true, and what does not say that it is idempotent is not.
 */
export function readDeclared(reader: ObjectReader, id: string): Declared {
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
  return defined({
    id,
    name: reader.text('name') ?? id,
    requires: readRequires(reader),
    sideEffects: reader.texts('sideEffects') ?? [],
    riskLevel: word('riskLevel', riskLevels, 'low', 'critical'),
    costClass: word('costClass', costClasses, 'free', 'paid'),
    idempotency: word('idempotency', ['idempotent', 'non-idempotent'], 'non-idempotent', 'non-idempotent'),
    approvalRequired: approval ?? (reader.raw('approvalRequired') ?? false) !== false,
    freshnessBudgetHours: readFreshnessHours(reader),
  });
}

/** How long a good probe counts, in hours. */
export function readFreshnessHours(reader: ObjectReader): number | undefined {
  const hours = reader.raw('freshnessBudgetHours') ?? undefined;
  if (hours === undefined || (typeof hours === 'number' && Number.isFinite(hours) && hours > 0)) return hours;
  reader.error('freshnessBudgetHours', say('hours_over_zero', gotJson(hours)));
  return undefined;
}

/** A list of ids, or an object of lists such as `{ "resources": […] }`, as it is written. */
function readRequires(reader: ObjectReader): Json {
  const check = (value: unknown, at: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => check(item, pointerTo(at, index)));
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) check(item, pointerTo(at, key));
    else if (typeof value !== 'string') reader.findings.error(at, say('requires_ids', got(value)));
  };
  const raw = reader.raw('requires') ?? [];
  check(raw, reader.at('requires'));
  // What a document holds is JSON.
  return raw as Json;
}

/** Reads a capability of the resolver's files, in snake_case or camelCase; its tools are read by the definitions. */
export function parseComposed(raw: unknown): Parsed<ComposedCapability | undefined> {
  const nothing = (pointer: string, said: Sentence): Parsed<undefined> => ({
    value: undefined,
    problems: [problem({ severity: 'error', code: 'invalid_capability', said, pointer })],
  });
  if (!isObject(raw)) return nothing('', say('capability_no_object', got(raw)));
  const { id } = raw;
  if (typeof id !== 'string' || id === '') return nothing('/id', say('capability_no_id', got(id)));
  const findings = new Findings({
    code: 'invalid_capability',
    subject: id,
    sentence: (pointer, _key, fault) => say('capability_at', id, pointer, fault),
  });
  const declared = readDeclared(new ObjectReader(raw, '', findings), id);
  return { value: { ...declared, aliases: [] }, problems: findings.problems };
}

/**
 * A registered capability as the resolver sees it: the strongest of its tools' risks and costs, the union of their side
 * effects.
 */
export function composedOf(capability: Capability): ComposedCapability {
  const { composed } = capability;
  const common = defined({
    id: capability.id,
    name: capability.name,
    requires: composed?.requires ?? capability.requires ?? [],
    aliases: capability.aliases ?? [],
    freshnessBudgetHours: capability.freshnessBudgetHours,
  });
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
