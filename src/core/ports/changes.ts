import type { Sentence } from '../base/sentence';
import type { Actor } from '../vocabulary/toolDefinition';

/** What stands at a place. `hash` names the bytes of a file, SHA-256; left out where they were not kept. */
export type PlaceState =
  | { readonly kind: 'nothing' | 'other' }
  | { readonly kind: 'folder'; readonly mode?: number }
  | { readonly kind: 'link'; readonly target?: string }
  | { readonly kind: 'file'; readonly hash?: string; readonly size: number; readonly mode?: number };

/** Why a change cannot be taken back: what was there is nowhere kept. */
export type NotKept = 'secret' | 'store' | 'too_large' | 'kind' | 'too_many';

/** Where a change was made. */
export interface ChangePlace {
  readonly scheme: string;
  /** The workspace folder: an absolute path of the machine for scheme `file`, else the URI's path. */
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
}

/** Which call made a change. */
export interface ChangeOrigin {
  /** The invocation id of the call. */
  readonly call: string;
  readonly tool: string;
  readonly actor: Actor;
  readonly profile: string;
  /** The prompt that the call works on, as its host names it; left out where the host tells none. */
  readonly prompt?: string;
  /**
   * True where the change was found by comparing the folder before and after the call: what a person or a program did
   * meanwhile is among it.
   */
  readonly isFound?: true;
  /** Calls that ran at the same time and may as well have made a change that was found. */
  readonly orBy?: readonly string[];
}

/** One thing that a call did to one place of the workspace, and what was there before. Plain data, kept as it is. */
export interface Change extends ChangeOrigin, ChangePlace {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly action: 'write' | 'delete' | 'move' | 'make_folder';
  /** Where a move goes. */
  readonly to?: ChangePlace;
  readonly before: PlaceState;
  readonly after: PlaceState;
  /** The change that this one takes back. */
  readonly reverts?: string;
  readonly notKept?: NotKept;
}

/** What is kept, in the order in which it happened. */
export type ChangeRecord =
  | ({ readonly type: 'change' } & Change)
  /** How a change ended: the last word of one that has none was taken by a kill. */
  | { readonly type: 'ended'; readonly id: string; readonly failed?: true }
  /** Older changes left the store, for its size or their age. */
  | { readonly type: 'dropped'; readonly time: number; readonly changes: number };

/** Bytes to be kept with a record. */
export interface Image {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** The private, bounded store of changes of one workspace, shared by its processes. */
export interface ChangeStore {
  /**
   * Keeps records and the bytes that they name, all or nothing, before it returns: what it returns from survives a kill
   * of this process. Throws where it cannot, an error that `errorSaid` reads for a person.
   */
  append(records: readonly ChangeRecord[], images?: readonly Image[]): void;
  /** Why nothing can be kept now; undefined where it can. */
  fault(): Sentence | undefined;
  /** The most bytes that one change may ask to be kept. */
  readonly mostBytes: number;
  /** Everything that any process kept. What cannot be read is left out. */
  read(): Promise<readonly ChangeRecord[]>;
  /** Kept bytes, compared with their hash; undefined where they are gone or damaged. */
  image(hash: string): Promise<Uint8Array | undefined>;
}

/** The changes of this workspace, for the tool that takes them back. */
export interface ChangesPort {
  /** Opened with the first use. */
  store(): Promise<ChangeStore>;
  /** Runs work that takes a change back: what the call changes meanwhile is known to revert it. */
  reverting<T>(id: string, work: () => Promise<T>): Promise<T>;
}
