import { riskLevels, toolKinds } from '../vocabulary/toolDefinition';
import { filterParts } from './filterGrammar';
import { type FilterKey, filterKeys, type ToolFacts } from './toolFilter';

/** One way to go on with a filter. */
interface FilterCompletion {
  /** The whole filter with it. */
  readonly text: string;
  /** What is put in: `risk:`, `-effect:fs.write`. */
  readonly part: string;
  readonly key: FilterKey;
  /** False for `risk:`, which wants a value yet. */
  readonly isWhole: boolean;
}

const met = ['allowed', 'asks', 'forbidden'];

/** The values of a facet: those that the grammar names, or those that these tools have, with what stands above them. */
function valuesOf(key: FilterKey, tools: readonly ToolFacts[]): readonly string[] {
  switch (key) {
    case 'risk':
      return [...riskLevels, ...riskLevels.slice(1, -1).flatMap((one) => [`<=${one}`, `>=${one}`])];
    case 'kind':
      return toolKinds;
    case 'agent':
      return met;
    case 'is':
      return ['on', 'off', ...met, ...riskLevels];
    case 'effect':
      return ofTools(tools, ({ sideEffects }) =>
        sideEffects.flatMap((one) => (one.includes('.') ? [one.slice(0, one.indexOf('.')), one] : [one])),
      );
    case 'scope':
      return ofTools(tools, ({ scopes }) => scopes);
    case 'source':
      return ofTools(tools, ({ source }) =>
        source.includes(':') ? [source.slice(0, source.indexOf(':')), source] : [source],
      );
    case 'category':
      return ofTools(tools, ({ category }) => (category === undefined ? [] : [category]));
  }
}

const ofTools = (tools: readonly ToolFacts[], values: (tool: ToolFacts) => readonly string[]): readonly string[] =>
  [...new Set(tools.flatMap((tool) => values(tool)))].sort();

/**
 * Ways to go on with the last part of a filter: keys, then the values of the key, after a comma further ones. None
 * where the last part is a word that no key begins with, or is whole.
 */
export function filterCompletions(text: string, tools: readonly ToolFacts[]): readonly FilterCompletion[] {
  const isBetween = text === '' || (/\s$/.test(text) && (text.split('"').length - 1) % 2 === 0);
  const last = isBetween ? '' : (filterParts(text).at(-1) ?? '');
  const head = text.slice(0, text.length - last.length);
  const [, minus = '', key, typed = ''] = /^(-?)([a-z_]+):(.*)$/i.exec(last) ?? [];
  if (key === undefined) {
    const [, sign = '', word = ''] = /^(-?)(.*)$/.exec(last) ?? [];
    return filterKeys
      .filter((one) => one.startsWith(word.toLowerCase()))
      .map((one) => completion(head, `${sign}${one}:`, one, false));
  }
  const facet = filterKeys.find((one) => one === key.toLowerCase());
  if (facet === undefined) return [];
  const values = typed.split(',');
  const begun = (values.pop() ?? '').replaceAll('"', '').toLowerCase();
  const before = values.map((value) => `${value},`).join('');
  return valuesOf(facet, tools)
    .filter((value) => value.toLowerCase().startsWith(begun) && value.toLowerCase() !== begun)
    .map((value) => (/\s/.test(value) ? `"${value}"` : value))
    .filter((value) => !values.includes(value))
    .map((value) => completion(head, `${minus}${facet}:${before}${value}`, facet, true));
}

const completion = (head: string, part: string, key: FilterKey, isWhole: boolean): FilterCompletion => ({
  text: head + part,
  part,
  key,
  isWhole,
});
