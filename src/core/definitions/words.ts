import { codeWord } from '../vocabulary/codeWord';
import type { Problem } from '../base/problem';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';

/** A problem on one line with its place: `weather.capability.json:4:3 error: …`. */
export function describeProblem(problem: Problem, t: Translate): string {
  const place =
    problem.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`} `;
  return `${place}${codeWord('severity', problem.severity, t) ?? problem.severity}: ${worded(problem.said, t)}`;
}
