/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An object whose optional properties are not there where they are undefined, as `exactOptionalPropertyTypes` wants.
 */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Copies an object without the properties whose value is undefined. */
export function defined<const T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The value of a text of JSON; undefined for a text that is none. */
export function parsedJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is left of a value that is written as JSON and read again, such as a copy of one that others may change. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** True for a list of texts alone. */
export const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The texts of a list; none of anything else. */
export const stringsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Names a value's type as JSON sees it, for messages such as `must be string (got number)`. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value === 'undefined' ? 'nothing' : typeof value;
}

/**
 * Writes a value with its keys sorted and no white space, so that equal values have equal text.
 * Used for hashes and for comparing calls. Keys whose value is undefined are left out, as `JSON.stringify` does.
 * A cyclic value throws a `RangeError`, as does nesting of more than 200 levels.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > 200) throw new RangeError('the value is nested more than 200 levels deep');
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null, depth + 1)).join(',')}]`;
  const object: Record<string, unknown> = { ...value };
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`);
  }
  return `{${parts.join(',')}}`;
}

/**
 * An object's own value of a name that anybody may have chosen. Plain indexing finds for `constructor` or `toString`
 * what every object inherits.
 */
export function ownValue<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * One table of several by names that anybody may have chosen, the later over the earlier. It inherits nothing, so that
 * plain indexing is safe.
 */
export function nameTable<T>(...parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  const table: Record<string, T> = Object.create(null);
  return Object.assign(table, ...parts);
}

/** Keys that could reach a prototype. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Copies foreign JSON, leaving out the keys that could reach a prototype, and refuses depth over `maxDepth`.
 * Every JSON that comes from outside (settings, definitions, servers, models) passes here once, at the edge.
 * @param leftOut hears of each key that is left out, with the way to it from the value.
 */
export function sanitizeJson(value: unknown, maxDepth = 64, leftOut?: (way: readonly string[]) => void): unknown {
  if (maxDepth < 0) throw new RangeError('the value is nested too deep');
  const inner = (item: unknown, key: string | number): unknown =>
    sanitizeJson(item, maxDepth - 1, leftOut && ((way) => leftOut([String(key), ...way])));
  if (Array.isArray(value)) return value.map(inner);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) leftOut?.([key]);
    else copy[key] = inner(value[key], key);
  }
  return copy;
}

/** Spells a snake_case key in camelCase; a key that holds no underscore stays as it is. */
export function camelCase(key: string): string {
  return key.replace(/_+([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Every text of a value, but for fields whose names are left out. */
export function* textsIn(value: unknown, isLeftOut: (name: string) => boolean = () => false): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, isLeftOut);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) if (!isLeftOut(key)) yield* textsIn(item, isLeftOut);
}

/** A value and all that is in it, each with the name that it has in its object: the outer before the inner. */
export function* partsIn(value: unknown, name?: string): Iterable<readonly [part: unknown, name: string | undefined]> {
  yield [value, name];
  if (Array.isArray(value)) for (const item of value) yield* partsIn(item);
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* partsIn(item, key);
}
