import type { Json, JsonObject } from '../base/json';
import type { Capability } from './capability';
import type { JsonSchema } from '../base/schema';

/** A capability that comes with the extension, with what all of these have in common. */
export function builtin(capability: Omit<Capability, 'version' | 'status' | 'source'>): Capability {
  return { version: '1.0.0', status: 'available', source: { type: 'builtin' }, ...capability };
}

export type Properties = Readonly<Record<string, JsonSchema>>;

/** A schema of one type, such as `string`. */
export interface Typed<T extends string> extends JsonSchema {
  readonly type: T;
}

/** A schema of an object: the properties that have to be there, and those that may be. */
interface ObjectSchema<R, O> extends Typed<'object'> {
  readonly properties: R & O & Properties;
  readonly required?: readonly (keyof R & string)[];
}

/** The types that say all of a value. */
interface Plain {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
}

/** The properties with a default, which the gate fills in. */
type Filled<O> = { readonly [K in keyof O as O[K] extends { readonly default: unknown } ? K : never]: InputOf<O[K]> };

/** What the gate hands over of a call: a value that fits the schema, with its defaults filled in. */
export type InputOf<S> = S extends { readonly enum: readonly (infer W)[] }
  ? W
  : S extends ObjectSchema<infer R, infer O>
    ? { readonly [K in keyof R]: InputOf<R[K]> } & { readonly [K in keyof O]?: InputOf<O[K]> } & Filled<O>
    : S extends { readonly additionalProperties: infer Value }
      ? Readonly<Record<string, InputOf<Value>>>
      : S extends { readonly items: infer Item }
        ? readonly InputOf<Item>[]
        : S extends { readonly type: keyof Plain }
          ? Plain[S['type']]
          : Json;

/** An object with properties that have to be there and others that may; what else it holds does not matter. */
export function object(required: Properties, optional?: Properties): JsonSchema {
  return { type: 'object', ...propertiesOf(required, optional) };
}

/** The same without anything else. */
export function strictObject<const R extends Properties, const O extends Properties = Record<never, never>>(
  required: R,
  optional?: O,
): ObjectSchema<R, O>;
export function strictObject(required: Properties, optional?: Properties): JsonSchema {
  return { type: 'object', additionalProperties: false, ...propertiesOf(required, optional) };
}

function propertiesOf(required: Properties, optional: Properties = {}): JsonSchema {
  const names = Object.keys(required);
  return { properties: { ...required, ...optional }, ...(names.length === 0 ? {} : { required: names }) };
}

// Values of an answer, about which nothing more is said.
export const string: Typed<'string'> = { type: 'string' };
export const strings: JsonSchema = { type: 'array', items: string };
export const integer: JsonSchema = { type: 'integer' };
export const number: Typed<'number'> = { type: 'number' };
export const boolean: JsonSchema = { type: 'boolean' };
export const objects: JsonSchema = { type: 'array', items: { type: 'object' } };
