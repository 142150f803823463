import { camelCase, isObject, sanitizeJson, typeName } from '../../base/json';
import { nearestNames } from '../../base/nearest';
import { type Parsed, type Problem, problem } from '../../base/problem';
import { saidBy, say, type Sentence } from '../../base/sentence';
import type { Boundary, BoundaryDecision, BoundaryMatch, BoundaryScope, RuleFault } from '../../vocabulary/boundary';
import { ClauseReading, clauseNames, isClause, readClause } from './clauses';
import { readExamples } from './readSketch';

type Report = (pointer: string, code: string, said: Sentence, severity?: Problem['severity']) => void;
type Fault = (at: string, said: Sentence) => void;

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
  'examples',
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
export function unreadableBoundary(scope: BoundaryScope, id: string, fault: Sentence): Boundary {
  const decision = scope === 'managed' ? 'deny' : 'require_approval';
  return {
    id,
    severity: 'hard',
    match: { actor: 'agent' },
    exceptions: [],
    decision,
    reason: say(decision === 'deny' ? 'rules_unreadable_deny' : 'rules_unreadable_ask'),
    scope,
    faults: [{ at: '', said: fault }],
  };
}

/**
 * Reads one boundary, in camelCase or in snake_case. What cannot be read is reported and makes the rule fail closed: a
 * clause is left out, so that the rule fires for what its other clauses match; a decision is read as `deny`, a severity
 * as `hard`.
 */
function parseBoundary(
  raw: unknown,
  scope: BoundaryScope,
  pointer = '',
  reading = new ClauseReading(),
): Parsed<Boundary> {
  const problems: Problem[] = [];
  const faults: RuleFault[] = [];
  const place = `boundary at ${pointer === '' ? '/' : pointer}`;
  const unreadable = (said: Sentence): Parsed<Boundary> => ({
    value: unreadableBoundary(scope, place, said),
    problems: [problem({ severity: 'error', code: 'invalid_boundary', said, pointer })],
  });
  if (!isObject(raw)) return unreadable(say('boundary_no_object', typeName(raw)));
  let clean: unknown;
  try {
    clean = sanitizeJson(raw);
  } catch {
    return unreadable(say('boundary_too_deep'));
  }
  if (!isObject(clean)) return unreadable(say('boundary_no_object', typeName(clean)));
  const fields = new Map<string, unknown>();
  const rawId = clean['id'];
  const id = typeof rawId === 'string' && rawId.trim() !== '' ? rawId : place;
  const report: Report = (at, code, said, severity = 'error') => {
    const whole = say('boundary_fault', id, at, said);
    problems.push(problem({ severity, code, said: whole, subject: id, pointer: `${pointer}${at}` }));
  };
  const fault: Fault = (at, said) => {
    faults.push({ at, said });
    report(at, 'invalid_boundary', said);
  };
  for (const [rawKey, value] of Object.entries(clean)) {
    const key = camelCase(rawKey);
    if (fields.has(key)) fault(`/${rawKey}`, say('two_spellings'));
    fields.set(key, fields.has(key) ? statedTwice : value);
  }
  if (id !== rawId) report('/id', 'invalid_boundary', say('must_have_text', typeName(rawId)));
  if (Object.keys(clean).length < Object.keys(raw).length) fault('', say('holds_forbidden'));

  const severity = fields.get('severity') ?? 'hard';
  if (severity !== 'hard' && severity !== 'soft') fault('/severity', say('bad_severity', shown(severity)));
  const { decision, account } = parseDecision(fields, fault);
  const loosens = decision === 'allow' || decision === 'advise';
  reading.warn = (said) => report('/match', 'doubtful_boundary', said, 'warning');
  const match = parseMatch(fields.get('match'), { loosens, fault, reading });
  for (const [key, value] of fields)
    if (!ruleKeys.has(key)) strayKey(key, value, { match, loosens, report, fault, reading });
  if (Object.keys(match).length === 0 && faults.length === 0)
    report('/match', 'matches_everything', say('rule_matches_everything'), 'information');
  const exceptions = parseExceptions(
    fields.get('exceptions'),
    loosens ? fault : (at, said) => report(at, 'invalid_boundary', said),
  );
  const words = (key: string): string | undefined => {
    const value = fields.get(key);
    if (value === undefined || typeof value === 'string') return value;
    report(`/${key}`, 'invalid_boundary', say('must_be', 'string', typeName(value)), 'warning');
    return undefined;
  };
  const steer = words('steer');
  const examples = readExamples(fields.get('examples'), (at, said) => report(at, 'invalid_example', said));
  return {
    value: {
      id,
      severity: severity === 'soft' ? 'soft' : 'hard',
      match,
      exceptions,
      decision,
      ...(account === undefined ? {} : { account }),
      reason: words('reason') ?? words('description') ?? say('says_so', id),
      ...(steer === undefined ? {} : { steer }),
      scope,
      ...(examples === undefined ? {} : { examples }),
      ...(faults.length === 0 ? {} : { faults }),
    },
    problems,
  };
}

/** What stands for a property that is there twice: no reader knows it. */
export const statedTwice: unique symbol = Symbol('stated twice');

const shown = (value: unknown): Sentence | string =>
  typeof value === 'symbol' ? say('two') : (JSON.stringify(value) ?? 'nothing');

const typed = (value: unknown): Sentence | string => (typeof value === 'symbol' ? say('two') : typeName(value));

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
    const place = `"match": { ${JSON.stringify(key)}: … }`;
    if (loosens) return fault(`/${key}`, say('clause_beside_match', place));
    if (Object.hasOwn(match, key)) {
      delete match[key];
      return fault(`/${key}`, say('clause_in_both', place));
    }
    report(`/${key}`, 'invalid_boundary', say('clause_counts', place));
    return readInto(match, key, value, `/${key}`, row);
  }
  const unknown = say('unknown_key', reading.hint(key, [...ruleKeys, ...clauseNames]));
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
    fault(at, saidBy(error));
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
    fault('/decision', say('bad_decision', shown(raw)));
    return { decision: 'deny' };
  }
  if (decision !== 'deny_unless_account') return { decision };
  const given = fields.get('account');
  const account = given ?? named;
  if (typeof given === 'string' && named !== undefined && given.toLowerCase() !== named.toLowerCase()) {
    fault('/account', say('account_differs', named, given));
    return { decision: 'deny' };
  }
  if (typeof account === 'string' && account.trim() !== '') return { decision, account };
  fault('/account', say('account_missing', typeName(account)));
  return { decision: 'deny' };
}

function parseMatch(raw: unknown, row: RowReading): Record<string, unknown> {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    row.fault('/match', say('must_be', say('an_object'), typed(raw)));
    return {};
  }
  const match: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [rawKey, value] of Object.entries(raw)) {
    const key = camelCase(rawKey);
    if (!isClause(key)) row.fault(`/match/${rawKey}`, say('unknown_clause', row.reading.hint(key, clauseNames)));
    else if (seen.has(key)) {
      delete match[key];
      row.fault(`/match/${rawKey}`, say('two_spellings'));
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
    report('/exceptions', say('exceptions_no_array', typed(raw)));
    return [];
  }
  return raw.filter((one, index): one is string => {
    if (typeof one === 'string' && one.trim() !== '') return true;
    report(`/exceptions/${index}`, say('exception_no_id', typeName(one)));
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
    const said = say('boundaries_no_array', typeof raw === 'symbol' ? say('two_of_them') : typeName(raw));
    problems.push(problem({ severity: 'error', code: 'invalid_boundary', said, pointer: '' }));
    if (!rows) return { value: [unreadableBoundary(scope, 'unreadable boundaries', said)], problems, pointers: [''] };
  }
  const value: Boundary[] = [];
  const seen = new Set<string>();
  const reading = new ClauseReading();
  for (const { raw: row, pointer } of rows ?? []) {
    const parsed = parseBoundary(row, scope, pointer, reading);
    problems.push(...parsed.problems);
    const rule = parsed.value;
    const warn = (code: string, said: Sentence): void => {
      const whole = say('boundary_note', rule.id, said);
      problems.push(problem({ severity: 'warning', code, said: whole, subject: rule.id, pointer }));
    };
    if (seen.has(rule.id)) warn('duplicate_boundary', say('twice_both_hold'));
    seen.add(rule.id);
    if (rule.decision === 'allow' && (scope === 'workspace' || scope === 'profile'))
      warn('cannot_loosen', say('may_not_loosen'));
    value.push(rule);
  }
  return { value, problems, pointers: (rows ?? []).map(({ pointer }) => pointer) };
}
