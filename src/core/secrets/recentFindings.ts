import type { Finding } from './finding';

/** Most are short: the names of fields, paths, hashes. */
const mostTexts = 1000;
/** Of all texts together, in characters. */
const mostKept = 2_000_000;

/** What was found in the texts that were looked through last: an agent reads the same file again and again. */
export class RecentFindings {
  /** By the shape of the text, the one that was asked for last at the end. */
  readonly #found = new Map<string, { readonly text: string; readonly found: readonly Finding[] }>();
  #size = 0;

  get(text: string): readonly Finding[] | undefined {
    const key = shapeOf(text);
    const known = this.#found.get(key);
    if (known?.text !== text) return undefined;
    this.#found.delete(key);
    this.#found.set(key, known);
    return known.found;
  }

  keep(text: string, found: readonly Finding[]): void {
    if (text.length > mostKept / 4) return;
    const key = shapeOf(text);
    this.#remove(key);
    // A copy: the text may be a piece of a far larger one, which it would keep in memory.
    this.#found.set(key, { text: ` ${text}`.slice(1), found });
    this.#size += text.length;
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= mostTexts && this.#size <= mostKept) return;
      this.#remove(oldest);
    }
  }

  /** Another text may be a secret now. */
  clear(): void {
    this.#found.clear();
    this.#size = 0;
  }

  #remove(key: string): void {
    this.#size -= this.#found.get(key)?.text.length ?? 0;
    this.#found.delete(key);
  }
}

const piece = 64;

/** A long text by pieces of it: to hash all of it takes fifteen times as long as to compare it with one other. */
function shapeOf(text: string): string {
  if (text.length <= 4 * piece) return text;
  const middle = text.length >> 1;
  return `${text.length} ${text.slice(0, piece)}${text.slice(middle, middle + piece)}${text.slice(-piece)}`;
}
