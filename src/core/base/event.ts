import { type Disposable, toDisposable } from './lifecycle';

/** Subscribes a listener; disposing the answer unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * Sends values to its listeners in the order of subscription. A listener that throws does not keep the others from
 * hearing; its error goes to `onError`, or is rethrown after all have heard.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError?: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        if (this.#onError) this.#onError(error);
        else errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'an event listener failed');
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
