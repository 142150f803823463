import type { Problem } from '../base/problem';

/** A problem on one line with its place: `weather.capability.json:4:3 error: …`. */
export function describeProblem(problem: Problem): string {
  const place =
    problem.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`} `;
  return `${place}${problem.severity}: ${problem.message}`;
}
