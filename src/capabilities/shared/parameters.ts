import { defined } from '../../core/base/json';
import type { JsonSchema } from '../../core/base/schema';

// Parameters of tools: what a model reads about each, and what fits.

/** A text of at most so many characters, and no empty one unless that is said. */
export const text = (description: string, maxLength: number, minLength = 1): JsonSchema => ({
  type: 'string',
  ...(minLength > 0 ? { minLength } : {}),
  maxLength,
  description,
});

/** @param usual holds where the call says nothing. */
export const choice = (description: string, words: readonly string[], usual?: string): JsonSchema =>
  defined({ type: 'string', enum: words, default: usual, description });

export const wholeNumber = (description: string, minimum: number, maximum: number, usual?: number): JsonSchema =>
  defined({ type: 'integer', minimum, maximum, default: usual, description });

export const flag = (description: string, usual?: boolean): JsonSchema =>
  defined({ type: 'boolean', default: usual, description });
