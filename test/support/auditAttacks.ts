import fs from 'node:fs';
import path from 'node:path';
import { AuditStore } from '../../src/node/audit/auditStore';
import { headPath, listSegments, parseSegmentName } from '../../src/node/audit/layout';
import { finished, violation } from './auditEvents';

/** Writes one window of so many calls, in small segments. */
export function writeLog(
  dir: string,
  records: number,
  options: Partial<ConstructorParameters<typeof AuditStore>[0]> = {},
): void {
  const store = new AuditStore({ dir, maxSegmentBytes: 8000, ...options });
  for (let at = 0; at < records; at++) {
    store.record(
      at % 7 === 0
        ? violation({ time: at * 1000 })
        : finished({ time: at * 1000, durationMs: at, input: { path: `src/${at}.ts` } }),
    );
    if (at % 10 === 0) store.flush();
  }
  store.dispose();
}

/** Edits of one file; each is given two numbers. */
export const edits = {
  flip(data: Buffer, a: number, b: number): Buffer {
    const copy = Buffer.from(data);
    const at = a % data.length;
    copy[at] = (copy[at] ?? 0) ^ (1 << (b % 8));
    return copy;
  },
  remove(data: Buffer, a: number, b: number): Buffer {
    const at = a % data.length;
    return Buffer.concat([data.subarray(0, at), data.subarray(at + 1 + (b % 400))]);
  },
  removeLine(data: Buffer, a: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    lines.splice(a % lines.length, 1);
    return Buffer.from(lines.length === 0 ? '' : `${lines.join('\n')}\n`);
  },
  swapLines(data: Buffer, a: number, b: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    const x = a % lines.length;
    const y = (x + 1 + (b % Math.max(1, lines.length - 1))) % lines.length;
    [lines[x], lines[y]] = [lines[y] ?? '', lines[x] ?? ''];
    return Buffer.from(`${lines.join('\n')}\n`);
  },
  insert(data: Buffer, a: number, b: number): Buffer {
    const at = a % (data.length + 1);
    return Buffer.concat([data.subarray(0, at), Buffer.from('\n{ "x"1'.slice(b % 7, (b % 7) + 1)), data.subarray(at)]);
  },
  repeatLine(data: Buffer, a: number, b: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    lines.splice(b % (lines.length + 1), 0, lines[a % lines.length] ?? '');
    return Buffer.from(`${lines.join('\n')}\n`);
  },
  truncate(data: Buffer, a: number): Buffer {
    return data.subarray(0, a % data.length);
  },
  truncateLine(data: Buffer, a: number): Buffer {
    const ends = [...data.keys()].filter((at) => data[at] === 10);
    return data.subarray(0, a % ends.length === 0 ? 0 : (ends[(a % ends.length) - 1] ?? 0) + 1);
  },
} as const;

/** What somebody can do to a folder that has closed segments only; each is given a segment and two numbers. */
export const attacks: Readonly<Record<string, (dir: string, segment: string, a: number, b: number) => void>> = {
  ...Object.fromEntries(
    Object.entries(edits).map(([name, edit]) => [
      name,
      (dir: string, segment: string, a: number, b: number): void =>
        rewrite(path.join(dir, segment), (data) => edit(data, a, b)),
    ]),
  ),
  ...Object.fromEntries(
    (['flip', 'remove', 'insert', 'truncate'] as const).map((name) => [
      `${name} head`,
      (dir: string, segment: string, a: number, b: number): void =>
        rewrite(headPath(dir, segment), (data) => edits[name](data, a, b)),
    ]),
  ),
  removeHead: (dir, segment) => fs.rmSync(headPath(dir, segment)),
  'remove head and tail'(dir, segment, a) {
    fs.rmSync(headPath(dir, segment));
    rewrite(path.join(dir, segment), (data) => edits.truncateLine(data, a));
  },
  removeSegment: (dir, segment) => fs.rmSync(path.join(dir, segment)),
  'remove segment and head'(dir, segment) {
    fs.rmSync(headPath(dir, segment));
    fs.rmSync(path.join(dir, segment));
  },
  'remove window'(dir, segment) {
    const window = parseSegmentName(segment)?.window;
    for (const one of listSegments(dir))
      if (parseSegmentName(one)?.window === window) {
        fs.rmSync(headPath(dir, one));
        fs.rmSync(path.join(dir, one));
      }
  },
  'exchange heads'(dir, segment, a) {
    const names = listSegments(dir);
    const other = names[(names.indexOf(segment) + 1 + (a % (names.length - 1))) % names.length] ?? '';
    const kept = fs.readFileSync(headPath(dir, segment));
    fs.copyFileSync(headPath(dir, other), headPath(dir, segment));
    fs.writeFileSync(headPath(dir, other), kept);
  },
};

export function rewrite(file: string, edit: (data: Buffer) => Buffer): void {
  fs.writeFileSync(file, edit(fs.readFileSync(file)));
}

export const sameFolder = (a: string, b: string): boolean =>
  [
    ...listSegments(a).map((name) => [path.join(a, name), path.join(b, name)]),
    ...listSegments(a).map((name) => [headPath(a, name), headPath(b, name)]),
  ].every(([x = '', y = '']) => fs.existsSync(y) && fs.readFileSync(x).equals(fs.readFileSync(y)));
