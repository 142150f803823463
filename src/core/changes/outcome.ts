import type { ChangeStore, NotKept } from '../ports/changes';
import type { FileSystem } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { History } from './history';

/** What became of taking one change back. */
export type Outcome =
  /** Its place is as it would be without it; `merged` with what others changed since. */
  | { readonly kind: 'done'; readonly merged?: true }
  /** There was nothing to do: it was taken back already, or its place is gone. */
  | { readonly kind: 'already' }
  /** A folder that the change made holds other things now, so it stays. */
  | { readonly kind: 'not_empty' }
  /**
   * What others changed since is in the way; nothing was touched. `between` where something else stood there since, and
   * a later call took it away: what is older comes back over nothing that came after it.
   */
  | { readonly kind: 'conflict'; readonly why: 'changed' | 'taken' | 'gone' | 'between' }
  | { readonly kind: 'impossible'; readonly why: NotKept | 'dropped' | 'folder' };

/** What a change is taken back with. */
export interface TakeBackOptions {
  /** The files of the call that takes back, which record what it does. */
  readonly files: FileSystem;
  readonly store: ChangeStore;
  readonly crypto: Crypto;
  readonly history: History;
  /** Called around the work, so that what it changes is known to revert the change. */
  readonly reverting: <T>(id: string, work: () => Promise<T>) => Promise<T>;
}
