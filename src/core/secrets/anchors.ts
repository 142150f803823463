/** Is told where a word stands, and what belongs to it. */
type Visit<T> = (at: number, owners: readonly T[]) => void;

interface Anchor<T> {
  readonly codes: readonly number[];
  readonly owners: T[];
}

const tableSize = 1 << 15;

/**
 * Many literal words searched for in one pass over a text: each character moves a hash of the last three, and only
 * where that hash begins a word is anything compared. A character costs the same however many words there are.
 */
export class Anchors<T> {
  readonly #isFirst = new Uint8Array(tableSize);
  readonly #byHash: Anchor<T>[][] = [];

  /** @param words in lower case, each of three characters or more; found in any case. */
  constructor(words: Iterable<readonly [string, T]>) {
    const known = new Map<string, Anchor<T>>();
    for (const [word, owner] of words) {
      const anchor = known.get(word);
      if (anchor) {
        anchor.owners.push(owner);
        continue;
      }
      const codes = [...word].map((char) => char.charCodeAt(0) | 0x20);
      const made = { codes, owners: [owner] };
      known.set(word, made);
      const hash = hashOf(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0);
      this.#isFirst[hash] = 1;
      (this.#byHash[hash] ??= []).push(made);
    }
  }

  /** Tells of each place in order where a word stands. */
  search(text: string, visit: Visit<T>): void {
    const isFirst = this.#isFirst;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = ((hash << 5) ^ (text.charCodeAt(at) | 0x20)) & (tableSize - 1);
      if (isFirst[hash] === 1 && at >= 2) this.#compare(text, at - 2, hash, visit);
    }
  }

  #compare(text: string, start: number, hash: number, visit: Visit<T>): void {
    const all = this.#byHash[hash];
    if (all === undefined) return;
    for (let at = 0; at < all.length; at++) {
      const anchor = all[at];
      if (anchor !== undefined && isAt(text, start, anchor.codes)) visit(start, anchor.owners);
    }
  }
}

function isAt(text: string, start: number, codes: readonly number[]): boolean {
  if (start + codes.length > text.length) return false;
  for (let at = 0; at < codes.length; at++) if ((text.charCodeAt(start + at) | 0x20) !== codes[at]) return false;
  return true;
}

/** The last three characters alone: what stood before has been shifted out. */
const hashOf = (first: number, second: number, third: number): number =>
  ((((first << 5) ^ second) << 5) ^ third) & (tableSize - 1);
