import type { JsonSchema } from '../../../core/base/schema';
import type { Typed } from '../../../core/capability/declare';
import { harmless } from '../../../core/vocabulary/toolDefinition';
import { flag, text } from '../../shared/parameters';

/** Pieces of schemas that several of the file tools share. */
export const pathProperty = (description: string): Typed<'string'> => text(description, 4096);

export const globs = (description: string) =>
  ({ type: 'array', items: { type: 'string', minLength: 1, maxLength: 1000 }, maxItems: 50, description }) as const;

export const cursor = text('next_cursor of the same call, for the next page.', 5000, 0);

export const expectedHash = text(
  'hash (content_hash) that an earlier read or write of this file gave; the call is refused if the file has changed since.',
  71,
  8,
);

export const includeIgnored = flag(
  'Also what .gitignore and the editor leave out (build output, node_modules, .git). Default false.',
);

/** What all tools have in common that only read. */
export const reading = { ...harmless, scopes: ['file:read'], sideEffects: ['fs.read'], timeoutMs: 60_000 } as const;

/** An object of which the caller may know only a part; results may grow. */
export const result = (required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required,
  properties: { path: { type: 'string' }, ...properties },
  additionalProperties: true,
});
