import { closeSync, constants, ftruncateSync, openSync, writeSync, writevSync } from 'node:fs';
import path from 'node:path';
import type { ChangeRecord, Image } from '../../core/ports/changes';
import { makeFolder } from '../folders/makeFolder';

/** A line of a segment: a record, or an image whose bytes follow it. */
type SegmentLine = ChangeRecord | { readonly type: 'image'; readonly hash: string; readonly size: number };

const newline = Buffer.from('\n');

/**
 * The file into which this process writes what it keeps: lines of JSON, and the bytes of images between them. What is
 * appended is there whole or not at all, as far as this process lives to see it; a kill leaves at most a cut end, which
 * readers leave out. Each segment holds all bytes that its own records name, so that it can go as a whole.
 */
export class SegmentFile {
  readonly file: string;
  readonly #descriptor: number;
  readonly #images = new Set<string>();
  #size = 0;

  /** Makes the folder and the file, private to the user; throws where it cannot. */
  constructor(folder: string, name: string) {
    makeFolder(folder);
    this.file = path.join(folder, name);
    const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
    this.#descriptor = openSync(this.file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0o600);
  }

  get size(): number {
    return this.#size;
  }

  append(records: readonly ChangeRecord[], images: readonly Image[]): void {
    const pieces: Uint8Array[] = [];
    const fresh: string[] = [];
    for (const { hash, bytes } of images) {
      if (this.#images.has(hash) || fresh.includes(hash)) continue;
      fresh.push(hash);
      pieces.push(line({ type: 'image', hash, size: bytes.length }), bytes, newline);
    }
    for (const record of records) pieces.push(line(record));
    const wanted = pieces.reduce((sum, piece) => sum + piece.length, 0);
    let written = 0;
    try {
      written = writevSync(this.#descriptor, pieces);
      if (written < wanted) throw Object.assign(new Error('the disk took only a part of it'), { code: 'ENOSPC' });
    } catch (error) {
      ftruncateSync(this.#descriptor, this.#size);
      throw error;
    }
    this.#size += written;
    for (const hash of fresh) this.#images.add(hash);
  }

  /** Throws where so many bytes could not be appended now. */
  probe(bytes: number): void {
    try {
      if (writeSync(this.#descriptor, new Uint8Array(bytes)) < bytes)
        throw Object.assign(new Error('the disk took only a part of it'), { code: 'ENOSPC' });
    } finally {
      ftruncateSync(this.#descriptor, this.#size);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const line = (value: SegmentLine): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
