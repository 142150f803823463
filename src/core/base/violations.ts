import { typeName } from './json';
import type { SchemaViolation } from './schema';
import { say, type Sentence } from './sentence';

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
      const types = Array.isArray(type) ? type.join(' or ') : String(type);
      return { path, expected: say('schema_must_be', types), got: typeName(error.data) };
    }
    default:
      return { path, expected: expectedOf(error), got: describe(error.data) };
  }
}

function expectedOf({ keyword, params, message }: GeneratedError): Sentence {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'enum': {
      const allowed = params['allowedValues'];
      const values = Array.isArray(allowed) ? allowed.map((one) => JSON.stringify(one)).join(', ') : '?';
      return say('schema_one_of', values);
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return say('schema_compare', String(params['comparison']), limit);
    case 'minLength':
      return say('few_characters', limit);
    case 'maxLength':
      return say('many_characters', limit);
    case 'minItems':
      return say('few_items', limit);
    case 'maxItems':
      return say('many_items', limit);
    case 'pattern':
      return say('schema_pattern', String(params['pattern']));
    case 'format':
      return say('schema_format', String(params['format']));
    default:
      return say('as_it_is', message ?? `must satisfy ${keyword}`);
  }
}

/** Shows a value briefly: its text where it is short and plain, else its type and size. */
function describe(value: unknown): Sentence | string {
  if (typeof value === 'string') return value.length <= 60 ? `\`${value}\`` : say('long_string', value.length);
  if (Array.isArray(value)) return say('array_of', value.length);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === undefined ? say('nothing') : typeName(value);
}

/** What the last run of a validator found not to fit: `/path must be string (got number)`. */
export function violationsOf(validate: GeneratedValidator): readonly SchemaViolation[] {
  return (validate.errors ?? []).map(violationOf);
}
