import { pause } from '../core/base/pause';
import { counted } from '../core/base/figures';
import fs from 'node:fs';
import { exportLines } from '../core/audit/export';
import { type AuditFilter, parseFilter } from '../core/audit/query';
import { type FoundRecord, reportedFault } from '../core/audit/reader';
import { type AuditRecord, exportFormats } from '../core/audit/record';
import { worded } from '../core/base/sentence';
import { describeAccess } from '../core/vocabulary/access';
import { FolderReader } from '../node/audit/folderReader';
import { AuditStore } from '../node/audit/auditStore';
import { AuditFollower } from '../node/audit/followFolder';
import { holdsNoLog, UnreadableLog } from '../node/audit/layout';
import { auditKey } from './auditSink';
import { type CliArgs, type CliIo, oneOf, outJson, UsageError, verbatim } from './args';

const followMs = 500;

type Action = (dir: string, args: CliArgs, io: CliIo) => number | Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  ...{ verify, query, tail, clear, retire },
  export: exportAll,
  report: async (dir, args, io) => (await import('./auditReport')).runAuditReport(dir, args, io),
  why: async (dir, args, io) => (await import('./auditWhy')).runAuditWhy(dir, args, io),
};

const nothingIn = (dir: string): string =>
  `there is nothing to verify or to read in \`${dir}\`: it holds no segment of an audit and no head of one`;

/**
 * Whether an action reads a log that has to be there; `tail --follow` waits for one, and `verify` says all by itself.
 */
const readsLog = (name: string, args: CliArgs): boolean =>
  ['query', 'export', 'report'].includes(name) || (name === 'tail' && !args.has('follow'));

/**
 * `audit verify|query|export|report|why|tail|clear|retire DIR`. Exit 0 success, 1 where a chain breaks, naming file and
 * line, where the folder cannot be read and where it holds no log.
 */
export async function runAudit(args: CliArgs, io: CliIo): Promise<number> {
  const [name, dir, ...rest] = args.words;
  if (name === undefined || dir === undefined || rest.length > 0)
    throw new UsageError('`audit` needs an action and a folder');
  if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`there is no folder \`${dir}\``);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`\`${name}\` is not an action; known are ${Object.keys(actions).join(', ')}`);
  try {
    const code = await action(dir, args, io);
    if (code !== 0 || !readsLog(name, args) || !holdsNoLog(dir)) return code;
    io.error(nothingIn(dir));
  } catch (error) {
    if (!(error instanceof UnreadableLog)) throw error;
    io.error(error.message);
  }
  return 1;
}

/** Opens the log as a window of its own, so that what is removed is noted in a chain. */
function withStore<T>(dir: string, io: CliIo, body: (store: AuditStore) => T): T {
  const store = new AuditStore({ dir, ...auditKey(io), onProblem: (said) => io.error(worded(said)) });
  try {
    return body(store);
  } finally {
    store.dispose();
  }
}

/** Removes what no living window writes; the reason stays in the log. */
function clear(dir: string, args: CliArgs, io: CliIo): number {
  const reason = args.value('reason')?.trim() ?? '';
  if (reason.length < 3) throw new UsageError('`audit clear` needs `--reason` with a few words, which stay in the log');
  const { segments, records } = withStore(dir, io, (store) =>
    store.clear(reason, { type: 'user', id: 'command-line' }),
  );
  io.out(`${counted(records, 'record')} in ${counted(segments.length, 'segment')} removed`);
  return 0;
}

/** Removes what is older or more than the limits say, and notes it; 0 stands for no limit. */
function retire(dir: string, args: CliArgs, io: CliIo): number {
  const limit = (name: string): number => {
    const value = Number(args.value(name) ?? '0');
    if (!(value >= 0))
      throw new UsageError(`\`--${name}\` must be a number that is not negative (got \`${args.value(name) ?? ''}\`)`);
    return value;
  };
  const limits = { retentionDays: limit('days'), maxMegabytes: limit('megabytes') };
  if (limits.retentionDays === 0 && limits.maxMegabytes === 0)
    throw new UsageError('`audit retire` needs `--days`, `--megabytes` or both');
  const { segments, records } = withStore(dir, io, (store) => store.retire(limits));
  io.out(`${counted(records, 'record')} in ${counted(segments.length, 'segment')} removed`);
  return 0;
}

async function verify(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const result = await new FolderReader(dir, auditKey(io)).verify();
  // Who names a folder means a log that is there; of none it would be wrong to say that it is whole.
  const isNothing = result.ok && result.isEmpty;
  const ok = result.ok && !isNothing;
  if (args.has('json')) outJson(io, { ...result, ok, faults: result.faults.map(reportedFault) });
  else if (isNothing) io.error(nothingIn(dir));
  else if (ok)
    io.out(
      `ok: ${counted(result.records, 'record')} in ${counted(result.segments, 'segment')} follow one another${result.removed > 0 ? `; removed with a record of it: ${counted(result.removed, 'segment')}` : ''}`,
    );
  else
    for (const fault of result.faults)
      io.error(`${fault.file}${fault.line === undefined ? '' : `:${fault.line}`}: ${worded(fault.said)}`);
  return ok ? 0 : 1;
}

function filterOf(args: CliArgs): AuditFilter {
  const raw: Record<string, string> = {};
  for (const key of ['tool', 'actor', 'outcome', 'rule', 'risk', 'event', 'profile', 'since', 'until']) {
    const values = args.all(key);
    if (values.length > 0) raw[key] = values.join(',');
  }
  raw['text'] = args.all('text').join(' ');
  const parsed = parseFilter(raw, Date.now());
  if (!parsed.ok) throw new UsageError(worded(parsed.problem));
  return parsed.filter;
}

function limitOf(args: CliArgs, fallback: number): number {
  const value = args.value('limit');
  if (value === undefined) return fallback;
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw new UsageError(`\`--limit\` must be a whole number from 1 to 100000 (got \`${value}\`)`);
  return limit;
}

async function query(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const next = args.value('next');
  const page = await new FolderReader(dir, auditKey(io)).page(filterOf(args), {
    limit: limitOf(args, 100),
    ...(next === undefined ? {} : { next }),
  });
  const records = page.found.map((one) => one.record);
  if (args.has('json')) outJson(io, { records, ...(page.next === undefined ? {} : { next: page.next }) });
  else {
    for (const record of records) io.out(textLine(record));
    if (page.next !== undefined) io.out(`[more: --next ${page.next}]`);
  }
  return 0;
}

/** One record for a terminal, the newest first as in a query. */
function textLine(record: AuditRecord): string {
  const accesses = (record.accesses ?? []).slice(0, 3).map(describeAccess).join(', ');
  const parts = [
    record.time,
    record.actor ?? '',
    record.profile ?? '',
    record['gen_ai.tool.name'] ?? record.id ?? '',
    record.event,
    record.outcome ?? '',
    record['error.type'] ?? '',
    accesses,
    record['error.message'] ?? record.detail ?? '',
    record.duration_ms === undefined ? '' : `${record.duration_ms} ms`,
  ];
  // What a model named must not steer the terminal.
  return parts
    .filter((part) => part !== '')
    .join('  ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '�');
}

async function exportAll(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const filter = filterOf(args);
  const format = oneOf(args, 'format', exportFormats, 'jsonl');
  const out = args.value('out');
  if (out === undefined) {
    for await (const line of exportLines(new FolderReader(dir).whole(filter), format)) verbatim(io, line);
    return 0;
  }
  const count = await new FolderReader(dir).exportTo(out, filter, format);
  io.error(`${counted(count, 'line')} written to ${out}`);
  return 0;
}

async function tail(dir: string, args: CliArgs, io: CliIo): Promise<number> {
  const filter = filterOf(args);
  const print = ({ record }: FoundRecord): void => {
    if (args.has('json')) verbatim(io, JSON.stringify(record));
    else io.out(textLine(record));
  };
  const follower = new AuditFollower(dir);
  if (args.has('follow')) await follower.skip();
  const first = await new FolderReader(dir, auditKey(io)).page(filter, { limit: limitOf(args, 20) });
  for (const one of first.found.toReversed()) print(one);
  if (!args.has('follow')) return 0;
  const placeOf = ({ segment, record }: FoundRecord): string => `${segment} ${record.seq}`;
  // What was written between the two looks is in both.
  const shown = new Set(first.found.map(placeOf));
  while (!io.signal?.aborted) {
    await pause(followMs, io.signal);
    for (const one of await follower.next(filter)) if (!shown.has(placeOf(one))) print(one);
    shown.clear();
  }
  return 0;
}
