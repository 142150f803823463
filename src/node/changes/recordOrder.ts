import type { ChangeRecord } from '../../core/ports/changes';

/** What has been put in order of a segment. */
interface Part {
  readonly records: readonly ChangeRecord[];
  readonly count: number;
  /** The latest time in it, in milliseconds since 1970. */
  readonly latest: number;
}

/** Where a record belongs. */
interface Placed {
  readonly record: ChangeRecord;
  readonly latest: number;
  readonly segment: number;
}

/**
 * Puts the records of all segments in one order: by time; what one process wrote stays in its order, though the clock
 * may have been set back meanwhile. What is in order already stays so where all that has come since belongs behind it.
 */
export class RecordOrder {
  #parts: readonly Part[] = [];
  #records: readonly ChangeRecord[] = [];
  #last: Placed | undefined;

  /** @param segments in the order of their names; each grows at its end alone. */
  of(segments: readonly (readonly ChangeRecord[])[]): readonly ChangeRecord[] {
    if (this.#parts.some(({ records }, at) => records !== segments[at])) this.#forget();
    if (!this.#add(segments)) {
      this.#forget();
      this.#add(segments);
    }
    return this.#records;
  }

  #forget(): void {
    [this.#parts, this.#records, this.#last] = [[], [], undefined];
  }

  /** False, with nothing done, where something belongs before what is in order. */
  #add(segments: readonly (readonly ChangeRecord[])[]): boolean {
    const parts: Part[] = [];
    const fresh: Placed[] = [];
    for (const [segment, records] of segments.entries()) {
      const known = this.#parts[segment];
      let latest = known?.latest ?? 0;
      for (const record of records.slice(known?.count ?? 0)) {
        if (record.type === 'change') latest = Math.max(latest, record.time);
        fresh.push({ record, latest, segment });
      }
      parts.push({ records, count: records.length, latest });
    }
    fresh.sort((a, b) => a.latest - b.latest);
    if (fresh[0] && this.#last && isBefore(fresh[0], this.#last)) return false;
    this.#parts = parts;
    if (fresh.length > 0) this.#records = [...this.#records, ...fresh.map(({ record }) => record)];
    this.#last = fresh.at(-1) ?? this.#last;
    return true;
  }
}

const isBefore = (one: Placed, other: Placed): boolean =>
  one.latest < other.latest || (one.latest === other.latest && one.segment < other.segment);
