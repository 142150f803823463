import type { PastChange } from './history';

/** Which changes a person has looked at. */
export interface Seen {
  /** All up to this time, in milliseconds since 1970. */
  readonly until: number;
  /** Later ones by their ids. */
  readonly also: readonly string[];
}

/** Nothing has been looked at. */
export const noneSeen: Seen = { until: 0, also: [] };

/** The changes that still stand to be looked at; one that was taken back needs no look any more. */
export function unseenOf(
  changes: readonly PastChange[],
  seen: Seen,
  isOver: (change: PastChange) => boolean,
): readonly PastChange[] {
  const also = new Set(seen.also);
  return changes.filter((one) => one.time > seen.until && !also.has(one.id) && !isOver(one));
}

/** With some more looked at. @param all every change of agents, oldest first. */
export function seenWith(seen: Seen, looked: readonly PastChange[], all: readonly PastChange[]): Seen {
  const also = new Set([...seen.also, ...looked.map(({ id }) => id)]);
  // Times rise, so what is seen from the beginning on is one number.
  const first = all.find((one) => one.time > seen.until && !also.has(one.id));
  const reached = all.filter((one) => first === undefined || one.time < first.time).at(-1)?.time ?? 0;
  const until = Math.max(seen.until, reached);
  return { until, also: all.filter((one) => one.time > until && also.has(one.id)).map(({ id }) => id) };
}
