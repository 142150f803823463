import { nearestNames } from '../base/nearest';
import { isAtLeast } from '../base/order';
import { type Permission, permissions, readRiskLevel, riskLevels, toolKinds } from '../vocabulary/toolDefinition';
import { filterGrammar } from './filterGrammar';

/** What of a tool a filter asks about. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly riskLevel: (typeof riskLevels)[number];
  readonly sideEffects: readonly string[];
  readonly scopes: readonly string[];
  readonly category?: string | undefined;
  /** `builtin`, `mcp:files`, `definition:file`. */
  readonly source: string;
  /** For an agent. */
  readonly permission: Permission;
  readonly enabled: boolean;
}

type Test = (tool: ToolFacts) => boolean;

/** Makes the test for one value of a facet, or says what was expected. */
type Facet = (value: string) => Test | string;

const oneOf =
  (values: readonly string[], test: (tool: ToolFacts, value: string) => boolean): Facet =>
  (value) =>
    values.includes(value) ? (tool) => test(tool, value) : `one of ${values.join(', ')}`;

const below = (wanted: string, value: string): boolean => value === wanted || value.startsWith(`${wanted}.`);

const states: Readonly<Record<string, Test>> = {
  on: ({ enabled }) => enabled,
  off: ({ enabled }) => !enabled,
  asks: ({ permission }) => permission === 'confirmation_required',
  ...Object.fromEntries(permissions.map((one): [string, Test] => [one, ({ permission }) => permission === one])),
};

const facets: Readonly<Record<string, Facet>> = {
  risk(value) {
    const [, sign = '', word = ''] = /^(<=|>=)?(.*)$/.exec(value) ?? [];
    const wanted = readRiskLevel(word);
    if (wanted === undefined) return `one of ${riskLevels.join(', ')}, also as <=medium or >=high`;
    if (sign === '<=') return ({ riskLevel }) => isAtLeast(riskLevels, wanted, riskLevel);
    if (sign === '>=') return ({ riskLevel }) => isAtLeast(riskLevels, riskLevel, wanted);
    return ({ riskLevel }) => riskLevel === wanted;
  },
  effect: (value) => (tool) => tool.sideEffects.some((effect) => below(value, effect)),
  scope: (value) => (tool) => tool.scopes.some((scope) => scope.toLowerCase() === value),
  source: (value) => (tool) => `${tool.source.toLowerCase()}:`.startsWith(`${value}:`),
  category: (value) => (tool) => tool.category?.toLowerCase() === value,
  kind: oneOf(toolKinds, (tool, value) => tool.kind === value),
  is: oneOf(Object.keys(states), (tool, value) => states[value]?.(tool) === true),
};

/** Other names of facets, as the documents of tool registries call them. */
const otherNames: Readonly<Record<string, (value: string) => string>> = {
  risk_level_max: (value) => `risk:<=${value}`,
  exclude_side_effects: (value) => `-effect:${value}`,
  permissions: (value) => `scope:${value}`,
};

/** True for a part of a filter such as `risk:low`, whose key is one that filters know. */
export function isFacet(part: string): boolean {
  const key = /^-?([a-z_]+):./i.exec(part)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(facets, key) || Object.hasOwn(otherNames, key);
}

/**
 * Reads a filter such as `write risk:<=medium -effect:fs.write,fs.delete is:on`. Words are searched in name and
 * description; values between commas are alternatives, `-` leaves out, and everything that is given must hold.
 */
export function parseToolFilter(text: string): { readonly keep: Test; readonly faults: readonly string[] } {
  const tests: Test[] = [];
  const faults: string[] = [];
  for (const part of text.trim().split(/\s+/).filter(Boolean)) {
    const other = /^([a-z_]+):(.+)$/i.exec(part);
    const named = other && otherNames[other[1]?.toLowerCase() ?? '']?.(other[2] ?? '');
    const [, minus = '', key, list = ''] = /^(-?)([a-z_]+):(.+)$/i.exec(named ?? part) ?? [];
    if (key === undefined) tests.push(wordTest(part.toLowerCase()));
    else tests.push(facetTest(key.toLowerCase(), list.toLowerCase().split(','), minus === '-', faults));
  }
  return { keep: (tool) => tests.every((test) => test(tool)), faults };
}

function wordTest(part: string): Test {
  const excludes = part.length > 1 && part.startsWith('-');
  const word = excludes ? part.slice(1) : part;
  return ({ name, description }) => `${name} ${description}`.toLowerCase().includes(word) !== excludes;
}

function facetTest(key: string, values: readonly string[], excludes: boolean, faults: string[]): Test {
  const facet = Object.hasOwn(facets, key) ? facets[key] : undefined;
  if (!facet) {
    const [near] = nearestNames(key, Object.keys(facets), 1);
    faults.push(`\`${key}:\` is not known${near ? `, did you mean \`${near}\`` : ''}; a filter is ${filterGrammar}`);
    return () => false;
  }
  const tests = values.flatMap((value): Test[] => {
    const test = facet(value);
    if (typeof test === 'function') return [test];
    faults.push(`\`${key}:\` must be ${test} (got \`${value}\`)`);
    return [];
  });
  return (tool) => tests.some((test) => test(tool)) !== excludes;
}
