import { camelCase, isObject, type Json, sanitizeJson, typeName } from '../base/json';
import { didYouMean } from '../base/nearest';
import type { Problem } from '../problem';
import type { Parsed } from '../profile';
import { riskLevels } from '../tool';
import type { ArgumentMatcher, Boundary, BoundaryDecision, BoundaryMatch, BoundaryScope } from './boundary';
import { flatGlob, hostGlob, pathGlob } from './glob';

type Report = (pointer: string, code: string, message: string, severity?: Problem['severity']) => void;

/** How one clause is read: answers the clean value, or throws an Error that says what was expected. */
type Reader = (value: unknown) => unknown;

const text: Reader = (value) => {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`must be a string that is not empty (got ${typeName(value)})`);
};
const flag: Reader = (value) => {
  if (typeof value === 'boolean') return value;
  throw new Error(`must be boolean (got ${typeName(value)})`);
};
const oneOf =
  (...allowed: readonly string[]): Reader =>
  (value) => {
    const word = typeof value === 'string' ? value.toLowerCase() : value;
    const plain = word === 'med' ? 'medium' : word;
    if (typeof plain === 'string' && allowed.includes(plain)) return plain;
    throw new Error(`must be ${allowed.map((one) => `\`${one}\``).join(' or ')} (got ${JSON.stringify(value) ?? 'nothing'})`);
  };
const texts: Reader = (value) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new Error('must not be empty');
  return list.map((one) => text(one));
};
const patterns =
  (compile: (pattern: string) => unknown): Reader =>
  (value) => {
    const list = texts(value) as readonly string[];
    for (const pattern of list) compile(pattern);
    return list.length === 1 && !Array.isArray(value) ? list[0] : list;
  };
const pattern: Reader = (value) => {
  flatGlob(text(value) as string);
  return value;
};

const readers: Readonly<Record<keyof BoundaryMatch, Reader>> = {
  tool: pattern,
  capability: pattern,
  idRegex: text,
  sideEffectsAny: texts,
  accessAny: texts,
  path: patterns(pathGlob),
  pathNot: patterns(pathGlob),
  host: patterns(hostGlob),
  hostNot: patterns(hostGlob),
  command: patterns(flatGlob),
  privateHost: flag,
  recursive: flag,
  permanent: flag,
  costClass: oneOf('free', 'metered', 'paid'),
  riskLevel: oneOf(...riskLevels),
  riskAtLeast: oneOf(...riskLevels),
  source: oneOf('builtin', 'definition', 'extension', 'mcp', 'channel'),
  actor: oneOf('user', 'agent'),
  argument: (value) => {
    if (!isObject(value)) throw new Error(`must be an object of JSON pointers (got ${typeName(value)})`);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, argumentMatcher(one)]));
  },
};

/** Every clause that a rule may hold, for schemas, completion and the linter. */
export const clauseNames = Object.keys(readers) as readonly (keyof BoundaryMatch)[];

const matcherKeys = new Set(['equals', 'oneOf', 'glob', 'regex', 'minimum', 'maximum', 'exists']);

/** Reads how one argument is compared; a plain value means `equals`. Throws an Error for what is not known. */
export function argumentMatcher(value: unknown): ArgumentMatcher {
  if (!isObject(value)) return { equals: value as Json };
  const out: Record<string, unknown> = {};
  for (const [rawKey, one] of Object.entries(value)) {
    const key = camelCase(rawKey);
    if (!matcherKeys.has(key)) throw new Error(`has an unknown comparison \`${rawKey}\`${didYouMean(key, matcherKeys)}`);
    if (key === 'glob') flatGlob(text(one) as string);
    else if (key === 'regex') text(one);
    else if (key === 'oneOf' && !Array.isArray(one)) throw new Error(`/oneOf must be an array (got ${typeName(one)})`);
    else if ((key === 'minimum' || key === 'maximum') && (typeof one !== 'number' || !Number.isFinite(one)))
      throw new Error(`/${key} must be number (got ${typeName(one)})`);
    else if (key === 'exists') flag(one);
    out[key] = one;
  }
  if (Object.keys(out).length === 0) throw new Error('must say how to compare');
  return out;
}

const decisions: Readonly<Record<string, BoundaryDecision>> = {
  deny: 'deny',
  require_approval: 'require_approval',
  requireApproval: 'require_approval',
  ask: 'require_approval',
  advise: 'advise',
  allow: 'allow',
  deny_unless_account: 'deny_unless_account',
  denyUnlessAccount: 'deny_unless_account',
};

const ruleKeys = new Set(['id', 'severity', 'match', 'exceptions', 'decision', 'account', 'reason', 'steer', 'description', '$schema']);

/**
 * Reads one boundary, in camelCase or in seed 4's snake_case. What cannot be read is reported and makes the rule fail closed:
 * a clause is left out, so that the rule fires for what its other clauses match; a decision is read as `deny`, a severity as `hard`.
 */
export function parseBoundary(raw: unknown, scope: BoundaryScope, pointer = ''): Parsed<Boundary | undefined> {
  const problems: Problem[] = [];
  const faults: string[] = [];
  if (!isObject(raw)) {
    const message = `a boundary must be an object (got ${typeName(raw)})`;
    return { value: undefined, problems: [{ severity: 'error', code: 'invalid_boundary', message, pointer }] };
  }
  const fields = new Map(Object.entries(sanitizeJson(raw) as Record<string, unknown>).map(([key, value]) => [camelCase(key), value]));
  const rawId = fields.get('id');
  const id = typeof rawId === 'string' && rawId !== '' ? rawId : `boundary at ${pointer === '' ? '/' : pointer}`;
  const report: Report = (at, code, message, severity = 'error') => {
    problems.push({ severity, code, message: `the boundary \`${id}\`: ${at} ${message}`, subject: id, pointer: `${pointer}${at}` });
  };
  const fault = (at: string, message: string): void => {
    faults.push(`${at} ${message}`);
    report(at, 'invalid_boundary', message);
  };
  if (id !== rawId) report('/id', 'invalid_boundary', `must be a string that is not empty (got ${typeName(rawId)})`);
  for (const key of fields.keys())
    if (!ruleKeys.has(key)) report(`/${key}`, 'unknown_property', `is not a known property${didYouMean(key, ruleKeys)}`, 'warning');

  const severity = fields.get('severity') ?? 'hard';
  if (severity !== 'hard' && severity !== 'soft') fault('/severity', `must be \`hard\` or \`soft\` (got ${JSON.stringify(severity)})`);
  const { decision, account } = parseDecision(fields, fault);
  const match = parseMatch(fields.get('match'), fault);
  const exceptions = parseExceptions(fields.get('exceptions'), report);
  const words = (key: string): string | undefined => {
    const value = fields.get(key);
    if (value === undefined || typeof value === 'string') return value;
    report(`/${key}`, 'invalid_boundary', `must be string (got ${typeName(value)})`, 'warning');
    return undefined;
  };
  const steer = words('steer');
  return {
    value: {
      id,
      severity: severity === 'soft' ? 'soft' : 'hard',
      match,
      exceptions,
      decision,
      ...(account === undefined ? {} : { account }),
      reason: words('reason') ?? words('description') ?? `the boundary \`${id}\` says so`,
      ...(steer === undefined ? {} : { steer }),
      scope,
      ...(faults.length === 0 ? {} : { fault: faults.join('; ') }),
    },
    problems,
  };
}

/** The account of `deny_unless_<name>_account`, also as `deny-unless-<name>-account` and `denyUnless<Name>Account`. */
function accountIn(word: string): string | undefined {
  const camel = /^denyUnless([A-Z0-9].*)Account$/.exec(word)?.[1];
  if (camel !== undefined) return camel.charAt(0).toLowerCase() + camel.slice(1);
  return /^deny([_-])unless\1([^_-].*)\1account$/i.exec(word)?.[2];
}

function parseDecision(
  fields: ReadonlyMap<string, unknown>,
  fault: (at: string, message: string) => void,
): { decision: BoundaryDecision; account?: string } {
  const raw = fields.get('decision');
  const word = typeof raw === 'string' ? raw : '';
  const named = accountIn(word);
  const decision = named !== undefined ? 'deny_unless_account' : Object.hasOwn(decisions, word) ? decisions[word] : undefined;
  if (decision === undefined) {
    const known = ['deny', 'require_approval', 'advise', 'allow', 'deny_unless_account'];
    fault('/decision', `must be one of ${known.join(', ')} (got ${JSON.stringify(raw) ?? 'nothing'}); it is read as deny`);
    return { decision: 'deny' };
  }
  if (decision !== 'deny_unless_account') return { decision };
  const given = fields.get('account');
  const account = given ?? named;
  if (typeof given === 'string' && named !== undefined && given.toLowerCase() !== named.toLowerCase()) {
    fault('/account', `must be the account that the decision names, \`${named}\` (got \`${given}\`); it is read as deny`);
    return { decision: 'deny' };
  }
  if (typeof account === 'string' && account !== '') return { decision, account };
  fault('/account', `must name the account that the requirements must hold (got ${typeName(account)})`);
  return { decision: 'deny' };
}

function parseMatch(raw: unknown, fault: (at: string, message: string) => void): BoundaryMatch {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    fault('/match', `must be an object (got ${typeName(raw)})`);
    return {};
  }
  const match: Record<string, unknown> = {};
  for (const [rawKey, value] of Object.entries(raw)) {
    const key = camelCase(rawKey);
    if (!isClause(key)) {
      fault(`/match/${rawKey}`, `is not a known clause${didYouMean(key, clauseNames)}`);
      continue;
    }
    // A clause that seed 4 would leave unspecified.
    if (value === null || value === undefined) continue;
    try {
      match[key] = readers[key](value);
    } catch (error) {
      fault(`/match/${rawKey}`, error instanceof Error ? error.message : String(error));
    }
  }
  return match;
}

function isClause(key: string): key is keyof BoundaryMatch {
  return Object.hasOwn(readers, key);
}

/** Exceptions that cannot be read except nothing. */
function parseExceptions(raw: unknown, report: Report): readonly string[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) {
    report('/exceptions', 'invalid_boundary', `must be an array of ids (got ${typeName(raw)})`);
    return [];
  }
  return raw.filter((one, index): one is string => {
    if (typeof one === 'string' && one !== '') return true;
    report(`/exceptions/${index}`, 'invalid_boundary', `must be the id of a capability or tool (got ${typeName(one)})`);
    return false;
  });
}

/** Reads a list of boundaries (`boundaries.json`, the setting `policy.boundaries`). A rule that is not an object is reported and left out. */
export function parseBoundaries(raw: unknown, scope: BoundaryScope): Parsed<readonly Boundary[]> {
  if (raw === undefined) return { value: [], problems: [] };
  if (!Array.isArray(raw)) {
    const message = `the boundaries must be an array (got ${typeName(raw)})`;
    return { value: [], problems: [{ severity: 'error', code: 'invalid_boundary', message, pointer: '' }] };
  }
  const problems: Problem[] = [];
  const value: Boundary[] = [];
  const seen = new Set<string>();
  raw.forEach((item, index) => {
    const parsed = parseBoundary(item, scope, `/${index}`);
    problems.push(...parsed.problems);
    const rule = parsed.value;
    if (!rule) return;
    const report = (severity: Problem['severity'], code: string, message: string): void => {
      problems.push({ severity, code, message: `the boundary \`${rule.id}\` ${message}`, subject: rule.id, pointer: `/${index}` });
    };
    if (seen.has(rule.id)) report('warning', 'duplicate_boundary', 'is there twice; both hold');
    seen.add(rule.id);
    if (rule.decision === 'allow' && (scope === 'workspace' || scope === 'profile')) {
      report('warning', 'cannot_loosen', 'would allow something, which only the user and the managed file may; it has no effect');
    }
    value.push(rule);
  });
  return { value, problems };
}
