import { camelCase, defined, isObject, sanitizeJson } from '../../base/json';
import { Findings, gotJson, ObjectReader, pointerTo, got } from '../../base/jsonReader';
import { nearestNames } from '../../base/nearest';
import { type Parsed, type Problem, problem } from '../../base/problem';
import { saidBy, say, type Sentence } from '../../base/sentence';
import { unreadable } from '../../settings/settingValues';
import type { Boundary, BoundaryDecision, BoundaryMatch, BoundaryScope, RuleFault } from '../../vocabulary/boundary';
import { readReason } from './draftedReason';
import { ClauseReading, clauseNames, isClause, readClause } from './clauses';
import { readExamples } from './readSketch';

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
function parseBoundary(raw: unknown, scope: BoundaryScope, pointer: string, reading: ClauseReading): Parsed<Boundary> {
  const faults: RuleFault[] = [];
  const place = `boundary at ${pointer === '' ? '/' : pointer}`;
  const row = plainRow(raw);
  if ('unreadable' in row) {
    const said = row.unreadable;
    return {
      value: unreadableBoundary(scope, place, said),
      problems: [problem({ severity: 'error', code: 'invalid_boundary', said, pointer })],
    };
  }
  const { clean } = row;
  const rawId = clean['id'];
  const id = typeof rawId === 'string' && rawId.trim() !== '' ? rawId : place;
  const findings = new Findings({
    code: 'invalid_boundary',
    subject: id,
    nullIsWrong: true,
    sentence: (at, _key, said) => say('boundary_fault', id, at.slice(pointer.length), said),
    heard: (at, said) => faults.push({ at: at.slice(pointer.length), said }),
  });
  const fields = new ObjectReader(clean, pointer, findings);
  const tell: RowReading['tell'] = (at, said, level = 'error', code) =>
    findings.add(level, at, findings.about(at, '', said), code);
  const fault = (at: string, said: Sentence): void => {
    faults.push({ at: at.slice(pointer.length), said });
    tell(at, said);
  };
  if (id !== rawId && !fields.isTwice('id')) tell(fields.at('id'), say('must_have_text', got(rawId)));
  if (row.holdsForbidden) fault(pointer, say('holds_forbidden'));
  const severity = fields.oneOf('severity', ['hard', 'soft']) ?? 'hard';
  const { decision, account } = parseDecision(fields);
  const loosens = decision === 'allow' || decision === 'advise';
  reading.loosens = loosens;
  reading.warn = (said) => tell(fields.at('match'), said, 'warning', 'doubtful_boundary');
  reading.hintAt = (said) => tell(fields.at('match'), said, 'information', 'doubtful_boundary');
  const rowReading: RowReading = { loosens, reading, tell };
  const match = parseMatch(fields, rowReading);
  for (const key of fields.names()) if (!ruleKeys.has(key)) strayKey(fields, key, match, rowReading);
  if (Object.keys(match).length === 0) tellOfWidth(fields, faults.length > 0, rowReading);
  const exceptions = parseExceptions(fields, loosens ? fault : tell);
  const steer = wordsAt(fields, 'steer', tell);
  const reason = wordsAt(fields, 'reason', tell) ?? wordsAt(fields, 'description', tell);
  const examples = readExamples(fields.raw('examples'), (at, said) =>
    tell(`${pointer}${at}`, said, 'error', 'invalid_example'),
  );
  return {
    value: {
      id,
      severity,
      match,
      exceptions,
      decision,
      ...defined({ account, steer, examples }),
      reason: reason === undefined ? say('says_so', id) : readReason(reason),
      scope,
      ...(faults.length === 0 ? {} : { faults }),
    },
    problems: findings.problems,
  };
}

/** A rule as an object, without the keys that none may hold; or why it is none that anybody could read. */
function plainRow(
  raw: unknown,
):
  | { readonly clean: Readonly<Record<string, unknown>>; readonly holdsForbidden: boolean }
  | { readonly unreadable: Sentence } {
  if (!isObject(raw)) return { unreadable: say('boundary_no_object', got(raw)) };
  let clean: unknown;
  try {
    clean = sanitizeJson(raw);
  } catch {
    return { unreadable: say('boundary_too_deep') };
  }
  if (!isObject(clean)) return { unreadable: say('boundary_no_object', got(clean)) };
  return { clean, holdsForbidden: Object.keys(clean).length < Object.keys(raw).length };
}

interface RowReading {
  readonly loosens: boolean;
  readonly reading: ClauseReading;
  /** Tells of what cannot be read and changes nothing that the rule does. */
  readonly tell: (at: string, said: Sentence, severity?: Problem['severity'], code?: string) => void;
}

/** Tells of a rule without a clause, as it is written or because none of its clauses could be read. */
function tellOfWidth(fields: ObjectReader, hasFaults: boolean, { loosens, tell }: RowReading): void {
  const at = fields.at('match');
  if (!hasFaults) tell(at, say('rule_matches_everything'), 'information', 'matches_everything');
  else if (!loosens) tell(at, say('rule_meets_everything'), 'warning', 'meets_everything');
}

/** A text for people; what is no text is told of and left out. */
function wordsAt(fields: ObjectReader, key: string, tell: RowReading['tell']): string | undefined {
  const value = fields.raw(key);
  if (value === undefined || typeof value === 'string') return value;
  tell(fields.at(key), say('must_be', 'string', got(value)), 'warning');
  return undefined;
}

/**
 * A clause that stands beside `match` is meant as one: it counts, and is reported. What may be a misspelled clause is
 * one that is lost.
 */
function strayKey(fields: ObjectReader, key: string, match: Record<string, unknown>, row: RowReading): void {
  const { loosens, reading, tell } = row;
  if (isClause(key)) {
    const place = `"match": { ${JSON.stringify(key)}: … }`;
    if (loosens) return fields.error(key, say('clause_beside_match', place));
    if (Object.hasOwn(match, key)) {
      delete match[key];
      return fields.error(key, say('clause_in_both', place));
    }
    tell(fields.at(key), say('clause_counts', place));
    return readInto(match, key, fields, row);
  }
  const unknown = say('is_unknown', reading.hint(key, [...ruleKeys, ...clauseNames]));
  const [near] = remarks.has(key) ? [] : nearestNames(key, [...ruleKeys, ...clauseNames], 1);
  if (loosens || (near !== undefined && isClause(near))) fields.error(key, unknown);
  else tell(fields.at(key), unknown, near === undefined ? 'warning' : 'error', 'unknown_property');
}

function readInto(
  match: Record<string, unknown>,
  key: keyof BoundaryMatch,
  fields: ObjectReader,
  { loosens, reading }: RowReading,
): void {
  const value = fields.raw(key);
  // `null` is a clause that is left out; what loosens must say what it means.
  if (value === undefined || (value === null && !loosens)) return;
  try {
    match[key] = readClause(key, value, reading);
  } catch (error) {
    fields.error(key, saidBy(error));
  }
}

/** The account of `deny_unless_<name>_account`, also as `deny-unless-<name>-account` and `denyUnless<Name>Account`. */
function accountIn(word: string): string | undefined {
  const camel = /^denyUnless([A-Z0-9].*)Account$/.exec(word)?.[1];
  if (camel !== undefined) return camel.charAt(0).toLowerCase() + camel.slice(1);
  return /^deny([_-])unless\1([^_-].*)\1account$/i.exec(word)?.[2];
}

function parseDecision(fields: ObjectReader): { decision: BoundaryDecision; account?: string } {
  const deny = (key: string, said: Sentence): { decision: 'deny' } => {
    if (!fields.isTwice(key)) fields.error(key, said);
    return { decision: 'deny' };
  };
  const raw = fields.raw('decision');
  const word = typeof raw === 'string' ? raw : '';
  const named = accountIn(word);
  const decision =
    named !== undefined ? 'deny_unless_account' : Object.hasOwn(decisions, word) ? decisions[word] : undefined;
  if (decision === undefined) return deny('decision', say('bad_decision', gotJson(raw)));
  if (decision !== 'deny_unless_account') return { decision };
  const given = fields.raw('account');
  const account = given ?? named;
  if (fields.isTwice('account') || typeof account !== 'string' || account.trim() === '')
    return deny('account', say('account_missing', got(account)));
  if (typeof given === 'string' && named !== undefined && given.toLowerCase() !== named.toLowerCase())
    return deny('account', say('account_differs', named, given));
  return { decision, account };
}

function parseMatch(fields: ObjectReader, row: RowReading): Record<string, unknown> {
  const match: Record<string, unknown> = {};
  const clauses = fields.reader('match');
  if (!clauses) return match;
  for (const key of clauses.names())
    if (isClause(key)) readInto(match, key, clauses, row);
    else clauses.error(key, say('unknown_clause', row.reading.hint(key, clauseNames)));
  return match;
}

/** Exceptions that cannot be read except nothing. */
function parseExceptions(fields: ObjectReader, report: (at: string, said: Sentence) => void): readonly string[] {
  const raw = fields.raw('exceptions');
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) {
    report(fields.at('exceptions'), say('exceptions_no_array', got(raw)));
    return [];
  }
  return raw.filter((one, index): one is string => {
    if (typeof one === 'string' && one.trim() !== '') return true;
    report(pointerTo(fields.at('exceptions'), index), say('exception_no_id', got(one)));
    return false;
  });
}

/**
 * The rows of a list of rules, also where it is no list: one rule alone, `{ "boundaries": […] }`, or rules by id.
 * Undefined where nobody can tell what was meant.
 */
function rowsOf(raw: unknown): readonly { readonly raw: unknown; readonly pointer: string }[] | undefined {
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
  if (raw === unreadable)
    return {
      value: [unreadableBoundary(scope, 'unreadable boundaries', say('cannot_be_read'))],
      problems: [],
      pointers: [''],
    };
  const problems: Problem[] = [];
  const rows = rowsOf(raw);
  if (!Array.isArray(raw)) {
    const said = say('boundaries_no_array', typeof raw === 'symbol' ? say('two_of_them') : got(raw));
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
    if (rule.decision === 'allow' && (scope === 'bundle' || scope === 'workspace' || scope === 'profile'))
      warn('cannot_loosen', say('may_not_loosen'));
    value.push(rule);
  }
  return { value, problems, pointers: (rows ?? []).map(({ pointer }) => pointer) };
}
