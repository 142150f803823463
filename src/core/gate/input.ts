import { sanitizeJson } from '../base/json';
import { invalidInput } from '../vocabulary/errors';

/** The caller keeps its object: defaults are filled into a copy that holds no key that could reach a prototype. */
export function copyInput(input: unknown): unknown {
  if (input === undefined) return {};
  try {
    return sanitizeJson(input);
  } catch {
    throw invalidInput([{ path: '', expected: 'must be JSON of at most 64 levels', got: 'deeper or cyclic' }]);
  }
}
