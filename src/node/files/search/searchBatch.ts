import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { searchText } from '../../../core/files/searchText';
import { compileLineMatcher } from '../../../core/lineMatcher';
import type { SearchFile, SearchQuery } from '../../../core/ports/fileSearch';
import { anyCase, requiredText } from '../../../core/requiredText';
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
  const text = requiredText(query);
  const holds = text === undefined ? undefined : query.ignoreCase ? anyCaseIn(text) : textIn(text);
  const room = new Room();
  return (files) => {
    const found: SearchFile[] = [];
    const leftOut: Record<string, number> = {};
    for (const file of files) {
      const result = readContained(folder, file, handles, query.maxFileSize, room, (bytes) =>
        lacks(bytes, holds) ? undefined : searchText(bytes, matcher, query),
      );
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

type Holds = (bytes: Buffer) => boolean;

function textIn(text: string): Holds {
  const needle = Buffer.from(text);
  return (bytes) => bytes.includes(needle);
}

function anyCaseIn(text: string): Holds {
  const anywhere = anyCase(text, true);
  return (bytes) => anywhere.test(bytes.toString('latin1'));
}

/** Without the text that every match holds there is no match, whatever else the file is; other encodings are searched all the same. */
function lacks(bytes: Buffer, holds: Holds | undefined): boolean {
  if (holds === undefined || holds(bytes)) return false;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !wide && !bytes.includes(0);
}

/** One buffer for all files of usual size: fresh memory for each costs as much as reading it. */
class Room {
  #buffer = Buffer.allocUnsafeSlow(1 << 18);

  for(size: number): Buffer {
    if (size > 8 << 20) return Buffer.allocUnsafe(size);
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size * 2);
    return this.#buffer.subarray(0, size);
  }
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Searches a file whose open handle is what stands at the path, reached without a link; a reason where it is left out. That is asked of the
 * handle before anything is told of the file, so not at all where there is nothing to tell.
 */
function readContained<T>(
  folder: string,
  file: string,
  handles: HandleMode,
  maxSize: number,
  room: Room,
  search: (bytes: Buffer) => T | string | undefined,
): T | string | undefined {
  let handle: number;
  try {
    handle = openSync(`${folder}/${file}`, flags);
  } catch {
    return 'unreadable';
  }
  try {
    const facts = fstatSync(handle);
    const answer = !facts.isFile() ? undefined : facts.size > maxSize ? 'too large' : search(contentOf(handle, room.for(facts.size)));
    if (answer === undefined) return undefined;
    const absolute = path.join(folder, file);
    const real = handles === 'proc' ? readlinkSync(`/proc/self/fd/${handle}`) : realpathSync.native(absolute);
    return real === absolute ? answer : 'unreadable';
  } catch {
    return 'unreadable';
  } finally {
    closeSync(handle);
  }
}

function contentOf(handle: number, buffer: Buffer): Buffer {
  let filled = 0;
  while (filled < buffer.length) {
    const count = readSync(handle, buffer, filled, buffer.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
