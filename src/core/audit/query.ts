import { readDuration } from '../base/durationText';
import { textsIn } from '../base/json';
import { riskLevels } from '../vocabulary/toolDefinition';
import { type BlockIndex, termsOf } from './blockIndex';
import type { AuditBody } from './record';
import { say, type Sentence } from '../base/sentence';
import { starPattern } from '../base/starPattern';

/** What a query asks for: every part that is set must hold; within a part one of its values is enough. */
export interface AuditFilter {
  /** ISO times; `since` is included, `until` is not. */
  readonly since?: string;
  readonly until?: string;
  /** `user`, `agent`, or an actor's id. */
  readonly actor?: readonly string[];
  /** Names or ids of tools; `*` stands for any characters. */
  readonly tool?: readonly string[];
  /** `success`, `tool_error`, `internal_error`, `denied`, `allowed`, or an error code. */
  readonly outcome?: readonly string[];
  /** Ids of boundaries, grants, limits. */
  readonly rule?: readonly string[];
  readonly risk?: readonly string[];
  readonly event?: readonly string[];
  readonly profile?: readonly string[];
  /**
   * Words that must all stand somewhere in what a person reads of the record: paths, hosts, messages, reasons, names
   * and kept arguments. Case does not matter.
   */
  readonly text?: readonly string[];
}

const parts = [
  ['t:', 'tool'],
  ['a:', 'actor'],
  ['o:', 'outcome'],
  ['r:', 'rule'],
  ['k:', 'risk'],
  ['e:', 'event'],
  ['p:', 'profile'],
] as const;

/** A filter made ready: texts with `*` are compiled once. */
export interface Matcher {
  matches(record: AuditBody): boolean;
  /** The numbers of the blocks that can hold a match, in ascending order. */
  blocks(index: BlockIndex): readonly number[];
}

type Test = (value: string) => boolean;

export function createMatcher(filter: AuditFilter): Matcher {
  const tests = parts.flatMap(([prefix, key]) => {
    const values = filter[key];
    return values && values.length > 0 ? [{ prefix, test: anyOf(values) }] : [];
  });
  const words = (filter.text ?? []).map((word) => word.toLowerCase());
  const inTime = (min: string, max: string): boolean =>
    (filter.since === undefined || max >= filter.since) && (filter.until === undefined || min < filter.until);
  return {
    matches(record) {
      if (!inTime(record.time, record.time)) return false;
      if (tests.length > 0) {
        const terms = termsOf(record);
        if (!tests.every(({ prefix, test }) => terms.some((term) => term.startsWith(prefix) && test(term.slice(2)))))
          return false;
      }
      if (words.length === 0) return true;
      const text = readableText(record);
      return words.every((word) => text.includes(word));
    },
    blocks(index) {
      const candidates = tests.map(({ prefix, test }) => blocksWith(index, prefix, test));
      const numbers: number[] = [];
      index.blocks.forEach((block, number) => {
        if (inTime(block.min, block.max) && candidates.every((has) => has.has(number))) numbers.push(number);
      });
      return numbers;
    },
  };
}

/** All that a person reads of a record, in small letters. */
function readableText(record: AuditBody): string {
  const parts: (string | undefined)[] = [
    record['gen_ai.tool.name'],
    record.tool,
    record.capability,
    record.source,
    record.profile,
    record['gen_ai.agent.id'],
    record['user.id'],
    record['error.message'],
    record['error.type'],
    record.reference,
    record['approval.by'],
    record.detail,
    record.id,
    record.event,
    ...(record.rules ?? []),
    ...(record.accesses ?? []).map((access) => access.resource),
    ...(record.steps ?? []).flatMap((step) => (step.reasons ?? []).map((reason) => reason.text)),
  ];
  for (const content of [record['gen_ai.tool.call.arguments'], record['gen_ai.tool.call.result']])
    parts.push(...textsIn(content));
  return parts.join('\n').toLowerCase();
}

function anyOf(values: readonly string[]): Test {
  const plain = new Set(values.filter((value) => !value.includes('*')));
  const globs = values.filter((value) => value.includes('*')).map(starPattern);
  return (value) => plain.has(value) || globs.some((test) => test(value));
}

function blocksWith(index: BlockIndex, prefix: string, test: Test): ReadonlySet<number> {
  const blocks = new Set<number>();
  for (const [term, runs] of Object.entries(index.terms)) {
    if (term !== '*' && !(term.startsWith(prefix) && test(term.slice(2)))) continue;
    for (let run = 0; run + 1 < runs.length; run += 2) {
      for (let number = runs[run] ?? 0; number <= (runs[run + 1] ?? -1); number++) blocks.add(number);
    }
  }
  return blocks;
}

type ParsedFilter =
  { readonly ok: true; readonly filter: AuditFilter } | { readonly ok: false; readonly problem: Sentence };

const outcomes = ['success', 'tool_error', 'internal_error', 'denied', 'allowed'];

/**
 * Reads a filter as people type it: lists with commas, times as ISO dates or as a span before now (`30m`, `2h`, `7d`),
 * `risk` as a level or as `high+` for it and all above, `text` as words with spaces between them.
 */
export function parseFilter(raw: Readonly<Record<string, string | undefined>>, now: number): ParsedFilter {
  const filter: { -readonly [K in keyof AuditFilter]: AuditFilter[K] } = {};
  const refused = (problem: Sentence): ParsedFilter => ({ ok: false, problem });
  for (const key of ['since', 'until'] as const) {
    const value = raw[key];
    if (value === undefined || value === '') continue;
    const time = parseTime(value, now);
    if (time === undefined) return refused(say('audit_filter_time', key, value));
    filter[key] = time;
  }
  for (const [, key] of parts) {
    const values = (raw[key] ?? '').split(',').flatMap((value) => value.trim() || []);
    if (values.length > 0) filter[key] = values;
  }
  const words = (raw['text'] ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > 0) filter.text = words;
  if (filter.risk) {
    const levels: string[] = [];
    for (const value of filter.risk) {
      const name = value.replace(/\+$/, '').replace(/^med$/, 'medium').toLowerCase();
      const at = riskLevels.findIndex((level) => level === name);
      if (at < 0) return refused(say('audit_filter_risk', riskLevels.join(', '), value));
      levels.push(...(value.endsWith('+') ? riskLevels.slice(at) : [name]));
    }
    filter.risk = levels;
  }
  if (filter.outcome) {
    filter.outcome = filter.outcome.map((value) => (value === 'ok' ? 'success' : value));
    const wrong = filter.outcome.find((value) => !outcomes.includes(value) && !/^[a-z_*]{3,40}$/.test(value));
    if (wrong !== undefined) return refused(say('audit_filter_outcome', outcomes.join(', '), wrong));
  }
  return { ok: true, filter };
}

/** A date, or a date and a time with its zone or in local time, as ISO 8601 and RFC 3339 write them. */
const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i;

/** An ISO time from a date, or from a span before now (`30m`, `2h`, `7d`); undefined for what is neither. */
export function parseTime(value: string, now: number): string | undefined {
  const before = readDuration(value, 'seconds');
  const [, year, month, day, clock, isUtc, hours, minutes] = isoTime.exec(value) ?? [];
  // A day that its month does not have would be read as one of the next.
  const hasDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (before === undefined && !hasDay) return undefined;
  const zone = isUtc === undefined ? (hours === undefined ? '' : `${hours}:${minutes}`) : 'Z';
  const written = `${year}-${month}-${day}${clock === undefined ? '' : `T${clock}${zone}`}`;
  const time = new Date(before === undefined ? written : now - before);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
