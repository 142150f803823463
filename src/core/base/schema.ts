import type { Json } from './json';
import type { Sentence } from './sentence';

/** A JSON Schema (draft 2020-12 words that ajv understands) as it stands in a definition. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly examples?: readonly Json[];
  readonly [keyword: string]: unknown;
}

/** One way in which a value does not fit its schema. */
export interface SchemaViolation {
  /** JSON pointer to the value, empty for the whole. */
  readonly path: string;
  /**
   * What was expected, as the end of a sentence that begins with the path: `must be string`. A tool says it as text.
   */
  readonly expected: Sentence | string;
  /** The type or value that came. */
  readonly got: Sentence | string;
}

/**
 * Checks values against schemas. Built-in tools are checked by code generated at build time, all others by ajv at run
 * time. `validate` fills in the schema's defaults in the value that it is given and returns the violations, none where
 * it fits.
 */
export interface SchemaValidator {
  validate(key: string, schema: JsonSchema, value: unknown): Promise<readonly SchemaViolation[]>;
}
