import { typeName } from '../base/json';
import { nearestNames } from '../base/nearest';
import type { JsonSchema } from '../base/schema';

/** Checks the few words that settings' schemas use; the editor checks them again while the user types. */
export function misfit(schema: JsonSchema, value: unknown): string | undefined {
  const type = typeName(value);
  if (typeof schema.type === 'string' && schema.type !== type) return `must be ${schema.type} (got ${type})`;
  if (schema.enum && !schema.enum.some((one) => one === value))
    return `must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')} (got ${JSON.stringify(value)})`;
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum)
      return `must be at least ${schema.minimum} (got ${value})`;
    if (schema.maximum !== undefined && value > schema.maximum)
      return `must be at most ${schema.maximum} (got ${value})`;
  }
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems)
      return `must hold at least ${schema.minItems} items`;
    if (schema.items)
      for (const item of value)
        if (misfit(schema.items, item)) return `holds an item that ${misfit(schema.items, item) ?? ''}`;
  }
  return undefined;
}

/** The settings that misspelled keys of an administrator may have meant, each with a value that nobody can read. */
export function meantBy(keys: readonly string[], known: Iterable<string>): Record<string, unknown> {
  const names = [...known];
  const meant = keys.flatMap((key) => {
    if (names.includes(key)) return [];
    const below = names.filter((name) => name.toLowerCase().startsWith(`${key.toLowerCase()}.`));
    return below.length > 0 ? below : nearestNames(key, names, 1);
  });
  return Object.fromEntries(meant.map((name) => [name, null]));
}
