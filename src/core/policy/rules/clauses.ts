import { eitherOf, SaidError, say, type Sentence } from '../../base/sentence';
import { camelCase, isObject, type Json } from '../../base/json';
import { got, gotJson } from '../../base/jsonReader';
import { nearestNames, proposal } from '../../base/nearest';
import { knownSideEffects } from '../../vocabulary/access';
import { riskLevels, costClasses } from '../../vocabulary/toolDefinition';
import type { ArgumentMatcher, BoundaryMatch } from '../../vocabulary/boundary';
import type { FlowMatch } from '../../vocabulary/flow';
import { alternativesBound } from '../../base/braces';
import { checkGlob } from '../../base/globCheck';
import { checkPathPattern, patternDoubt } from '../../base/pathGlob';
import { hostGlob } from '../../hosts/hostGlob';

/** What the clauses of many rules share while they are read. */
export class ClauseReading {
  /**
   * What the braces of all rules together may stand for, in characters to compile. A few rules can name millions of
   * patterns, which would stop everything at the first call; what is over the budget fires instead, and is reported.
   */
  #left = 500_000;
  #hints = 200;
  #hosts = 2000;
  /** Whether the rule that is read loosens, so that its clauses must not match more than is written. */
  loosens = false;
  /** Takes what is odd about a clause and leaves it as it is. */
  warn: (said: Sentence) => void = () => {};
  /** Takes what may be meant otherwise, and may not. */
  hintAt: (said: Sentence) => void = () => {};

  /** Throws where a pattern is one too many. Plain ones with a few stars cost nothing. */
  count(pattern: string): void {
    if (!/[[({]|\*.*\*.*\*.*\*/s.test(pattern)) return;
    if (this.isSpent) throw oneTooMany();
    const more = alternativesBound(pattern) - 1;
    const groups = pattern.split('(').length - 1;
    const stars = pattern.split('*').length - 1;
    this.#left -= (more + groups + Math.max(0, stars - 4)) * (pattern.length + 20);
    if (this.isSpent) throw oneTooMany();
  }

  /** True once the rules named more patterns together than can be compiled. */
  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Tells whether a host that is no plain name is still looked at now; it is in any case when the first call asks. */
  looksAtHost(): boolean {
    return this.#hosts-- > 0;
  }

  /** The nearest names as the end of a message; nobody reads the two hundredth. */
  hint(word: string, names: Iterable<string>): Sentence | '' {
    return this.#hints-- > 0 ? proposal(word, names) : '';
  }
}

const oneTooMany = (): Error => new SaidError(say('patterns_too_many'));

/** How one clause is read: answers the clean value, or throws an Error that says what was expected. */
type Reader = (value: unknown, reading: ClauseReading) => unknown;

function nonEmpty(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new SaidError(say('must_have_text', typeof value === 'string' ? JSON.stringify(value) : got(value)));
}

const flag: Reader = (value) => {
  if (typeof value === 'boolean') return value;
  throw new SaidError(say('must_be', 'boolean', got(value)));
};

const oneOf =
  (...allowed: readonly string[]): Reader =>
  (value) => {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    const plain = word === 'med' ? 'medium' : word;
    if (typeof plain === 'string' && allowed.includes(plain)) return plain;
    throw new SaidError(say('must_be', eitherOf(allowed), gotJson(value)));
  };

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new SaidError(say('is_empty'));
  return list.map(nonEmpty);
}

const patterns =
  (check: (pattern: string, reading: ClauseReading) => unknown): Reader =>
  (value, reading) => {
    const list = texts(value);
    for (const pattern of list) {
      // What would be refused all the same is not read first: ten thousand such rules are to load in no time.
      if (reading.isSpent) reading.count(pattern);
      check(pattern, reading);
      reading.count(pattern);
    }
    return list.length === 1 && !Array.isArray(value) ? list[0] : list;
  };

const flat: Reader = (value, reading) => {
  const pattern = nonEmpty(value);
  if (reading.isSpent) reading.count(pattern);
  checkGlob(pattern, 'flat');
  reading.count(pattern);
  return pattern;
};

const paths = (isNegated: boolean): Reader => {
  const read = patterns((pattern, reading) => {
    checkPathPattern(pattern, reading.loosens !== isNegated);
    const doubt = patternDoubt(pattern);
    if (doubt !== undefined) reading.warn(say('property', pattern, doubt));
  });
  return (value, reading) => {
    const clean = read(value, reading);
    if (isNegated || reading.loosens) return clean;
    const all = texts(value);
    for (const pattern of all) {
      const meant = meantBy(pattern);
      if (meant === undefined || all.includes(meant)) continue;
      reading.hintAt(say('pattern_meant', pattern, meant));
      break;
    }
    return clean;
  };
};

/** Names of files that have no ending; other small words without one are mostly folders. */
const bareFile = /(?:file|\b(?:license|readme|gradlew|mvnw|hosts|passwd|shadow|sudoers|config|id-\w+))$/;

/** What is probably meant by a pattern that matches less: all that lies in a folder, files of an ending anywhere. */
function meantBy(pattern: string): string | undefined {
  if (/^\*(?:\.[\w-]+)+$/.test(pattern)) return `**/${pattern}`;
  return /^(?:[\w.-]+\/)*[a-z][a-z0-9-]*$/.test(pattern) && !bareFile.test(pattern) ? `${pattern}/**` : undefined;
}

/** Names and stars that need no parser to be known as right. */
export const plainHost = /^(?:\*|(?:\*\.)?(?:[a-z](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?)$/;

const hosts = patterns((pattern, reading) => {
  if ((!plainHost.test(pattern) || pattern.includes('xn--')) && reading.looksAtHost()) hostGlob(pattern);
});

const openNames = /^(?:cloud\.|x-)/;

const effects: Reader = (value, reading) => {
  const list = texts(value);
  const known: readonly string[] = knownSideEffects;
  for (const effect of list) {
    const tag = effect.trim().toLowerCase();
    if (tag.includes('*') && !/^(?:[^*]+\.)?\*$/.test(tag)) throw new SaidError(say('effect_star', effect));
    // Unknown tags are kept and matched; one that is nearly a known one is a slip.
    const stem = tag.endsWith('.*') ? tag.slice(0, -2) : tag;
    const names = tag.endsWith('.*') ? known.map((one) => one.split('.')[0] ?? one) : known;
    if (tag === '*' || openNames.test(tag) || names.includes(stem)) continue;
    const [near] = nearestNames(stem, names, 1);
    const isSlip =
      near !== undefined && (stem.split('.')[0] === near.split('.')[0] || Math.abs(near.length - stem.length) <= 2);
    if (isSlip) reading.warn(say('effect_unknown', effect, near));
  }
  return list;
};

/** `{ "private": true, "untrusted": true, "out": "data" }`, of which one is enough. */
function flowMatch(value: unknown, reading: ClauseReading): FlowMatch {
  if (!isObject(value)) throw new SaidError(say('must_be', 'object', got(value)));
  const out: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    if (key === 'private' || key === 'untrusted') out[key] = flag(one, reading);
    else if (key === 'out') out[key] = oneOf('data', 'any')(one, reading);
    else throw new SaidError(say('unknown_comparison', key, proposal(key, ['private', 'untrusted', 'out'])));
  }
  if (Object.keys(out).length === 0) throw new SaidError(say('is_empty'));
  return out;
}

const readers: Readonly<Record<keyof BoundaryMatch, Reader>> = {
  tool: flat,
  capability: flat,
  idRegex: nonEmpty,
  sideEffectsAny: effects,
  accessAny: effects,
  path: paths(false),
  pathNot: paths(true),
  host: hosts,
  hostNot: hosts,
  command: patterns((one) => checkGlob(one, 'flat')),
  privateHost: flag,
  recursive: flag,
  permanent: flag,
  costClass: oneOf(...costClasses),
  riskLevel: oneOf(...riskLevels),
  riskAtLeast: oneOf(...riskLevels),
  source: oneOf('builtin', 'definition', 'extension', 'mcp', 'channel', 'host'),
  actor: oneOf('user', 'agent'),
  flow: flowMatch,
  argument: (value, reading) => {
    if (!isObject(value)) throw new SaidError(say('no_pointers', got(value)));
    const entries = Object.entries(value);
    if (entries.length === 0) throw new SaidError(say('names_no_argument'));
    for (const [, one] of entries) if (isObject(one) && typeof one['glob'] === 'string') reading.count(one['glob']);
    return Object.fromEntries(entries.map(([key, one]) => [key, argumentMatcher(one)]));
  },
};

/** Every clause that a rule may hold, for schemas, completion and the linter. */
export const clauseNames = Object.keys(readers) as readonly (keyof BoundaryMatch)[];

export function isClause(key: string): key is keyof BoundaryMatch {
  return Object.hasOwn(readers, key);
}

/** Reads one clause; throws an Error that says what was expected. */
export function readClause(key: keyof BoundaryMatch, value: unknown, reading: ClauseReading): unknown {
  return readers[key](value, reading);
}

const matcherKeys = new Set(['equals', 'oneOf', 'glob', 'regex', 'minimum', 'maximum', 'exists']);

/** Reads how one argument is compared; a plain value means `equals`. Throws an Error for what is not known. */
export function argumentMatcher(value: unknown): ArgumentMatcher {
  if (!isObject(value)) return { equals: value as Json };
  const out: Record<string, unknown> = {};
  for (const [rawKey, one] of Object.entries(value)) {
    const key = camelCase(rawKey);
    if (!matcherKeys.has(key)) throw new SaidError(say('unknown_comparison', rawKey, proposal(key, matcherKeys)));
    if (key === 'glob') checkGlob(nonEmpty(one), 'flat');
    else if (key === 'regex') nonEmpty(one);
    else if (key === 'oneOf' && (!Array.isArray(one) || one.length === 0))
      throw new SaidError(say('one_of_no_array', got(one)));
    else if ((key === 'minimum' || key === 'maximum') && (typeof one !== 'number' || !Number.isFinite(one)))
      throw new SaidError(say('comparison_no_number', key, got(one)));
    else if (key === 'exists' && typeof one !== 'boolean') throw new SaidError(say('exists_no_boolean', got(one)));
    out[key] = one;
  }
  if (Object.keys(out).length === 0) throw new SaidError(say('no_comparison'));
  return out;
}
