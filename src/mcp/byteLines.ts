const newline = 10;

/** Cuts a stream of bytes into lines; what has come of a line is copied once, with its end. */
export class ByteLines {
  #parts: Buffer[] = [];
  #pending = 0;

  /** How many bytes have come of a line that has not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** Takes bytes, and hands on each line that they end, without its line end. */
  add(chunk: Buffer, take: (line: Buffer) => void): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const part = chunk.subarray(from, at);
      const line = this.#pending === 0 ? part : Buffer.concat([...this.#parts, part]);
      this.clear();
      from = at + 1;
      take(line);
    }
    if (from === chunk.length) return;
    this.#parts.push(chunk.subarray(from));
    this.#pending += chunk.length - from;
  }

  clear(): void {
    this.#parts = [];
    this.#pending = 0;
  }
}
