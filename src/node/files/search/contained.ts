import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { HandleMode } from '../handles';

/** One buffer for all files of usual size: fresh memory for each costs as much as reading it. What it lends holds until it lends again. */
export class Room {
  #buffer = Buffer.allocUnsafeSlow(1 << 18);

  for(size: number): Buffer {
    if (size > 8 << 20) return Buffer.allocUnsafe(size);
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size * 2);
    return this.#buffer.subarray(0, size);
  }
}

export interface ContainedFolder {
  /** The machine's path of the workspace folder. */
  readonly folder: string;
  readonly handles: HandleMode;
  /** Files of more bytes are left out. */
  readonly maxSize: number;
  readonly room: Room;
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Searches a file whose open handle is what stands at the path, reached without a link; a reason where it is left out. That is asked of the
 * handle before anything is told of the file, so not at all where there is nothing to tell.
 */
export function readContained<T>(
  { folder, handles, maxSize, room }: ContainedFolder,
  file: string,
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
