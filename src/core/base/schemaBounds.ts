import { wordSet } from './wordSet';
import { isObject } from './json';
import { percentDecoded } from './percentDecoded';
import { valueAt } from './pointer';
import { isRe2 } from './re2Syntax';
import { saidBy, SaidError, say, type Sentence } from './sentence';

const mostBytes = 64 * 1024;
const deepest = 32;
const mostSchemas = 2000;
const mostCombinations = 4096;

/**
 * Says why a foreign schema is refused, undefined where it is harmless enough to compile. Bounds follow what was
 * measured: size, depth, number of subschemas, branching (behind references too), references to other documents.
 */
export function schemaFault(schema: unknown): Sentence | undefined {
  let size: number;
  try {
    size = JSON.stringify(schema)?.length ?? 0;
  } catch {
    return say('schema_cyclic');
  }
  if (size > mostBytes) return say('schema_long', size, mostBytes);
  try {
    new Parts(schema).check();
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** Words whose values are schemas by names that the author chose; the names are no words. */
export const schemaTables = wordSet('properties patternProperties dependentSchemas dependencies $defs definitions');
/** Words whose values are data, in which nothing is a word. */
export const dataWords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Words whose schemas meet different parts of a value. */
const apart = wordSet(
  'properties additionalProperties unevaluatedProperties propertyNames prefixItems items additionalItems unevaluatedItems',
);
/** Words whose schemas are applied to the value itself, as those behind a reference are. */
const inPlace = wordSet('allOf anyOf oneOf not if then else dependentSchemas dependencies');
/** Words whose schemas are all applied to the same value, or to the same part of it. */
const together = new Set([...inPlace, 'patternProperties', 'contains']);
const referenceWords = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The parts of one schema; `check` throws a SaidError for what is out of bounds. */
class Parts {
  readonly #root: unknown;
  /** The documents within the document (those with an `$id`) around each part, the innermost last. */
  readonly #documents = new Map<object, readonly unknown[]>();
  readonly #anchors = new Map<string, object[]>();
  /** How often each part applies to one value what it holds and refers to. */
  readonly #here = new Map<object, number>();

  constructor(root: unknown) {
    this.#root = root;
  }

  check(): void {
    this.#read(this.#root, 0, [this.#root]);
    this.#count();
  }

  /** Looks at a schema and all that is in it, whatever word it stands behind: a reference can lead there. */
  #read(value: unknown, depth: number, documents: readonly unknown[]): void {
    if (depth > deepest) throw new SaidError(say('schema_deep', deepest));
    if (Array.isArray(value)) {
      for (const item of value) this.#read(item, depth + 1, documents);
      return;
    }
    if (!isObject(value)) return;
    const inner = typeof value['$id'] === 'string' && depth > 0 ? [...documents, value] : documents;
    this.#documents.set(value, inner);
    if (this.#documents.size > mostSchemas) throw new SaidError(say('schema_parts', mostSchemas));
    refuseWords(value);
    for (const anchor of [value['$anchor'], value['$dynamicAnchor']])
      if (typeof anchor === 'string') this.#anchors.set(anchor, [...(this.#anchors.get(anchor) ?? []), value]);
    for (const [word, item] of Object.entries(value)) {
      if (dataWords.has(word)) this.#readData(item, depth + 1);
      else if (schemaTables.has(word) && isObject(item))
        for (const one of Object.values(item)) this.#read(one, depth + 2, inner);
      else this.#read(item, depth + 1, inner);
    }
  }

  #readData(value: unknown, depth: number): void {
    if (depth > deepest) throw new SaidError(say('schema_deep', deepest));
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) this.#readData(item, depth + 1);
  }

  /**
   * How often a part of a value is checked at most by a schema and what it refers to. What leads back to a schema that
   * is being counted adds 1, because each round needs one more level of the value.
   */
  #count(): void {
    // What is applied to one and the same value comes first: that has no way back, so that it is counted exactly.
    for (const schema of this.#documents.keys()) this.#combinations(schema, this.#here, new Set(), false);
    this.#combinations(this.#root, new Map(), new Set(), true);
  }

  /** @param isFromRoot true where all that a value and its parts meet is counted, and checked, from the root on. */
  #combinations(schema: unknown, counted: Map<object, number>, open: Set<object>, isFromRoot: boolean): number {
    if (!isObject(schema)) return 1;
    const known = counted.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) {
      if (isFromRoot) return 1;
      throw new SaidError(say('schema_endless'));
    }
    open.add(schema);
    if (isFromRoot) refuseUseless(schema);
    const countOf = (one: unknown): number => this.#combinations(one, counted, open, isFromRoot);
    const summed = isFromRoot ? together : inPlace;
    let sum = 0;
    let most = 0;
    for (const word of referenceWords) {
      const meant = this.#meantBy(schema, word);
      // Checked where it is reached from the root alone: a part that nothing uses harms nobody.
      if (isFromRoot && typeof schema[word] === 'string' && meant.every((one) => one === undefined))
        throw new SaidError(say('schema_nowhere', schema[word].slice(0, 100)));
      sum += Math.max(0, ...meant.map(countOf));
    }
    for (const [word, item] of Object.entries(schema)) {
      if (summed.has(word)) sum += schemasIn(word, item).reduce<number>((all, one) => all + countOf(one), 0);
      else if (isFromRoot && apart.has(word)) most = Math.max(most, ...schemasIn(word, item).map(countOf));
    }
    open.delete(schema);
    const count = Math.max(1, sum + most);
    if (count > mostCombinations) throw new SaidError(say('schema_alternatives'));
    counted.set(schema, count);
    return count;
  }

  /** What a reference may lead to: where several documents could be meant, in each of them. */
  #meantBy(schema: Record<string, unknown>, word: string): readonly unknown[] {
    const reference = schema[word];
    if (typeof reference !== 'string') return [];
    const written = reference.slice(1);
    const name = percentDecoded(written);
    const meant = new Set<unknown>(this.#anchors.get(name));
    if (name === '' || name.startsWith('/'))
      for (const document of [...(this.#documents.get(schema) ?? []), this.#root]) {
        // A slash that is written `%2F` parts the pointer for some readers and is in a name for others.
        const inNames = written.split('/').map((part) => percentDecoded(part).replaceAll('/', '~1'));
        meant.add(valueAt(document, name)).add(valueAt(document, inNames.join('/')));
      }
    // What stood there as data is a schema now.
    for (const one of meant) if (isObject(one) && !this.#documents.has(one)) this.#read(one, 0, [this.#root]);
    return [...meant];
  }
}

const counts = 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'.split(' ');

/** Refuses what no value can be checked by, so that it is told when it is listed and not with each call. */
function refuseUseless(schema: Record<string, unknown>): void {
  for (const word of counts) {
    const value = schema[word];
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0))
      throw new SaidError(say('schema_count', word, value));
  }
  const { multipleOf, pattern, patternProperties } = schema;
  if (typeof multipleOf === 'number' && multipleOf <= 0) throw new SaidError(say('schema_step', multipleOf));
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  for (const one of typeof pattern === 'string' ? [pattern, ...patterns] : patterns)
    if (!isRe2(one)) throw new SaidError(say('schema_no_pattern', one.slice(0, 100)));
}

/** The schemas of a word's value. */
const schemasIn = (word: string, value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : schemaTables.has(word) && isObject(value) ? Object.values(value) : [value];

/** Throws where one schema says by itself what none may say. */
function refuseWords(schema: Readonly<Record<string, unknown>>): void {
  // An asynchronous validator answers with a promise, which every caller would take for a yes.
  if ((schema['$async'] ?? false) !== false) throw new SaidError(say('schema_async'));
  for (const word of referenceWords) {
    const reference = schema[word];
    if (typeof reference === 'string' && !reference.startsWith('#'))
      throw new SaidError(say('schema_elsewhere', reference.slice(0, 100)));
  }
  const { uniqueItems, maxItems } = schema;
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= 1000))
    throw new SaidError(say('schema_unique'));
}
