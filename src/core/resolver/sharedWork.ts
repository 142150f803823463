/**
 * Lets callers that want the same thing at the same time share one piece of work. Each has a cancellation of its own:
 * one that leaves gets its `left` answer at once and the work goes on for the others; it is aborted when the last one
 * has left.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>();

  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>, left: () => T): Promise<T> {
    if (signal.aborted) return Promise.resolve(left());
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.callers++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        running.callers--;
        resolve(left());
        if (running.callers > 0) return;
        // Whoever comes now must not be given work that is being aborted.
        this.#forget(key, running);
        running.controller.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      void running.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const running: Running<T> = {
      controller,
      callers: 0,
      result: work(controller.signal).finally(() => this.#forget(key, running)),
    };
    this.#running.set(key, running);
    return running;
  }

  #forget(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}

interface Running<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  callers: number;
}
