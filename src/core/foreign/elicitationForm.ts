import { countsOf, type FormChoice, type FormField, lengthsOf, rangeOf } from '../base/formField';
import { isObject, isStrings, type Json } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { visible } from '../base/visible';

export type FormAnswer = string | number | boolean | readonly string[];

/** Tells the answers that the protocol has. */
export const isFormAnswer = (value: Json | undefined): value is FormAnswer =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isStrings(value);

/**
 * The fields of a form that an MCP server asks (elicitation of protocols 2025-11-25 and 2026-07-28), in the schema's
 * order. A property of a kind that the protocol does not have is asked as text.
 */
export function elicitationFields(schema: JsonSchema): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, raw]) =>
    fieldOf(name, isObject(raw) ? raw : {}, required.has(name)),
  );
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): FormField {
  const text = (key: string): string | undefined => (typeof schema[key] === 'string' ? schema[key] : undefined);
  const initial: unknown = schema.default;
  const asked = {
    name,
    // What people see; invisible characters are shown.
    label: plain(text('title') ?? name),
    description: plain(text('description') ?? ''),
    required,
  };
  const { type } = schema;
  if (type === 'boolean')
    return { ...asked, type: 'boolean', initial: typeof initial === 'boolean' ? initial : undefined };
  const choices = choicesOf(type === 'array' ? (isObject(schema.items) ? schema.items : {}) : schema);
  if (type === 'array') {
    const chosen: readonly unknown[] = Array.isArray(initial) ? initial : [];
    const first = choices.flatMap(({ value }) => (chosen.includes(value) ? [value] : []));
    return { ...asked, type: 'choices', choices, initial: first, ...countsOf(schema, required ? 1 : 0) };
  }
  if (choices.length > 0)
    return { ...asked, type: 'choice', choices, initial: choices.find(({ value }) => value === initial)?.value };
  const shown = typeof initial === 'string' || typeof initial === 'number' ? String(initial) : '';
  if (type === 'number' || type === 'integer') return { ...asked, type: 'number', initial: shown, ...rangeOf(schema) };
  return {
    ...asked,
    type: 'text',
    initial: shown,
    format: text('format'),
    ...lengthsOf(schema),
    mayBeEmpty: false,
  };
}

/** The choices of `enum` (with `enumNames` of older servers), `oneOf` and `anyOf`. */
function choicesOf(schema: Readonly<Record<string, unknown>>): readonly FormChoice[] {
  const values = schema['enum'];
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
    return values.flatMap((value: unknown, index) => {
      const name = names[index];
      return typeof value === 'string' ? [{ value, label: plain(typeof name === 'string' ? name : value) }] : [];
    });
  }
  const titled: readonly unknown[] = [schema['oneOf'], schema['anyOf']].find((one) => Array.isArray(one)) ?? [];
  return titled.flatMap((one) =>
    isObject(one) && typeof one['const'] === 'string'
      ? [{ value: one['const'], label: plain(typeof one['title'] === 'string' ? one['title'] : one['const']) }]
      : [],
  );
}

function plain(text: string): string {
  return visible(text.replace(/\s+/g, ' ').slice(0, 500));
}
