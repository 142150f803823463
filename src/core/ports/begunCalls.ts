import type { ChangeOrigin, Image, NotKept, PlaceState } from './changes';

/** A place that a call of another program named as one that it will change. */
export interface BegunPlace {
  /** The folder that it was found in, an absolute path of the machine. */
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly before: PlaceState;
  /** What tells that it changed where its bytes are not kept. */
  readonly stamp?: string;
  readonly notKept?: NotKept;
}

/** A call that another program was let run, with what stood at the places that it named. */
export interface BegunCall {
  readonly id: string;
  /** When it began, in milliseconds since 1970; with the id it tells it from all others. */
  readonly time: number;
  readonly agent: string;
  readonly origin: ChangeOrigin;
  readonly places: readonly BegunPlace[];
}

/** A place with what such a call left there. */
export interface EndedPlace extends BegunPlace {
  /** The id of the change that is recorded of it, the same whoever records it. */
  readonly id: string;
  readonly after: PlaceState;
}

/** What such a call did, kept until somebody who records changes takes it in. */
export interface EndedCall extends Omit<BegunCall, 'places'> {
  readonly endedAt: number;
  readonly places: readonly EndedPlace[];
  /** Others that may as well have done it. */
  readonly orBy?: readonly string[];
}

/** An entry of the store, with what it holds read when asked for. */
export interface Entry<T> {
  readonly name: string;
  readonly call: T;
  /** The bytes that were kept with it; those that are damaged are left out. */
  images(): readonly Image[];
}

/** The private, bounded store of this user in which hooks and editors meet about calls that other programs run. */
export interface BegunCalls {
  /** The most bytes that are kept of one call. */
  readonly mostBytes: number;
  /** Keeps a call, in place of the same one. Throws where it cannot. */
  begin(call: BegunCall, images: readonly Image[]): void;
  /** Those that have not ended. */
  begun(): readonly Entry<BegunCall>[];
  /** Keeps what a call did until it is taken in. */
  end(call: EndedCall, images: readonly Image[]): void;
  /** @param known names of entries that need not be read again. */
  ended(known: ReadonlySet<string>): readonly Entry<EndedCall>[];
  remove(name: string): void;
}
