import { errorSaid, refusal, type ToolError } from '../vocabulary/errors';
import { SaidError, say, type Sentence, worded } from '../base/sentence';
import type { Change, ChangeOrigin, ChangeRecord, ChangeStore, Image, NotKept } from '../ports/changes';
import type { Clock, Crypto } from '../ports/platform';
import { unnamed } from './changePlace';

/** A change as its maker tells it; the recorder adds what identifies it. */
export type Told = Pick<Change, 'scheme' | 'root' | 'path' | 'action' | 'to' | 'before' | 'after'> & {
  readonly notKept?: NotKept;
  /** The bytes that `before` and `after` name. */
  readonly images?: readonly Image[];
  /** Where several processes may tell of the same change. */
  readonly id?: string;
};

interface RecorderOptions {
  readonly store: Pick<ChangeStore, 'append' | 'mostBytes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly crypto: Crypto;
  readonly origin: ChangeOrigin;
  /**
   * True where the call may change what cannot be taken back: it was allowed so, or its caller needs no leave. Left out
   * for what has happened already.
   */
  readonly mayLose?: () => boolean;
  /** Told of each place whose content could not be kept. */
  readonly onNotKept: (told: Told, why: NotKept, words: string) => void;
}

/** Keeps what one call changes, each change before it is made. */
export class CallRecorder {
  readonly #options: RecorderOptions;
  /** The change that is being taken back by what is recorded now. */
  #reverts: string | undefined;
  /** Places of this call that can be taken back. */
  kept = 0;
  /** Places of this call that cannot be taken back. */
  lost = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Runs work that takes a change back: what is recorded meanwhile is known to revert it. */
  async reverting<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#reverts = id;
    try {
      return await work();
    } finally {
      this.#reverts = undefined;
    }
  }

  get crypto(): Crypto {
    return this.#options.crypto;
  }

  get mostBytes(): number {
    return this.#options.store.mostBytes;
  }

  /**
   * Keeps what is about to happen, all of it or nothing; answers the ids. Throws a ToolError where it cannot be kept
   * and the call may not go on without: nothing has been changed then.
   */
  begin(told: readonly Told[]): readonly string[] {
    const { store, clock, origin } = this.#options;
    for (const one of told) if (one.notKept !== undefined) this.#without(one, one.notKept);
    const changes = told.map(({ images: _images, ...one }): Change => ({
      ...one,
      ...origin,
      id: one.id ?? this.#options.crypto.randomId(),
      time: clock.now(),
      ...(this.#reverts === undefined ? {} : { reverts: this.#reverts }),
    }));
    const images = told.flatMap((one) => (one.notKept === undefined ? (one.images ?? []) : []));
    try {
      if (images.reduce((sum, { bytes }) => sum + bytes.length, 0) > store.mostBytes) throw new TooLarge();
      store.append(
        changes.map((change): ChangeRecord => ({ type: 'change', ...change })),
        images,
      );
      this.kept += told.filter((one) => one.notKept === undefined).length;
    } catch (error) {
      const why = error instanceof TooLarge ? 'too_large' : 'store';
      for (const one of told) if (one.notKept === undefined) this.#without(one, why, errorSaid(error));
      this.#keepMark(changes, why);
    }
    return changes.map(({ id }) => id);
  }

  /** The changes have been made, or have not. */
  end(ids: readonly string[], failed = false): void {
    if (ids.length === 0) return;
    if (failed) this.kept = Math.max(0, this.kept - ids.length);
    try {
      this.#options.store.append(
        ids.map((id): ChangeRecord => ({ type: 'ended', id, ...(failed ? { failed: true } : {}) })),
      );
    } catch {
      // The change itself is kept; whether it was made is seen by what stands at its place.
    }
  }

  #without(told: Told, why: NotKept, said?: Sentence): void {
    this.#options.onNotKept(told, why, said ? worded(said) : '');
    if (this.#options.mayLose?.() === false) throw notKept(told.path, why, said);
    this.lost++;
  }

  /** Where there is room for a line but not for the bytes, the view can at least tell of the change. */
  #keepMark(changes: readonly Change[], why: NotKept): void {
    try {
      this.#options.store.append(
        changes.map((change): ChangeRecord => ({
          type: 'change',
          ...change,
          before: unnamed(change.before),
          after: unnamed(change.after),
          notKept: why,
        })),
      );
    } catch {
      // Told by the result of the call.
    }
  }
}

class TooLarge extends SaidError {
  constructor() {
    super(say('not_kept_large_change'));
  }
}

function notKept(path: string, why: NotKept, said: Sentence | undefined): ToolError {
  const told = said ? say('place_not_kept_because', path, said) : say('place_not_kept', path);
  return refusal('not_kept', told, { retryable: true, details: { why } });
}
