import { camelCase, isObject, typeName } from '../../base/json';
import { say, type Sentence } from '../../base/sentence';
import { proposal } from '../../base/nearest';
import { type Parsed, type Problem, problem } from '../../base/problem';
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
  /** Calls per window for named tools, capabilities or sources (`builtin`, `mcp:files`), by id. */
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
  tools: {},
  capabilities: {},
  sources: {},
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
 * Reads an administrator's limits: with anything in them that cannot be read, nobody can say what they allow, so they
 * allow nothing.
 */
export function parseManagedLimits(raw: unknown): Parsed<LimitSettings> {
  const read = parseLimits(raw === null ? 'null' : raw);
  return read.problems.length === 0 ? read : { value: noneAtAll, problems: read.problems };
}

/**
 * Reads the setting `limits` over a base. What cannot be read keeps the base's value and is reported.
 * A rate is `{ "requests": 100, "window": "1h" }`, or the text `"100 per 1h"`.
 */
export function parseLimits(raw: unknown, base: LimitSettings = defaultLimits): Parsed<LimitSettings> {
  const problems: Problem[] = [];
  const report = (path: string, fault: Sentence): void => {
    problems.push(problem({ severity: 'error', said: say('invalid_limits', path, fault), pointer: path }));
  };
  if (raw === undefined || raw === null) return { value: base, problems };
  const number = (value: unknown, path: string, fallback: number | undefined): number | undefined => {
    if (value === undefined) return fallback;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    report(path, say('limit_no_number', JSON.stringify(value) ?? 'nothing'));
    return fallback;
  };
  const rate = (value: unknown, path: string, fallback: RateLimit | undefined): RateLimit | undefined => {
    if (value === undefined) return fallback;
    const parsed = parseRate(value);
    if (!parsed) report(path, say('limit_no_rate'));
    return parsed ?? fallback;
  };
  const rates = (
    value: unknown,
    path: string,
    before: Readonly<Record<string, RateLimit>>,
  ): Readonly<Record<string, RateLimit>> => {
    if (value === undefined) return before;
    if (!isObject(value)) {
      report(path, say('limit_no_rates', typeName(value)));
      return before;
    }
    const out: Record<string, RateLimit> = { ...before };
    for (const [id, one] of Object.entries(value)) {
      const parsed = rate(one, `${path}/${id}`, undefined);
      if (parsed) out[id] = parsed;
    }
    return out;
  };
  const section = (value: unknown, path: string, keys: readonly string[]): Record<string, unknown> => {
    if (value !== undefined && !isObject(value)) report(path, say('must_be', say('an_object'), typeName(value)));
    if (isObject(value))
      for (const key of Object.keys(value))
        if (!keys.includes(camelCase(key)))
          report(`${path}/${key}`, say('unknown_key', proposal(camelCase(key), keys)));
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [camelCase(key), one])) : {};
  };
  const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
    value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
  const top = section(raw, '', [...ratesOfAll, ...ratesByName, ...sections, 'repetition']);
  const budget = section(top['budget'], '/budget', ['calls', 'seconds', 'megabytes']);
  const concurrency = section(top['concurrency'], '/concurrency', ['perTool', 'all']);
  const circuit = section(top['circuit'], '/circuit', ['failures', 'cooldownSeconds']);
  const rateOf = <K extends (typeof ratesOfAll)[number]>(key: K) => optional(key, rate(top[key], `/${key}`, base[key]));
  const ratesOf = (key: (typeof ratesByName)[number]) => rates(top[key], `/${key}`, base[key]);
  const budgetOf = <K extends keyof LimitSettings['budget']>(key: K) =>
    optional(key, number(budget[key], `/budget/${key}`, base.budget[key]));
  const atOnce = <K extends keyof LimitSettings['concurrency']>(key: K) =>
    optional(key, number(concurrency[key], `/concurrency/${key}`, base.concurrency[key]));
  const circuitOf = (key: keyof LimitSettings['circuit']) =>
    number(circuit[key], `/circuit/${key}`, base.circuit[key]) ?? base.circuit[key];
  const value: LimitSettings = {
    ...rateOf('perTool'),
    ...rateOf('perCapability'),
    ...rateOf('perSource'),
    ...rateOf('all'),
    tools: ratesOf('tools'),
    capabilities: ratesOf('capabilities'),
    sources: ratesOf('sources'),
    budget: { ...budgetOf('calls'), ...budgetOf('seconds'), ...budgetOf('megabytes') },
    concurrency: { ...atOnce('perTool'), ...atOnce('all') },
    repetition: number(top['repetition'], '/repetition', base.repetition) ?? base.repetition,
    circuit: { failures: circuitOf('failures'), cooldownSeconds: circuitOf('cooldownSeconds') },
  };
  return { value, problems };
}

const ratesOfAll = ['perTool', 'perCapability', 'perSource', 'all'] as const;
const ratesByName = ['tools', 'capabilities', 'sources'] as const;
const sections = ['budget', 'concurrency', 'circuit'] as const;

const rateKeys = new Set(['requests', 'window', 'windowMs', 'windowSeconds']);

/** Reads one rate; undefined where it is none. */
export function parseRate(value: unknown): RateLimit | undefined {
  if (typeof value === 'string') {
    const [, requests, window] = /^\s*(\d+)\s*(?:per|\/)\s*(.+)$/i.exec(value) ?? [];
    const windowMs = readDuration(window !== undefined && /^[a-z]/.test(window) ? `1${window}` : window, 'seconds');
    return requests !== undefined && windowMs !== undefined ? { requests: Number(requests), windowMs } : undefined;
  }
  if (!isObject(value)) return undefined;
  // A key that nobody knows may have been the one that matters.
  if (Object.keys(value).some((key) => !rateKeys.has(camelCase(key)))) return undefined;
  const requests = value['requests'];
  const rawMs = value['windowMs'] ?? value['window_ms'];
  const windowMs =
    typeof rawMs === 'number'
      ? rawMs
      : readDuration(value['window'] ?? value['windowSeconds'] ?? value['window_seconds'], 'seconds');
  if (typeof requests !== 'number' || !Number.isInteger(requests) || requests < 0) return undefined;
  if (windowMs === undefined || !(windowMs > 0) || !Number.isFinite(windowMs)) return undefined;
  return { requests, windowMs };
}

/**
 * The limits that a call is held against: the user's, and the workspace's beside them; both hold, so a workspace can
 * only lower.
 */
export interface EffectiveLimits {
  readonly layers: readonly LimitSettings[];
}

/** Joins the user's limits with those of a workspace. */
export function effectiveLimits(user: LimitSettings, workspaceRaw: unknown): Parsed<EffectiveLimits> {
  if (workspaceRaw === undefined || workspaceRaw === null) return { value: { layers: [user] }, problems: [] };
  const workspace = parseLimits(workspaceRaw, unlimited);
  return { value: { layers: [user, workspace.value] }, problems: workspace.problems };
}
