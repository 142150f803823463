import { camelCase, isObject, sanitizeJson, typeName } from '../../base/json';
import { nearestNames } from '../../base/nearest';
import type { Parsed, Problem } from '../../base/problem';
import type { Boundary, BoundaryDecision, BoundaryMatch, BoundaryScope } from '../../vocabulary/boundary';
import { ClauseReading, clauseNames, isClause, readClause } from './clauses';
import { messageOf } from '../../base/errorText';

export { argumentMatcher, clauseNames } from './clauses';

type Report = (pointer: string, code: string, message: string, severity?: Problem['severity']) => void;
type Fault = (at: string, message: string) => void;

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

const ruleKeys = new Set([
  'id',
  'severity',
  'match',
  'exceptions',
  'decision',
  'account',
  'reason',
  'steer',
  'description',
  '$schema',
]);
/** What people write beside a rule for each other; however near it is to a clause, no clause was meant. */
const remarks = new Set([
  'comment',
  'comments',
  '$comment',
  'note',
  'notes',
  'title',
  'name',
  'tags',
  'owner',
  'date',
  'url',
  'type',
  'rule',
]);

/**
 * Stands in for rules that cannot be read at all. Nobody can say what they would have denied, so every call of an agent
 * asks until it is mended; where an administrator's cannot be read, every call of an agent is denied.
 */
export function unreadableBoundary(scope: BoundaryScope, id: string, fault: string): Boundary {
  const decision = scope === 'managed' ? 'deny' : 'require_approval';
  return {
    id,
    severity: 'hard',
    match: { actor: 'agent' },
    exceptions: [],
    decision,
    reason: `rules that should be here cannot be read, so ${decision === 'deny' ? 'nothing is allowed' : 'every call asks'} until that is mended`,
    scope,
    fault,
  };
}

/**
 * Reads one boundary, in camelCase or in snake_case. What cannot be read is reported and makes the rule fail closed: a
 * clause is left out, so that the rule fires for what its other clauses match; a decision is read as `deny`, a severity
 * as `hard`.
 */
export function parseBoundary(
  raw: unknown,
  scope: BoundaryScope,
  pointer = '',
  reading = new ClauseReading(),
): Parsed<Boundary> {
  const problems: Problem[] = [];
  const faults: string[] = [];
  const place = `boundary at ${pointer === '' ? '/' : pointer}`;
  const unreadable = (message: string): Parsed<Boundary> => ({
    value: unreadableBoundary(scope, place, message),
    problems: [{ severity: 'error', code: 'invalid_boundary', message, pointer }],
  });
  if (!isObject(raw)) return unreadable(`a boundary must be an object (got ${typeName(raw)})`);
  let clean: unknown;
  try {
    clean = sanitizeJson(raw);
  } catch {
    return unreadable('a boundary must not be nested more than 64 levels deep');
  }
  if (!isObject(clean)) return unreadable('a boundary must be an object');
  const fields = new Map<string, unknown>();
  const rawId = clean['id'];
  const id = typeof rawId === 'string' && rawId.trim() !== '' ? rawId : place;
  const report: Report = (at, code, message, severity = 'error') => {
    problems.push({
      severity,
      code,
      message: `the boundary \`${id}\`: ${at} ${message}`,
      subject: id,
      pointer: `${pointer}${at}`,
    });
  };
  const fault: Fault = (at, message) => {
    faults.push(`${at} ${message}`);
    report(at, 'invalid_boundary', message);
  };
  for (const [rawKey, value] of Object.entries(clean)) {
    const key = camelCase(rawKey);
    if (fields.has(key)) fault(`/${rawKey}`, 'is there twice, in two spellings; write it once');
    fields.set(key, fields.has(key) ? statedTwice : value);
  }
  if (id !== rawId) report('/id', 'invalid_boundary', `must be a string that is not empty (got ${typeName(rawId)})`);
  if (Object.keys(clean).length < Object.keys(raw).length)
    fault('', 'holds a property that is not allowed, such as `__proto__`');

  const severity = fields.get('severity') ?? 'hard';
  if (severity !== 'hard' && severity !== 'soft')
    fault('/severity', `must be \`hard\` or \`soft\` (got ${shown(severity)})`);
  const { decision, account } = parseDecision(fields, fault);
  const loosens = decision === 'allow' || decision === 'advise';
  reading.warn = (message) => report('/match', 'doubtful_boundary', message, 'warning');
  const match = parseMatch(fields.get('match'), { loosens, fault, reading });
  for (const [key, value] of fields)
    if (!ruleKeys.has(key)) strayKey(key, value, { match, loosens, report, fault, reading });
  if (Object.keys(match).length === 0 && faults.length === 0)
    report('/match', 'matches_everything', 'is empty, so the rule holds for every call', 'information');
  const exceptions = parseExceptions(
    fields.get('exceptions'),
    loosens ? fault : (at, message) => report(at, 'invalid_boundary', message),
  );
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

/** What stands for a property that is there twice: no reader knows it. */
export const statedTwice: unique symbol = Symbol('stated twice');

const shown = (value: unknown): string => (typeof value === 'symbol' ? 'two' : (JSON.stringify(value) ?? 'nothing'));

interface RowReading {
  readonly loosens: boolean;
  readonly fault: Fault;
  readonly reading: ClauseReading;
}

/**
 * A clause that stands beside `match` is meant as one: it counts, and is reported. What may be a misspelled clause is
 * one that is lost.
 */
function strayKey(
  key: string,
  value: unknown,
  row: RowReading & { readonly match: Record<string, unknown>; readonly report: Report },
): void {
  const { match, loosens, report, fault, reading } = row;
  if (isClause(key)) {
    const misplaced = `stands beside \`match\` and belongs into it: "match": { ${JSON.stringify(key)}: … }`;
    if (loosens) return fault(`/${key}`, misplaced);
    if (Object.hasOwn(match, key)) {
      delete match[key];
      return fault(`/${key}`, `${misplaced}; it is in both, so neither counts`);
    }
    report(`/${key}`, 'invalid_boundary', `${misplaced}; it counts as if it stood there`);
    return readInto(match, key, value, `/${key}`, row);
  }
  const unknown = `is not a known property${reading.hint(key, [...ruleKeys, ...clauseNames])}`;
  const [near] = remarks.has(key) ? [] : nearestNames(key, [...ruleKeys, ...clauseNames], 1);
  if (loosens || (near !== undefined && isClause(near))) fault(`/${key}`, unknown);
  else report(`/${key}`, 'unknown_property', unknown, near === undefined ? 'warning' : 'error');
}

function readInto(
  match: Record<string, unknown>,
  key: keyof BoundaryMatch,
  value: unknown,
  at: string,
  { loosens, fault, reading }: RowReading,
): void {
  // `null` is a clause that is left out; what loosens must say what it means.
  if (value === undefined || (value === null && !loosens)) return;
  try {
    match[key] = readClause(key, value, reading);
  } catch (error) {
    fault(at, messageOf(error));
  }
}

/** The account of `deny_unless_<name>_account`, also as `deny-unless-<name>-account` and `denyUnless<Name>Account`. */
function accountIn(word: string): string | undefined {
  const camel = /^denyUnless([A-Z0-9].*)Account$/.exec(word)?.[1];
  if (camel !== undefined) return camel.charAt(0).toLowerCase() + camel.slice(1);
  return /^deny([_-])unless\1([^_-].*)\1account$/i.exec(word)?.[2];
}

function parseDecision(
  fields: ReadonlyMap<string, unknown>,
  fault: Fault,
): { decision: BoundaryDecision; account?: string } {
  const raw = fields.get('decision');
  const word = typeof raw === 'string' ? raw : '';
  const named = accountIn(word);
  const decision =
    named !== undefined ? 'deny_unless_account' : Object.hasOwn(decisions, word) ? decisions[word] : undefined;
  if (decision === undefined) {
    const known = ['deny', 'require_approval', 'advise', 'allow', 'deny_unless_account'];
    fault('/decision', `must be one of ${known.join(', ')} (got ${shown(raw)}); it is read as deny`);
    return { decision: 'deny' };
  }
  if (decision !== 'deny_unless_account') return { decision };
  const given = fields.get('account');
  const account = given ?? named;
  if (typeof given === 'string' && named !== undefined && given.toLowerCase() !== named.toLowerCase()) {
    fault(
      '/account',
      `must be the account that the decision names, \`${named}\` (got \`${given}\`); it is read as deny`,
    );
    return { decision: 'deny' };
  }
  if (typeof account === 'string' && account.trim() !== '') return { decision, account };
  fault('/account', `must name the account that the requirements must hold (got ${typeName(account)})`);
  return { decision: 'deny' };
}

function parseMatch(raw: unknown, row: RowReading): Record<string, unknown> {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    row.fault('/match', `must be an object (got ${typeof raw === 'symbol' ? 'two' : typeName(raw)})`);
    return {};
  }
  const match: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [rawKey, value] of Object.entries(raw)) {
    const key = camelCase(rawKey);
    if (!isClause(key)) row.fault(`/match/${rawKey}`, `is not a known clause${row.reading.hint(key, clauseNames)}`);
    else if (seen.has(key)) {
      delete match[key];
      row.fault(`/match/${rawKey}`, 'is there twice, in two spellings; write it once');
    } else {
      seen.add(key);
      readInto(match, key, value, `/match/${rawKey}`, row);
    }
  }
  return match;
}

/** Exceptions that cannot be read except nothing. */
function parseExceptions(raw: unknown, report: Fault): readonly string[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) {
    report('/exceptions', `must be an array of ids (got ${typeof raw === 'symbol' ? 'two' : typeName(raw)})`);
    return [];
  }
  return raw.filter((one, index): one is string => {
    if (typeof one === 'string' && one.trim() !== '') return true;
    report(`/exceptions/${index}`, `must be the id of a capability or tool (got ${typeName(one)})`);
    return false;
  });
}

interface Row {
  readonly raw: unknown;
  readonly pointer: string;
}

/**
 * The rows of a list of rules, also where it is no list: one rule alone, `{ "boundaries": […] }`, or rules by id.
 * Undefined where nobody can tell what was meant.
 */
function rowsOf(raw: unknown): readonly Row[] | undefined {
  if (Array.isArray(raw)) return raw.map((one: unknown, index) => ({ raw: one, pointer: `/${index}` }));
  if (!isObject(raw)) return undefined;
  const { boundaries } = raw;
  if (Array.isArray(boundaries))
    return boundaries.map((one: unknown, index) => ({ raw: one, pointer: `/boundaries/${index}` }));
  if (Object.keys(raw).some((key) => ruleKeys.has(key) || isClause(camelCase(key)))) return [{ raw, pointer: '' }];
  return Object.entries(raw).map(([id, one]) => ({ raw: isObject(one) ? { id, ...one } : one, pointer: `/${id}` }));
}

/**
 * Reads a list of boundaries (`boundaries.json`, the setting `policy.boundaries`). Every row gives a rule: one that
 * cannot be read at all gives one that asks for every call of an agent, so that nothing passes because of a slip.
 * `pointers` says where each stands.
 */
export function parseBoundaries(
  raw: unknown,
  scope: BoundaryScope,
): Parsed<readonly Boundary[]> & { readonly pointers: readonly string[] } {
  if (raw === undefined) return { value: [], problems: [], pointers: [] };
  const problems: Problem[] = [];
  const rows = rowsOf(raw);
  if (!Array.isArray(raw)) {
    const message = `the boundaries must be an array (got ${typeof raw === 'symbol' ? 'two of them' : typeName(raw)})`;
    problems.push({ severity: 'error', code: 'invalid_boundary', message, pointer: '' });
    if (!rows)
      return { value: [unreadableBoundary(scope, 'unreadable boundaries', message)], problems, pointers: [''] };
  }
  const value: Boundary[] = [];
  const seen = new Set<string>();
  const reading = new ClauseReading();
  for (const { raw: row, pointer } of rows ?? []) {
    const parsed = parseBoundary(row, scope, pointer, reading);
    problems.push(...parsed.problems);
    const rule = parsed.value;
    const report = (severity: Problem['severity'], code: string, message: string): void => {
      problems.push({ severity, code, message: `the boundary \`${rule.id}\` ${message}`, subject: rule.id, pointer });
    };
    if (seen.has(rule.id)) report('warning', 'duplicate_boundary', 'is there twice; both hold');
    seen.add(rule.id);
    if (rule.decision === 'allow' && (scope === 'workspace' || scope === 'profile')) {
      report(
        'warning',
        'cannot_loosen',
        'would allow something, which only the user and the managed file may; it has no effect',
      );
    }
    value.push(rule);
  }
  return { value, problems, pointers: (rows ?? []).map(({ pointer }) => pointer) };
}
