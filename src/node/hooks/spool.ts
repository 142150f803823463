import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AuditEvent, AuditSink } from '../../core/audit/event';
import { withoutContent } from '../../core/audit/withoutContent';
import { isObject, parsedJson } from '../../core/base/json';
import { textIn } from '../folders/quietly';
import { privateSubfolder } from './privateFolder';

const largestFile = 20_000_000;
const longestLine = 200_000;

/**
 * Records of calls that were decided while no editor ran: appended to a file of the user's private folder, which the
 * next editor takes into its audit. Arguments and words of tools are left out, because what in them is secret is looked
 * for only there.
 */
export function spoolSink(folder: string, onError: (error: unknown) => void): AuditSink {
  return {
    record(event) {
      try {
        const file = path.join(privateSubfolder(folder, 'records'), 'calls.jsonl');
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestFile) return;
        const bare = 'invocationId' in event ? withoutContent(event) : event;
        const { input: _input, payload: _payload, ...kept } = { input: undefined, payload: undefined, ...bare };
        const line = JSON.stringify(kept);
        if (line.length <= longestLine) appendFileSync(file, `${line}\n`, { mode: 0o600 });
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** Takes what was kept into an audit, once; answers how many records there were. */
export function takeSpooled(folder: string, sink: AuditSink): number {
  const records = path.join(folder, 'records');
  const taken = path.join(records, `taken-${process.pid}.jsonl`);
  try {
    // Of two windows one gets the file: the rename succeeds once.
    renameSync(path.join(records, 'calls.jsonl'), taken);
  } catch {
    // Nothing was kept.
  }
  const text = textIn(taken);
  if (text === undefined) return 0;
  const events = text.split('\n').flatMap((line) => parsed(line) ?? []);
  for (const event of events) sink.record(event);
  rmSync(taken, { force: true });
  return events.length;
}

function parsed(line: string): AuditEvent | undefined {
  const value = parsedJson(line);
  if (!isObject(value) || typeof value['type'] !== 'string' || typeof value['time'] !== 'number') return undefined;
  // Only this program writes the file, in a folder that is this user's alone and closed to tools.
  // Only events that a judgement stands in have arguments, and their place is empty here.
  return ('steps' in value ? { ...value, input: {} } : value) as typeof value & AuditEvent;
}
