/** One error of ajv, in the shape that its generated code sets. */
export interface GeneratedError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly data?: unknown;
}

/** A validator that ajv generated or compiled: true where the value fits, else its `errors` say why. */
export interface GeneratedValidator {
  (value: unknown): boolean;
  errors?: readonly GeneratedError[] | null;
}
