import type { AuditRecord } from './record';
import type { AuditTexts } from './viewTexts';

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
  /** What happened, in the person's words: `done`, `denied`, `profile changed`. */
  readonly said: string;
  readonly what: string;
  /** True where a person said no, which is another thing than a rule that denies. */
  readonly isDeclined?: true;
  readonly ms?: number;
  /** The call that the record is about. */
  readonly call?: string;
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

/**
 * A fact with its name; `isTime` where the value is an ISO time, which the view writes as the person does, `isCode`
 * where it is there to be compared.
 */
interface Fact {
  readonly name: string;
  readonly value: string;
  readonly isTime?: true;
  readonly isCode?: true;
}

/** Everything a view shows of one call: plain lines, so that no view has to know the record's form. */
export interface AuditDetails {
  readonly key: string;
  readonly title: string;
  /** What a person asks first, in words. */
  readonly facts: readonly Fact[];
  /** The records of the call in the order in which they were written. */
  readonly happened: readonly { readonly time: string; readonly said: string }[];
  readonly steps: readonly { readonly step: string; readonly effect: string; readonly reasons: readonly string[] }[];
  readonly accesses: readonly { readonly text: string; readonly path?: string }[];
  readonly content: readonly { readonly name: string; readonly text: string }[];
  readonly hidden: readonly string[];
  /** The newest record under the names that stand in the log. */
  readonly recorded: readonly Fact[];
  /** True for the record of a call, which can be explained, run again and made a rule of. */
  readonly isCall: boolean;
  /** What can be done with what the call changed in files. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
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
  | {
      readonly type: 'init';
      readonly texts: AuditTexts;
      /** The choices of those filters that are lists, by what they send. */
      readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
    }
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

const auditActions = ['undo', 'redo', 'explain', 'runAgain', 'turnIntoRule', 'copy'] as const;
export type AuditAction = (typeof auditActions)[number];

export const filterFields = ['text', 'tool', 'actor', 'outcome', 'rule', 'risk', 'since', 'until'] as const;

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
