import { camelCase, isObject, sanitizeJson, typeName } from '../base/json';
import { proposal } from '../base/nearest';
import { type Parsed, type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { Probe, Requirement } from '../vocabulary/requirement';

/** Who lets whom use which account: a row of grants.json. */
export interface Delegation {
  readonly fromParty: string;
  readonly toParty: string;
  readonly scopeAccount: string;
  /** Its place in the file, for problems. */
  readonly index: number;
}

export const defaultFreshnessHours = 24;
const defaultProbeTimeoutMs = 10_000;

type Fail = (at: string, fault: Sentence) => void;

/**
 * A program with its arguments in one text (`git --version`), or what only a shell understands. A path may hold spaces.
 */
const shellWords = /[|&;<>`\n]|\$\(|^[^\\/\s]+\s/;

/** What each type of probe may say beside its type. */
const probeKeys: Readonly<Record<string, readonly string[]>> = {
  http: ['url', 'method', 'headers', 'expectStatus', 'timeoutMs', 'description'],
  command: ['command', 'argv', 'args', 'expectExit', 'timeoutMs', 'description'],
  file: ['path', 'description'],
  env: ['name', 'description'],
  environment: ['name', 'description'],
  secret: ['name', 'description'],
  mcp: ['server', 'description'],
  channel: ['channel', 'description'],
  vscode: ['command', 'args', 'timeoutMs', 'description'],
  vscode_command: ['command', 'args', 'timeoutMs', 'description'],
};

const delegationKeys = new Set(['fromParty', 'toParty', 'scopeAccount', 'id', 'description', '$schema']);

const rowKeys = new Set([
  'id',
  'kind',
  'name',
  'description',
  'critical',
  'freshnessBudgetHours',
  'probe',
  'owner',
  '$schema',
]);

/**
 * Reads requirements.json, an array in camelCase or snake_case. A row without an id is left out and reported; a probe
 * that cannot be read is none.
 */
export function parseRequirements(raw: unknown): Parsed<readonly Requirement[]> {
  const problems: Problem[] = [];
  const value: Requirement[] = [];
  for (const { fields, pointer } of rowsOf(raw, 'requirements', problems)) {
    const id = fields.get('id');
    if (typeof id !== 'string' || id === '') {
      problems.push(wrong('invalid_requirement', say('requirement_no_id', typeName(id)), pointer));
      continue;
    }
    const fail: Fail = (at, fault) =>
      problems.push({
        ...wrong('invalid_requirement', say('requirement_fault', id, at, fault), `${pointer}${at}`),
        subject: id,
      });
    if (value.some((one) => one.id === id)) {
      problems.push({ ...wrong('duplicate_requirement', say('requirement_twice', id), pointer), subject: id });
      continue;
    }
    for (const key of fields.keys()) if (!rowKeys.has(key)) fail(`/${key}`, say('unknown_key', proposal(key, rowKeys)));
    const hours = fields.get('freshnessBudgetHours');
    const goodHours = typeof hours === 'number' && Number.isFinite(hours) && hours > 0;
    if (hours !== undefined && !goodHours) fail('/freshnessBudgetHours', say('hours_over_zero', JSON.stringify(hours)));
    const critical = fields.get('critical');
    if (critical !== undefined && typeof critical !== 'boolean')
      fail('/critical', say('counts_as_critical', typeName(critical)));
    const rawProbe = fields.get('probe');
    const probe =
      rawProbe === undefined || rawProbe === null
        ? undefined
        : parseProbe(rawProbe, (at, fault) => fail(`/probe${at}`, fault));
    const kind = fields.get('kind');
    const name = fields.get('name');
    for (const [key, value] of [
      ['kind', kind],
      ['name', name],
    ] as const)
      if (value !== undefined && typeof value !== 'string') fail(`/${key}`, say('must_be', 'string', typeName(value)));
    value.push({
      id,
      kind: typeof kind === 'string' && kind !== '' ? kind : (id.split('.')[0] ?? 'resource'),
      ...(typeof name === 'string' ? { name } : {}),
      critical: critical !== undefined && critical !== false,
      ...(goodHours ? { freshnessBudgetHours: hours } : {}),
      ...(probe ? { probe } : {}),
    });
  }
  return { value, problems };
}

/** Reads a probe; undefined and a report where it cannot be run as written. */
function parseProbe(raw: unknown, fail: Fail): Probe | undefined {
  if (!isObject(raw)) {
    fail('', say('must_be', say('an_object'), typeName(raw)));
    return undefined;
  }
  const fields = new Map(Object.entries(raw).map(([key, value]) => [camelCase(key), value]));
  let isGood = true;
  const bad = (at: string, fault: Sentence): undefined => {
    isGood = false;
    fail(at, fault);
    return undefined;
  };
  const text = (key: string): string => {
    const value = fields.get(key);
    if (typeof value === 'string' && value !== '') return value;
    bad(`/${key}`, say('must_have_text', typeName(value)));
    return '';
  };
  const numbers = (key: string, standard: readonly number[]): readonly number[] => {
    const value = fields.get(key);
    if (value === undefined) return standard;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (list.length > 0 && list.every((one): one is number => typeof one === 'number' && Number.isInteger(one)))
      return list;
    bad(`/${key}`, say('whole_numbers'));
    return standard;
  };
  const timeout = (): number => {
    const value = fields.get('timeoutMs') ?? defaultProbeTimeoutMs;
    if (typeof value === 'number' && value > 0 && value <= 120_000) return value;
    bad('/timeoutMs', say('probe_time'));
    return defaultProbeTimeoutMs;
  };
  const done = (probe: Probe): Probe | undefined => (isGood ? probe : undefined);
  const type = fields.get('type');
  const known = typeof type === 'string' && Object.hasOwn(probeKeys, type) ? probeKeys[type] : undefined;
  if (known)
    for (const key of fields.keys())
      if (key !== 'type' && !known.includes(key))
        bad(`/${key}`, say('probe_unknown_key', String(type), proposal(key, known)));
  switch (type) {
    case 'http': {
      const url = text('url');
      if (isGood && !/^https?:\/\//i.test(url)) bad('/url', say('probe_scheme', url));
      // A secret stands for a part of the address that is not known here.
      else if (isGood && !URL.canParse(url.replace(/\$\{secret:[^}]*\}/g, 'x'))) bad('/url', say('probe_address', url));
      const method = fields.get('method') ?? 'GET';
      if (method !== 'GET' && method !== 'HEAD') bad('/method', say('probe_method', JSON.stringify(method)));
      const headers: Record<string, string> = {};
      const rawHeaders = fields.get('headers') ?? {};
      if (!isObject(rawHeaders)) bad('/headers', say('must_be', say('an_object'), typeName(rawHeaders)));
      else
        for (const [key, value] of Object.entries(rawHeaders)) {
          if (typeof value === 'string' && !/[\r\n]/.test(value)) headers[key] = value;
          else bad(`/headers/${key}`, say('one_line'));
        }
      return done({
        type: 'http',
        url,
        method: method === 'HEAD' ? 'HEAD' : 'GET',
        headers,
        expectStatus: numbers('expectStatus', [200]),
        timeoutMs: timeout(),
      });
    }
    case 'command': {
      const given = fields.get('command') ?? fields.get('argv');
      const list: readonly unknown[] = Array.isArray(given) ? given : [given];
      const args = fields.get('args') ?? [];
      const all = [...list, ...(Array.isArray(args) ? (args as readonly unknown[]) : [undefined])];
      if (!all.every((one): one is string => typeof one === 'string' && !one.includes('\0')) || all[0] === '')
        return bad('/command', say('probe_command'));
      if (shellWords.test(all[0] ?? '')) return bad('/command', say('probe_shell', all[0] ?? ''));
      return done({
        type: 'command',
        command: all[0] ?? '',
        args: all.slice(1),
        expectExit: numbers('expectExit', [0]),
        timeoutMs: timeout(),
      });
    }
    case 'file':
      return done({ type: 'file', path: text('path') });
    case 'env':
    case 'environment':
      return done({ type: 'env', name: text('name') });
    case 'secret':
      return done({ type: 'secret', name: text('name') });
    case 'mcp':
      return done({ type: 'mcp', server: text('server') });
    case 'channel':
      return done({ type: 'channel', channel: text('channel') });
    case 'vscode':
    case 'vscode_command': {
      const args = fields.get('args') ?? [];
      if (!Array.isArray(args)) bad('/args', say('must_be', say('an_array'), typeName(args)));
      return done({
        type: 'vscode',
        command: text('command'),
        args: Array.isArray(args) ? args : [],
        timeoutMs: timeout(),
      });
    }
    default:
      return bad('/type', say('probe_type', JSON.stringify(fields.get('type')) ?? 'nothing'));
  }
}

/** Reads grants.json: delegations, in camelCase or snake_case. */
export function parseDelegations(raw: unknown): Parsed<readonly Delegation[]> {
  const problems: Problem[] = [];
  const value: Delegation[] = [];
  for (const { fields, pointer, index } of rowsOf(raw, 'delegations', problems)) {
    const parts = ['fromParty', 'toParty', 'scopeAccount'].map((key) => {
      const one = fields.get(key);
      if (typeof one === 'string' && one !== '') return one;
      problems.push(
        wrong(
          'invalid_delegation',
          say('delegation_fault', index + 1, key, say('must_have_text', typeName(one))),
          `${pointer}/${key}`,
        ),
      );
      return undefined;
    });
    for (const key of fields.keys())
      if (!delegationKeys.has(key))
        problems.push({
          ...wrong(
            'unknown_property',
            say('delegation_fault', index + 1, key, say('unknown_key', proposal(key, delegationKeys))),
            `${pointer}/${key}`,
          ),
          severity: 'warning',
        });
    const [fromParty, toParty, scopeAccount] = parts;
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
): readonly { fields: ReadonlyMap<string, unknown>; pointer: string; index: number }[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    problems.push(wrong('invalid_file', say('rows_no_array', what, typeName(raw)), ''));
    return [];
  }
  return (raw as readonly unknown[]).flatMap((row, index) => {
    if (isObject(row))
      return [
        {
          fields: new Map(
            Object.entries(sanitizeJson(row) as object).map(([key, one]): [string, unknown] => [camelCase(key), one]),
          ),
          pointer: `/${index}`,
          index,
        },
      ];
    problems.push(wrong('invalid_file', say('row_no_object', what, typeName(row)), `/${index}`));
    return [];
  });
}

const wrong = (code: string, said: Sentence, pointer: string): Problem =>
  problem({ severity: 'error', code, said, pointer });
