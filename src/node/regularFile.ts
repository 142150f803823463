import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { say, type Sentence } from '../core/base/sentence';
import { codeOf, errnoOf, isMissing } from './errors/errno';
import { isWithin } from './folders/quietly';

/** What a small text file held: its text, nothing where there is none, or why it cannot be read. */
type FileText =
  | { readonly type: 'text'; readonly text: string; readonly stat: Stats }
  | { readonly type: 'absent' }
  | { readonly type: 'unreadable'; readonly fault: Sentence };

/** Files of policy, settings and definitions are written by people; a larger one is none. */
export const mostBytes = 1_000_000;

interface ReadOptions {
  /** The folder in which the file has to lie, wherever links lead. */
  readonly within?: string;
}

/**
 * Reads a small text file. Only a regular file is read, and no more of it than the limit: a device, a pipe or a file
 * that grows can neither hold up the process nor fill its memory. What is asked is asked of the opened handle, so that
 * nothing changes in between.
 */
export function readSmallFile(file: string, options: ReadOptions = {}): FileText {
  try {
    lstatSync(file);
  } catch (error) {
    return isMissing(error) ? { type: 'absent' } : unreadable(say('file_not_looked_at', codeOf(error)));
  }
  let handle: number | undefined;
  try {
    const real = realpathSync(file);
    if (options.within !== undefined && !isWithin(real, realpathSync(options.within)))
      return unreadable(say('file_leads_out'));
    // Opening some devices does something, so they are not opened at all; a pipe would wait for its other end.
    const before = sortOf(statSync(real));
    if (before !== undefined) return unreadable(before);
    handle = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stat = fstatSync(handle);
    const sort = sortOf(stat);
    if (sort !== undefined) return unreadable(sort);
    if (stat.size > mostBytes) return tooLarge;
    const bytes = readUpTo(handle, mostBytes + 1, stat.size);
    if (bytes.length > mostBytes) return tooLarge;
    return { type: 'text', text: bytes.toString('utf8'), stat };
  } catch (error) {
    return unreadable(
      errnoOf(error) === 'ENOENT' ? say('file_leads_nowhere') : say('file_not_opened_because', codeOf(error)),
    );
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const unreadable = (fault: Sentence): FileText => ({ type: 'unreadable', fault });
const tooLarge = unreadable(say('file_bytes', mostBytes));

/** What it is instead of a regular file; undefined where it is one. */
function sortOf(stat: Stats): Sentence | undefined {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return say('file_is_folder');
  return say(stat.isFIFO() ? 'file_is_pipe' : stat.isSocket() ? 'file_is_socket' : 'file_is_device');
}

/** @param expected so many bytes, as the file says: most are short, and a large piece costs more than they do. */
function readUpTo(handle: number, most: number, expected: number): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  while (size < most) {
    const piece = Buffer.alloc(Math.min(65_536, most - size, Math.max(256, expected + 1 - size)));
    const read = readSync(handle, piece, 0, piece.length, null);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    size += read;
  }
  return Buffer.concat(pieces);
}
