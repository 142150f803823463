import type { ChangeOrigin } from './changes';
import type { Checkpoint } from './checkpoints';

/** A look at the workspace before a call of another program that has not ended. Plain data. */
export interface KeptLook {
  /** The invocation id of the call. */
  readonly id: string;
  /** When the call began, in milliseconds since 1970. */
  readonly time: number;
  readonly agent: string;
  readonly origin: ChangeOrigin;
  /** Calls that ran at the same time. */
  readonly others: readonly string[];
  /** What stood there when it began, or when what was done until then was recorded. */
  readonly checkpoint: Checkpoint;
  /** True for a call whose end was told and after which no look could be taken so far. */
  readonly isOver?: true;
}

/** The looks of one folder, shared by processes of which each lives as long as one hook. */
export interface KeptLooks {
  /** Runs work while no other process does so in this folder. Throws what the signal says. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** The oldest first. */
  all(): readonly KeptLook[];
  /** In place of that of the same call. Throws where it cannot. */
  put(look: KeptLook): void;
  remove(id: string): void;
}
