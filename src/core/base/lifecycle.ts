/** Something that holds a resource until it is told to let go. */
export interface Disposable {
  dispose(): void;
}

/** Watches creation and disposal so that a test suite can fail on what was left open; production code installs none. */
interface DisposableTracker {
  created(disposable: Disposable): void;
  disposed(disposable: Disposable): void;
}

let tracker: DisposableTracker | undefined;

/**
 * Installs a tracker (tests only) and returns the one that was there before.
 * It is the single piece of module state in core: a leak check has to see every object, whoever made it.
 */
export function setDisposableTracker(next: DisposableTracker | undefined): DisposableTracker | undefined {
  const before = tracker;
  tracker = next;
  return before;
}

/** Wraps a function so that it runs at most once, on disposal. */
export function toDisposable(dispose: () => void): Disposable {
  let done = false;
  const self: Disposable = {
    dispose() {
      if (done) return;
      done = true;
      tracker?.disposed(self);
      dispose();
    },
  };
  tracker?.created(self);
  return self;
}

/**
 * Owns disposables and lets go of them in reverse order.
 * What is added after disposal is disposed at once, so that a late registration cannot leak.
 */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  constructor() {
    tracker?.created(this);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  /** Disposes one item early and forgets it. */
  delete(item: Disposable): void {
    if (this.#items.delete(item)) item.dispose();
  }

  /** Disposes all items and keeps the store usable. One item that throws does not keep the others open. */
  clear(): void {
    const items = [...this.#items].reverse();
    this.#items.clear();
    const errors: unknown[] = [];
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'disposing failed');
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    tracker?.disposed(this);
    this.clear();
  }
}

/** Holds one replaceable disposable; setting a new one disposes the old one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
  #value: T | undefined;
  #disposed = false;

  get value(): T | undefined {
    return this.#value;
  }

  set value(next: T | undefined) {
    const before = this.#value;
    if (before === next) return;
    this.#value = next;
    before?.dispose();
    if (this.#disposed) {
      this.#value = undefined;
      next?.dispose();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.value = undefined;
  }
}
