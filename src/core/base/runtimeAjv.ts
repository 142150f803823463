import Ajv, { type AnySchema, str } from 'ajv/dist/2020';
import additionalItems from 'ajv/dist/vocabularies/applicator/additionalItems';
import listOrSchema from 'ajv/dist/vocabularies/applicator/items';
import items from 'ajv/dist/vocabularies/applicator/items2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { defined, isObject } from './json';
import { setLast } from './maps';
import { dataWords, schemaTables } from './schemaBounds';
import { unicodeProperty } from './unicodeProperty';
import { ajvOptions } from './ajvOptions';
import type { SchemaCompiler } from './validator';
import type { GeneratedValidator } from './violations';

/** A linear-time stand-in for RegExp, so that a pattern in a foreign schema cannot hang. */
function linearRegExp(pattern: string): { test(text: string): boolean } {
  const named = pattern.replace(/\\(?:([pP])\{([^{}\\]*)\}|[^])/g, (whole, letter?: string, written = '') => {
    const name = letter === undefined ? undefined : unicodeProperty(written);
    return name === undefined ? whole : `\\${letter}{${name}}`;
  });
  const compiled = RE2JS.compile(RE2JS.translateRegExp(named));
  return { test: (text) => compiled.matcher(text).find() };
}
linearRegExp.code = 'linearRegExp';

/** Whether a number is a multiple of another as both are written in decimal. */
function isMultiple(value: number, step: number): boolean {
  const [digits, exponent] = inDecimal(value);
  const [stepDigits, stepExponent] = inDecimal(step);
  const least = Math.min(exponent, stepExponent);
  const scaled = (number: bigint, from: number): bigint => number * 10n ** BigInt(from - least);
  return scaled(digits, exponent) % scaled(stepDigits, stepExponent) === 0n;
}

/** A finite number as whole digits and the power of ten that they are multiplied by. */
function inDecimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(power) - fraction.length];
}

/** The same schema with tuples as the draft of 2020 writes them; before, `items` was a list. */
function withTuples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTuples);
  if (!isObject(value)) return value;
  const { items, additionalItems, ...rest } = mapped(value, (part, word) => {
    if (dataWords.has(word)) return part;
    return schemaTables.has(word) && isObject(part) ? mapped(part, withTuples) : withTuples(part);
  });
  if (!Array.isArray(items)) return defined({ ...rest, items, additionalItems });
  return defined({ ...rest, prefixItems: items.length === 0 ? undefined : items, items: additionalItems });
}

const mapped = (
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> => Object.fromEntries(Object.entries(object).map(([key, one]) => [key, change(one, key)]));

function makeAjv(validateSchema: boolean): Ajv {
  const ajv = new Ajv({
    ...ajvOptions,
    inlineRefs: false,
    strict: false,
    code: { regExp: linearRegExp as never },
    validateSchema,
    validateFormats: true,
    logger: false,
  });
  addFormats(ajv);
  // Before the draft of 2020 a tuple was a list of `items`. It stays where it is written, so that references find it.
  ajv.removeKeyword('items');
  ajv.addKeyword({
    ...items,
    schemaType: ['object', 'boolean', 'array'],
    code: (context) => (Array.isArray(context.schema) ? listOrSchema : items).code(context),
  });
  ajv.addKeyword(additionalItems);
  // The word of ajv divides doubles, so that 19.99 would be no multiple of 0.01.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (step: number) => (value: number) => isMultiple(value, step),
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  });
  return ajv;
}

/** Made with the first schema, and kept: to compile the draft's own schema costs as much as many tools' schemas. */
let checker: Ajv | undefined;

/** So many schemas, none longer, are kept by their text: those of a server come again whenever it is started anew. */
const mostKept = 200;
const longestKept = 20_000;
const kept = new Map<string, GeneratedValidator>();
/** JSON has one word, null, for itself and for what 1e999 is read as. */
const apart = (_key: string, one: unknown): unknown =>
  typeof one === 'number' ? String(one) : typeof one === 'string' ? `"${one}` : one;

/**
 * Compiles user and foreign schemas with ajv. In strict mode unknown words are errors; foreign schemas are more relaxed
 * about them.
 */
export function createCompiler(): SchemaCompiler {
  return {
    compile(schema) {
      // One instance for each schema: ids inside foreign schemas must not meet. The draft's schema is no foreign one,
      // and the check by it keeps nothing of what it checks.
      const { $schema: _draft, $id: _id, ...written } = schema;
      const text = JSON.stringify(written, apart);
      const known = kept.get(text);
      if (known) return known;
      checker ??= makeAjv(true);
      checker.validateSchema(withTuples(written) as AnySchema, true);
      const made = makeAjv(false).compile(structuredClone(written)) as never;
      if (text.length <= longestKept) setLast(kept, text, made, mostKept);
      return made;
    },
  };
}
