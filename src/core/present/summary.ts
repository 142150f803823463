import { codeWord } from '../vocabulary/codeWord';
import { durationWords, wholeNumber } from './words';
import type { Translate } from '../base/translate';
import type { CallUndo } from '../changes/undo';
import { answererWord, type GrantName, toldWords } from './auditWords';
import { movesOf } from './moves';
import { code } from './recordText';
import { type AuditRecord, hostsOf, undoTool } from '../audit/record';

const maxListed = 1000;

/** Words that a summary has beyond the records. */
interface SummaryWording {
  /** An ISO time as the person writes it. */
  readonly when?: (time: string) => string;
  /** Leads to a path that was touched. */
  readonly address?: (path: string) => string | undefined;
  /** What became of what a call changed, by its id. */
  readonly undoOf?: (call: string) => CallUndo | undefined;
  /** What a grant allows, by its id. */
  readonly grant?: GrantName;
}

/**
 * What a session, or any set of records that are added one by one, came to. Counters are of calls; lists are bounded.
 */
export class AuditSummary {
  from: string | undefined;
  to: string | undefined;
  calls = 0;
  denied = 0;
  failed = 0;
  lost = 0;
  totalMs = 0;
  /** True where a list is longer than what was kept. */
  cut = false;
  readonly tools = new Map<string, number>();
  /** `fs.write` and the like with the paths that finished calls touched, and the ids of these calls. */
  readonly changed = new Map<string, Map<string, Set<string>>>();
  /** Where each moved file or folder went, and by which call. */
  readonly moved = new Map<string, { readonly to: string; readonly call: string }>();
  /** What was taken back or made again. */
  readonly takenBack = new Set<string>();
  readonly hosts = new Map<string, number>();
  readonly denials = new Map<string, number>();
  /** The first record of each denial, for its words in the reader's language. */
  readonly #denied = new Map<string, AuditRecord>();
  /** What a person declined: the tools, with what they would have touched. */
  readonly declined = new Map<string, number>();
  readonly approvals = new Map<string, number>();

  add(record: AuditRecord): void {
    if (this.from === undefined || record.time < this.from) this.from = record.time;
    if (this.to === undefined || record.time > this.to) this.to = record.time;
    if (record.event === 'audit.lost') this.lost += record.count ?? 0;
    if (record.event === 'policy.violation') this.#addDenied(record);
    else if (record.event === 'invocation.finished') this.#addFinished(record);
  }

  #addDenied(record: AuditRecord): void {
    this.calls++;
    this.denied++;
    this.#count(this.tools, record['gen_ai.tool.name']);
    const tool = record['gen_ai.tool.name'] ?? '';
    // Its message is for the model, which is told what to do instead.
    if (record['error.type'] === 'declined')
      this.#count(this.declined, [tool, ...(record.accesses ?? []).map(({ resource }) => resource)].join(' '));
    else {
      const denial = `${tool}: ${record['error.message'] ?? record['error.type'] ?? ''}`;
      this.#count(this.denials, denial);
      if (this.denials.has(denial) && !this.#denied.has(denial)) this.#denied.set(denial, record);
    }
  }

  /** A key of `denials` in the reader's language. */
  denialWords(denial: string, t: Translate): string {
    const record = this.#denied.get(denial);
    const told = record && toldWords(record, t);
    return told === undefined ? denial : `${record?.['gen_ai.tool.name'] ?? ''}: ${told}`;
  }

  #addFinished(record: AuditRecord): void {
    this.calls++;
    this.totalMs += record.duration_ms ?? 0;
    if (record.outcome !== 'success') this.failed++;
    this.#count(this.tools, record['gen_ai.tool.name']);
    if (record['approval.by'] !== undefined) this.#count(this.approvals, record['approval.by']);
    for (const host of hostsOf(record)) this.#count(this.hosts, host);
    if (record.tool === undoTool) this.#addTakenBack(record);
    else this.#addChanges(record);
  }

  #addChanges(record: AuditRecord): void {
    const call = record['gen_ai.tool.call.id'] ?? '';
    const moves = movesOf(record);
    for (const { from, to } of moves) {
      if (this.moved.size < maxListed) this.moved.set(from, { to, call });
      else if (!this.moved.has(from)) this.cut = true;
    }
    for (const access of moves.length > 0 ? [] : (record.accesses ?? [])) {
      if (!/^fs\.(?!read)|^database\.(?!read)|^system\.exec|^payments|^cloud\./.test(access.effect)) continue;
      const places = this.changed.get(access.effect) ?? new Map<string, Set<string>>();
      const calls = places.get(access.resource);
      if (calls) calls.add(call);
      else if (places.size < maxListed) places.set(access.resource, new Set([call]));
      else this.cut = true;
      this.changed.set(access.effect, places);
    }
  }

  /** A take-back changes files too, but is no change of its own. */
  #addTakenBack({ accesses = [] }: AuditRecord): void {
    for (const { resource } of accesses) {
      if (this.takenBack.size < maxListed) this.takenBack.add(resource);
      else if (!this.takenBack.has(resource)) this.cut = true;
    }
  }

  #count(map: Map<string, number>, key: string | undefined): void {
    if (key === undefined) return;
    if (map.size >= maxListed && !map.has(key)) this.cut = true;
    else map.set(key, (map.get(key) ?? 0) + 1);
  }
}

/** The calls that changed files, as far as a summary lists them. */
export function changingCalls({ changed, moved }: AuditSummary): ReadonlySet<string> {
  const calls = [...changed.values()].flatMap((places) => [...places.values()].flatMap((ids) => [...ids]));
  return new Set([...calls, ...[...moved.values()].map(({ call }) => call)].filter((id) => id !== ''));
}

/** Writes a summary as a markdown page. What came from models and servers stands in code spans only. */
export function summaryMarkdown(
  summary: AuditSummary,
  t: Translate,
  { when = (time) => time, address, undoOf, grant }: SummaryWording = {},
): string {
  const linked = (path: string): string => {
    const to = address?.(path);
    return to === undefined ? code(path) : `[${code(path)}](<${to}>)`;
  };
  const fate = (calls: Iterable<string>): string => {
    const states = [...calls].flatMap((call) => undoOf?.(call) ?? []);
    if (!states.some(({ takenBack }) => takenBack > 0)) return '';
    const isAll = states.every(({ standing }) => standing === 0);
    return ` (${isAll ? t('taken back') : t('partly taken back')})`;
  };
  const lines = [`# ${t('Session summary')}`, ''];
  if (summary.calls === 0) lines.push(t('No calls yet.'));
  else {
    lines.push(
      t(
        'Calls: {0}, denied: {1}, failed: {2}, {3} in tools.',
        wholeNumber(summary.calls, t),
        wholeNumber(summary.denied, t),
        wholeNumber(summary.failed, t),
        durationWords(summary.totalMs, t),
      ),
    );
  }
  if (summary.from !== undefined && summary.to !== undefined)
    lines.push('', t('From {0} to {1}.', when(summary.from), when(summary.to)));
  if (summary.lost > 0)
    lines.push('', t('Records lost because the log could not be written: {0}.', wholeNumber(summary.lost, t)));
  for (const [effect, places] of summary.changed) {
    // What was deleted is no longer there to be opened.
    const isThere = effect === 'fs.write' || effect === 'fs.chmod';
    const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
    const items = sorted.map(([path, calls]) => `${isThere ? linked(path) : code(path)}${fate(calls)}`);
    section(lines, effectWords(effect, t), items);
  }
  section(
    lines,
    t('Moved'),
    [...summary.moved]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, { to, call }]) => `${code(from)} → ${linked(to)}${fate([call])}`),
  );
  section(lines, t('Taken back or made again'), [...summary.takenBack].sort().map(linked));
  section(lines, t('Hosts contacted'), counted(t, summary.hosts));
  section(
    lines,
    t('Denied'),
    counted(t, summary.denials, (denial) => summary.denialWords(denial, t)),
  );
  section(lines, t('Declined by you'), counted(t, summary.declined));
  section(
    lines,
    t('Allowed by'),
    counted(t, summary.approvals, (by) => answererWord(by, t, grant)),
  );
  section(lines, t('Tools'), counted(t, summary.tools));
  if (summary.cut)
    lines.push('', t('Only the first {0} of a list are shown; Open Audit View shows all.', wholeNumber(maxListed, t)));
  return `${lines.join('\n')}\n`;
}

function section(lines: string[], title: string, items: readonly string[]): void {
  if (items.length > 0) lines.push('', `## ${title}`, '', ...items.map((item) => `- ${item}`));
}

function counted(
  t: Translate,
  map: ReadonlyMap<string, number>,
  word = (key: string): string => key,
): readonly string[] {
  return [...map].sort((a, b) => b[1] - a[1]).map(([key, count]) => `${code(word(key))} × ${wholeNumber(count, t)}`);
}

/** The heading above what calls did with an effect. */
function effectWords(effect: string, t: Translate): string {
  return codeWord('doing', effect, t) ?? t('Used {0}', effect);
}
