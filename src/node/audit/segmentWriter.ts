import fs from 'node:fs';
import path from 'node:path';
import { chainLine } from '../../core/audit/chain';
import { createIndexBuilder, type IndexBuilder, indexLine } from '../../core/audit/blockIndex';
import { type Head, sealHead } from '../../core/audit/head';
import type { AuditBody } from '../../core/audit/record';
import { type SealedFolder, writeAll } from './auditFs';
import { headBytes, headPath, hostName, indexPath, replaceHead, segmentPath } from './layout';

export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/** A head is written when so many records are beyond it, or so much time has gone since the first of them. */
const headEvery = { records: 64, ms: 100 } as const;

/**
 * Appends records to one segment, keeps its head, and builds its index on the way. Every method is synchronous and
 * throws what the disk says.
 *
 * The head, which promises nothing yet, is put in place whole before the segment exists. So a segment without a head
 * was never left by a crash, and a head of 0 bytes with no segment, or an empty one, was. Later the head follows its
 * records by at most 64 of them or 100 ms, because it must never promise what is not there: records beyond it are what
 * a killed process leaves, the chain vouches for them, and the next start takes them in.
 */
export class SegmentWriter {
  readonly name: string;
  readonly openedAt: number;
  readonly #folder: SealedFolder;
  readonly #fd: number;
  readonly #headFd: number;
  readonly #host = hostName();
  readonly #onHead: (writer: SegmentWriter) => void;
  #place: ChainPlace;
  #bytes = 0;
  #headFault: unknown;
  #headDue: NodeJS.Timeout | undefined;
  /** Records that the head does not promise yet. */
  #beyond = 0;
  /** Records since the segment was last seen to be in its folder. */
  #unchecked: AuditBody[] = [];
  readonly #index: IndexBuilder;

  /** @param onHead called after the head followed its records, outside of any call. */
  constructor(
    folder: SealedFolder,
    name: string,
    after: ChainPlace,
    openedAt: number,
    onHead: (writer: SegmentWriter) => void,
  ) {
    this.#folder = folder;
    this.name = name;
    this.#place = after;
    this.openedAt = openedAt;
    this.#onHead = onHead;
    this.#index = createIndexBuilder(name);
    const { dir, fs } = folder;
    fs.mkdir(path.join(dir, 'heads'));
    replaceHead(fs, dir, this.head('open'));
    this.#headFd = fs.openExisting(headPath(dir, name));
    try {
      this.#fd = fs.create(segmentPath(dir, name));
    } catch (error) {
      fs.close(this.#headFd);
      throw error;
    }
  }

  get place(): ChainPlace {
    return this.#place;
  }
  get bytes(): number {
    return this.#bytes;
  }
  /** Why the head is behind its segment; undefined where it is not. */
  get headFault(): unknown {
    return this.#headFault;
  }

  /**
   * Appends all records or none: what a full disk took of a batch is cut off again, and the chain stays where it was.
   * Answers the hashes.
   */
  append(bodies: readonly AuditBody[]): readonly string[] {
    let { seq, hash } = this.#place;
    let text = '';
    const ends: number[] = [];
    const hashes: string[] = [];
    for (const body of bodies) {
      const linked = chainLine(body, seq + 1, hash, this.#folder.seal.hash);
      seq++;
      hash = linked.hash;
      hashes.push(hash);
      text += `${linked.line}\n`;
      ends.push(text.length);
    }
    const data = Buffer.from(text, 'utf8');
    try {
      writeAll(this.#folder.fs, this.#fd, data, this.#bytes);
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#addToIndex(bodies, text, ends, data.length);
    this.#bytes += data.length;
    this.#place = { seq, hash };
    this.#beyond += bodies.length;
    for (const body of bodies) this.#unchecked.push(body);
    if (this.#beyond >= headEvery.records || this.#headFault !== undefined) this.#followHead();
    else this.#headDue ??= setTimeout(this.#followLater, headEvery.ms).unref();
    return hashes;
  }

  /** True when it is time to ask whether the segment is still in its folder. */
  get isCheckDue(): boolean {
    return this.#unchecked.length >= headEvery.records;
  }

  /**
   * Answers the records that went into a file that is gone from its folder, so that they are written again elsewhere;
   * empty where it is there. The question costs a third of a write, so it is asked with the head and not with every
   * record.
   */
  takeUnlinked(): readonly AuditBody[] {
    if (this.#unchecked.length === 0) return [];
    const lost = this.#folder.fs.isLinked(this.#fd) ? [] : this.#unchecked;
    this.#unchecked = [];
    return lost;
  }

  readonly #followLater = (): void => {
    this.#followHead();
    this.#onHead(this);
  };

  #followHead(): void {
    this.#forgetDue();
    try {
      this.#writeHead('open');
      this.#headFault = undefined;
      this.#beyond = 0;
    } catch (error) {
      // The records are written: to throw here would write them a second time. The next append writes the head.
      this.#headFault = error;
    }
  }

  #forgetDue(): void {
    if (this.#headDue !== undefined) clearTimeout(this.#headDue);
    this.#headDue = undefined;
  }

  close(): void {
    this.#forgetDue();
    try {
      this.#writeHead('closed');
      this.#saveIndex();
    } finally {
      this.#folder.fs.close(this.#fd);
      this.#folder.fs.close(this.#headFd);
    }
  }

  head(state: Head['state']): Head {
    return sealHead(
      { segment: this.name, ...this.#place, bytes: this.#bytes, state, pid: process.pid, host: this.#host },
      this.#folder.seal,
    );
  }

  #cutBack(): void {
    try {
      this.#folder.fs.truncate(this.#fd, this.#bytes);
    } catch {
      // The next append writes over it at the same position, and a start after a crash cuts it.
    }
  }

  #addToIndex(bodies: readonly AuditBody[], text: string, ends: readonly number[], bytes: number): void {
    const plain = bytes === text.length;
    let start = 0;
    let offset = this.#bytes;
    bodies.forEach((body, at) => {
      this.#index.add(body, offset);
      const end = ends[at] ?? start;
      offset += plain ? end - start : Buffer.byteLength(text.slice(start, end));
      start = end;
    });
  }

  #writeHead(state: Head['state']): void {
    writeAll(this.#folder.fs, this.#headFd, headBytes(this.head(state)), 0);
  }

  /** The index is only a short cut for queries, so failing to keep it is no fault. */
  #saveIndex(): void {
    try {
      this.#folder.fs.mkdir(path.join(this.#folder.dir, 'index'));
      const text = indexLine(this.#index.build(this.#bytes), this.#folder.seal.hash);
      fs.writeFileSync(indexPath(this.#folder.dir, this.name), text, { mode: 0o600 });
    } catch {
      // It is built again by the first query.
    }
  }
}
