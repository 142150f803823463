/**
 * What an `AbortSignal` tells who looks at it, without the cost of making one: whether the work is to stop, and why.
 * Every signal is one.
 */
export interface StopSign {
  readonly aborted: boolean;
  /** What a stopped work throws; meaningless before. */
  readonly reason: unknown;
}
