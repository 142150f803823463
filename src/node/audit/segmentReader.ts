import fs from 'node:fs';
import {
  type BlockIndex,
  createIndexBuilder,
  type IndexBuilder,
  indexLine,
  parseBlockIndex,
} from '../../core/audit/blockIndex';
import type { ChainSeal } from '../../core/audit/head';
import type { Matcher } from '../../core/audit/query';
import { type AuditRecord, parseRecord } from '../../core/audit/record';
import { Turns } from '../../core/base/turns';
import { indexPath, readHead, segmentPath, UnreadableLog } from './layout';
import { linesOf } from './verifySegment';
import { errnoOf } from '../errors/errno';
import { jsonIn } from '../folders/quietly';
import { makeFolder } from '../folders/makeFolder';

/** Reads records of one segment from its end, block by block; only blocks that can hold a match are read. */
export class SegmentReader {
  readonly name: string;
  readonly index: BlockIndex;
  readonly #dir: string;

  constructor(dir: string, name: string, index: BlockIndex) {
    this.#dir = dir;
    this.name = name;
    this.index = index;
  }

  get oldest(): string {
    return this.index.blocks.reduce((min, block) => (block.min < min ? block.min : min), '~');
  }

  /** Matches with a smaller number than `before`, the newest first. */
  *backward(matcher: Matcher, before: number): Generator<AuditRecord> {
    for (const found of this.#blocks(matcher.blocks(this.index).toReversed(), matcher))
      for (let record = found.pop(); record; record = found.pop()) if (record.seq < before) yield record;
  }

  /** Matches, the oldest first. */
  *forward(matcher: Matcher): Generator<AuditRecord> {
    for (const found of this.#blocks(matcher.blocks(this.index), matcher)) yield* found;
  }

  *#blocks(numbers: readonly number[], matcher: Matcher): Generator<AuditRecord[]> {
    if (numbers.length === 0) return;
    const fd = fs.openSync(segmentPath(this.#dir, this.name), 'r');
    try {
      for (const number of numbers) yield this.#block(fd, number, matcher);
    } finally {
      fs.closeSync(fd);
    }
  }

  #block(fd: number, number: number, matcher: Matcher): AuditRecord[] {
    const start = this.index.blocks[number]?.at ?? 0;
    const end = this.index.blocks[number + 1]?.at ?? this.index.bytes;
    const data = Buffer.allocUnsafe(end - start);
    const got = fs.readSync(fd, data, 0, data.length, start);
    const records: AuditRecord[] = [];
    for (const line of data.toString('utf8', 0, got).split('\n')) {
      const record = line === '' ? undefined : parseRecord(line);
      if (record && matcher.matches(record)) records.push(record);
    }
    return records;
  }
}

interface Known {
  readonly index: BlockIndex;
  /** That of the file when it was read; a last line that is not finished is in no index. */
  readonly size: number;
  /** Left out where the index was kept in a file. */
  readonly builder?: IndexBuilder;
}

export interface OpenOptions {
  /** True where an index that was kept in a file does not do, because nothing may be left out. */
  readonly afresh?: boolean;
}

/** Keeps the indexes of segments between queries; a segment that grew is indexed from where it ended. */
export class SegmentIndexes {
  readonly #dir: string;
  readonly #seal: ChainSeal;
  readonly #known = new Map<string, Known>();
  /** Two queries at once would add the same records to one index twice. */
  readonly #turns = new Turns();

  constructor(dir: string, seal: ChainSeal) {
    this.#dir = dir;
    this.#seal = seal;
  }

  open(name: string, options: OpenOptions = {}): Promise<SegmentReader | undefined> {
    return this.#turns.take(name, () => this.#open(name, options));
  }

  async #open(name: string, { afresh = false }: OpenOptions): Promise<SegmentReader | undefined> {
    let size: number;
    try {
      size = fs.statSync(segmentPath(this.#dir, name)).size;
    } catch (error) {
      // Retention may have taken it meanwhile.
      if (errnoOf(error) === 'ENOENT') return undefined;
      return unread(this.#dir, name)(error);
    }
    const known = this.#known.get(name);
    if (known?.size === size && (known.builder || !afresh)) return new SegmentReader(this.#dir, name, known.index);
    // What fails half-way leaves a builder that nobody may go on with.
    this.#known.delete(name);
    const saved = afresh ? undefined : parseBlockIndex(jsonIn(indexPath(this.#dir, name)), name, size, this.#seal.hash);
    const now = saved ? { index: saved, size } : await this.#build(name, size, known).catch(unread(this.#dir, name));
    this.#known.set(name, now);
    return new SegmentReader(this.#dir, name, now.index);
  }

  /** @param before what was known of it when it was smaller, if it grew. */
  async #build(name: string, size: number, before: Known | undefined): Promise<Known> {
    const grown = before && before.size < size && before.builder;
    const builder = grown || createIndexBuilder(name);
    let bytes = grown ? before.index.bytes : 0;
    for await (const { line, end, finished } of linesOf(segmentPath(this.#dir, name), bytes)) {
      if (!finished) break;
      const record = parseRecord(line);
      if (record) builder.add(record, bytes);
      bytes = end;
    }
    const index = builder.build(bytes);
    const head = readHead(this.#dir, name);
    // Who has another key than the chain would seal it so that no one else takes it.
    const isOurs = head?.alg === this.#seal.alg && head.key === this.#seal.key;
    if (isOurs && head.state === 'closed' && head.bytes === bytes) this.#save(name, index);
    return { index, size, builder };
  }

  #save(name: string, index: BlockIndex): void {
    try {
      makeFolder(`${this.#dir}/index`);
      fs.writeFileSync(indexPath(this.#dir, name), indexLine(index, this.#seal.hash), { mode: 0o600 });
    } catch {
      // It is built again next time.
    }
  }
}

/** Throws what kept a segment from being read, by its name where it is of the file system. */
const unread =
  (dir: string, name: string) =>
  (error: unknown): never => {
    throw errnoOf(error) === undefined ? error : new UnreadableLog(segmentPath(dir, name), error);
  };
