import { isObject, typeName } from '../base/json';
import type { Boundary } from '../vocabulary/boundary';
import { parseBoundaries } from '../policy/rules/parse';
import { type Findings, pointerTo } from './reader';

/**
 * Reads the boundaries that hold while a capability is enabled. They are of scope `profile`, so they can only tighten.
 */
export function readBoundaries(raw: unknown, pointer: string, findings: Findings): readonly Boundary[] {
  if (!Array.isArray(raw)) {
    findings.error(pointer, `\`boundaries\` must be an array (got ${typeName(raw)})`);
    return [];
  }
  raw.forEach((item, index) => {
    if (!isObject(item))
      findings.error(pointerTo(pointer, index), `a boundary must be an object (got ${typeName(item)})`);
  });
  const parsed = parseBoundaries(raw, 'profile');
  for (const problem of parsed.problems)
    findings.add(problem.severity, problem.code, `${pointer}${problem.pointer ?? ''}`, problem.message);
  return parsed.value;
}
