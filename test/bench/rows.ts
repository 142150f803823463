/** One line of a benchmark's table: what we take, what the peer takes in the same run, and their ratio. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  /** Left out where there is nothing to compare with. */
  readonly peer?: number;
  readonly ratio?: number;
  readonly unit: string;
  readonly target: string;
  readonly met?: boolean;
}

/** A row of two measures of the same work. */
export function compared(
  name: string,
  ours: number,
  peer: number,
  unit: string,
  target: string,
): Row & { readonly ratio: number } {
  return { name, ours, peer, ratio: ours / peer, unit, target };
}

/** The middle of some measures; 0 where there are none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
