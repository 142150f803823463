import { defined } from '../../core/base/json';
import type { JsonSchema } from '../../core/base/schema';
import { invalidInput, type ToolError } from '../../core/vocabulary/errors';

// Parameters of tools: what a model reads about each, and what fits.

/** A text of at most so many characters, and no empty one unless that is said. */
export const text = (description: string, maxLength: number, minLength = 1): JsonSchema => ({
  type: 'string',
  ...(minLength > 0 ? { minLength } : {}),
  maxLength,
  description,
});

/** For a parameter whose schema cannot say what does not fit. @param path points to it; empty for the whole input. */
export const unfit = (path: string, expected: string, got: string): ToolError =>
  invalidInput([{ path, expected, got }]);

/** @param usual holds where the call says nothing. */
export const choice = (description: string, words: readonly string[], usual?: string): JsonSchema =>
  defined({ type: 'string', enum: words, default: usual, description });

export const wholeNumber = (description: string, minimum: number, maximum: number, usual?: number): JsonSchema =>
  defined({ type: 'integer', minimum, maximum, default: usual, description });

export const flag = (description: string, usual?: boolean): JsonSchema =>
  defined({ type: 'boolean', default: usual, description });
