import { defined, type Json } from '../../core/base/json';
import type { JsonSchema } from '../../core/base/schema';
import { type Properties, strictObject, type Typed } from '../../core/capability/declare';
import { invalidInput, type ToolError } from '../../core/vocabulary/errors';

/** What holds where a call says nothing. */
interface Usual {
  readonly default: Json;
}
interface Words<W extends string> extends Typed<'string'> {
  readonly enum: readonly W[];
}

export type { InputOf } from '../../core/capability/declare';

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
