import { onOneLine } from '../../base/text';
import { SaidError, say } from '../../base/sentence';
import type { LinearRegexEngine } from '../../base/linearRegex';
import { valueAt } from '../../base/pointer';
import { judgeHost } from '../../hosts/address';
import type { CanonicalHost } from '../../hosts/canonicalHost';
import type { NetworkPlace } from '../../hosts/networkPlace';
import { riskLevels } from '../../vocabulary/toolDefinition';
import { type BoundaryMatch, listed } from '../../vocabulary/boundary';
import type { FlowMatch } from '../../vocabulary/flow';
import { checkPathPattern, flatGlob } from '../../base/pathGlob';
import { checkGlob } from '../../base/globCheck';
import { hostGlob } from '../../hosts/hostGlob';
import type { PathKeys } from './pathKey';
import { broadPathTest, narrowPathTest, sparedPathTest } from './pathRule';
import { type AccessFacts, capabilityNames, type PolicySubject, toolNames } from './subject';
import { isAtLeast } from '../../base/order';
import { argumentTest, compileRegex } from './argumentTest';

type Test = (subject: PolicySubject) => boolean;

type AccessTest = (facts: AccessFacts) => boolean;

/** Checks a clause and answers what builds its test. Throws where it cannot be read. */
/**
 * Checks a clause about an access; answers what builds its test. Throws where it cannot be read. The last argument is
 * the clauses with every name that the places have here in what restricts.
 */
type AccessClause = (match: BoundaryMatch, isLoosening: boolean, here: BoundaryMatch) => () => AccessTest;

export function clauseKeys(match: BoundaryMatch): readonly (keyof BoundaryMatch)[] {
  // The keys come from a parser that knows them all.
  return (Object.keys(match) as (keyof BoundaryMatch)[]).filter(
    (key) => match[key] !== undefined && match[key] !== null,
  );
}

/** Checks a clause about the call as a whole; answers what builds its test. Throws where it cannot be read. */
export function subjectClause(
  key: Exclude<keyof BoundaryMatch, AccessKey>,
  match: BoundaryMatch,
  isLoosening: boolean,
  regex: LinearRegexEngine | undefined,
): () => Test {
  switch (key) {
    case 'tool':
    case 'capability': {
      const pattern = checkedFlat(match[key] ?? '');
      return () => {
        const matches = wordTest(pattern, isLoosening);
        const namesOf = key === 'tool' ? toolNames : capabilityNames;
        return (subject) => namesOf(subject, isLoosening).some(matches);
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
      const wanted = checkedEffects(match.sideEffectsAny ?? []);
      return () => {
        const test = effectTest(wanted, isLoosening);
        if (!isLoosening)
          return (subject) => subject.sideEffects.some(test) || subject.accesses.some((one) => test(one.access.effect));
        return (subject) =>
          subject.sideEffects.length + subject.accesses.length > 0 &&
          subject.sideEffects.every(test) &&
          subject.accesses.every((one) => test(one.access.effect));
      };
    }
    case 'costClass':
    case 'riskLevel':
    case 'source':
    case 'actor':
      return () => (subject) => subject[key] === match[key];
    case 'flow': {
      const wanted = match.flow ?? {};
      return () => (subject) => flowFits(wanted, subject, isLoosening);
    }
    case 'riskAtLeast': {
      const least = match.riskAtLeast ?? 'low';
      return () => (subject) => isAtLeast(riskLevels, subject.riskLevel, least);
    }
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

/** A session that nobody knows any more (a past call) fits what restricts. */
function flowFits(wanted: FlowMatch, { flow, unknownArguments }: PolicySubject, isLoosening: boolean): boolean {
  if (flow === undefined && unknownArguments !== undefined) return (unknownArguments === 'strict') !== isLoosening;
  if (wanted.private !== undefined && (flow?.private ?? false) !== wanted.private) return false;
  if (wanted.untrusted !== undefined && (flow?.untrusted ?? false) !== wanted.untrusted) return false;
  if (wanted.out === undefined) return true;
  const way = flow?.wayOut();
  return wanted.out === 'data' ? way === 'data' : way !== undefined;
}

const flagClause =
  (key: 'recursive' | 'permanent'): AccessClause =>
  (match) =>
  () =>
  ({ access }) =>
    (access[key] ?? false) === match[key];

/** The clauses about an access; all others are about the call as a whole. */
export const accessClauses = {
  accessAny(match, isLoosening) {
    const wanted = checkedEffects(match.accessAny ?? []);
    return () => {
      const test = effectTest(wanted, isLoosening);
      return ({ access }) => test(access.effect);
    };
  },
  path(match, isLoosening, here) {
    const patterns = listed(match.path);
    for (const pattern of patterns) checkPathPattern(pattern, isLoosening);
    return () => {
      const test = remembered(pathTest(listed(here.path), isLoosening));
      return ({ path }) => path !== undefined && test(path);
    };
  },
  pathNot(_match, isLoosening, here) {
    // Here the roles change: what a restricting rule leaves alone is matched as narrowly as what a loosening rule
    // lets through.
    const patterns = readable(listed(here.pathNot), isLoosening, (one) => checkPathPattern(one, !isLoosening));
    return () => {
      const test = remembered(isLoosening ? broadPathTest(patterns) : sparedPathTest(patterns));
      return ({ path }) => path !== undefined && !test(path);
    };
  },
  host(match, isLoosening) {
    // Read when the first call asks: a parser for names takes its time.
    const patterns = listed(match.host);
    return () => {
      const test = hostTest(patterns, isLoosening);
      return ({ network }) => network !== undefined && test(network);
    };
  },
  hostNot(match, isLoosening) {
    return () => {
      const patterns = readable(listed(match.hostNot), isLoosening, hostGlob);
      const test = hostTest(patterns, !isLoosening);
      return ({ network }) => network !== undefined && !test(network);
    };
  },
  command(match, isLoosening) {
    const patterns = listed(match.command);
    patterns.forEach(checkedFlat);
    return () => {
      const tests = patterns.map((pattern) => (isLoosening ? wordTest(pattern, true) : commandTest(pattern)));
      return ({ command }) => command !== undefined && tests.some((test) => test(command));
    };
  },
  privateHost(match, isLoosening) {
    const wanted = match.privateHost;
    // A host that nobody can read may be a private one, and may be none.
    return () =>
      ({ network }) =>
        network !== undefined &&
        (isLoosening
          ? network.hosts.every((host) => host.type !== 'invalid' && isPrivate(host) === wanted)
          : network.hosts.some((host) => host.type === 'invalid' || isPrivate(host) === wanted));
  },
  recursive: flagClause('recursive'),
  permanent: flagClause('permanent'),
} satisfies Partial<Record<keyof BoundaryMatch, AccessClause>>;

type AccessKey = keyof typeof accessClauses;

export const isAccessKey = (key: keyof BoundaryMatch): key is AccessKey => Object.hasOwn(accessClauses, key);

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

/** Throws for a tag that has a star anywhere but at its end: it would match nothing. */
function checkedEffects(wanted: readonly string[]): readonly string[] {
  const odd = wanted.find((one) => one.includes('*') && !/^(?:[^*]+\.)?\*$/.test(one));
  if (odd !== undefined) throw new SaidError(say('effect_star', odd));
  return wanted;
}

function effectTest(wanted: readonly string[], narrow: boolean): (effect: string) => boolean {
  const fold = (one: string): string => (narrow ? one : one.trim().toLowerCase());
  const tags = wanted.map(fold);
  const exact = new Set(tags);
  const prefixes = tags.filter((one) => one === '*' || one.endsWith('.*')).map((one) => one.slice(0, -1));
  return (effect) => exact.has(fold(effect)) || prefixes.some((prefix) => fold(effect).startsWith(prefix));
}

export function pathTest(patterns: readonly string[], narrow: boolean): (keys: PathKeys) => boolean {
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

function hostTest(patterns: readonly string[], narrow: boolean): (place: NetworkPlace) => boolean {
  const globs = patterns.map(hostGlob);
  return (place) => globs.some((glob) => (narrow ? glob.matchesOnly(place) : glob.matches(place)));
}

/** Ids and names: for what restricts, whatever their case and normal form. */
export function wordTest(pattern: string, narrow: boolean): (word: string) => boolean {
  const exact = flatGlob(pattern);
  if (narrow) return (word) => exact.matches(word);
  const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();
  const folded = flatGlob(fold(pattern) || pattern);
  return (word) => exact.matches(word) || folded.matches(fold(word));
}

/** Commands, whatever their case and white space. */
function commandTest(pattern: string): (command: string) => boolean {
  const fold = (text: string): string => onOneLine(text).toLowerCase();
  const globs = [flatGlob(pattern), flatGlob(fold(pattern) || pattern)];
  return (command) => globs.some((glob) => glob.matches(command) || glob.matches(fold(command)));
}
