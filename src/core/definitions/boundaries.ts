import { isObject } from '../base/json';
import { type Findings, got, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import type { Boundary } from '../vocabulary/boundary';
import { parseBoundaries } from '../policy/rules/parse';

/**
 * Reads the boundaries that hold while a capability is enabled. They are of scope `profile`, so they can only tighten.
 */
export function readBoundaries(raw: unknown, pointer: string, findings: Findings): readonly Boundary[] {
  if (!Array.isArray(raw)) {
    findings.error(pointer, say('property', 'boundaries', say('must_be', say('an_array'), got(raw))));
    return [];
  }
  raw.forEach((item, index) => {
    if (!isObject(item))
      findings.error(pointerTo(pointer, index), say('part_must_be', say('a_boundary'), say('an_object'), got(item)));
  });
  const parsed = parseBoundaries(raw, 'profile');
  const { subject } = findings.options;
  for (const one of parsed.problems)
    findings.problems.push({
      ...one,
      pointer: `${pointer}${one.pointer ?? ''}`,
      ...(subject === undefined ? {} : { subject }),
    });
  return parsed.value;
}
