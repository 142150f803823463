import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AuditEvent, AuditSink } from '../../core/audit/event';
import { isObject } from '../../core/base/json';
import { privateSubfolder } from './privateFolder';

const largestFile = 20_000_000;
const longestLine = 200_000;

/**
 * Records of calls that were decided while no editor ran: appended to a file of the user's private folder, which the
 * next editor takes into its audit. Arguments are left out, because what in them is secret is looked for only there.
 */
export function spoolSink(folder: string, onError: (error: unknown) => void): AuditSink {
  return {
    record(event) {
      try {
        const file = path.join(privateSubfolder(folder, 'records'), 'calls.jsonl');
        if (sizeOf(file) > largestFile) return;
        const { input: _input, payload: _payload, ...kept } = { input: undefined, payload: undefined, ...event };
        const line = JSON.stringify(kept);
        if (line.length <= longestLine) appendFileSync(file, `${line}\n`, { mode: 0o600 });
      } catch (error) {
        onError(error);
      }
    },
  };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** Takes what was kept into an audit, once; answers how many records there were. */
export function takeSpooled(folder: string, sink: AuditSink): number {
  const records = path.join(folder, 'records');
  let count = 0;
  try {
    // Of two windows one gets the file: the rename succeeds once.
    renameSync(path.join(records, 'calls.jsonl'), path.join(records, `taken-${process.pid}.jsonl`));
  } catch {
    // Nothing was kept.
  }
  for (const name of namesIn(records).filter((one) => one === `taken-${process.pid}.jsonl`)) {
    for (const line of readFileSync(path.join(records, name), 'utf8').split('\n')) {
      const event = parsed(line);
      if (!event) continue;
      sink.record(event);
      count++;
    }
    rmSync(path.join(records, name), { force: true });
  }
  return count;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function parsed(line: string): AuditEvent | undefined {
  if (line === '') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value['type'] !== 'string' || typeof value['time'] !== 'number') return undefined;
    // Only this program writes the file, in a folder that is this user's alone and closed to tools.
    return { ...value, input: {} } as typeof value & AuditEvent;
  } catch {
    return undefined;
  }
}
