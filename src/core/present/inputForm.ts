import { isObject, type Json, type JsonObject } from '../base/json';
import type { JsonSchema } from '../base/schema';

/** One question of the form by which a person runs a tool. */
export interface FormField {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly kind: 'text' | 'path' | 'number' | 'boolean' | 'choice' | 'json';
  readonly choices: readonly Json[];
  /** What the field holds at first, as typed text. */
  readonly initial: string;
}

/**
 * The questions for a tool's input: required properties first, then the optional ones, each in the schema's order. A
 * value of `given` that its property takes is what the field holds at first.
 */
export function formFields(schema: JsonSchema, given: JsonObject = {}): readonly FormField[] {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]): FormField => {
    const first =
      (Object.hasOwn(given, name) ? given[name] : undefined) ??
      property.default ??
      (required.has(name) ? property.examples?.[0] : undefined);
    return {
      name,
      required: required.has(name),
      description: property.description ?? '',
      kind: kindOf(name, property),
      choices: property.enum ?? [],
      initial: first === undefined ? '' : typeof first === 'string' ? first : JSON.stringify(first),
    };
  });
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

const pathName = /^(?:path|file|folder|dir|directory|source|destination|(?:.*_)?(?:path|file))$/i;
const pathWords = /^(?:an? |the )?(?:new )?(?:path|file|directory|folder)\b/i;

/** A place in the workspace, by the name of its property and what is said of it; a URL or a text is none. */
function isPath(name: string, { description = '', format }: JsonSchema): boolean {
  return format === undefined && pathName.test(name) && pathWords.test(description);
}

function kindOf(name: string, property: JsonSchema): FormField['kind'] {
  if (property.enum && property.enum.length > 0) return 'choice';
  const types =
    typeof property.type === 'string' ? [property.type] : (property.type ?? []).filter((type) => type !== 'null');
  const [type, ...others] = types;
  if (others.length > 0) return 'json';
  if (type === 'string') return isPath(name, property) ? 'path' : 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

type FieldAnswer =
  { readonly ok: true; readonly value: Json | undefined } | { readonly ok: false; readonly message: string };

/**
 * Reads what a person typed into a field. Nothing typed leaves an optional field out; the gate checks everything again.
 */
export function readField(field: FormField, typed: string): FieldAnswer {
  if (typed === '' && !field.required) return { ok: true, value: undefined };
  switch (field.kind) {
    case 'text':
    case 'path':
    case 'choice':
      return { ok: true, value: typed };
    case 'number': {
      const value = Number(typed);
      return typed.trim() !== '' && Number.isFinite(value)
        ? { ok: true, value }
        : { ok: false, message: `expected a number (got \`${typed}\`)` };
    }
    case 'boolean':
      return typed === 'true' || typed === 'false'
        ? { ok: true, value: typed === 'true' }
        : { ok: false, message: 'expected true or false' };
    case 'json':
      try {
        const value: unknown = JSON.parse(typed);
        return { ok: true, value: value as Json };
      } catch {
        return { ok: false, message: 'expected JSON, such as ["a", 1] or {"a": true}' };
      }
  }
}

/** Joins answers to an input; what was left out is left out. */
export function formInput(answers: ReadonlyMap<string, Json | undefined>): JsonObject {
  return Object.fromEntries([...answers].filter(([, value]) => value !== undefined));
}

/** Accepts the whole input as JSON text, for people who would rather paste it. */
export function readWholeInput(typed: string): FieldAnswer {
  try {
    const value: unknown = JSON.parse(typed === '' ? '{}' : typed);
    return isObject(value)
      ? { ok: true, value: value as JsonObject }
      : { ok: false, message: 'expected a JSON object' };
  } catch {
    return { ok: false, message: 'expected a JSON object, such as {"path": "README.md"}' };
  }
}
