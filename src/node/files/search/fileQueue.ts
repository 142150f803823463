/** Files that one side finds and another searches, in the order in which they are found. */
export class FileQueue {
  readonly #files: string[] = [];
  #end: 'open' | 'closed' | { readonly error: unknown } = 'open';
  #wake: (() => void) | undefined;

  /** Adds files; `close` tells that there are no more. */
  add(files: readonly string[]): void {
    for (const file of files) this.#files.push(file);
    this.#wake?.();
  }

  close(): void {
    this.#end = 'closed';
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end = { error };
    this.#wake?.();
  }

  /** Resolves when there are so many files, or all that there are; answers how many. Throws what `fail` was given. */
  async reach(count: number): Promise<number> {
    while (this.#end === 'open' && this.#files.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (typeof this.#end === 'object') throw this.#end.error;
    return this.#files.length;
  }

  /** All files in parts of a size, each as soon as it is there; the last may be smaller. */
  async *parts(size: number): AsyncGenerator<readonly string[], undefined> {
    for (let at = 0; ; at += size) {
      if ((await this.reach(at + size)) <= at) return undefined;
      yield this.#files.slice(at, at + size);
    }
  }
}
