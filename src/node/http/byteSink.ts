/**
 * Collects a body of unknown length up to a limit. It grows by half, so that the old and the new buffer together stay
 * under twice the limit.
 */
export class ByteSink {
  readonly #limit: number;
  #buffer: Uint8Array;
  #length = 0;

  constructor(limit: number, expected: number | undefined) {
    this.#limit = limit;
    this.#buffer = new Uint8Array(Math.min(limit, expected ?? 16_384));
  }

  /** Takes a chunk; false when it did not fit whole, which means that the body is cut. */
  add(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#length;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    const needed = this.#length + part.length;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, Math.ceil(this.#buffer.length * 1.5))));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#length);
    this.#length = needed;
    return part.length === chunk.length;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
