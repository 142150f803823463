import { appendFileSync, closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { AuditEvent, AuditSink } from '../../core/audit/event';
import { createRedactor } from '../../core/audit/redact';
import { withoutContent } from '../../core/audit/withoutContent';
import { cut } from '../../core/base/figures';
import { messageOf } from '../../core/base/errorText';
import { isObject, parsedJson } from '../../core/base/json';
import { say } from '../../core/base/sentence';
import { namesIn } from '../folders/quietly';
import { isRunning } from '../processes/isRunning';
import { privateSubfolder } from './privateFolder';

const largestFile = 20_000_000;
const longestLine = 200_000;
/** So many items of each list are kept, as many as fit into the longest line. */
const keptItems = [100, 20, 5, 1];

const callsName = 'calls.jsonl';
/** As many characters as records were not kept. */
const lostName = 'lost';

/**
 * Records of calls that were decided while no editor ran: appended to a file of the user's private folder, which the
 * next editor takes into its audit. Arguments and words of tools are left out, and secrets in what is kept are hidden.
 * Of long lists stands the beginning; records that find no room are counted.
 */
export function spoolSink(folder: string, onError: (error: unknown) => void): AuditSink {
  const redactor = createRedactor();
  return {
    record(event) {
      try {
        const records = privateSubfolder(folder, 'records');
        const file = path.join(records, callsName);
        const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestFile;
        const line = isFull ? undefined : lineOf(event, (text) => cut(redactor.text(text), 1000));
        // What a full disk cut off stays a line of its own, as does what a hook of another version writes.
        if (line === undefined) appendFileSync(path.join(records, lostName), '.', { mode: 0o600 });
        else appendFileSync(file, `\n${line}\n`, { mode: 0o600 });
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** An event as a line of JSON with clean texts; undefined where none is short enough. */
function lineOf(event: AuditEvent, clean: (text: string) => string): string | undefined {
  const bare = 'invocationId' in event ? withoutContent(event) : event;
  const kept = { ...bare, input: undefined, payload: undefined };
  for (const most of keptItems) {
    const line = JSON.stringify(kept, (key, value: unknown) => {
      // A hash is no secret, though it looks like one.
      if (typeof value === 'string') return key === 'hash' ? value : clean(value);
      // A sentence needs all of its arguments, and a judgement all of its steps.
      if (!Array.isArray(value) || value.length <= most || key === 'args' || key === 'steps') return value;
      const items: readonly unknown[] = value;
      const next = items[most];
      const isAccess = key === 'accesses' && isObject(next);
      const rest = isAccess ? [{ effect: next['effect'], resource: `… ${items.length - most} more` }] : [];
      return [...items.slice(0, most), ...rest];
    });
    if (line.length <= longestLine) return line;
  }
  return undefined;
}

/**
 * Takes what was kept into an audit, once, and what another process took that ended before it was through; answers how
 * many records were taken. What the audit does not take is kept for the next time; a file that cannot be read, or what
 * is left of one whose lines cannot all be, stays beside as `unread-`. What fails is told; it never throws.
 * @param keep answers how many of the events are on the disk, from the first on.
 */
export function takeSpooled(
  folder: string,
  keep: (events: readonly AuditEvent[]) => number,
  onError: (error: unknown) => void,
): number {
  const records = path.join(folder, 'records');
  const taken = path.join(records, `taken-${process.pid}.jsonl`);
  const left = namesIn(records).filter((name) => {
    const pid = /^taken-(\d+)\.jsonl$/.exec(name)?.[1];
    return pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid));
  });
  let count = 0;
  for (const name of [path.basename(taken), ...left, callsName, lostName]) {
    // Of two windows one gets the file: the rename succeeds once.
    if (!moved(path.join(records, name), taken)) continue;
    const aside = (why: string): void => {
      const unread = path.join(records, `unread-${Date.now()}-${name}`);
      onError(new Error(`records of calls cannot be taken in, see \`${unread}\` (${why})`));
      moved(taken, unread);
    };
    let lines: readonly Spooled[];
    try {
      lines = spooledIn(readFileSync(taken));
    } catch (error) {
      aside(messageOf(error));
      continue;
    }
    const spooled = lines.flatMap(({ event, ...place }) => (event ? [{ event, ...place }] : []));
    const kept = keep(spooled.map(({ event }) => event));
    count += kept;
    const next = spooled[kept];
    const hasUnread = spooled.length < lines.length;
    try {
      if (next || hasUnread) blank(taken, spooled.slice(0, kept));
      else rmSync(taken);
      if (!next && hasUnread) aside('some lines are no records');
    } catch (error) {
      // All of it stays: rather twice in the record than not at all.
      onError(error);
    }
    // What comes after it waits too: nothing may take the place of what is left.
    if (next) break;
  }
  return count;
}

interface Spooled {
  /** Undefined where its line cannot be read. */
  readonly event: AuditEvent | undefined;
  /** Where its line begins, and where it ends, in bytes. */
  readonly start: number;
  readonly end: number;
}

function spooledIn(bytes: Buffer): readonly Spooled[] {
  const found: Spooled[] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf('\n', start);
    if (end < 0) end = bytes.length;
    const line = bytes.toString('utf8', start, end).trim();
    if (line !== '') found.push({ event: parsed(line), start, end });
  }
  return found;
}

/** Puts empty lines in the place of those that were recorded: a disk that is full has no room for another file. */
function blank(file: string, lines: readonly Omit<Spooled, 'event'>[]): void {
  const fd = openSync(file, 'r+');
  try {
    for (const { start, end } of lines) writeSync(fd, Buffer.alloc(end - start, '\n'), 0, end - start, start);
  } finally {
    closeSync(fd);
  }
}

function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function parsed(line: string): AuditEvent | undefined {
  if (/^\.+$/.test(line))
    return { type: 'audit', time: Date.now(), what: 'lost', detail: say('note_lost'), count: line.length };
  const value = parsedJson(line);
  if (!isObject(value) || typeof value['type'] !== 'string' || typeof value['time'] !== 'number') return undefined;
  // Only this program writes the file, in a folder that is this user's alone and closed to tools.
  // Only events that a judgement stands in have arguments, and their place is empty here.
  return ('steps' in value ? { ...value, input: {} } : value) as typeof value & AuditEvent;
}
