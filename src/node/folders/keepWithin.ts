export const dayMs = 86_400_000;

/** A file or folder with its time: when it was made, written or used last. */
interface Aged {
  readonly timeMs: number;
  readonly size?: number;
}

/** What is left out is not bounded. */
interface Bounds {
  readonly days?: number;
  readonly count?: number;
  readonly bytes?: number;
}

/**
 * Removes what is older than the bounds say, and of the rest the oldest until it fits them.
 * @param entries the oldest first.
 * @param remove answers false for one that has to stay; it counts on.
 */
export function keepWithin<Entry extends Aged>(
  entries: readonly Entry[],
  { days = Infinity, count: most = Infinity, bytes: mostBytes = Infinity }: Bounds,
  now: number,
  remove: (entry: Entry) => boolean,
): void {
  let count = entries.length;
  let bytes = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  for (const entry of entries) {
    const isOld = now - entry.timeMs > days * dayMs;
    if ((!isOld && count <= most && bytes <= mostBytes) || !remove(entry)) continue;
    count--;
    bytes -= entry.size ?? 0;
  }
}
