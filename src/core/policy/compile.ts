import { canonicalJson } from '../base/json';
import type { LinearRegex, LinearRegexEngine } from '../base/linearRegex';
import { valueAt } from '../base/pointer';
import { judgeHost } from '../net/address';
import { type RiskLevel, riskLevels } from '../tool';
import type { ArgumentMatcher, Boundary, BoundaryMatch } from './boundary';
import { alternativesOf, expandBraces, flatGlob, type Glob, hasMagic, hostGlob, normalizePathPattern, pathGlob } from './glob';
import { pathLookup } from './pathLookup';
import { expandShortNames, foldPattern, type PathKeys } from './pathKey';
import type { AccessFacts, PolicySubject } from './subject';

/** One clause that was held against a subject. */
export interface ClauseResult {
  readonly clause: keyof BoundaryMatch;
  readonly matched: boolean;
}

type Test = (subject: PolicySubject) => boolean;
type AccessTest = (facts: AccessFacts) => boolean;

/** A boundary ready to be held against calls. */
export interface CompiledRule {
  readonly boundary: Boundary;
  /** The clauses that could be compiled. */
  readonly match: BoundaryMatch;
  /** False for a rule that can never have an effect: a faulty `allow` or `advise`, an `allow` from where nothing may be loosened. */
  readonly isEffective: boolean;
  /** True for rules that only loosen; they need every access to match, others need one. */
  readonly isLoosening: boolean;
  /** True where a clause is about an access. */
  readonly hasAccessClauses: boolean;
  /** True while an expression waits for its engine, during which the rule fires as if the clause were left out. */
  readonly waitsForRegex: boolean;
  matchesSubject(subject: PolicySubject): boolean;
  matchesAccess(facts: AccessFacts): boolean;
  isException(subject: PolicySubject): boolean;
  /** Why it fires for a subject: the reason of the boundary, or the one that it has for the path that is touched. */
  reasonFor(subject: PolicySubject): string;
  /** Every clause by itself, for `why`. */
  clauses(subject: PolicySubject): readonly ClauseResult[];
}

const list = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/** Compiles a rule. Never throws: a clause that cannot be compiled is left out of a rule that restricts and switches off a rule that loosens. */
export function compileRule(boundary: Boundary, regex: LinearRegexEngine | undefined): CompiledRule {
  const isLoosening = boundary.decision === 'allow';
  const match: { -readonly [K in keyof BoundaryMatch]: BoundaryMatch[K] } = { ...boundary.match };
  const subjectTests: [keyof BoundaryMatch, Test][] = [];
  const accessTests: [keyof BoundaryMatch, AccessTest][] = [];
  let fault = boundary.fault;
  let waitsForRegex = false;

  const clause = <K extends keyof BoundaryMatch>(key: K, build: (value: NonNullable<BoundaryMatch[K]>) => Test): void => {
    const value = match[key];
    if (value === undefined || value === null) return;
    try {
      subjectTests.push([key, build(value as NonNullable<BoundaryMatch[K]>)]);
    } catch (error) {
      delete match[key];
      if (error instanceof RegexMissing) waitsForRegex = true;
      else fault ??= `/match/${key} ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const accessClause = <K extends keyof BoundaryMatch>(key: K, build: (value: NonNullable<BoundaryMatch[K]>) => AccessTest): void => {
    const value = match[key];
    if (value === undefined || value === null) return;
    try {
      accessTests.push([key, build(value as NonNullable<BoundaryMatch[K]>)]);
    } catch (error) {
      delete match[key];
      fault ??= `/match/${key} ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  clause('tool', (pattern) => {
    const glob = flatGlob(pattern);
    return ({ tool }) => tool !== undefined && (glob.matches(tool.id) || tool.names.some((name) => glob.matches(name)));
  });
  clause('capability', (pattern) => {
    const glob = flatGlob(pattern);
    return (subject) => glob.matches(subject.capabilityId) || subject.capabilityAliases.some((alias) => glob.matches(alias));
  });
  clause('idRegex', (source) => {
    const compiled = compileRegex(source, regex);
    return (subject) => compiled.matchesAll(subject.capabilityId);
  });
  clause('sideEffectsAny', (wanted) => {
    const test = effectTest(wanted);
    if (!isLoosening) return (subject) => subject.sideEffects.some(test) || subject.accesses.some((one) => test(one.access.effect));
    return (subject) =>
      subject.sideEffects.length + subject.accesses.length > 0 &&
      subject.sideEffects.every(test) &&
      subject.accesses.every((one) => test(one.access.effect));
  });
  clause('costClass', (wanted) => (subject) => subject.costClass === wanted);
  clause('riskLevel', (wanted) => (subject) => subject.riskLevel === wanted);
  clause('riskAtLeast', (wanted) => (subject) => rank(subject.riskLevel) >= rank(wanted));
  clause('source', (wanted) => (subject) => subject.source === wanted);
  clause('actor', (wanted) => (subject) => subject.actor === wanted);
  clause('argument', (wanted) => {
    const tests = Object.entries(wanted).map(([pointer, matcher]) => ({ pointer, test: argumentTest(matcher, regex) }));
    return (subject) => {
      if (subject.tool === undefined) return false;
      if (subject.unknownArguments !== undefined) return (subject.unknownArguments === 'strict') !== isLoosening;
      return tests.every(({ pointer, test }) => test(valueAt(subject.input, pointer)));
    };
  });

  accessClause('accessAny', (wanted) => {
    const test = effectTest(wanted);
    return ({ access }) => test(access.effect);
  });
  const paths = (value: string | readonly string[]): ((keys: PathKeys) => boolean) => remembered(pathTest(list(value), isLoosening));
  accessClause('path', (value) => {
    const test = paths(value);
    return ({ path }) => path !== undefined && test(path);
  });
  accessClause('pathNot', (value) => {
    // Here the roles change: what a restricting rule leaves alone is matched as narrowly as what a loosening rule lets through.
    const test = remembered(pathTest(list(value), !isLoosening));
    return ({ path }) => path !== undefined && !test(path);
  });
  accessClause('host', (value) => hostTest(list(value)));
  accessClause('hostNot', (value) => {
    const test = hostTest(list(value));
    return (facts) => facts.host !== undefined && !test(facts);
  });
  accessClause('command', (value) => commandTest(list(value), isLoosening));
  accessClause(
    'privateHost',
    (wanted) =>
      ({ host }) =>
        host !== undefined && judgeHost(host).verdict.public !== wanted,
  );
  accessClause(
    'recursive',
    (wanted) =>
      ({ access }) =>
        (access.recursive ?? false) === wanted,
  );
  accessClause(
    'permanent',
    (wanted) =>
      ({ access }) =>
        (access.permanent ?? false) === wanted,
  );

  const exceptions = new Set(boundary.exceptions);
  const matchesAccess = (facts: AccessFacts): boolean => accessTests.every(([, test]) => test(facts));
  let reasons: readonly { readonly reason: string; readonly test: (keys: PathKeys) => boolean }[] | undefined;
  const reasonFor = (subject: PolicySubject): string => {
    // Most rules never fire, so their reasons are compiled when the first is asked for.
    reasons ??= (boundary.reasons ?? []).map(({ path, reason }) => ({ reason, test: pathTest(path, isLoosening) }));
    for (const facts of subject.accesses) {
      const { path } = facts;
      if (path === undefined || reasons.length === 0 || !matchesAccess(facts)) continue;
      const found = reasons.find((one) => one.test(path));
      if (found) return found.reason;
    }
    return boundary.reason;
  };
  const mayLoosen = boundary.scope === 'user' || boundary.scope === 'managed' || boundary.scope === 'builtin';
  const failsClosed = boundary.decision !== 'allow' && boundary.decision !== 'advise';
  return {
    boundary: fault === boundary.fault ? boundary : { ...boundary, fault: fault ?? '' },
    match,
    isEffective: (failsClosed || (fault === undefined && !waitsForRegex)) && (!isLoosening || mayLoosen),
    isLoosening,
    hasAccessClauses: accessTests.length > 0,
    waitsForRegex,
    matchesSubject: (subject) => subjectTests.every(([, test]) => test(subject)),
    matchesAccess,
    reasonFor,
    isException: (subject) =>
      exceptions.size > 0 &&
      (exceptions.has(subject.capabilityId) ||
        subject.capabilityAliases.some((alias) => exceptions.has(alias)) ||
        (subject.tool !== undefined && (exceptions.has(subject.tool.id) || subject.tool.names.some((name) => exceptions.has(name))))),
    clauses: (subject) => [
      ...subjectTests.map(([clause, test]) => ({ clause, matched: test(subject) })),
      ...accessTests.map(([clause, test]) => ({ clause, matched: subject.accesses.some(test) })),
    ],
  };
}

/** Says that an expression was met before the engine was loaded. */
class RegexMissing extends Error {}

function compileRegex(source: string, regex: LinearRegexEngine | undefined): LinearRegex {
  if (!regex) throw new RegexMissing();
  return regex.compile(source);
}

const rank = (level: RiskLevel): number => riskLevels.indexOf(level);

function effectTest(wanted: readonly string[]): (effect: string) => boolean {
  const exact = new Set(wanted);
  const prefixes = wanted.filter((one) => one === '*' || one.endsWith('.*')).map((one) => one.slice(0, -1));
  return (effect) => exact.has(effect) || prefixes.some((prefix) => effect.startsWith(prefix));
}

/**
 * Compiles path patterns. Broad: any key of the path counts, whatever its case or spelling, and `dir/**` takes in `dir` itself.
 * Narrow, for what loosens: only the path as it was given, and no short name.
 */
function pathTest(patterns: readonly string[], narrow: boolean): (keys: PathKeys) => boolean {
  if (narrow) {
    const globs = patterns.map(pathGlob);
    return (path) => !path.hasShortName && path.keys.length === 1 && globs.some((glob) => glob.matches(path.exact));
  }
  const folded = patterns.map((pattern) => normalizePathPattern(foldPattern(pattern)));
  const { lookup, others } = pathLookup(folded);
  const globs: Glob[] = others.map(pathGlob);
  const whole = others.flatMap(expandBraces).filter((pattern) => pattern.endsWith('/**') && pattern !== '/**');
  globs.push(...whole.map((pattern) => pathGlob(pattern.slice(0, -3))));
  let segments: readonly string[] | undefined;
  const mayBe = (key: string): boolean => {
    segments ??= [...new Set(folded.flatMap(expandBraces).flatMap((pattern) => pattern.split('/')))];
    // Where a short name may stand for too many names to try, the rule counts as matching.
    return expandShortNames(key, segments)?.some(matches) ?? true;
  };
  const fits = (key: string): boolean => lookup(key) || globs.some((glob) => glob.matches(key));
  // A pattern begins in the workspace or, as far as anyone can tell from it, at the root of the machine.
  const matches = (key: string): boolean => fits(key) || (key.startsWith('/') && fits(key.slice(1)));
  return (path) => path.keys.some((key) => matches(key) || (path.hasShortName && mayBe(key)));
}

/** A call's path is judged for one effect after the other, and its keys are one object for as long as the path is remembered. */
function remembered(test: (keys: PathKeys) => boolean): (keys: PathKeys) => boolean {
  let last: PathKeys | undefined;
  let answer = false;
  return (keys) => {
    if (keys !== last) {
      answer = test(keys);
      last = keys;
    }
    return answer;
  };
}

function hostTest(patterns: readonly string[]): AccessTest {
  const globs = patterns.map(hostGlob);
  return ({ host, port }) =>
    host !== undefined && globs.some((glob) => glob.matches(glob.withPort && port !== undefined ? `${host}:${port}` : host));
}

function commandTest(patterns: readonly string[], narrow: boolean): AccessTest {
  if (narrow) {
    const globs = patterns.map(flatGlob);
    return ({ command }) => command !== undefined && globs.some((glob) => glob.matches(command));
  }
  const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
  const globs = patterns.flatMap((pattern) => [flatGlob(pattern), flatGlob(fold(pattern))]);
  return ({ command }) => command !== undefined && globs.some((glob) => glob.matches(command) || glob.matches(fold(command)));
}

/** Compiles the comparison of one argument. */
export function argumentTest(matcher: ArgumentMatcher, regex: LinearRegexEngine | undefined): (value: unknown) => boolean {
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

/** Tells whether a rule needs the engine for expressions. */
export function needsRegex(boundary: Boundary): boolean {
  return (
    boundary.match.idRegex !== undefined || Object.values(boundary.match.argument ?? {}).some((matcher) => matcher.regex !== undefined)
  );
}

/** The literal segments of each alternative of a path pattern, as the index uses them; none where it is not sure that all have to be there. */
export function literalSegments(pattern: string): readonly (readonly string[])[] {
  const alternatives = alternativesOf(normalizePathPattern(foldPattern(pattern)));
  return alternatives?.map((parts) => parts.filter((part) => part !== '' && !hasMagic(part))) ?? [[]];
}
