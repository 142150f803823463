import { defined, isObject, type Json, ownValue, textsIn } from '../base/json';
import { Findings, got, gotJson, ObjectReader, pointerTo } from '../base/jsonReader';
import { say, type Sentence } from '../base/sentence';
import type { Capability, ComposedCapability } from './capability';
import { type Parsed, problem } from '../base/problem';
import { costClasses, riskLevels } from '../vocabulary/toolDefinition';
import { sourceKind } from '../vocabulary/toolSource';
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

/** Words that files write for others, in lower case. */
const otherSpellings: Readonly<Record<string, string>> = {
  med: 'medium',
  nonidempotent: 'non-idempotent',
  non_idempotent: 'non-idempotent',
};

/** A definition that says none of this leaves it to its tools. */
const declarationKeys = ['sideEffects', 'riskLevel', 'costClass', 'idempotency', 'approvalRequired'] as const;

export function declaresItself(reader: ObjectReader): boolean {
  return declarationKeys.some((key) => reader.has(key));
}

/**
 * Reads what a capability says of itself as a whole, the same for the resolver and for definitions. What cannot be read
 * or is there twice takes the strict reading: the risk is `critical`, the cost `paid`, `approvalRequired` counts as
 * true, every text among the side effects is one, and without any the capability asks; what does not say that it is
 * idempotent is not.
 */
export function readDeclared(reader: ObjectReader, id: string): Declared {
  const word = <T extends string>(key: string, allowed: readonly T[], missing: T, strict: T): T => {
    const value = reader.raw(key);
    if (reader.isTwice(key)) return strict;
    if (value === undefined) return missing;
    const lower = typeof value === 'string' ? value.toLowerCase() : '';
    const plain = ownValue(otherSpellings, lower) ?? lower;
    const found = allowed.find((one) => one === plain);
    if (found !== undefined) return found;
    const fault = say('must_be_one_of', allowed, gotJson(value), '');
    reader.error(key, say('instead', fault, say('it_is_read_as', strict)));
    return strict;
  };
  const approval = reader.flag('approvalRequired', say('counts_as_true'));
  const isAsked =
    approval ?? (reader.isTwice('approvalRequired') || (reader.raw('approvalRequired') ?? false) !== false);
  const { sideEffects, isUnclear } = readSideEffects(reader);
  return defined({
    id,
    name: reader.text('name') ?? id,
    requires: readRequires(reader),
    sideEffects,
    riskLevel: word('riskLevel', riskLevels, 'low', 'critical'),
    costClass: word('costClass', costClasses, 'free', 'paid'),
    idempotency: word('idempotency', ['idempotent', 'non-idempotent'], 'non-idempotent', 'non-idempotent'),
    approvalRequired: isAsked || isUnclear,
    freshnessBudgetHours: readFreshnessHours(reader),
  });
}

/** A list of texts; `isUnclear` where one is there of which no text can be read. */
function readSideEffects(reader: ObjectReader): {
  readonly sideEffects: readonly string[];
  readonly isUnclear: boolean;
} {
  const before = reader.findings.errors();
  reader.texts('sideEffects');
  const isWrong = reader.isTwice('sideEffects') || reader.findings.errors() > before;
  const sideEffects = [...new Set(textsIn(reader.written('sideEffects')))];
  return { sideEffects, isUnclear: isWrong && sideEffects.length === 0 };
}

const isHours = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;

/** How long a good probe counts, in hours; the shortest where it is there twice. */
export function readFreshnessHours(reader: ObjectReader): number | undefined {
  const hours = reader.raw('freshnessBudgetHours') ?? undefined;
  if (reader.isTwice('freshnessBudgetHours')) {
    const all = reader.written('freshnessBudgetHours').filter(isHours);
    return all.length > 0 ? Math.min(...all) : undefined;
  }
  if (hours === undefined || isHours(hours)) return hours;
  reader.error('freshnessBudgetHours', say('hours_over_zero', gotJson(hours)));
  return undefined;
}

/**
 * A list of ids, or an object of lists such as `{ "resources": […] }`, as it is written. In place of what is no id
 * there is one that no row declares, so that its state is `unknown`.
 */
function readRequires(reader: ObjectReader): Json {
  const unknown = (at: string): string => `unreadable:${at}`;
  const read = (value: unknown, at: string): Json => {
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((item, index) => read(item, pointerTo(at, index)));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, pointerTo(at, key))]));
    reader.findings.error(at, say('requires_ids', got(value)));
    return unknown(at);
  };
  const at = reader.at('requires');
  if (reader.isTwice('requires')) return [...textsIn(reader.written('requires')), unknown(at)];
  return read(reader.raw('requires') ?? [], at);
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
    isOurs: sourceKind(capability.source).isOurs,
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
