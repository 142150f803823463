import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { searchText } from '../../../core/files/searchText';
import { compileLineMatcher } from '../../../core/lineMatcher';
import type { SearchFile, SearchQuery } from '../../../core/ports/fileSearch';
import { requiredLiteral } from '../../../core/requiredLiteral';
import type { HandleMode } from '../handles';

/** A part of a search as plain data, so that it can be sent to a worker thread. */
export interface SearchBatch {
  readonly folder: string;
  readonly handles: HandleMode;
  readonly query: Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord' | 'contextLines' | 'maxPerFile' | 'maxFileSize'>;
  readonly files: readonly string[];
}

export interface BatchResult {
  readonly found: readonly SearchFile[];
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Prepares a search; the answer searches files one after the other, without waiting in between. */
export function batchSearcher({ folder, handles, query }: Omit<SearchBatch, 'files'>): (files: readonly string[]) => BatchResult {
  const matcher = compileLineMatcher(query);
  const literal = query.ignoreCase ? undefined : query.literal ? query.pattern : requiredLiteral(query.pattern);
  const needle = literal === undefined ? undefined : Buffer.from(literal);
  return (files) => {
    const found: SearchFile[] = [];
    const leftOut: Record<string, number> = {};
    for (const file of files) {
      const bytes = readContained(path.join(folder, file), handles, query.maxFileSize);
      if (bytes === undefined) continue;
      const result = typeof bytes === 'string' ? bytes : lacks(bytes, needle) ? undefined : searchText(bytes, matcher, query);
      if (typeof result === 'string') leftOut[result] = (leftOut[result] ?? 0) + 1;
      else if (result) found.push({ path: file, ...result });
    }
    return { found, leftOut };
  };
}

/** The same as a task of a worker thread. */
export function searchBatchTask(input: unknown): BatchResult {
  // The caller is `BuiltInSearch`, in the same bundle.
  const batch = input as SearchBatch;
  return batchSearcher(batch)(batch.files);
}

/** Without the text that every match holds there is no match, whatever else the file is; other encodings are searched all the same. */
function lacks(bytes: Buffer, needle: Buffer | undefined): boolean {
  if (needle === undefined || bytes.includes(needle)) return false;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !wide && !bytes.includes(0);
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file whose open handle is what stands at the path, reached without a link; a reason where it is left out. */
function readContained(absolute: string, handles: HandleMode, maxSize: number): Buffer | string | undefined {
  let handle: number;
  try {
    handle = openSync(absolute, flags);
  } catch {
    return 'unreadable';
  }
  try {
    const real = handles === 'proc' ? readlinkSync(`/proc/self/fd/${handle}`) : realpathSync.native(absolute);
    if (real !== absolute) return 'unreadable';
    const facts = fstatSync(handle);
    if (!facts.isFile()) return undefined;
    if (facts.size > maxSize) return 'too large';
    const buffer = Buffer.allocUnsafe(facts.size);
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(handle, buffer, filled, buffer.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } catch {
    return 'unreadable';
  } finally {
    closeSync(handle);
  }
}
