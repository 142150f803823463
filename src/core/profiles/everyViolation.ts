import type { Json, JsonObject } from '../base/json';
import type { JsonSchema, SchemaValidator, SchemaViolation } from '../base/schema';

const mostViolations = 20;

/**
 * All ways in which a configuration does not fit, from those that a check found. A check stops at the first: what does
 * not fit is taken out, and what is missing no longer required, until the rest fits.
 */
export async function everyViolation(
  first: readonly SchemaViolation[],
  schema: JsonSchema,
  config: JsonObject,
  validator: SchemaValidator,
): Promise<readonly SchemaViolation[]> {
  const found = [...first];
  const left: Record<string, Json | undefined> = { ...config };
  const told = new Set<string>();
  let next = first[0];
  while (next && found.length < mostViolations) {
    const name = next.path.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~');
    const isTold = name === undefined || told.has(name);
    if (isTold || !(Object.hasOwn(left, name) || schema.required?.includes(name))) break;
    told.add(name);
    delete left[name];
    const required = schema.required?.filter((one) => !told.has(one));
    const rest = { ...schema, ...(required ? { required } : {}) };
    const more = await validator.validate('', rest, structuredClone(left));
    found.push(...more);
    next = more[0];
  }
  return found;
}
