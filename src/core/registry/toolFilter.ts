import { ownValue } from '../base/json';
import { proposal } from '../base/nearest';
import { isAtLeast } from '../base/order';
import { say, type Sentence } from '../base/sentence';
import { type Permission, permissions, readRiskLevel, riskLevels, toolKinds } from '../vocabulary/toolDefinition';
import { filterGrammar, filterParts } from './filterGrammar';

/** What of a tool a filter asks about. */
export interface ToolFacts {
  /** `mcp:files:read_file`. */
  readonly id?: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly kind: string;
  readonly riskLevel: (typeof riskLevels)[number];
  readonly sideEffects: readonly string[];
  readonly scopes: readonly string[];
  /** What its capability says of itself: id, name, category. */
  readonly about?: string;
  readonly category?: string | undefined;
  /** `builtin`, `mcp:files`, `definition:file`. */
  readonly source: string;
  /** For an agent. */
  readonly permission: Permission;
  readonly enabled: boolean;
}

export type ToolTest = (tool: ToolFacts) => boolean;

/** Makes the test for one value of a facet, or says what was expected. */
type Facet = (value: string) => ToolTest | Sentence;

export const filterKeys = ['risk', 'effect', 'scope', 'source', 'kind', 'category', 'agent', 'is'] as const;
export type FilterKey = (typeof filterKeys)[number];

const oneOf =
  (values: readonly string[], test: (tool: ToolFacts, value: string) => boolean): Facet =>
  (value) =>
    values.includes(value) ? (tool) => test(tool, value) : say('filter_one_of', values.join(', '));

const below = (wanted: string, value: string): boolean => value === wanted || value.startsWith(`${wanted}.`);

/** How `agent:` and `is:` name what an agent meets; the long form of the files is read too. */
const permissionNames: Readonly<Record<string, Permission>> = {
  allowed: 'allowed',
  asks: 'confirmation_required',
  forbidden: 'forbidden',
  ...Object.fromEntries(permissions.map((one) => [one, one])),
};

/** What a row shows of a tool, by its word. What is off meets nobody, so its row shows neither asks nor allowed. */
export const englishStates: ReadonlyMap<string, ToolTest> = new Map<string, ToolTest>([
  ...['on', 'enabled'].map((word): [string, ToolTest] => [word, ({ enabled }) => enabled]),
  ...['off', 'disabled'].map((word): [string, ToolTest] => [word, ({ enabled }) => !enabled]),
  ...riskLevels.map((one): [string, ToolTest] => [one, ({ riskLevel }) => riskLevel === one]),
  ...Object.entries(permissionNames).map(([word, one]): [string, ToolTest] => [
    word,
    ({ enabled, permission }) => enabled && permission === one,
  ]),
]);

/** Words of people for what the keys of sources begin with. */
const sourceWords: Readonly<Record<string, string>> = { extension: 'ext', channel: 'chan' };

const facets: Readonly<Record<FilterKey, Facet>> = {
  risk(value) {
    const [, sign = '', word = ''] = /^(<=|>=)?(.*)$/.exec(value) ?? [];
    const wanted = readRiskLevel(word);
    if (wanted === undefined) return say('filter_risk', riskLevels.join(', '));
    if (sign === '<=') return ({ riskLevel }) => isAtLeast(riskLevels, wanted, riskLevel);
    if (sign === '>=') return ({ riskLevel }) => isAtLeast(riskLevels, riskLevel, wanted);
    return ({ riskLevel }) => riskLevel === wanted;
  },
  effect: (value) => (tool) => tool.sideEffects.some((effect) => below(value, effect)),
  scope: (value) => (tool) => tool.scopes.some((scope) => scope.toLowerCase() === value),
  // `mcp`, `mcp:files` and `files` alike.
  source: (value) => (tool) => {
    const source = tool.source.toLowerCase();
    return `${source}:`.startsWith(`${ownValue(sourceWords, value) ?? value}:`) || source.endsWith(`:${value}`);
  },
  category: (value) => (tool) => tool.category?.toLowerCase() === value,
  kind: oneOf(toolKinds, (tool, value) => tool.kind === value),
  agent: oneOf(Object.keys(permissionNames), (tool, value) => tool.permission === permissionNames[value]),
  is: oneOf([...englishStates.keys()], (tool, value) => englishStates.get(value)?.(tool) === true),
};

const isKey = (key: string): key is FilterKey => Object.hasOwn(facets, key);

/** Other names of facets, as the documents of tool registries call them. */
const otherNames: Readonly<Record<string, (value: string) => string>> = {
  risk_level_max: (value) => `risk:<=${value}`,
  exclude_side_effects: (value) => `-effect:${value}`,
  permissions: (value) => `scope:${value}`,
  source_types: (value) => `source:${value}`,
  enabled_only: (value) => (/^true$/i.test(value) ? 'is:on' : /^false$/i.test(value) ? 'is:on,off' : `is:${value}`),
};

const keyed = [...filterKeys, ...Object.keys(otherNames)].join('|');
/** A key as documents and other tools write it too: `risk_level_max=low`, `filter.permissions: weather:read`. */
const spelling = new RegExp(`^(-?)(?:filter\\.)?(${keyed})[:=](.*)$`, 'i');
const isWithoutValue = new RegExp(`^-?(?:${keyed}):$`, 'i');

/** The parts of a filter; those that have a key as `key:value`, however it was written. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (const part of filterParts(text)) {
    const last = parts.at(-1) ?? '';
    // A value that stands apart from its key belongs to it.
    if (isWithoutValue.test(last)) parts.splice(-1, 1, last + part);
    else parts.push(part.replace(spelling, '$1$2:$3'));
  }
  return parts;
}

/** True for a text that is more than words: some part such as `risk:low` has a key that filters know. */
export function hasFacet(text: string): boolean {
  return partsOf(text).some((part) => {
    if (idForm.test(part)) return true;
    const key = /^-?([a-z_]+):./i.exec(part)?.[1]?.toLowerCase() ?? '';
    return isKey(key) || Object.hasOwn(otherNames, key);
  });
}

/** A tool's id, or what ids begin with (`mcp:files`). */
const idForm = /^(-?)((?:cap|ext|mcp|chan|host):.+)$/i;

interface ToolFilter {
  readonly keep: ToolTest;
  /** The plain words, in lower case. */
  readonly words: readonly string[];
  /** False where a part asks for more than words. */
  readonly isOnlyWords: boolean;
  readonly faults: readonly Sentence[];
}

/** How a surface reads plain words. */
interface WordReading {
  /** The words that its rows show, also in the language of the person. */
  readonly states?: ReadonlyMap<string, ToolTest>;
  /** Whether a word stands in what is searched of a tool. */
  readonly mentions?: (word: string) => ToolTest;
}

/**
 * Reads a filter such as `write risk:<=medium -effect:fs.write,fs.delete is:on`: the one grammar of every surface. A
 * plain word is one that a row shows as the state of a tool (`asks`, `high`, `off`), or stands in the name and
 * description of the tool or its capability; values between commas are alternatives, `-` leaves out, and everything
 * that is given must hold.
 */
export function parseToolFilter(
  text: string,
  { states = englishStates, mentions = standsIn }: WordReading = {},
): ToolFilter {
  const tests: ToolTest[] = [];
  const words: string[] = [];
  const faults: Sentence[] = [];
  for (const part of partsOf(text)) {
    const other = /^([a-z_]+):(.+)$/i.exec(part);
    const named = other && ownValue(otherNames, other[1]?.toLowerCase() ?? '')?.(other[2] ?? '');
    const [, without = '', id] = idForm.exec(part) ?? [];
    const [, minus = '', key, list = ''] = /^(-?)([a-z_]+):(.+)$/i.exec(named ?? part) ?? [];
    if (id !== undefined) {
      const begins = `${id.toLowerCase()}:`;
      tests.push((tool) => `${tool.id?.toLowerCase()}:`.startsWith(begins) !== (without === '-'));
    } else if (key === undefined) {
      const word = part.replaceAll('"', '').toLowerCase();
      words.push(word);
      tests.push(wordTest(word, states, mentions));
    } else {
      const values = list.replaceAll('"', '').toLowerCase().split(',').filter(Boolean);
      tests.push(facetTest(key.toLowerCase(), values, minus === '-', faults));
    }
  }
  return {
    keep: (tool) => tests.every((test) => test(tool)),
    words,
    isOnlyWords: words.length === tests.length,
    faults,
  };
}

function wordTest(part: string, states: ReadonlyMap<string, ToolTest>, mentions: (word: string) => ToolTest): ToolTest {
  const excludes = part.length > 1 && part.startsWith('-');
  const word = excludes ? part.slice(1) : part;
  const shows = states.get(word);
  const test: ToolTest = shows
    ? (tool) => shows(tool) || tool.name.toLowerCase().split('_').includes(word)
    : mentions(word);
  return excludes ? (tool) => !test(tool) : test;
}

const standsIn =
  (word: string): ToolTest =>
  ({ name, aliases = [], description, about = '' }) =>
    `${name} ${aliases.join(' ')} ${description} ${about}`.toLowerCase().includes(word);

function facetTest(key: string, values: readonly string[], excludes: boolean, faults: Sentence[]): ToolTest {
  if (!isKey(key)) {
    faults.push(say('filter_key', key, proposal(key, filterKeys), filterGrammar));
    return () => false;
  }
  const facet = facets[key];
  const tests = values.flatMap((value): ToolTest[] => {
    const test = facet(value);
    if (typeof test === 'function') return [test];
    faults.push(say('filter_value', key, test, value));
    return [];
  });
  return (tool) => tests.some((test) => test(tool)) !== excludes;
}
