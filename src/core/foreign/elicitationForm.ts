import { isObject } from '../base/json';
import type { JsonSchema } from '../base/schema';
import { visibleText } from '../base/visible';

interface FormChoice {
  readonly value: string;
  readonly label: string;
}

/** One question of a form that an MCP server asks (elicitation of protocols 2025-11-25 and 2026-07-28). */
export type FormField = Readonly<ReturnType<typeof fieldOf>>;

export type FormAnswer = string | number | boolean | readonly string[];

/**
 * The fields of a form in the schema's order. A property of a kind that the protocol does not have is asked as text.
 */
export function formFields(schema: JsonSchema): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, raw]) =>
    fieldOf(name, isObject(raw) ? raw : {}, required.has(name)),
  );
}

function fieldOf(name: string, schema: Readonly<Record<string, unknown>>, required: boolean) {
  const text = (key: string): string | undefined => (typeof schema[key] === 'string' ? schema[key] : undefined);
  const bound = (key: string, otherwise: number): number => (typeof schema[key] === 'number' ? schema[key] : otherwise);
  const initial = schema['default'];
  const base = {
    name,
    // What people see; invisible characters are shown.
    label: plain(text('title') ?? name),
    description: plain(text('description') ?? ''),
    required,
  };
  const type = schema['type'];
  if (type === 'boolean')
    return { ...base, type: 'boolean' as const, initial: typeof initial === 'boolean' ? initial : undefined };
  if (type === 'array') {
    const choices = choicesOf(isObject(schema['items']) ? schema['items'] : {});
    return {
      ...base,
      type: 'choices' as const,
      choices,
      initial: Array.isArray(initial)
        ? initial.filter((one): one is string => choices.some(({ value }) => value === one))
        : [],
      minItems: bound('minItems', required ? 1 : 0),
      maxItems: bound('maxItems', Number.POSITIVE_INFINITY),
    };
  }
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return {
      ...base,
      type: 'choice' as const,
      choices,
      initial: choices.some(({ value }) => value === initial) ? String(initial) : undefined,
    };
  const shown = typeof initial === 'string' || typeof initial === 'number' ? String(initial) : '';
  if (type === 'number' || type === 'integer')
    return {
      ...base,
      type: 'number' as const,
      initial: shown,
      integer: type === 'integer',
      minimum: bound('minimum', Number.NEGATIVE_INFINITY),
      maximum: bound('maximum', Number.POSITIVE_INFINITY),
    };
  return {
    ...base,
    type: 'text' as const,
    initial: shown,
    format: text('format'),
    minLength: bound('minLength', 0),
    maxLength: bound('maxLength', Number.POSITIVE_INFINITY),
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

/** What is wrong with a typed answer; undefined where it may stand. The words name what is expected. */
type TextFault =
  | { readonly type: 'missing' | 'number' | 'integer' | 'email' | 'uri' | 'date' | 'date-time' }
  | { readonly type: 'below' | 'above' | 'short' | 'long'; readonly bound: number };

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
};

export function textFault(
  field: FormField & { readonly type: 'text' | 'number' },
  text: string,
): TextFault | undefined {
  if (text === '') return field.required ? { type: 'missing' } : undefined;
  if (field.type === 'number') {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) return { type: 'number' };
    if (field.integer && !Number.isInteger(value)) return { type: 'integer' };
    if (value < field.minimum) return { type: 'below', bound: field.minimum };
    if (value > field.maximum) return { type: 'above', bound: field.maximum };
    return undefined;
  }
  const length = [...text].length;
  if (length < field.minLength) return { type: 'short', bound: field.minLength };
  if (length > field.maxLength) return { type: 'long', bound: field.maxLength };
  const format = field.format;
  if (
    (format === 'email' || format === 'uri' || format === 'date' || format === 'date-time') &&
    formats[format]?.(text) === false
  )
    return { type: format };
  return undefined;
}

function plain(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').slice(0, 500)).text;
}
