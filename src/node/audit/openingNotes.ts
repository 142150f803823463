import fs from 'node:fs';
import { chainBroken, parseRecord } from '../../core/audit/record';
import { segmentPath } from './layout';

/** What a window noted about the segments of others when it opened one of its own. */
interface OpeningNotes {
  /** Heads that it took into its chain. */
  readonly witnessed: readonly { readonly segment: string; readonly seq: number; readonly hash: string }[];
  /** Segments that it found broken. */
  readonly broken: readonly { readonly segment: string; readonly detail: string; readonly time: string }[];
}

const pieceBytes = 4096;
const note = /"event":"audit\.(?:opened|recovered|witnessed)"/;

/**
 * Reads the notes at the beginning of a segment, which end with the first record of another kind; empty where it cannot
 * be read.
 */
export function openingNotes(dir: string, segment: string): OpeningNotes {
  const witnessed: OpeningNotes['witnessed'][number][] = [];
  const broken: OpeningNotes['broken'][number][] = [];
  for (const line of firstLines(segmentPath(dir, segment))) {
    if (!note.test(line)) break;
    const record = parseRecord(line);
    const { id, detail = '', time } = record ?? {};
    if (!record || id === undefined || time === undefined) break;
    const [seq, hash] = [record['head.seq'], record['head.hash']];
    if (record.event === 'audit.witnessed' && seq !== undefined && hash !== undefined)
      witnessed.push({ segment: id, seq, hash });
    if (record['error.type'] === chainBroken) broken.push({ segment: id, detail, time });
  }
  return { witnessed, broken };
}

function* firstLines(file: string): Generator<string> {
  let fd: number;
  try {
    fd = fs.openSync(file, 'r');
  } catch {
    return;
  }
  try {
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
  } finally {
    fs.closeSync(fd);
  }
}
