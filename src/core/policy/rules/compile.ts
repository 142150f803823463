import { SaidError, saidBy, say } from '../../base/sentence';
import { canonicalJson } from '../../base/json';
import type { LinearRegex, LinearRegexEngine } from '../../base/linearRegex';
import { valueAt } from '../../base/pointer';
import { judgeHost } from '../../hosts/address';
import type { CanonicalHost } from '../../hosts/canonicalHost';
import type { NetworkPlace } from '../../hosts/networkPlace';
import { riskLevels } from '../../vocabulary/toolDefinition';
import type { ArgumentMatcher, Boundary, BoundaryMatch } from '../../vocabulary/boundary';
import { flatGlob } from '../../base/pathGlob';
import { checkGlob } from '../../base/globCheck';
import { type HostGlob, hostGlob } from '../../hosts/hostGlob';
import type { PathKeys } from './pathKey';
import { broadPathTest, checkPathPattern, narrowPathTest } from './pathRule';
import type { AccessFacts, PolicySubject } from './subject';
import { isAtLeast } from '../../base/order';

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
  /** The clauses that could be read. */
  readonly match: BoundaryMatch;
  /**
   * False for a rule that can never have an effect: a faulty `allow` or `advise`, an `allow` from where nothing may be
   * loosened.
   */
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
  reasonFor(subject: PolicySubject): Boundary['reason'];
  /** Every clause by itself, for `why`. */
  clauses(subject: PolicySubject): readonly ClauseResult[];
  /** Compiles now what else waits for the first call, so that every fault is known. */
  prepare(): void;
}

const list = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

/**
 * Checks a rule; what its patterns mean is compiled when the first call asks, so that thousands of rules cost nothing
 * to load. Never throws: a clause that cannot be read is left out of a rule that restricts and switches off a rule that
 * loosens, whenever it is found out.
 */
export function compileRule(boundary: Boundary, regex: LinearRegexEngine | undefined): CompiledRule {
  return new Rule(boundary, regex);
}

/** One clause: cheap checks now, the test when it is first needed. */
interface Clause<Of> {
  readonly key: keyof BoundaryMatch;
  readonly build: () => (of: Of) => boolean;
  test?: (of: Of) => boolean;
}

class Rule implements CompiledRule {
  readonly match: BoundaryMatch;
  readonly isLoosening: boolean;
  readonly hasAccessClauses: boolean;
  readonly waitsForRegex: boolean;
  readonly #mayLoosen: boolean;
  readonly #failsClosed: boolean;
  readonly #subjectClauses: Clause<PolicySubject>[] = [];
  readonly #accessClauses: Clause<AccessFacts>[] = [];
  readonly #exceptions: ReadonlySet<string>;
  #boundary: Boundary;
  #reasons: readonly { readonly reason: Boundary['reason']; readonly test: (keys: PathKeys) => boolean }[] | undefined;

  constructor(boundary: Boundary, regex: LinearRegexEngine | undefined) {
    this.#boundary = boundary;
    this.isLoosening = boundary.decision === 'allow';
    this.#mayLoosen = boundary.scope === 'user' || boundary.scope === 'managed' || boundary.scope === 'builtin';
    this.#failsClosed = boundary.decision !== 'allow' && boundary.decision !== 'advise';
    this.#exceptions = new Set(boundary.exceptions);
    const match: { -readonly [K in keyof BoundaryMatch]: BoundaryMatch[K] } = { ...boundary.match };
    this.waitsForRegex = regex === undefined && needsRegex(boundary);
    const add = <Of>(clauses: Clause<Of>[], key: keyof BoundaryMatch, read: () => () => (of: Of) => boolean): void => {
      try {
        clauses.push({ key, build: read() });
      } catch (error) {
        delete match[key];
        this.#fault(key, error);
      }
    };
    for (const key of clauseKeys(match)) {
      if (isSubjectKey(key))
        add(this.#subjectClauses, key, () => subjectClause(key, boundary.match, this.isLoosening, regex));
      else add(this.#accessClauses, key, () => accessClause(key, boundary.match, this.isLoosening));
    }
    this.match = match;
    this.hasAccessClauses = this.#accessClauses.length > 0;
  }

  get boundary(): Boundary {
    return this.#boundary;
  }

  get isEffective(): boolean {
    return (
      (this.#failsClosed || (this.#boundary.faults === undefined && !this.waitsForRegex)) &&
      (!this.isLoosening || this.#mayLoosen)
    );
  }

  matchesSubject(subject: PolicySubject): boolean {
    return this.#subjectClauses.every((clause) => this.#test(clause, subject)) && this.isEffective;
  }

  matchesAccess(facts: AccessFacts): boolean {
    return this.#accessClauses.every((clause) => this.#test(clause, facts)) && this.isEffective;
  }

  reasonFor(subject: PolicySubject): Boundary['reason'] {
    const { reason, reasons } = this.#boundary;
    if (reasons === undefined) return reason;
    // Most rules never fire, so their reasons are compiled when the first is asked for.
    this.#reasons ??= reasons.map((one) => ({ reason: one.reason, test: pathTest(one.path, this.isLoosening) }));
    for (const facts of subject.accesses) {
      const { path } = facts;
      if (path === undefined || !this.matchesAccess(facts)) continue;
      const found = this.#reasons.find((one) => one.test(path));
      if (found) return found.reason;
    }
    return reason;
  }

  isException(subject: PolicySubject): boolean {
    const exceptions = this.#exceptions;
    if (exceptions.size === 0) return false;
    return (
      exceptions.has(subject.capabilityId) ||
      subject.capabilityAliases.some((alias) => exceptions.has(alias)) ||
      (subject.tool !== undefined &&
        (exceptions.has(subject.tool.id) || subject.tool.names.some((name) => exceptions.has(name))))
    );
  }

  clauses(subject: PolicySubject): readonly ClauseResult[] {
    return [
      ...this.#subjectClauses.map((clause) => ({ clause: clause.key, matched: this.#test(clause, subject) })),
      ...this.#accessClauses.map((clause) => ({
        clause: clause.key,
        matched: subject.accesses.some((facts) => this.#test(clause, facts)),
      })),
    ];
  }

  prepare(): void {
    for (const clause of this.#subjectClauses) this.#built(clause);
    for (const clause of this.#accessClauses) this.#built(clause);
  }

  /** A clause that cannot be told counts as matching where the rule restricts, and as not matching where it loosens. */
  #test<Of>(clause: Clause<Of>, of: Of): boolean {
    try {
      return this.#built(clause)(of);
    } catch (error) {
      this.#fault(clause.key, error);
      return this.#failsClosed;
    }
  }

  #built<Of>(clause: Clause<Of>): (of: Of) => boolean {
    if (clause.test) return clause.test;
    try {
      return (clause.test = clause.build());
    } catch (error) {
      if (!(error instanceof RegexMissing)) this.#fault(clause.key, error);
      const failsClosed = this.#failsClosed;
      return (clause.test = () => failsClosed);
    }
  }

  #fault(key: keyof BoundaryMatch, error: unknown): void {
    if (this.#boundary.faults !== undefined) return;
    this.#boundary = { ...this.#boundary, faults: [{ at: `/match/${key}`, said: saidBy(error) }] };
  }
}

const subjectKeys = [
  'tool',
  'capability',
  'idRegex',
  'sideEffectsAny',
  'costClass',
  'riskLevel',
  'riskAtLeast',
  'source',
  'actor',
  'argument',
] as const satisfies readonly (keyof BoundaryMatch)[];
type SubjectKey = (typeof subjectKeys)[number];
type AccessKey = Exclude<keyof BoundaryMatch, SubjectKey>;

const subjectKeySet: ReadonlySet<string> = new Set(subjectKeys);
const isSubjectKey = (key: keyof BoundaryMatch): key is SubjectKey => subjectKeySet.has(key);

function clauseKeys(match: BoundaryMatch): readonly (keyof BoundaryMatch)[] {
  // The keys come from a parser that knows them all.
  return (Object.keys(match) as (keyof BoundaryMatch)[]).filter(
    (key) => match[key] !== undefined && match[key] !== null,
  );
}

/** Checks a clause about the call as a whole; answers what builds its test. Throws where it cannot be read. */
function subjectClause(
  key: SubjectKey,
  match: BoundaryMatch,
  isLoosening: boolean,
  regex: LinearRegexEngine | undefined,
): () => Test {
  switch (key) {
    case 'tool': {
      const pattern = checkedFlat(match.tool ?? '');
      return () => {
        const matches = wordTest(pattern, isLoosening);
        return ({ tool }) => tool !== undefined && (matches(tool.id) || tool.names.some(matches));
      };
    }
    case 'capability': {
      const pattern = checkedFlat(match.capability ?? '');
      return () => {
        const matches = wordTest(pattern, isLoosening);
        return (subject) => matches(subject.capabilityId) || subject.capabilityAliases.some(matches);
      };
    }
    case 'idRegex': {
      const source = match.idRegex ?? '';
      return () => {
        const compiled = compileRegex(source, regex);
        return (subject) => compiled.matchesAll(subject.capabilityId);
      };
    }
    case 'sideEffectsAny': {
      const test = effectTest(match.sideEffectsAny ?? [], isLoosening);
      if (!isLoosening)
        return () => (subject) =>
          subject.sideEffects.some(test) || subject.accesses.some((one) => test(one.access.effect));
      return () => (subject) =>
        subject.sideEffects.length + subject.accesses.length > 0 &&
        subject.sideEffects.every(test) &&
        subject.accesses.every((one) => test(one.access.effect));
    }
    case 'costClass':
      return () => (subject) => subject.costClass === match.costClass;
    case 'riskLevel':
      return () => (subject) => subject.riskLevel === match.riskLevel;
    case 'riskAtLeast': {
      const least = match.riskAtLeast ?? 'low';
      return () => (subject) => isAtLeast(riskLevels, subject.riskLevel, least);
    }
    case 'source':
      return () => (subject) => subject.source === match.source;
    case 'actor':
      return () => (subject) => subject.actor === match.actor;
    case 'argument': {
      const wanted = match.argument ?? {};
      for (const { glob } of Object.values(wanted)) if (glob !== undefined) checkedFlat(glob);
      return () => {
        const tests = Object.entries(wanted).map(([pointer, matcher]) => ({
          pointer,
          test: argumentTest(matcher, regex),
        }));
        return (subject) => {
          if (subject.tool === undefined) return false;
          if (subject.unknownArguments !== undefined) return (subject.unknownArguments === 'strict') !== isLoosening;
          return tests.every(({ pointer, test }) => test(valueAt(subject.input, pointer)));
        };
      };
    }
  }
}

/** Checks a clause about an access; answers what builds its test. Throws where it cannot be read. */
function accessClause(key: AccessKey, match: BoundaryMatch, isLoosening: boolean): () => AccessTest {
  switch (key) {
    case 'accessAny': {
      const test = effectTest(match.accessAny ?? [], isLoosening);
      return () =>
        ({ access }) =>
          test(access.effect);
    }
    case 'path': {
      const patterns = list(match.path ?? []);
      patterns.forEach(checkPathPattern);
      return () => {
        const test = remembered(pathTest(patterns, isLoosening));
        return ({ path }) => path !== undefined && test(path);
      };
    }
    case 'pathNot': {
      // Here the roles change: what a restricting rule leaves alone is matched as narrowly as what a loosening rule
      // lets through.
      const patterns = readable(list(match.pathNot ?? []), isLoosening, checkPathPattern);
      return () => {
        const test = remembered(pathTest(patterns, !isLoosening));
        return ({ path }) => path !== undefined && !test(path);
      };
    }
    case 'host': {
      // Read when the first call asks: a parser for names takes its time.
      const patterns = list(match.host ?? []);
      return () => {
        const test = hostTest(patterns.map(hostGlob), isLoosening);
        return ({ network }) => network !== undefined && test(network);
      };
    }
    case 'hostNot': {
      return () => {
        const patterns = readable(list(match.hostNot ?? []), isLoosening, hostGlob);
        const test = hostTest(patterns.map(hostGlob), !isLoosening);
        return ({ network }) => network !== undefined && !test(network);
      };
    }
    case 'command': {
      const patterns = list(match.command ?? []);
      patterns.forEach(checkedFlat);
      return () => {
        const tests = patterns.map((pattern) => (isLoosening ? wordTest(pattern, true) : commandTest(pattern)));
        return ({ command }) => command !== undefined && tests.some((test) => test(command));
      };
    }
    case 'privateHost': {
      const wanted = match.privateHost;
      // A host that nobody can read may be a private one, and may be none.
      return () =>
        ({ network }) =>
          network !== undefined &&
          (isLoosening
            ? network.hosts.every((host) => host.type !== 'invalid' && isPrivate(host) === wanted)
            : network.hosts.some((host) => host.type === 'invalid' || isPrivate(host) === wanted));
    }
    case 'recursive':
      return () =>
        ({ access }) =>
          (access.recursive ?? false) === match.recursive;
    case 'permanent':
      return () =>
        ({ access }) =>
          (access.permanent ?? false) === match.permanent;
  }
}

/** What is left alone by a pattern that cannot be read is not left alone; where a rule loosens, it loosens nothing. */
function readable(
  patterns: readonly string[],
  isLoosening: boolean,
  check: (pattern: string) => unknown,
): readonly string[] {
  return patterns.filter((pattern) => {
    try {
      check(pattern);
      return true;
    } catch (error) {
      if (isLoosening) throw error;
      return false;
    }
  });
}

function isPrivate(host: CanonicalHost): boolean {
  if (host.type === 'name') return !judgeHost(host.name).verdict.public;
  return host.type === 'address' && !judgeHost(host.address).verdict.public;
}

function checkedFlat(pattern: string): string {
  checkGlob(pattern, 'flat');
  return pattern;
}

/** Says that an expression was met before the engine was loaded. */
class RegexMissing extends Error {}

function compileRegex(source: string, regex: LinearRegexEngine | undefined): LinearRegex {
  if (!regex) throw new RegexMissing();
  return regex.compile(source);
}

/** Throws for a tag that has a star anywhere but at its end: it would match nothing. */
function effectTest(wanted: readonly string[], narrow: boolean): (effect: string) => boolean {
  const odd = wanted.find((one) => one.includes('*') && !/^(?:[^*]+\.)?\*$/.test(one));
  if (odd !== undefined) throw new SaidError(say('effect_star', odd));
  const fold = (one: string): string => (narrow ? one : one.trim().toLowerCase());
  const tags = wanted.map(fold);
  const exact = new Set(tags);
  const prefixes = tags.filter((one) => one === '*' || one.endsWith('.*')).map((one) => one.slice(0, -1));
  return (effect) => exact.has(fold(effect)) || prefixes.some((prefix) => fold(effect).startsWith(prefix));
}

function pathTest(patterns: readonly string[], narrow: boolean): (keys: PathKeys) => boolean {
  return narrow ? narrowPathTest(patterns) : broadPathTest(patterns);
}

/**
 * A call's path is judged for one effect after the other, and its keys are one object for as long as the path is
 * remembered.
 */
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

function hostTest(globs: readonly HostGlob[], narrow: boolean): (place: NetworkPlace) => boolean {
  return narrow
    ? (place) => globs.some((glob) => glob.matchesOnly(place))
    : (place) => globs.some((glob) => glob.matches(place));
}

/** Ids and names: for what restricts, whatever their case and normal form. */
function wordTest(pattern: string, narrow: boolean): (word: string) => boolean {
  const exact = flatGlob(pattern);
  if (narrow) return (word) => exact.matches(word);
  const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();
  const folded = flatGlob(fold(pattern) || pattern);
  return (word) => exact.matches(word) || folded.matches(fold(word));
}

/** Commands, whatever their case and white space. */
function commandTest(pattern: string): (command: string) => boolean {
  const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
  const globs = [flatGlob(pattern), flatGlob(fold(pattern) || pattern)];
  return (command) => globs.some((glob) => glob.matches(command) || glob.matches(fold(command)));
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

/** Tells whether a rule needs the engine for expressions. */
export function needsRegex(boundary: Boundary): boolean {
  return (
    boundary.match.idRegex !== undefined ||
    Object.values(boundary.match.argument ?? {}).some((matcher) => matcher.regex !== undefined)
  );
}
