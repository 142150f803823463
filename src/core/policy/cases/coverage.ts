import type { Boundary, BoundaryMatch } from '../../vocabulary/boundary';
import type { CompiledRule } from '../rules/compile';
import { fires } from '../rules/decide';
import { noCall, type PolicySubject } from '../rules/subject';

/** What calls reached of one rule. */
export interface RuleCoverage {
  readonly boundary: Boundary;
  /** How many calls it spoke for. */
  readonly fired: number;
  /** The clauses for which no call shows that they matter: one that they alone kept from the rule. */
  readonly untested: readonly (keyof BoundaryMatch)[];
}

/** Holds calls against rules, and tells which rules and clauses none of them reached. */
export function coverage(rules: readonly CompiledRule[], subjects: readonly PolicySubject[]): readonly RuleCoverage[] {
  return rules.map((rule) => {
    let fired = 0;
    const untested = new Set(rule.clauses(noCall).map(({ clause }) => clause));
    for (const subject of subjects) {
      if (fires(rule, subject)) {
        fired++;
        continue;
      }
      if (untested.size === 0) continue;
      const failed = rule.clauses(subject).filter(({ matched }) => !matched);
      const [only] = failed;
      if (only && failed.length === 1) untested.delete(only.clause);
    }
    return { boundary: rule.boundary, fired, untested: [...untested] };
  });
}
