import { canonicalJson, defined, isObject } from '../base/json';
import { Findings, gotJson, ObjectReader, pointerTo, got } from '../base/jsonReader';
import { type Parsed, type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { readFreshnessHours } from '../capability/composed';
import type { Probe, Requirement, RequirementState } from '../vocabulary/requirement';

/** Who lets whom use which account: a row of grants.json. */
export interface Delegation {
  readonly fromParty: string;
  readonly toParty: string;
  readonly scopeAccount: string;
  /** Its place in the file, for problems. */
  readonly index: number;
}

export const defaultFreshnessHours = 24;

/**
 * A program with its arguments in one text (`git --version`), or what only a shell understands. A path may hold spaces.
 */
const shellWords = /[|&;<>`\n]|\$\(|^[^\\/\s]+\s/;

/**
 * Reads requirements.json, an array in camelCase or snake_case. A row without an id is left out and reported; a probe
 * that cannot be read is none; of rows with one id what is stricter counts.
 */
export function parseRequirements(raw: unknown): Parsed<readonly Requirement[]> {
  const problems: Problem[] = [];
  const value = new Map<string, Requirement>();
  for (const { row, pointer } of rowsOf(raw, 'requirements', problems)) {
    const { id } = row;
    if (typeof id !== 'string' || id === '')
      problems.push(wrong('invalid_requirement', say('requirement_no_id', got(id)), pointer));
    else {
      const findings = new Findings({
        code: 'invalid_requirement',
        subject: id,
        sentence: (at, _key, fault) => say('requirement_fault', id, at.slice(pointer.length), fault),
      });
      const requirement = readRequirement(new ObjectReader(row, pointer, findings), id);
      const before = value.get(id);
      if (before)
        problems.push({ ...wrong('duplicate_requirement', say('requirement_twice', id), pointer), subject: id });
      value.set(id, before ? stricterOf(before, requirement) : requirement);
      problems.push(...findings.problems);
    }
  }
  return { value: [...value.values()], problems };
}

/**
 * One requirement of two rows with its id. Each may be the one that is meant, so nothing counts that only one of them
 * offers as a proof: a probe that the other lacks, or a good state.
 */
export function stricterOf(one: Requirement, other: Requirement): Requirement {
  const hours = [one, other].flatMap(({ freshnessBudgetHours: own = [] }) => own);
  const noted = [one, other].flatMap(({ lastProbe = [] }) => lastProbe).sort((a, b) => b.at - a.at);
  const isSameProbe = canonicalJson(one.probe ?? null) === canonicalJson(other.probe ?? null);
  return defined({
    ...one,
    critical: one.critical || other.critical,
    freshnessBudgetHours: hours.length > 0 ? Math.min(...hours) : undefined,
    probe: isSameProbe ? one.probe : undefined,
    lastProbe: noted.find(({ isGood }) => !isGood) ?? noted[1],
  });
}

function readRequirement(reader: ObjectReader, id: string): Requirement {
  const critical = reader.raw('critical');
  if (critical !== undefined && typeof critical !== 'boolean')
    reader.error('critical', say('counts_as_critical', got(critical)));
  const probe = reader.reader('probe');
  const requirement = defined({
    id,
    kind: reader.text('kind') || id.split('.')[0] || 'resource',
    name: reader.text('name'),
    critical: reader.isTwice('critical') || (critical !== undefined && critical !== false),
    freshnessBudgetHours: readFreshnessHours(reader),
    probe: probe && readProbe(probe),
    lastProbe: readLastProbe(reader),
  });
  finish(reader, 'id', 'description', 'owner');
  return requirement;
}

/** Reports what is not known, beside the keys of a row that say nothing to us. */
function finish(reader: ObjectReader, ...others: readonly string[]): void {
  for (const key of others) reader.raw(key);
  reader.finish('error', reader.findings.options.code);
}

/** The states as tables write them. */
export const stateWords: Readonly<Record<string, RequirementState>> = {
  fresh: 'fresh',
  green: 'fresh',
  good: 'fresh',
  red: 'red',
  stale: 'stale',
  unknown: 'unknown',
};

/** What is noted of the last probe: `{ "state": "green", "at": "2026-11-22T10:00:00Z" }`. */
function readLastProbe(row: ObjectReader): Requirement['lastProbe'] {
  const reader = row.reader('lastProbe');
  if (!reader) return undefined;
  const state = reader.oneOf('state', Object.keys(stateWords));
  const text = reader.text('at');
  const at = Date.parse(text ?? '');
  if (text !== undefined && Number.isNaN(at)) reader.error('at', say('must_be', say('a_time'), text));
  finish(reader, 'detail');
  const said = state === undefined ? undefined : stateWords[state];
  // What was stale or unknown then says nothing of now.
  return (said !== 'fresh' && said !== 'red') || Number.isNaN(at) ? undefined : { isGood: said === 'fresh', at };
}

/** Reads a probe; undefined and a report where it cannot be run as written. */
function readProbe(reader: ObjectReader): Probe | undefined {
  const before = reader.findings.errors();
  const probe = probeOf(reader);
  if (probe) finish(reader, 'description');
  return reader.findings.errors() === before ? probe : undefined;
}

function probeOf(reader: ObjectReader): Probe | undefined {
  const text = (key: string): string => reader.required(key) ?? '';
  const timeoutMs = (): number => reader.number('timeoutMs', { minimum: 1, maximum: 120_000 }) ?? 10_000;
  const type = reader.raw('type');
  switch (type) {
    case 'http': {
      const url = probeUrl(reader);
      const method = reader.raw('method') ?? 'GET';
      if (method !== 'GET' && method !== 'HEAD') reader.error('method', say('probe_method', gotJson(method)));
      return {
        type,
        url: url ?? '',
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        headers: readHeaders(reader),
        expectStatus: wholeNumbers(reader, 'expectStatus', [200]),
        timeoutMs: timeoutMs(),
      };
    }
    case 'command':
      return { ...readCommand(reader), expectExit: wholeNumbers(reader, 'expectExit', [0]), timeoutMs: timeoutMs() };
    case 'file':
      return { type, path: text('path') };
    case 'env':
    case 'environment':
      return { type: 'env', name: text('name') };
    case 'secret':
      return { type, name: text('name') };
    case 'mcp':
      return { type, server: text('server') };
    case 'channel':
      return { type, channel: text('channel') };
    case 'vscode':
    case 'vscode_command':
      return { type: 'vscode', command: text('command'), args: reader.list('args') ?? [], timeoutMs: timeoutMs() };
    default:
      reader.error('type', say('probe_type', gotJson(type)));
      return undefined;
  }
}

/** The address that is asked; one that nothing could ask is told of. */
function probeUrl(reader: ObjectReader): string | undefined {
  const url = reader.required('url');
  if (url === undefined) return undefined;
  if (!/^https?:\/\//i.test(url)) reader.error('url', say('probe_scheme', url));
  // A secret stands for a part of the address that is not known here.
  else if (!URL.canParse(url.replace(/\$\{secret:[^}]*\}/g, 'x'))) reader.error('url', say('probe_address', url));
  return url;
}

/** The program and its arguments, however they are divided between `command` (or `argv`) and `args`. */
function readCommand(reader: ObjectReader): Pick<Probe & { type: 'command' }, 'type' | 'command' | 'args'> {
  const argv = reader.raw('argv');
  const given = reader.raw('command') ?? argv;
  const [command, ...args] = [...(Array.isArray(given) ? given : [given]), ...(reader.list('args') ?? [])].map(
    (one: unknown) => (typeof one === 'string' && !one.includes('\0') ? one : undefined),
  );
  if (!command || !args.every((one) => one !== undefined)) reader.error('command', say('probe_command'));
  else if (shellWords.test(command)) reader.error('command', say('probe_shell', command));
  else return { type: 'command', command, args };
  return { type: 'command', command: '', args: [] };
}

function readHeaders(reader: ObjectReader): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [key, value] of Object.entries(reader.object('headers') ?? {})) {
    const at = pointerTo(reader.at('headers'), key);
    if (typeof value === 'string' && !/[\r\n]/.test(value)) headers[key] = value;
    else reader.findings.error(at, reader.findings.about(at, key, say('one_line')));
  }
  return headers;
}

/** A list of numbers, or one alone. */
function wholeNumbers(reader: ObjectReader, key: string, standard: readonly number[]): readonly number[] {
  const value = reader.raw(key);
  if (value === undefined) return standard;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every((one): one is number => Number.isInteger(one))) return list;
  reader.error(key, say('whole_numbers'));
  return standard;
}

/** Reads grants.json: delegations, in camelCase or snake_case. */
export function parseDelegations(raw: unknown): Parsed<readonly Delegation[]> {
  const problems: Problem[] = [];
  const value: Delegation[] = [];
  for (const { row, pointer, index } of rowsOf(raw, 'delegations', problems)) {
    const findings = new Findings({
      code: 'invalid_delegation',
      sentence: (_pointer, key, fault) => say('delegation_fault', index + 1, key, fault),
    });
    const reader = new ObjectReader(row, pointer, findings);
    const [fromParty, toParty, scopeAccount] = (['fromParty', 'toParty', 'scopeAccount'] as const).map((key) =>
      reader.required(key),
    );
    for (const key of ['id', 'description']) reader.raw(key);
    reader.finish();
    problems.push(...findings.problems);
    if (fromParty === undefined || toParty === undefined || scopeAccount === undefined) continue;
    const first = value.find(
      (one) => one.fromParty === fromParty && one.toParty === toParty && one.scopeAccount === scopeAccount,
    );
    if (first)
      problems.push({
        ...wrong('duplicate_delegation', say('delegation_twice', index + 1, first.index + 1), pointer),
        severity: 'warning',
      });
    else value.push({ fromParty, toParty, scopeAccount, index });
  }
  return { value, problems };
}

function rowsOf(
  raw: unknown,
  what: string,
  problems: Problem[],
): readonly { row: Record<string, unknown>; pointer: string; index: number }[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    problems.push(wrong('invalid_file', say('rows_no_array', what, got(raw)), ''));
    return [];
  }
  return raw.flatMap((row: unknown, index) => {
    const pointer = `/${index}`;
    if (isObject(row)) return [{ row, pointer, index }];
    problems.push(wrong('invalid_file', say('row_no_object', what, got(row)), pointer));
    return [];
  });
}

const wrong = (code: string, said: Sentence, pointer: string): Problem =>
  problem({ severity: 'error', code, said, pointer });
