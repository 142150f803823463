import type { Problem } from '../base/problem';

/** A problem on one line with its place: `weather.capability.json:4:3 error: …`. */
export function describeProblem(problem: Problem): string {
  const place =
    problem.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`} `;
  return `${place}${problem.severity}: ${problem.message}`;
}

/** The spelling that a problem's message proposes first, undefined where it proposes none. */
export function proposedSpelling(message: string): string | undefined {
  return /; did you mean `([^`]+)`/.exec(message)?.[1];
}
