import { isObject } from './json';
import type { JsonSchema } from './schema';

const mostBytes = 64 * 1024;
const deepest = 32;
const mostSchemas = 2000;
const mostCombinations = 4096;

/**
 * Says why a foreign schema is refused, undefined where it is harmless enough to compile. Bounds follow what was
 * measured: size, depth, number of subschemas, branching, references to other documents.
 */
export function schemaFault(schema: unknown): string | undefined {
  let size: number;
  try {
    size = JSON.stringify(schema)?.length ?? 0;
  } catch {
    return 'it is nested too deep or cyclic';
  }
  if (size > mostBytes) return `it has ${size} characters, more than ${mostBytes}`;
  let count = 0;
  const walk = (value: unknown, depth: number): { fault?: string; branches: number } => {
    if (depth > deepest) return { fault: `it is nested more than ${deepest} levels deep`, branches: 1 };
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
    if (++count > mostSchemas) return { fault: `it has more than ${mostSchemas} parts`, branches: 1 };
    const reference = value['$ref'] ?? value['$dynamicRef'];
    if (typeof reference === 'string' && !reference.startsWith('#'))
      return { fault: `it refers to another document (\`${reference.slice(0, 100)}\`)`, branches: 1 };
    if (value['uniqueItems'] === true && !(typeof value['maxItems'] === 'number' && value['maxItems'] <= 1000))
      return { fault: 'it asks for unique items without a bound of at most 1,000 items', branches: 1 };
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
    if (branches > mostCombinations) return { fault: 'its alternatives multiply beyond bounds', branches };
    return { branches };
  };
  return walk(schema satisfies unknown as JsonSchema, 0).fault;
}
