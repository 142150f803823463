import { isObject } from './json';
import type { JsonSchema } from './schema';
import { say, type Sentence } from './sentence';

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
  let count = 0;
  const walk = (value: unknown, depth: number): { fault?: Sentence; branches: number } => {
    if (depth > deepest) return { fault: say('schema_deep', deepest), branches: 1 };
    if (Array.isArray(value)) {
      let branches = 1;
      for (const item of value) {
        const inner = walk(item, depth + 1);
        if (inner.fault) return inner;
        branches = Math.max(branches, inner.branches);
      }
      return { branches };
    }
    if (!isObject(value)) return { branches: 1 };
    if (++count > mostSchemas) return { fault: say('schema_parts', mostSchemas), branches: 1 };
    const reference = value['$ref'] ?? value['$dynamicRef'];
    if (typeof reference === 'string' && !reference.startsWith('#'))
      return { fault: say('schema_elsewhere', reference.slice(0, 100)), branches: 1 };
    if (value['uniqueItems'] === true && !(typeof value['maxItems'] === 'number' && value['maxItems'] <= 1000))
      return { fault: say('schema_unique'), branches: 1 };
    let branches = 1;
    for (const [key, item] of Object.entries(value)) {
      const inner = walk(item, depth + 1);
      if (inner.fault) return inner;
      const own =
        (key === 'anyOf' || key === 'oneOf' || key === 'allOf') && Array.isArray(item)
          ? item.length * inner.branches
          : inner.branches;
      branches = Math.max(branches, own);
    }
    if (branches > mostCombinations) return { fault: say('schema_alternatives'), branches };
    return { branches };
  };
  return walk(schema satisfies unknown as JsonSchema, 0).fault;
}
