import { Readable } from 'node:stream';
import type { Disposable } from '../../core/base/lifecycle';

const lineBreak = 10;

export interface LineFilterOptions {
  readonly input: Readable;
  /** A line without an end that is longer, in bytes, is left to whoever reads the rest. */
  readonly longest: number;
  /** Takes a line, without its break, or leaves it (false). */
  readonly take: (line: string) => boolean;
}

/**
 * Looks at each line of a stream first; what nobody takes comes out of `rest` byte for byte, and so do the stream's end
 * and its errors.
 */
export class LineFilter implements Disposable {
  readonly rest: Readable;
  readonly #options: LineFilterOptions;
  #begun: Buffer[] = [];
  #bytes = 0;
  #isOpen = true;

  constructor(options: LineFilterOptions) {
    this.#options = options;
    this.rest = new Readable({ read() {} });
    // Whoever reads the rest may have stopped; an error that nobody hears ends the process.
    this.rest.on('error', () => undefined);
    const { input } = options;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onClose);
    input.on('error', this.#onError);
  }

  /** Lets the reader of the rest have a line that was taken before. */
  put(line: string): void {
    if (this.#isOpen) this.rest.push(`${line}\n`);
  }

  /** Stops reading, so that the stream keeps nothing running. */
  dispose(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { input } = this.#options;
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.off('close', this.#onClose);
    if (input.listenerCount('data') === 0) input.pause();
    // The listener for errors stays, for the same reason.
    this.rest.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    let start = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, start)) {
      this.#offer(chunk.subarray(start, at + 1));
      start = at + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  };

  /** One line or the end of one, with its break. */
  #offer(part: Buffer): void {
    const whole = this.#begun.length === 0 ? part : Buffer.concat([...this.#begun, part]);
    this.#begun = [];
    this.#bytes = 0;
    if (!this.#options.take(whole.toString('utf8', 0, whole.length - 1))) this.rest.push(whole);
  }

  #keep(part: Buffer): void {
    this.#begun.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#options.longest) this.#release();
  }

  #release(): void {
    for (const part of this.#begun) this.rest.push(part);
    this.#begun = [];
    this.#bytes = 0;
  }

  readonly #onEnd = (): void => {
    this.#release();
    this.rest.push(null);
  };

  readonly #onClose = (): void => {
    if (!this.rest.readableEnded && !this.#options.input.readableEnded) this.rest.destroy();
  };

  readonly #onError = (error: Error): void => {
    if (this.#isOpen) this.rest.destroy(error);
  };
}
