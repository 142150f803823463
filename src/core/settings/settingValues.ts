import { got } from '../base/jsonReader';
import { typeName } from '../base/json';
import { nearestNames } from '../base/nearest';
import type { JsonSchema } from '../base/schema';
import { say, type Sentence } from '../base/sentence';

/**
 * Stands for a value that nobody can read and of which somebody was told already: the strictest counts, and nothing
 * more is said. It is no JSON, so that no settings file can hold it.
 */
export const unreadable: unique symbol = Symbol('unreadable');

/** What a scope says of a setting as a text, for comparing; empty where it says nothing. */
export const writtenText = (value: unknown): string =>
  value === unreadable ? 'unreadable' : (JSON.stringify(value) ?? '');

/** Checks the few words that settings' schemas use; the editor checks them again while the user types. */
export function misfit(schema: JsonSchema, value: unknown): Sentence | undefined {
  if (schema.type === 'integer') {
    const came = typeof value === 'number' ? String(value) : got(value);
    if (!Number.isInteger(value)) return say('must_be', say('a_whole_number'), came);
  } else if (typeof schema.type === 'string' && schema.type !== typeName(value))
    return say('must_be', schema.type, got(value));
  if (schema.enum && !schema.enum.some((one) => one === value))
    return say('must_be_one_of', schema.enum.map((one) => JSON.stringify(one)).join(', '), JSON.stringify(value), '');
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) return say('at_least', schema.minimum, value);
    if (schema.maximum !== undefined && value > schema.maximum) return say('at_most', schema.maximum, value);
  }
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems) return say('holds_few', schema.minItems);
    if (schema.maxItems !== undefined && value.length > schema.maxItems)
      return say('holds_many', schema.maxItems, value.length);
    if (schema.items)
      for (const item of value) {
        const fault = misfit(schema.items, item);
        if (fault) return say('holds_item', fault);
      }
  }
  return undefined;
}

/**
 * The settings that keys may have meant which are none, each as one that nobody can read: of the keys themselves is
 * told. Those are the settings of a section; of an administrator's misspelled key the nearest as well.
 */
export function meantBy(
  keys: readonly string[],
  known: Iterable<string>,
  which: 'sections' | 'all',
): Record<string, unknown> {
  const names = [...known];
  const meant = keys.flatMap((key) => {
    if (names.includes(key)) return [];
    const below = names.filter((name) => name.toLowerCase().startsWith(`${key.toLowerCase()}.`));
    return below.length > 0 || which === 'sections' ? below : nearestNames(key, names, 1);
  });
  return Object.fromEntries(meant.map((name) => [name, unreadable]));
}
