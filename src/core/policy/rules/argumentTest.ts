import { canonicalJson } from '../../base/json';
import type { LinearRegex, LinearRegexEngine } from '../../base/linearRegex';
import type { ArgumentMatcher } from '../../vocabulary/boundary';
import { flatGlob } from '../../base/pathGlob';

/** Says that an expression was met before the engine was loaded. */
export class RegexMissing extends Error {}

export function compileRegex(source: string, regex: LinearRegexEngine | undefined): LinearRegex {
  if (!regex) throw new RegexMissing();
  return regex.compile(source);
}

/** Compiles the comparison of one argument. */
export function argumentTest(
  matcher: ArgumentMatcher,
  regex: LinearRegexEngine | undefined,
): (value: unknown) => boolean {
  const tests: ((value: unknown) => boolean)[] = [];
  if ('equals' in matcher) {
    const wanted = canonicalJson(matcher.equals);
    tests.push((value) => value !== undefined && canonicalJson(value) === wanted);
  }
  if (matcher.oneOf !== undefined) {
    const wanted = new Set(matcher.oneOf.map((one) => canonicalJson(one)));
    tests.push((value) => value !== undefined && wanted.has(canonicalJson(value)));
  }
  if (matcher.glob !== undefined) {
    const glob = flatGlob(matcher.glob);
    tests.push((value) => typeof value === 'string' && glob.matches(value));
  }
  if (matcher.regex !== undefined) {
    const compiled = compileRegex(matcher.regex, regex);
    tests.push((value) => typeof value === 'string' && compiled.matchesAll(value));
  }
  const { minimum, maximum, exists } = matcher;
  if (minimum !== undefined) tests.push((value) => typeof value === 'number' && value >= minimum);
  if (maximum !== undefined) tests.push((value) => typeof value === 'number' && value <= maximum);
  if (exists !== undefined) tests.push((value) => (value !== undefined) === exists);
  return (value) => tests.every((test) => test(value));
}
