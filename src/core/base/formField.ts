import { type Json, parsedJson } from './json';
import type { JsonSchema } from './schema';

export interface FormChoice {
  readonly value: Json;
  readonly label: string;
}

interface Asked {
  readonly name: string;
  /** What people see in its place. */
  readonly label: string;
  /** Empty where the schema has none. */
  readonly description: string;
  readonly required: boolean;
}

interface TextField extends Asked {
  readonly type: 'text';
  readonly initial: string;
  /** `email`, `uri`, `date` and `date-time` are checked, others not. */
  readonly format?: string | undefined;
  /** In code points. */
  readonly minLength: number;
  readonly maxLength: number;
  /** True where nothing typed is an answer: the empty text. */
  readonly mayBeEmpty: boolean;
}

interface NumberField extends Asked {
  readonly type: 'number';
  /** As it is typed; empty for none. */
  readonly initial: string;
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
}

interface PathField extends Asked {
  readonly type: 'path';
  readonly initial: string;
}

interface JsonField extends Asked {
  readonly type: 'json';
  readonly initial: string;
}

export interface ChoicesField extends Asked {
  readonly type: 'choices';
  readonly choices: readonly FormChoice[];
  readonly initial: readonly Json[];
  readonly minItems: number;
  readonly maxItems: number;
}

/** What is answered by typing. */
export type TypedField = TextField | NumberField | JsonField;

/** One question of a form that a person fills in for the property of a JSON schema. */
export type FormField =
  | TypedField
  | PathField
  | ChoicesField
  | (Asked & { readonly type: 'boolean'; readonly initial: boolean | undefined })
  | (Asked & {
      readonly type: 'choice';
      readonly choices: readonly FormChoice[];
      readonly initial: Json | undefined;
    });

const bound = (schema: JsonSchema, key: string, otherwise: number): number =>
  typeof schema[key] === 'number' ? schema[key] : otherwise;

/** How many characters a text may have. */
export const lengthsOf = (schema: JsonSchema): Pick<TextField, 'minLength' | 'maxLength'> => ({
  minLength: bound(schema, 'minLength', 0),
  maxLength: bound(schema, 'maxLength', Number.POSITIVE_INFINITY),
});

/** Which numbers fit. */
export const rangeOf = (schema: JsonSchema): Pick<NumberField, 'integer' | 'minimum' | 'maximum'> => ({
  integer: schema.type === 'integer',
  minimum: bound(schema, 'minimum', Number.NEGATIVE_INFINITY),
  maximum: bound(schema, 'maximum', Number.POSITIVE_INFINITY),
});

/** How many choices may be taken. */
export const countsOf = (schema: JsonSchema, least: number): Pick<ChoicesField, 'minItems' | 'maxItems'> => ({
  minItems: bound(schema, 'minItems', least),
  maxItems: bound(schema, 'maxItems', Number.POSITIVE_INFINITY),
});

/** What is wrong with a typed answer. */
export type FieldFault =
  | { readonly type: 'missing' | 'number' | 'integer' | 'email' | 'uri' | 'date' | 'date-time' | 'json' | 'object' }
  | { readonly type: 'below' | 'above' | 'short' | 'long'; readonly bound: number };

type FieldAnswer =
  { readonly ok: true; readonly value: Json | undefined } | { readonly ok: false; readonly fault: FieldFault };

const formats = {
  email: (text: string) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text: string) => URL.canParse(text),
  date: (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
};

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/** Reads what a person typed into a field. Nothing typed leaves one out that may be left out. */
export function readField(field: TypedField, typed: string): FieldAnswer {
  if (typed === '' && !field.required) return { ok: true, value: undefined };
  if (typed === '' && !(field.type === 'text' && field.mayBeEmpty)) return { ok: false, fault: { type: 'missing' } };
  const wrong = (fault: FieldFault): FieldAnswer => ({ ok: false, fault });
  switch (field.type) {
    case 'number': {
      const value = Number(typed);
      if (typed.trim() === '' || !Number.isFinite(value)) return wrong({ type: 'number' });
      if (field.integer && !Number.isInteger(value)) return wrong({ type: 'integer' });
      if (value < field.minimum) return wrong({ type: 'below', bound: field.minimum });
      if (value > field.maximum) return wrong({ type: 'above', bound: field.maximum });
      return { ok: true, value };
    }
    case 'text': {
      const length = [...typed].length;
      if (length < field.minLength) return wrong({ type: 'short', bound: field.minLength });
      if (length > field.maxLength) return wrong({ type: 'long', bound: field.maxLength });
      const { format = '' } = field;
      return isFormat(format) && !formats[format](typed) ? wrong({ type: format }) : { ok: true, value: typed };
    }
    case 'json': {
      const value = jsonOf(typed);
      return value === undefined ? wrong({ type: 'json' }) : { ok: true, value };
    }
  }
}

/** The value of a JSON text; undefined for what is none. */
export const jsonOf = (typed: string): Json | undefined => parsedJson(typed) as Json | undefined; // reason: it was JSON
