import { describeAccess } from '../vocabulary/access';
import type { FoundRecord } from './reader';
import { type AuditRecord, stepsOf } from './record';
import { grouped } from '../base/figures';

/** What a list shows of a record; small, because 100,000 of them are held. */
export interface AuditRow {
  /** The segment and the number of the record. */
  readonly key: string;
  readonly time: string;
  readonly event: string;
  readonly actor: string;
  readonly profile: string;
  readonly tool: string;
  readonly risk: string;
  readonly outcome: string;
  readonly what: string;
  readonly ms?: number;
}

export function rowOf({ segment, record }: FoundRecord): AuditRow {
  const accesses = record.accesses ?? [];
  const first = accesses[0];
  const more = accesses.length > 1 ? ` +${grouped(accesses.length - 1)}` : '';
  const what = first ? `${describeAccess(first)}${more}` : (record['error.message'] ?? record.detail ?? '');
  return {
    key: `${segment}|${record.seq}`,
    time: record.time,
    event: record.event,
    actor: record.actor ?? '',
    profile: record.profile ?? '',
    tool: record['gen_ai.tool.name'] ?? record.id ?? '',
    risk: record.risk ?? '',
    outcome: record.outcome ?? '',
    what: what.slice(0, 200),
    ...(record.duration_ms === undefined ? {} : { ms: record.duration_ms }),
  };
}

/**
 * True for what the log notes about itself at every start of a window: that it was opened, and that it took in where
 * other logs stand. A list of what agents did leaves these out; what was found broken is never among them, and exports
 * hold all of them.
 */
export function isRoutine(record: AuditRecord): boolean {
  return (record.event === 'audit.opened' || record.event === 'audit.witnessed') && record['error.type'] === undefined;
}

/** Splits a row's key; undefined where it is none. */
export function parseKey(key: string): { readonly segment: string; readonly seq: number } | undefined {
  const at = key.lastIndexOf('|');
  const seq = Number(key.slice(at + 1));
  return at > 0 && Number.isInteger(seq) && seq > 0 ? { segment: key.slice(0, at), seq } : undefined;
}

/** Everything a view shows of one record: plain lines, so that no view has to know the record's form. */
export interface AuditDetails {
  readonly key: string;
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly steps: readonly { readonly step: string; readonly effect: string; readonly reasons: readonly string[] }[];
  readonly accesses: readonly { readonly text: string; readonly path?: string }[];
  readonly content: readonly { readonly name: string; readonly text: string }[];
  readonly hidden: readonly string[];
  /** True for the record of a call, which can be explained, run again and made a rule of. */
  readonly isCall: boolean;
}

const factNames = [
  'time',
  'event',
  'outcome',
  'error.type',
  'error.message',
  'reference',
  'actor',
  'gen_ai.agent.id',
  'user.id',
  'profile',
  'mode',
  'surface',
  'tool',
  'capability',
  'source',
  'risk',
  'rules',
  'approval.by',
  'approval.grant',
  'approval.waited_ms',
  'duration_ms',
  'retries',
  'withheld',
  'arguments.shape',
  'result.shape',
  'gen_ai.tool.call.id',
  'parent',
  'id',
  'detail',
  'count',
  'seq',
  'hash',
] as const satisfies readonly (keyof AuditRecord)[];

export function detailsOf(key: string, record: AuditRecord): AuditDetails {
  const facts = factNames.flatMap((name) => {
    const value: unknown = record[name];
    if (value === undefined) return [];
    return [{ name, value: Array.isArray(value) ? value.join(', ') : String(value) }];
  });
  const content = (['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'] as const).flatMap((name) =>
    record[name] === undefined ? [] : [{ name, text: JSON.stringify(record[name], undefined, 2) }],
  );
  return {
    key,
    title: `${record['gen_ai.tool.name'] ?? record.event} ${record.outcome ?? ''}`.trim(),
    facts,
    steps: stepsOf(record).map(({ step, effect, reasons }) => ({
      step,
      effect,
      reasons: (reasons ?? []).map((reason) =>
        reason.rule === undefined ? reason.text : `${reason.text} (${reason.rule})`,
      ),
    })),
    accesses: (record.accesses ?? []).map((access) => ({
      text: describeAccess(access),
      ...(access.effect.startsWith('fs.') && access.effect !== 'fs.delete' ? { path: access.resource } : {}),
    })),
    content,
    hidden: (record.hidden ?? []).map((one) => `${one.path}: ${one.rule}`),
    isCall: record['gen_ai.tool.call.id'] !== undefined,
  };
}

/** One bar of the charts. */
export interface Bucket {
  readonly from: number;
  readonly calls: number;
  readonly denials: number;
  /** The mean duration of the finished calls in milliseconds; 0 where there is none. */
  readonly meanMs: number;
}

/** Spreads calls over equal spans of time. Rows may come in any order; records that are no calls do not count. */
export function chartBuckets(rows: readonly AuditRow[], count: number): readonly Bucket[] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const points: { time: number; denied: boolean; ms: number | undefined }[] = [];
  for (const row of rows) {
    if (row.event !== 'invocation.finished' && row.event !== 'policy.violation') continue;
    const time = Date.parse(row.time);
    if (Number.isNaN(time)) continue;
    if (time < min) min = time;
    if (time > max) max = time;
    points.push({ time, denied: row.event === 'policy.violation', ms: row.ms });
  }
  if (points.length === 0) return [];
  const span = Math.max(1, (max - min + 1) / count);
  const sums = Array.from({ length: count }, () => ({ calls: 0, denials: 0, ms: 0, timed: 0 }));
  for (const { time, denied, ms } of points) {
    const sum = sums[Math.min(count - 1, Math.floor((time - min) / span))];
    if (!sum) continue;
    sum.calls++;
    if (denied) sum.denials++;
    if (ms !== undefined) {
      sum.ms += ms;
      sum.timed++;
    }
  }
  return sums.map((sum, at) => ({
    from: min + at * span,
    calls: sum.calls,
    denials: sum.denials,
    meanMs: sum.timed === 0 ? 0 : sum.ms / sum.timed,
  }));
}

const overscan = 10;

/** Which rows of a long list stand in the window, with some more on either side. `end` is not included. */
export function visibleRange(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
): { readonly start: number; readonly end: number } {
  const start = Math.min(total, Math.max(0, Math.floor(scrollTop / rowHeight) - overscan));
  const end = Math.min(total, Math.max(start, Math.ceil((scrollTop + height) / rowHeight) + overscan));
  return { start, end };
}

/** More rows than anybody scrolls through; older ones are found by a filter. */
export const maxRows = 100_000;

/** What the extension tells the view. Every text in it is shown as text, never as markup. */
export type ToAuditView =
  | { readonly type: 'init'; readonly texts: Readonly<Record<string, string>> }
  /** The next rows of a filter, the newest first; `reset` begins anew, `done` says that no more follow. */
  | {
      readonly type: 'rows';
      readonly reset: boolean;
      readonly rows: readonly AuditRow[];
      readonly done: boolean;
      readonly limited: boolean;
    }
  /** Rows that were written since, the newest first. */
  | { readonly type: 'fresh'; readonly rows: readonly AuditRow[] }
  | { readonly type: 'details'; readonly details: AuditDetails }
  | { readonly type: 'problem'; readonly text: string };

const auditActions = ['explain', 'runAgain', 'turnIntoRule', 'copy'] as const;
export type AuditAction = (typeof auditActions)[number];

export const filterFields = ['tool', 'actor', 'outcome', 'rule', 'risk', 'since', 'until'] as const;

/** What the view tells the extension. */
export type FromAuditView =
  | { readonly type: 'ready' }
  | { readonly type: 'filter'; readonly filter: Readonly<Record<string, string>> }
  | { readonly type: 'select'; readonly key: string }
  | { readonly type: 'action'; readonly action: AuditAction; readonly key: string }
  | { readonly type: 'open'; readonly path: string };

/** Reads a message at the edge; undefined where it is none of the view's. */
export function parseFromAuditView(value: unknown): FromAuditView | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = (name: string): string | undefined => {
    const field: unknown = Reflect.get(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const key = text('key');
  switch (text('type')) {
    case 'ready':
      return { type: 'ready' };
    case 'select':
      return key === undefined ? undefined : { type: 'select', key };
    case 'action': {
      const action = auditActions.find((one) => one === text('action'));
      return key === undefined || action === undefined ? undefined : { type: 'action', action, key };
    }
    case 'open': {
      const path = text('path');
      return path === undefined ? undefined : { type: 'open', path };
    }
    case 'filter': {
      const raw: unknown = Reflect.get(value, 'filter');
      if (typeof raw !== 'object' || raw === null) return undefined;
      const filter: Record<string, string> = {};
      for (const name of filterFields) {
        const field: unknown = Reflect.get(raw, name);
        if (typeof field === 'string' && field !== '') filter[name] = field.slice(0, 500);
      }
      return { type: 'filter', filter };
    }
    default:
      return undefined;
  }
}
