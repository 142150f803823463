import type { GeneratedError, GeneratedValidator } from './generatedValidator';
import { typeName } from './json';
import type { SchemaViolation } from './schema';

function words(error: GeneratedError): { path: string; expected: string; got: string } {
  const { params, instancePath: path } = error;
  const got = describe(error.data);
  switch (error.keyword) {
    case 'required':
      return { path: `${path}/${String(params['missingProperty'])}`, expected: 'is required', got: 'nothing' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        path: `${path}/${String(params['additionalProperty'] ?? params['unevaluatedProperty'])}`,
        expected: 'is not a known property; leave it out',
        got: 'an extra property',
      };
    case 'type': {
      const type = params['type'];
      return {
        path,
        expected: `must be ${Array.isArray(type) ? type.join(' or ') : String(type)}`,
        got: typeName(error.data),
      };
    }
    case 'enum': {
      const allowed = params['allowedValues'];
      return {
        path,
        expected: `must be one of ${Array.isArray(allowed) ? allowed.map((one) => JSON.stringify(one)).join(', ') : '?'}`,
        got,
      };
    }
    default:
      return { path, expected: error.message ?? `must satisfy ${error.keyword}`, got };
  }
}

/** Shows a value briefly: its text where it is short and plain, else its type and size. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value.length <= 60 ? `\`${value}\`` : `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeName(value);
}

/** Runs a validator and words what does not fit: `/path must be string (got number)`. */
export function violationsOf(validate: GeneratedValidator, value: unknown): readonly SchemaViolation[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(words);
}
