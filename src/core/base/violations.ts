import { typeName } from './json';
import type { SchemaViolation } from './schema';
import { linked, say, type Sentence } from './sentence';

/** One error of ajv, in the shape that its generated code sets. */
interface GeneratedError {
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

function violationOf(error: GeneratedError): SchemaViolation {
  const { params, instancePath: path } = error;
  switch (error.keyword) {
    case 'required':
      return {
        path: `${path}/${String(params['missingProperty'])}`,
        expected: say('is_required'),
        got: say('nothing'),
      };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        path: `${path}/${String(params['additionalProperty'] ?? params['unevaluatedProperty'])}`,
        expected: say('is_extra'),
        got: say('extra_property'),
      };
    case 'type': {
      const type = params['type'];
      const types = Array.isArray(type) ? linked('either', type.map(String)) : String(type);
      return { path, expected: say('schema_must_be', types), got: say('as_it_is', typeName(error.data)) };
    }
    default:
      return { path, expected: expectedOf(error), got: describe(error.data) };
  }
}

type Expectation = (params: GeneratedError['params']) => Sentence;

const compared: Expectation = ({ comparison, limit }) => say('schema_compare', String(comparison), String(limit));

/** What the words of a schema ask for. */
const expectations: Readonly<Record<string, Expectation>> = {
  enum: ({ allowedValues: all }) =>
    say('schema_one_of', Array.isArray(all) ? all.map((one) => JSON.stringify(one)).join(', ') : '?'),
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  minLength: ({ limit }) => say('few_characters', String(limit)),
  maxLength: ({ limit }) => say('many_characters', String(limit)),
  minItems: ({ limit }) => say('few_items', String(limit)),
  maxItems: ({ limit }) => say('many_items', String(limit)),
  pattern: ({ pattern }) => say('schema_pattern', String(pattern)),
  format: ({ format }) => say('schema_format', String(format)),
};

function expectedOf({ keyword, params, message }: GeneratedError): Sentence {
  const expected = Object.hasOwn(expectations, keyword) ? expectations[keyword] : undefined;
  return expected?.(params) ?? say('as_it_is', message ?? `must satisfy ${keyword}`);
}

/** Shows a value briefly: its text where it is short and plain, else its type and size. */
function describe(value: unknown): Sentence {
  if (typeof value === 'string')
    return value.length <= 60 ? say('content', `\`${value}\``) : say('long_string', value.length);
  if (Array.isArray(value)) return say('array_of', value.length);
  if (typeof value === 'number' || typeof value === 'boolean') return say('content', String(value));
  return value === undefined ? say('nothing') : say('as_it_is', typeName(value));
}

/** What the last run of a validator found not to fit: `/path must be string (got number)`. */
export function violationsOf(validate: GeneratedValidator): readonly SchemaViolation[] {
  return (validate.errors ?? []).map(violationOf);
}
