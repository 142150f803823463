/**
 * What a call puts at stake, in facts that were looked up and not guessed. Plain data, which the person who is asked is
 * told and the record keeps. What could not be looked up in time is left out.
 */
export interface Stake {
  /** Lines that a change of a text adds and takes away. */
  readonly lines?: { readonly added: number; readonly removed: number };
  readonly removes?: Removed;
  /** What version control has of the files that would change or go. */
  readonly versions?: VersionCounts;
  /** Rows that a statement changes, counted in a transaction that was rolled back. */
  readonly rows?: number;
  readonly sends?: Sent;
  /** How the call is undone. */
  readonly undo?: 'possible' | 'from-trash' | 'never';
}

/** What would no longer be where it is. */
export interface Removed {
  readonly files: number;
  readonly folders: number;
  /** The sizes of the files together. */
  readonly bytes: number;
  /** Entries that stay, because policy protects them. */
  readonly kept?: number;
  /** True where the count was ended early: then it is the least. */
  readonly isPartial?: true;
}

/** What of a place's content version control could give back. */
export type VersionState = 'held' | 'differs' | 'untracked';

/** Files by their state: committed or staged as they are, tracked with another content, or not tracked. */
export type VersionCounts = Readonly<Record<VersionState, number>>;

/** What leaves the machine. */
export interface Sent {
  /** Host, and port where it is not the usual one; or a mail address, or a program. */
  readonly to: string;
  readonly method?: string;
  /** The body, in bytes. */
  readonly bytes?: number;
  /** The names of headers that the call gives. */
  readonly headers?: readonly string[];
  /** The names of secrets that go along; never their values. */
  readonly secrets?: readonly string[];
}
