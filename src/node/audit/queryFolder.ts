import { setImmediate as turn } from 'node:timers/promises';
import type { ChainSeal } from '../../core/audit/head';
import { type AuditFilter, createMatcher, type Matcher } from '../../core/audit/query';
import type { AuditPage, FoundRecord } from '../../core/audit/reader';
import type { AuditRecord } from '../../core/audit/record';
import { isObject, parsedJson } from '../../core/base/json';
import { listSegments, parseSegmentName } from './layout';
import { type OpenOptions, SegmentIndexes, type SegmentReader } from './segmentReader';

interface Source {
  readonly reader: SegmentReader;
  /** The newest time that its next record can have; exact once it is opened. */
  key: string;
  before: number;
  records?: Generator<AuditRecord>;
  current?: AuditRecord;
}

/** After so many matches others get their turn. */
const foundPerTurn = 100;

/**
 * Answers queries over a folder of segments, page by page from the end; several windows are merged by time. Memory
 * holds one block per open segment.
 */
export class AuditQuery {
  readonly #dir: string;
  readonly #indexes: SegmentIndexes;

  constructor(dir: string, seal: ChainSeal) {
    this.#dir = dir;
    this.#indexes = new SegmentIndexes(dir, seal);
  }

  async page(filter: AuditFilter, options: { readonly limit: number; readonly next?: string }): Promise<AuditPage> {
    const matcher = createMatcher(filter);
    const position = parsePosition(options.next);
    const sources = await this.#sources(matcher, position);
    const found: FoundRecord[] = [];
    try {
      while (found.length < options.limit) {
        const source = newest(sources);
        if (!source) return { found };
        if (!source.records) open(source, matcher);
        else if (source.current) {
          found.push({ segment: source.reader.name, record: source.current });
          source.before = source.current.seq;
          step(source);
          if (found.length % foundPerTurn === 0) await turn();
        }
      }
      return sources.some((source) => source.key !== '')
        ? { found, next: writePosition(sources, position) }
        : { found };
    } finally {
      for (const source of sources) source.records?.return(undefined);
    }
  }

  /** One record by its place; undefined where it is gone. */
  async find(segment: string, seq: number): Promise<AuditRecord | undefined> {
    if (!parseSegmentName(segment)) return undefined;
    const reader = await this.#indexes.open(segment);
    for (const record of reader?.backward(createMatcher({}), seq + 1) ?? [])
      return record.seq === seq ? record : undefined;
    return undefined;
  }

  /** All matches, the oldest first, without holding more than one block of each overlapping segment. */
  async *all(filter: AuditFilter, options: OpenOptions = {}): AsyncGenerator<FoundRecord> {
    const matcher = createMatcher(filter);
    const open: { name: string; records: Generator<AuditRecord>; current: AuditRecord }[] = [];
    const waiting: SegmentReader[] = [];
    for (const name of listSegments(this.#dir)) {
      const reader = await this.#indexes.open(name, options);
      if (reader && matcher.blocks(reader.index).length > 0) waiting.push(reader);
    }
    waiting.sort((a, b) => (a.oldest < b.oldest ? 1 : -1));
    for (;;) {
      const least = open.reduce<(typeof open)[number] | undefined>(
        (min, one) => (!min || one.current.time < min.current.time ? one : min),
        undefined,
      );
      const next = waiting[waiting.length - 1];
      if (next && (!least || next.oldest <= least.current.time)) {
        waiting.pop();
        const records = next.forward(matcher);
        const first = records.next();
        if (!first.done) open.push({ name: next.name, records, current: first.value });
        continue;
      }
      if (!least) return;
      yield { segment: least.name, record: least.current };
      const following = least.records.next();
      if (following.done) open.splice(open.indexOf(least), 1);
      else least.current = following.value;
    }
  }

  async #sources(matcher: Matcher, position: Position): Promise<Source[]> {
    const sources: Source[] = [];
    for (const name of listSegments(this.#dir)) {
      if (position.newest !== undefined && name > position.newest) continue;
      const before = position.before.get(name) ?? Number.POSITIVE_INFINITY;
      if (before <= 0) continue;
      const reader = await this.#indexes.open(name);
      if (!reader) continue;
      const blocks = matcher.blocks(reader.index);
      const key = blocks.reduce((max, number) => {
        const time = reader.index.blocks[number]?.max ?? '';
        return time > max ? time : max;
      }, '');
      if (key !== '') sources.push({ reader, key, before });
    }
    return sources;
  }
}

function newest(sources: readonly Source[]): Source | undefined {
  let best: Source | undefined;
  for (const source of sources)
    if (
      source.key !== '' &&
      (!best || source.key > best.key || (source.key === best.key && source.reader.name > best.reader.name))
    )
      best = source;
  return best;
}

function open(source: Source, matcher: Matcher): void {
  source.records = source.reader.backward(matcher, source.before);
  step(source);
}

function step(source: Source): void {
  const next = source.records?.next();
  if (!next || next.done) {
    source.key = '';
    source.before = 0;
    delete source.current;
  } else {
    source.current = next.value;
    source.key = next.value.time;
  }
}

interface Position {
  /** Segments that were begun after the first page are left out of the later ones. */
  readonly newest: string | undefined;
  readonly before: ReadonlyMap<string, number>;
}

function writePosition(sources: readonly Source[], position: Position): string {
  const before = new Map(position.before);
  for (const source of sources) if (Number.isFinite(source.before)) before.set(source.reader.name, source.before);
  const names = [
    ...sources.map((source) => source.reader.name),
    ...(position.newest === undefined ? [] : [position.newest]),
  ].sort();
  return Buffer.from(
    JSON.stringify({ newest: position.newest ?? names[names.length - 1], before: Object.fromEntries(before) }),
  ).toString('base64url');
}

function parsePosition(text: string | undefined): Position {
  const start: Position = { newest: undefined, before: new Map() };
  if (text === undefined) return start;
  const value = parsedJson(Buffer.from(text, 'base64url').toString('utf8'));
  if (!isObject(value) || !isObject(value['before'])) return start;
  const before = Object.entries(value['before']).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return { newest: typeof value['newest'] === 'string' ? value['newest'] : undefined, before: new Map(before) };
}
