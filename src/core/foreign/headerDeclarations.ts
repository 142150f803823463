import { say, type Sentence } from '../base/sentence';
import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';

const key = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * What is wrong with the headers that an input schema declares (`x-mcp-header`, protocol 2026-07-28); undefined where
 * nothing is. Over HTTP a tool with a wrong declaration must not be used, because a server could put an argument into a
 * header that somebody else reads.
 */
export function headerFault(schema: unknown): Sentence | undefined {
  return inspect(schema, 'root', new Set());
}

/** Where a schema stands: an argument is reached from the root by nothing but `properties`. */
type Place = 'root' | 'argument' | 'elsewhere';

function inspect(schema: unknown, place: Place, seen: Set<string>): Sentence | undefined {
  if (Array.isArray(schema)) return first(schema, (one) => inspect(one, 'elsewhere', seen));
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, key)) {
    const name = schema[key];
    if (place !== 'argument') return say('header_elsewhere', key);
    if (typeof name !== 'string' || !token.test(name)) return say('header_name', key);
    if (!types.has(schema['type'])) return say('header_type', key);
    if (seen.has(name.toLowerCase())) return say('header_twice', name);
    seen.add(name.toLowerCase());
  }
  return first(Object.entries(schema), ([word, value]) => {
    // Values are data, whatever their keys are called.
    if (word === 'const' || word === 'enum' || word === 'default' || word === 'examples') return undefined;
    if (word !== 'properties' || !isObject(value)) return inspect(value, 'elsewhere', seen);
    return first(Object.values(value), (property) =>
      inspect(property, place === 'elsewhere' ? 'elsewhere' : 'argument', seen),
    );
  });
}

function first<T>(items: readonly T[], find: (item: T) => Sentence | undefined): Sentence | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The schema without what it says about headers: that is between a foreign server and us, and our own listing must not
 * make clients put arguments into headers. Answers the same object where there is nothing to leave out.
 */
export function withoutHeaders(schema: JsonSchema): JsonSchema {
  if (!JSON.stringify(schema).includes(key)) return schema;
  // A schema stays one when a word that is none of JSON Schema's is left out.
  return strip(schema) as JsonSchema;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([word, inner]) =>
      word === key && typeof inner === 'string' ? [] : [[word, strip(inner)]],
    ),
  );
}
