import type { Stats } from 'node:fs';
import type { FileStat, OpenFile } from '../../core/ports/files';
import type { FileType } from '../../core/ports/workspacePath';
import type { OpenWay } from './handles';

export function typeOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FileType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

/** What the operating system says of an entry, as the port words it. */
export function facts(stat: Stats): FileStat {
  return {
    type: typeOf(stat),
    size: stat.size,
    readonly: (stat.mode & 0o222) === 0,
    createdMs: Math.round(stat.birthtimeMs),
    modifiedMs: Math.round(stat.mtimeMs),
    accessedMs: Math.round(stat.atimeMs),
    mode: stat.mode & 0o7777,
    links: stat.nlink,
  };
}

/** A file that is open for reading, by its descriptor. */
export class OpenedFile implements OpenFile {
  readonly stat: FileStat;
  readonly #descriptor: number;
  readonly #way: OpenWay;
  #reading = 0;
  #isClosed = false;

  constructor(descriptor: number, stat: FileStat, way: OpenWay) {
    this.#descriptor = descriptor;
    this.stat = stat;
    this.#way = way;
  }

  async read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    const buffer = into !== undefined && into.length >= length ? into : Buffer.allocUnsafeSlow(length);
    let filled = 0;
    this.#reading++;
    try {
      while (filled < length && !this.#isClosed) {
        const count = await this.#way.calls.read(this.#descriptor, buffer, filled, length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
    } finally {
      this.#reading--;
      if (this.#isClosed && this.#reading === 0) void this.#close();
    }
    return filled === buffer.length ? buffer : buffer.subarray(0, filled);
  }

  /**
   * A read that is still under way ends first: the number of a closed descriptor may belong to another file at once.
   * Nothing is lost when what was only read from is closed a little later; where that could keep a file busy it is
   * waited for.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#reading > 0) return;
    const closing = this.#close();
    if (this.#way.mode === 'compare') await closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#way.calls.close(this.#descriptor);
    } catch {
      // The file was read; that closing failed changes nothing about it.
    }
  }
}
