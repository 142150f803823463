import { camelCase, defined, isObject, nameTable } from '../../base/json';
import { Findings, got, ObjectReader } from '../../base/jsonReader';
import type { Parsed } from '../../base/problem';
import { say } from '../../base/sentence';
import { unreadable } from '../../settings/settingValues';
import type { RateLimit } from '../../vocabulary/toolDefinition';
import { readDuration } from '../../base/durationText';

/**
 * The setting `limits`. Everything left out is not limited; a workspace only lowers (invariant: the repository only
 * tightens).
 */
export interface LimitSettings {
  /** Calls per window for every tool, capability or source by itself, and for all calls together. */
  readonly perTool?: RateLimit;
  readonly perCapability?: RateLimit;
  readonly perSource?: RateLimit;
  readonly all?: RateLimit;
  /** Calls per window for named tools, capabilities or sources (`builtin`, `mcp:files`), by id: name tables. */
  readonly tools: Readonly<Record<string, RateLimit>>;
  readonly capabilities: Readonly<Record<string, RateLimit>>;
  readonly sources: Readonly<Record<string, RateLimit>>;
  /** What one session may use up. */
  readonly budget: { readonly calls?: number; readonly seconds?: number; readonly megabytes?: number };
  /** Calls that run at the same time. */
  readonly concurrency: { readonly perTool?: number; readonly all?: number };
  /** After so many equal calls with equal results in a row, an agent's next one asks; 0 never asks. */
  readonly repetition: number;
  /** After so many failures in a row a tool rests for a while; 0 never rests. */
  readonly circuit: { readonly failures: number; readonly cooldownSeconds: number };
}

const unlimited: LimitSettings = {
  tools: nameTable(),
  capabilities: nameTable(),
  sources: nameTable(),
  budget: {},
  concurrency: {},
  repetition: 0,
  circuit: { failures: 0, cooldownSeconds: 60 },
};

export const defaultLimits: LimitSettings = {
  ...unlimited,
  perTool: { requests: 600, windowMs: 60_000 },
  all: { requests: 3000, windowMs: 60_000 },
  concurrency: { perTool: 8, all: 32 },
  repetition: 3,
  circuit: { failures: 5, cooldownSeconds: 60 },
};

/** What stands in for the managed limits where they cannot be read: nothing goes. */
const noneAtAll: LimitSettings = {
  ...unlimited,
  perTool: { requests: 0, windowMs: 60_000 },
  all: { requests: 0, windowMs: 60_000 },
  budget: { calls: 0 },
  concurrency: { perTool: 1, all: 1 },
  repetition: 1,
  circuit: { failures: 1, cooldownSeconds: 3600 },
};

/**
 * Reads an administrator's limits: with anything in them that cannot be read, `null` too, nobody can say what they
 * allow, so they allow nothing.
 */
export function parseManagedLimits(raw: unknown): Parsed<LimitSettings> {
  if (raw === unreadable) return { value: noneAtAll, problems: [] };
  const read = readLimits(raw, defaultLimits);
  return read.problems.length === 0 ? read : { value: noneAtAll, problems: read.problems };
}

/**
 * Reads the setting `limits` over a base, as people write it: with `null` a key is not set. What cannot be read is
 * reported, and allows nothing of its key. A rate is `{ "requests": 100, "window": "1h" }`, or the text `"100 per 1h"`.
 */
export const parseLimits = (raw: unknown, base: LimitSettings = defaultLimits): Parsed<LimitSettings> =>
  readLimits(withoutNull(raw), base);

/** JSON without the properties that are `null`; undefined for `null` itself. */
function withoutNull(raw: unknown): unknown {
  if (!isObject(raw)) return raw ?? undefined;
  const kept = Object.entries(raw).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutNull(value)]));
}

function readLimits(raw: unknown, base: LimitSettings): Parsed<LimitSettings> {
  const findings = new Findings({
    code: 'invalid_limits',
    nullIsWrong: true,
    sentence: (pointer, _key, fault) => say('invalid_limits', pointer, fault),
  });
  if (raw === undefined) return { value: base, problems: findings.problems };
  if (!isObject(raw)) findings.error('', say('invalid_limits', '', say('must_be', say('an_object'), got(raw))));
  const top = new ObjectReader(isObject(raw) ? raw : {}, '', findings);
  const rate = (reader: ObjectReader, key: string): RateLimit | undefined =>
    reader.take(key, parseRate, () => say('limit_no_rate'), noneAtAll.all);
  let isClosed = !isObject(raw);
  const number = (reader: ObjectReader, key: string, instead = 0): number | undefined =>
    reader.number(key, { minimum: 0 }) ?? (reader.has(key) ? instead : undefined);
  const rates = (key: 'tools' | 'capabilities' | 'sources'): Readonly<Record<string, RateLimit>> => {
    const table = top.table(key);
    if (!table && top.has(key)) isClosed = true;
    return nameTable(
      base[key],
      table?.each((id) => rate(table, id)),
    );
  };
  const section = <K extends string>(
    name: 'budget' | 'concurrency' | 'circuit',
    keys: readonly K[],
    before: Readonly<Partial<Record<K, number>>>,
  ): Partial<Record<K, number>> => {
    const reader = top.reader(name);
    if (!reader && top.has(name)) isClosed = true;
    const instead = name === 'circuit' ? 1 : 0;
    const own = keys.map((key) => [key, reader && number(reader, key, instead)]);
    reader?.finish('error', 'invalid_limits');
    return { ...before, ...defined(Object.fromEntries(own)) };
  };
  const value: LimitSettings = {
    ...defined({
      perTool: rate(top, 'perTool') ?? base.perTool,
      perCapability: rate(top, 'perCapability') ?? base.perCapability,
      perSource: rate(top, 'perSource') ?? base.perSource,
      all: rate(top, 'all') ?? base.all,
    }),
    tools: rates('tools'),
    capabilities: rates('capabilities'),
    sources: rates('sources'),
    budget: section('budget', ['calls', 'seconds', 'megabytes'], base.budget),
    concurrency: section('concurrency', ['perTool', 'all'], base.concurrency),
    repetition: number(top, 'repetition', 1) ?? base.repetition,
    circuit: { ...base.circuit, ...section('circuit', ['failures', 'cooldownSeconds'], base.circuit) },
  };
  top.finish('error', 'invalid_limits');
  return { value: isClosed ? noneAtAll : value, problems: findings.problems };
}

const windowKeys: readonly string[] = ['window', 'windowMs', 'windowSeconds'];

/** Reads one rate; undefined where it is none. */
export function parseRate(value: unknown): RateLimit | undefined {
  if (typeof value === 'string') return rateInWords(value);
  return isObject(value) ? rateOfFields(value) : undefined;
}

/** A length of time in milliseconds, in either case; a unit alone is one of it. Undefined for anything else. */
function readWindow(window: unknown): number | undefined {
  if (typeof window !== 'string') return readDuration(window, 'seconds');
  return readDuration(
    window
      .trim()
      .toLowerCase()
      .replace(/^(?=[a-z])/, '1'),
    'seconds',
  );
}

/** `10 per minute`, `100/2h`. */
function rateInWords(text: string): RateLimit | undefined {
  const [, requests, window] = /^\s*(\d+)\s*(?:per|\/)\s*(.+)$/i.exec(text) ?? [];
  const windowMs = readWindow(window);
  return requests !== undefined && windowMs !== undefined ? { requests: Number(requests), windowMs } : undefined;
}

/** `{ "requests": 10, "window": "1m" }`, with the window in any of its spellings. */
function rateOfFields(value: Readonly<Record<string, unknown>>): RateLimit | undefined {
  const fields = new Map(Object.entries(value).map(([key, one]) => [camelCase(key), one]));
  const requests = fields.get('requests');
  fields.delete('requests');
  const [[key = '', window] = []] = fields;
  // A key that nobody knows may have been the one that matters, and of two windows nobody can say which is meant.
  if (Object.keys(value).length !== 2 || fields.size !== 1 || !windowKeys.includes(key)) return undefined;
  const windowMs = key === 'windowMs' && typeof window === 'number' ? window : readWindow(window);
  if (typeof requests !== 'number' || !Number.isInteger(requests) || requests < 0) return undefined;
  if (windowMs === undefined || !(windowMs > 0) || !Number.isFinite(windowMs)) return undefined;
  return { requests, windowMs };
}

/**
 * The limits that a call is held against: the user's, and beside them those of a workspace and of bundles; all hold, so
 * that these can only lower. What says nothing of limits adds none. A bundle has no `null`: it is signed as it is.
 */
export function effectiveLimits(
  user: LimitSettings,
  workspace: unknown,
  bundles: readonly unknown[] = [],
): Parsed<readonly LimitSettings[]> {
  const said = (all: readonly unknown[]): readonly unknown[] => all.filter((raw) => raw !== undefined && raw !== null);
  const read = [
    ...said([workspace]).map((raw) => parseLimits(raw, unlimited)),
    ...said(bundles).map((raw) => readLimits(raw, unlimited)),
  ];
  return {
    value: [user, ...read.map(({ value }) => value)],
    problems: read.flatMap(({ problems }) => problems),
  };
}
