import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ChainHash, chainLine, type Head } from '../../core/audit/chain';
import { parseRecord, shapeOnly, toRecord } from '../../core/audit/record';
import { isRunning } from './alive';
import { type AuditFs, writeAll } from './auditFs';
import { headBytes, headPath, listSegments, readHeads, segmentPath } from './layout';

const maxTail = 16 * 1024 * 1024;

/**
 * Sets right what dead processes left: cuts a line that was never finished, notes it in that segment's chain and closes its head.
 * A segment that lacks what its head promises is evidence and is left as it is. Answers what could not be set right, in sentences.
 */
export function recoverFolder(options: {
  readonly dir: string;
  readonly fs: AuditFs;
  readonly hash: ChainHash;
  readonly alg: Head['alg'];
  readonly now: number;
  /** The segment that this window has just opened, whose head is still to come. */
  readonly own?: string;
}): readonly string[] {
  const problems: string[] = [];
  for (const [segment, head] of readHeads(options.dir)) {
    if (head?.state !== 'open' || head.host !== os.hostname() || isRunning(head.pid) || head.alg !== options.alg) continue;
    const lock = path.join(options.dir, 'heads', `${segment}.lock`);
    if (!takeLock(lock)) continue;
    try {
      const problem = recoverSegment(segment, head, options);
      if (problem !== undefined) problems.push(problem);
    } catch (error) {
      problems.push(`the audit segment ${segment} could not be recovered: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      fs.rmSync(lock, { force: true });
    }
  }
  for (const segment of listSegments(options.dir)) if (segment !== options.own) takeIn(segment, options);
  return problems;
}

/** A process that is killed as it opens a segment leaves one without a head: what it holds is taken in, and one without a record is removed. */
function takeIn(segment: string, { dir, alg }: { readonly dir: string; readonly alg: Head['alg'] }): void {
  const file = headPath(dir, segment);
  if (fs.existsSync(file) && fs.statSync(file).size > 0) return;
  const text = fs.readFileSync(segmentPath(dir, segment), 'utf8');
  const complete = text.lastIndexOf('\n') + 1;
  const record = complete === 0 ? undefined : parseRecord(text.slice(text.lastIndexOf('\n', complete - 2) + 1, complete - 1));
  if (!record) {
    if (complete > 0) return;
    fs.rmSync(segmentPath(dir, segment), { force: true });
    fs.rmSync(file, { force: true });
    return;
  }
  const bytes = Buffer.byteLength(text.slice(0, complete));
  fs.truncateSync(segmentPath(dir, segment), bytes);
  fs.writeFileSync(
    file,
    headBytes({ segment, seq: record.seq, hash: record.hash, bytes, state: 'closed', alg, pid: 0, host: os.hostname() }),
  );
}

function recoverSegment(
  segment: string,
  head: Head,
  { dir, fs: files, hash, now }: { readonly dir: string; readonly fs: AuditFs; readonly hash: ChainHash; readonly now: number },
): string | undefined {
  const fd = files.openExisting(segmentPath(dir, segment));
  try {
    const size = files.size(fd);
    if (size < head.bytes) return `the audit segment ${segment} is shorter than its head says; run Verify Audit`;
    const { complete, last } = lastLine(files, fd, size);
    const record = last === undefined ? undefined : parseRecord(last);
    // A head that promises no record yet: the process ended before its first one.
    const isFresh = !record && head.bytes === 0;
    if (!isFresh && (!record || record.seq < head.seq))
      return `the end of the audit segment ${segment} is not what its head says; run Verify Audit`;
    let place = record ? { seq: record.seq, hash: record.hash } : { seq: head.seq, hash: head.hash };
    let bytes = complete;
    if (complete < size) {
      files.truncate(fd, complete);
      const body = toRecord(
        {
          type: 'audit',
          time: now,
          what: 'recovered',
          detail: `a line of ${size - complete} bytes was never finished and was cut`,
          id: segment,
        },
        shapeOnly(),
      );
      if (body) {
        const linked = chainLine(body, place.seq + 1, place.hash, hash);
        const data = Buffer.from(`${linked.line}\n`);
        writeAll(files, fd, data, complete);
        place = { seq: place.seq + 1, hash: linked.hash };
        bytes += data.length;
      }
    }
    const headFd = files.openExisting(headPath(dir, segment));
    try {
      writeAll(files, headFd, headBytes({ ...head, ...place, bytes, state: 'closed' }), 0);
    } finally {
      files.close(headFd);
    }
    return undefined;
  } finally {
    files.close(fd);
  }
}

/** The last finished line and where it ends, read from the end without reading the whole file. */
function lastLine(files: AuditFs, fd: number, size: number): { readonly complete: number; readonly last: string | undefined } {
  for (let length = Math.min(size, 65_536); ; length = Math.min(size, length * 4)) {
    const data = Buffer.alloc(length);
    const got = files.read(fd, data, 0, length, size - length);
    const tail = data.subarray(0, got);
    const end = tail.lastIndexOf(10);
    const start = end > 0 ? tail.lastIndexOf(10, end - 1) : -1;
    if (end >= 0 && (start >= 0 || length === size))
      return { complete: size - length + end + 1, last: tail.subarray(start + 1, end).toString('utf8') };
    if (length === size || length > maxTail) return { complete: end < 0 ? 0 : size - length + end + 1, last: undefined };
  }
}

/** Two windows that start together must not recover the same segment; a lock whose owner died is taken over. */
function takeLock(file: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      let owner = 0;
      try {
        owner = Number(fs.readFileSync(file, 'utf8'));
      } catch {
        return false;
      }
      if (!(owner > 0) || isRunning(owner)) return false;
      fs.rmSync(file, { force: true });
    }
  }
  return false;
}
