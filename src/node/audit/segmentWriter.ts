import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ChainHash, chainLine, type Head } from '../../core/audit/chain';
import { type IndexBuilder, createIndexBuilder } from '../../core/audit/blockIndex';
import type { AuditBody } from '../../core/audit/record';
import { type AuditFs, writeAll } from './auditFs';
import { headBytes, headPath, indexPath, segmentPath } from './layout';

export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/** Appends records to one segment, keeps its head, and builds its index on the way. Every method is synchronous and throws what the disk says. */
export class SegmentWriter {
  readonly name: string;
  readonly openedAt: number;
  readonly #fs: AuditFs;
  readonly #dir: string;
  readonly #hash: ChainHash;
  readonly #alg: Head['alg'];
  readonly #fd: number;
  #headFd: number | undefined;
  readonly #host = os.hostname();
  #place: ChainPlace;
  #bytes = 0;
  #headFault: unknown;
  #headDue: NodeJS.Immediate | undefined;
  readonly #index: IndexBuilder;

  constructor(options: {
    readonly fs: AuditFs;
    readonly dir: string;
    readonly name: string;
    readonly hash: ChainHash;
    readonly alg: Head['alg'];
    readonly after: ChainPlace;
    readonly openedAt: number;
  }) {
    this.#fs = options.fs;
    this.#dir = options.dir;
    this.name = options.name;
    this.#hash = options.hash;
    this.#alg = options.alg;
    this.#place = options.after;
    this.openedAt = options.openedAt;
    this.#index = createIndexBuilder(options.name);
    this.#fs.mkdir(path.join(options.dir, 'heads'));
    this.#fd = this.#fs.create(segmentPath(options.dir, options.name));
  }

  get place(): ChainPlace {
    return this.#place;
  }
  get bytes(): number {
    return this.#bytes;
  }
  get index(): IndexBuilder {
    return this.#index;
  }
  /** Why the head is behind its segment; undefined where it is not. */
  get headFault(): unknown {
    return this.#headFault;
  }
  get isLinked(): boolean {
    return this.#fs.isLinked(this.#fd);
  }

  /**
   * Appends all records or none: what a full disk took of a batch is cut off again, and the chain stays where it was.
   * Answers the hash of each record. A segment has a head, which promises nothing yet, before its first record, so that a process killed between
   * the two leaves none without. Then the head follows its records once the work of this turn is done, because writing it takes as long as
   * writing a record, and because a head must never promise what is not there.
   * A tail beyond the head is what a killed process leaves: the chain vouches for it, and the next start takes it in.
   */
  append(bodies: readonly AuditBody[]): readonly string[] {
    let { seq, hash } = this.#place;
    let text = '';
    const ends: number[] = [];
    const hashes: string[] = [];
    for (const body of bodies) {
      const linked = chainLine(body, seq + 1, hash, this.#hash);
      seq++;
      hash = linked.hash;
      hashes.push(hash);
      text += `${linked.line}\n`;
      ends.push(text.length);
    }
    const data = Buffer.from(text, 'utf8');
    if (this.#headFd === undefined || this.#headFault !== undefined) this.#keepHead();
    try {
      writeAll(this.#fs, this.#fd, data, this.#bytes);
    } catch (error) {
      this.#cutBack();
      throw error;
    }
    this.#addToIndex(bodies, text, ends, data.length);
    this.#bytes += data.length;
    this.#place = { seq, hash };
    this.#headDue ??= setImmediate(this.#keepHead);
    return hashes;
  }

  readonly #keepHead = (): void => {
    this.#forgetDue();
    try {
      this.#writeHead('open');
      this.#headFault = undefined;
    } catch (error) {
      // The records are written: to throw here would write them a second time. The next append writes the head.
      this.#headFault = error;
    }
  };

  #forgetDue(): void {
    if (this.#headDue !== undefined) clearImmediate(this.#headDue);
    this.#headDue = undefined;
  }

  close(): void {
    this.#forgetDue();
    try {
      this.#writeHead('closed');
      this.#saveIndex();
    } finally {
      this.#fs.close(this.#fd);
      if (this.#headFd !== undefined) this.#fs.close(this.#headFd);
      this.#headFd = undefined;
    }
  }

  head(state: Head['state']): Head {
    return { segment: this.name, ...this.#place, bytes: this.#bytes, state, alg: this.#alg, pid: process.pid, host: this.#host };
  }

  #cutBack(): void {
    try {
      this.#fs.truncate(this.#fd, this.#bytes);
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
    if (this.#place.seq === 0) return;
    this.#headFd ??= this.#fs.create(headPath(this.#dir, this.name));
    writeAll(this.#fs, this.#headFd, headBytes(this.head(state)), 0);
  }

  /** The index is only a short cut for queries, so failing to keep it is no fault. */
  #saveIndex(): void {
    try {
      this.#fs.mkdir(path.join(this.#dir, 'index'));
      fs.writeFileSync(indexPath(this.#dir, this.name), JSON.stringify(this.#index.build(this.#bytes)), { mode: 0o600 });
    } catch {
      // It is built again by the first query.
    }
  }
}
