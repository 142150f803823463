import { type FieldFault, type FormField, jsonOf, lengthsOf, rangeOf } from '../base/formField';
import { isObject, type Json, type JsonObject } from '../base/json';
import type { JsonSchema } from '../base/schema';

/**
 * The questions for a tool's input: required properties first, then the optional ones, each in the schema's order. A
 * value of `given` is what the field holds at first.
 */
export function inputFields(schema: JsonSchema, given: JsonObject = {}): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    fieldOf(
      name,
      property,
      required.has(name),
      (Object.hasOwn(given, name) ? given[name] : undefined) ??
        property.default ??
        (required.has(name) ? property.examples?.[0] : undefined),
    ),
  );
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** A value as it is typed, and nothing for none. */
export const typedValue = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function fieldOf(name: string, property: JsonSchema, required: boolean, first: Json | undefined): FormField {
  const asked = { name, label: name, description: property.description ?? '', required };
  const initial = typedValue(first);
  if (property.enum && property.enum.length > 0) {
    const choices = property.enum.map((value) => ({ value, label: typedValue(value) }));
    return { ...asked, type: 'choice', choices, initial: choices.find(({ label }) => label === initial)?.value };
  }
  const types =
    typeof property.type === 'string' ? [property.type] : (property.type ?? []).filter((type) => type !== 'null');
  const type = types.length === 1 ? types[0] : undefined;
  switch (type) {
    case 'string':
      return isPath(name, property)
        ? { ...asked, type: 'path', initial }
        : { ...asked, type: 'text', initial, ...lengthsOf(property), mayBeEmpty: true };
    case 'number':
    case 'integer':
      return { ...asked, type: 'number', initial, ...rangeOf({ ...property, type }) };
    case 'boolean':
      return { ...asked, type: 'boolean', initial: typeof first === 'boolean' ? first : undefined };
    default:
      return { ...asked, type: 'json', initial };
  }
}

const pathName = /^(?:path|file|folder|dir|directory|source|destination|(?:.*_)?(?:path|file))$/i;
const pathWords = /^(?:an? |the )?(?:new )?(?:path|file|directory|folder)\b/i;

/** A place in the workspace, by the name of its property and what is said of it; a URL or a text is none. */
function isPath(name: string, { description = '', format }: JsonSchema): boolean {
  return format === undefined && pathName.test(name) && pathWords.test(description);
}

/** Joins answers to an input; what was left out is left out. */
export function formInput(answers: ReadonlyMap<string, Json | undefined>): JsonObject {
  return Object.fromEntries([...answers].filter(([, value]) => value !== undefined));
}

/** Accepts the whole input as JSON text, for people who would rather paste it. */
export function readWholeInput(
  typed: string,
): { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly fault: FieldFault } {
  const value = jsonOf(typed === '' ? '{}' : typed);
  return isObject(value)
    ? { ok: true, value: value as JsonObject } // reason: the text was JSON
    : { ok: false, fault: { type: 'object' } };
}
