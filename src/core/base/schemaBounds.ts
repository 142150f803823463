import { isObject } from './json';
import { saidBy, SaidError, say, type Sentence } from './sentence';

const mostBytes = 64 * 1024;
const deepest = 32;
const mostSchemas = 2000;
const mostCombinations = 4096;

/**
 * Says why a foreign schema is refused, undefined where it is harmless enough to compile. Bounds follow what was
 * measured: size, depth, number of subschemas, branching, references to other documents.
 */
export function schemaFault(schema: unknown): Sentence | undefined {
  let size: number;
  try {
    size = JSON.stringify(schema)?.length ?? 0;
  } catch {
    return say('schema_cyclic');
  }
  if (size > mostBytes) return say('schema_long', size, mostBytes);
  try {
    branchesOf(schema, 0, { left: mostSchemas });
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** How many combinations a part of a schema stands for; throws a SaidError for what is out of bounds. */
function branchesOf(value: unknown, depth: number, schemas: { left: number }): number {
  if (depth > deepest) throw new SaidError(say('schema_deep', deepest));
  if (Array.isArray(value)) return Math.max(1, ...value.map((item) => branchesOf(item, depth + 1, schemas)));
  if (!isObject(value)) return 1;
  if (schemas.left-- <= 0) throw new SaidError(say('schema_parts', mostSchemas));
  const reference = value['$ref'] ?? value['$dynamicRef'];
  if (typeof reference === 'string' && !reference.startsWith('#'))
    throw new SaidError(say('schema_elsewhere', reference.slice(0, 100)));
  if (value['uniqueItems'] === true && !(typeof value['maxItems'] === 'number' && value['maxItems'] <= 1000))
    throw new SaidError(say('schema_unique'));
  let branches = 1;
  for (const [key, item] of Object.entries(value)) {
    const inner = branchesOf(item, depth + 1, schemas);
    const isChoice = (key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(item);
    branches = Math.max(branches, isChoice ? item.length * inner : inner);
  }
  if (branches > mostCombinations) throw new SaidError(say('schema_alternatives'));
  return branches;
}
