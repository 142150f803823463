import fs from 'node:fs';
import { chainBroken, parseRecord } from '../../core/audit/record';
import { readSentence } from '../../core/base/readSentence';
import type { SegmentPlace } from '../../core/audit/report';
import type { Sentence } from '../../core/base/sentence';
import { errnoOf } from '../errors/errno';
import { segmentPath } from './layout';

/** What windows noted about the segments of others when they opened one of their own, `by` which they are named. */
interface OpeningNotes {
  /** Heads that they took into their chains. */
  readonly witnessed: readonly (SegmentPlace & { readonly by: string })[];
  /** Segments that they found broken. */
  readonly broken: readonly {
    readonly segment: string;
    /** What was wrong with it; the words alone where an earlier version noted it. */
    readonly said: string | Sentence;
    readonly time: string;
    readonly by: string;
  }[];
}

const pieceBytes = 4096;
const note = /"event":"audit\.(?:opened|recovered|witnessed)"/;

/**
 * Reads the notes at the beginnings of segments, which end with the first record of another kind; none of one that
 * cannot be read.
 */
export function openingNotes(dir: string, segments: readonly string[]): OpeningNotes {
  const witnessed: OpeningNotes['witnessed'][number][] = [];
  const broken: OpeningNotes['broken'][number][] = [];
  for (const by of segments)
    for (const line of firstLines(segmentPath(dir, by))) {
      if (!note.test(line)) break;
      const record = parseRecord(line);
      if (record?.id === undefined) break;
      const { time } = record;
      const segment = textOf(record.id);
      const [seq, hash] = [record['head.seq'], record['head.hash']];
      if (record.event === 'audit.witnessed' && seq !== undefined && hash !== undefined)
        witnessed.push({ segment, seq: numberOf(seq), hash: textOf(hash), by });
      if (record['error.type'] === chainBroken)
        broken.push({ segment, said: readSentence(record.said) ?? textOf(record.detail ?? ''), time, by });
    }
  return { witnessed, broken };
}

// A line may be somebody's own: nothing is known of its fields, and what cannot be meant fits no chain.
const textOf = (field: unknown): string => (typeof field === 'string' ? field : JSON.stringify(field));
const numberOf = (field: unknown): number => (typeof field === 'number' ? field : Number.NaN);

function* firstLines(file: string): Generator<string> {
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, 'r');
    let rest = Buffer.alloc(0);
    for (let at = 0; ;) {
      const data = Buffer.alloc(pieceBytes);
      const got = fs.readSync(fd, data, 0, pieceBytes, at);
      if (got === 0) return;
      at += got;
      rest = Buffer.concat([rest, data.subarray(0, got)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
      }
    }
  } catch (error) {
    // Whoever follows its lines says that it cannot be read.
    if (errnoOf(error) === undefined) throw error;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}
