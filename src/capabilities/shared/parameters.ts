import { defined, type Json, type JsonObject } from '../../core/base/json';
import type { JsonSchema } from '../../core/base/schema';
import { type ObjectSchema, type Properties, strictObject, type Typed } from '../../core/capability/declare';
import { invalidInput, type ToolError } from '../../core/vocabulary/errors';

/** What holds where a call says nothing. */
interface Usual {
  readonly default: Json;
}
interface Words<W extends string> extends Typed<'string'> {
  readonly enum: readonly W[];
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

// Parameters of tools: what a model reads about each, and what fits.

/** An input of which nothing has to be there. */
export const options = <const O extends Properties>(optional: O) => strictObject({}, optional);

/** A text of at most so many characters, and no empty one unless that is said. */
export const text = (description: string, maxLength: number, minLength = 1): Typed<'string'> => ({
  type: 'string',
  ...(minLength > 0 ? { minLength } : {}),
  maxLength,
  description,
});

/** For a parameter whose schema cannot say what does not fit. @param path points to it; empty for the whole input. */
export const unfit = (path: string, expected: string, got: string): ToolError =>
  invalidInput([{ path, expected, got }]);

/** @param usual holds where the call says nothing. */
export function choice<const W extends string>(about: string, words: readonly W[]): Words<W>;
export function choice<const W extends string>(about: string, words: readonly W[], usual: W): Words<W> & Usual;
export function choice(description: string, words: readonly string[], usual?: string): JsonSchema {
  return defined({ type: 'string', enum: words, default: usual, description });
}

export function wholeNumber(about: string, minimum: number, maximum: number): Typed<'integer'>;
export function wholeNumber(about: string, minimum: number, maximum: number, usual: number): Typed<'integer'> & Usual;
export function wholeNumber(description: string, minimum: number, maximum: number, usual?: number): JsonSchema {
  return defined({ type: 'integer', minimum, maximum, default: usual, description });
}

export function flag(description: string): Typed<'boolean'>;
export function flag(description: string, usual: boolean): Typed<'boolean'> & Usual;
export function flag(description: string, usual?: boolean): JsonSchema {
  return defined({ type: 'boolean', default: usual, description });
}
