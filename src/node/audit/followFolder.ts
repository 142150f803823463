import fs from 'node:fs';
import { type AuditFilter, createMatcher } from '../../core/audit/query';
import type { FoundRecord } from '../../core/audit/reader';
import { parseRecord } from '../../core/audit/record';
import { isMissing } from '../errors/errno';
import { listSegments, segmentPath } from './layout';
import { linesOf } from './verifySegment';

/**
 * Follows what is written into a folder of segments, by the place that each has reached: no record is left out because
 * many come at once, or because the clock was set back.
 */
export class AuditFollower {
  readonly #dir: string;
  /** The byte after the last finished line that was read, by segment. */
  readonly #places = new Map<string, number>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Reads on; answers the matches among what was written since the last time, by their times. */
  async next(filter: AuditFilter): Promise<readonly FoundRecord[]> {
    const matcher = createMatcher(filter);
    const found: FoundRecord[] = [];
    for (const segment of listSegments(this.#dir)) {
      const file = segmentPath(this.#dir, segment);
      const place = this.#places.get(segment) ?? 0;
      // A line that a crash left is cut off at the next start.
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size < place) this.#places.set(segment, size);
      if (size <= place) continue;
      for await (const { line, end, finished } of linesThere(file, place)) {
        if (!finished) break;
        const record = parseRecord(line);
        if (record && matcher.matches(record)) found.push({ segment, record });
        this.#places.set(segment, end);
      }
    }
    return found.sort((a, b) => (a.record.time < b.record.time ? -1 : a.record.time > b.record.time ? 1 : 0));
  }

  /** Passes over what is there: only what is written from now on is answered. */
  async skip(): Promise<void> {
    for (const segment of listSegments(this.#dir))
      for await (const { end, finished } of linesThere(segmentPath(this.#dir, segment)))
        if (finished) this.#places.set(segment, end);
  }
}

/** A segment that is retired while it is read has no more lines. */
async function* linesThere(file: string, from = 0): ReturnType<typeof linesOf> {
  try {
    yield* linesOf(file, from);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
