import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LineFeedCounter } from '../../../core/files/lineFeeds';
import type { Steps } from '../../../core/files/searchText';
import type { HandleMode } from '../handles';

/** A line of more bytes cannot be read. */
const longestLine = 1 << 28;

/**
 * Memory for the content of files: fresh memory for each costs as much as reading it. What it lends holds until it
 * lends again.
 */
export class Room {
  #buffer = Buffer.allocUnsafeSlow(1 << 18);
  #counter: LineFeedCounter | undefined;

  /** For a whole file of a usual size. */
  for(size: number): Buffer {
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(size * 2);
    return this.#buffer.subarray(0, size);
  }

  /** For one window after the other of a large file, in memory where line feeds are counted fast. */
  window(): Buffer {
    const [{ buffer, byteOffset, byteLength }] = this.#lineFeeds.pieces;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  countLineFeeds(bytes: Uint8Array): number {
    return this.#lineFeeds.count(bytes);
  }

  get #lineFeeds(): LineFeedCounter {
    return (this.#counter ??= new LineFeedCounter());
  }
}

interface ContainedFolder {
  /** The machine's path of the workspace folder. */
  readonly folder: string;
  readonly handles: HandleMode;
  readonly room: Room;
}

/** Some whole lines of a file, or the last of it. */
interface Window {
  /** Holds until the next window is asked for. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Larger files are read window by window. */
const wholeFile = 1 << 21;
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The content of an open file. */
export class Content {
  readonly room: Room;
  readonly #handle: number;
  readonly #size: number;

  constructor(handle: number, size: number, room: Room) {
    this.#handle = handle;
    this.#size = size;
    this.room = room;
  }

  /** All of it, unless it is large. */
  get whole(): Buffer | undefined {
    return this.#size > wholeFile ? undefined : this.slice(0, this.#size, this.room.for(this.#size));
  }

  /** As many bytes as there are, from a place in the file. */
  slice(at: number, length: number, buffer: Buffer = Buffer.allocUnsafe(length)): Buffer {
    let filled = 0;
    while (filled < length) {
      const count = readSync(this.#handle, buffer, filled, length - filled, at + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  /** Cut after line feeds; `too large` instead of a line that cannot be held. */
  *windows(): Generator<Window | 'too-large', void> {
    const { whole } = this;
    if (whole) return yield { bytes: whole, isLast: true };
    let buffer = this.room.window();
    let kept = 0;
    for (let at = 0; ;) {
      const wanted = buffer.length - kept;
      const count = this.slice(at, wanted, buffer.subarray(kept)).length;
      at += count;
      const filled = kept + count;
      const isLast = count < wanted;
      const end = isLast ? filled : buffer.lastIndexOf(10, filled - 1) + 1;
      if (end > 0 || isLast) yield { bytes: buffer.subarray(0, end), isLast };
      if (isLast) return;
      kept = filled - end;
      if (end > 0) buffer.copyWithin(0, end, filled);
      else if (buffer.length >= longestLine) return yield 'too-large';
      else buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  }
}

/**
 * Reads a file whose open handle is what stands at the path, reached without a link; a reason where it is left out.
 * That is asked of the handle before anything is told of the file, so not at all where there is nothing to tell.
 */
export function* readContained<T>(
  { folder, handles, room }: ContainedFolder,
  file: string,
  read: (content: Content) => Steps<T | string | undefined>,
): Steps<T | string | undefined> {
  let handle: number;
  try {
    handle = openSync(`${folder}/${file}`, flags);
  } catch {
    return 'unreadable';
  }
  try {
    const facts = fstatSync(handle);
    const answer = facts.isFile() ? yield* read(new Content(handle, facts.size, room)) : undefined;
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
