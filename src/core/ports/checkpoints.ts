import type { Sentence } from '../base/sentence';
import type { NotKept } from './changes';

/** A file whose content is not in a checkpoint: only that it was touched can be told. */
export interface Uncovered {
  readonly why: NotKept;
  readonly size: number;
  /** Another one after each change of the file. */
  readonly stamp: string;
}

/** What stood in one folder of the workspace at a moment. Plain data; `tree` names it to who took it. */
export interface FolderCheckpoint {
  /** An absolute path of the machine. */
  readonly root: string;
  readonly tree: string;
  /** Permission bits of the files that have unusual ones, by path. */
  readonly modes: Readonly<Record<string, number>>;
  /** By path. */
  readonly uncovered: Readonly<Record<string, Uncovered>>;
  /** Folders that are there and in which no file is held, such as empty ones; left out where there are too many. */
  readonly folders?: readonly string[];
}

/** What stood in the folders of the workspace at a moment. */
export interface Checkpoint {
  /** When it was begun, in milliseconds since 1970. */
  readonly time: number;
  readonly folders: readonly FolderCheckpoint[];
}

/** What stood at a place. `id` names the content to who took the checkpoint: the bytes, or the target of a link. */
export type KeptState =
  | { readonly kind: 'nothing' | 'folder' }
  | { readonly kind: 'link'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string; readonly mode?: number }
  | { readonly kind: 'file'; readonly size: number; readonly notKept: NotKept };

/** A place that is not what it was. */
export interface Difference {
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly before: KeptState;
  readonly after: KeptState;
  /** Where what stood there is now, of which no other difference tells. */
  readonly movedTo?: string;
}

interface TakeOptions {
  /** Folders of the workspace, as absolute paths of the machine. */
  readonly roots: readonly string[];
  /** Names the files whose content is not kept. */
  readonly isSecret: (root: string, path: string) => boolean;
  /** True where nobody needs earlier checkpoints any more. */
  readonly mayForget: boolean;
  readonly signal: AbortSignal;
  /** Told from time to time while many files are taken in, as it is the first time. */
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Remembers what stands in the folders of the workspace, whoever changes it how. All but `fault` throw an error
 * that `errorSaid` reads for a person where it cannot be done, and where the signal aborts.
 */
export interface Checkpoints {
  /**
   * Why none could be taken of these folders now; undefined where nothing is known to be in the way. Cheap.
   */
  fault(roots: readonly string[]): Promise<Sentence | undefined>;
  take(options: TakeOptions): Promise<Checkpoint>;
  /** What differs, in an order in which it can be taken back from its end. */
  between(before: Checkpoint, after: Checkpoint, signal: AbortSignal): Promise<readonly Difference[]>;
  /** What stood at a place, for one that did not change since. */
  stateAt(checkpoint: Checkpoint, root: string, path: string, signal: AbortSignal): Promise<KeptState>;
  /**
   * Hands over contents of one root by their ids, each once, in groups that fit into memory; none that is larger than
   * `most`.
   */
  contents(
    root: string,
    ids: readonly string[],
    most: number,
    signal: AbortSignal,
  ): AsyncIterable<ReadonlyMap<string, Uint8Array>>;
}
