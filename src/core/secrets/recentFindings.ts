import type { Finding } from './finding';

/** Most are short: the names of fields, paths, hashes. */
const mostTexts = 1000;
/** Of all texts together, in characters. */
const mostKept = 2_000_000;

/** What was found in the texts that were looked through last: an agent reads the same file again and again. */
export class RecentFindings {
  /** By the text, the one that was asked for last at the end. */
  readonly #found = new Map<string, readonly Finding[]>();
  #size = 0;

  get(text: string): readonly Finding[] | undefined {
    const found = this.#found.get(text);
    if (found === undefined) return undefined;
    this.#found.delete(text);
    this.#found.set(text, found);
    return found;
  }

  keep(text: string, found: readonly Finding[]): void {
    if (text.length > mostKept / 4 || this.#found.has(text)) return;
    // A copy: the text may be a piece of a far larger one, which it would keep in memory.
    this.#found.set(` ${text}`.slice(1), found);
    this.#size += text.length;
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= mostTexts && this.#size <= mostKept) return;
      this.#found.delete(oldest);
      this.#size -= oldest.length;
    }
  }

  /** Another text may be a secret now. */
  clear(): void {
    this.#found.clear();
    this.#size = 0;
  }
}
