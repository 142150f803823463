import { commonPair } from './letterPairs';

/** Is told where a word stands, and what belongs to it. */
type Visit<T> = (at: number, owners: readonly T[]) => void;

interface Anchor<T> {
  readonly codes: readonly number[];
  /** Where in the word the three characters stand by which it is looked for. */
  readonly offset: number;
  readonly order: number;
  readonly owners: T[];
}

/** Words that are looked for in the same pass: `marks` with `otherMark` where three characters may begin one. */
interface OtherWords {
  readonly marks: Uint8Array;
  readonly lookAt: (start: number) => void;
}

const tableSize = 1 << 15;
const ownMark = 1;
export const otherMark = 2;

/** A hash of the last three characters alone, in any case: what stood before has been shifted out. */
export const nextHash = (hash: number, code: number): number => ((hash << 5) ^ (code | 0x20)) & (tableSize - 1);

/**
 * Many literal words searched for in one pass over a text: each character moves a hash of the last three, and only
 * where that hash is one of a word is anything compared. A character costs the same however many words there are; of
 * each word the three that are rarest in code and prose are looked for, because most of the time went into comparing.
 */
export class Anchors<T> {
  readonly #marks = new Uint8Array(tableSize);
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
      const made = { codes, offset: rarest(word), order: known.size, owners: [owner] };
      known.set(word, made);
      const hash = codes.slice(made.offset, made.offset + 3).reduce(nextHash, 0);
      this.#marks[hash] = ownMark;
      (this.#byHash[hash] ??= []).push(made);
    }
  }

  /** The marks of these words, for a table to which others add theirs. */
  copyMarks(): Uint8Array {
    return this.#marks.slice();
  }

  /**
   * Tells of each place in order where a word stands.
   * @param others are told of places in order too, before all of these.
   */
  search(text: string, visit: Visit<T>, others?: OtherWords): void {
    const marks = others?.marks ?? this.#marks;
    const met = new Met<T>();
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      // `nextHash`, written out: a call for each character, where the compiler leaves it one, takes four times as long.
      hash = ((hash << 5) ^ (text.charCodeAt(at) | 0x20)) & (tableSize - 1);
      const mark = marks[hash];
      if (mark === 0 || mark === undefined || at < 2) continue;
      if ((mark & ownMark) !== 0) this.#compare(text, at - 2, hash, met);
      if ((mark & otherMark) !== 0) others?.lookAt(at - 2);
    }
    met.tell(visit);
  }

  #compare(text: string, at: number, hash: number, met: Met<T>): void {
    const all = this.#byHash[hash];
    if (all === undefined) return;
    for (let next = 0; next < all.length; next++) {
      const anchor = all[next];
      if (anchor !== undefined && isAt(text, at - anchor.offset, anchor.codes)) met.add(at - anchor.offset, anchor);
    }
  }
}

/** Words that were met, in the order of their beginnings: they are met by what stands within them. */
class Met<T> {
  readonly #starts: number[] = [];
  readonly #anchors: Anchor<T>[] = [];

  /** No word is long, so few of those before stand behind. */
  add(start: number, anchor: Anchor<T>): void {
    const starts = this.#starts;
    const anchors = this.#anchors;
    let place = starts.length;
    for (; place > 0; place--) {
      const before = starts[place - 1] ?? 0;
      const other = anchors[place - 1];
      if (other === undefined || before < start || (before === start && other.order < anchor.order)) break;
      starts[place] = before;
      anchors[place] = other;
    }
    starts[place] = start;
    anchors[place] = anchor;
  }

  tell(visit: Visit<T>): void {
    this.#anchors.forEach(({ owners }, at) => visit(this.#starts[at] ?? 0, owners));
  }
}

function isAt(text: string, start: number, codes: readonly number[]): boolean {
  if (start < 0 || start + codes.length > text.length) return false;
  for (let at = 0; at < codes.length; at++) if ((text.charCodeAt(start + at) | 0x20) !== codes[at]) return false;
  return true;
}

/** Where the three characters of a word stand that other words have least. */
function rarest(word: string): number {
  const commonness = (at: number): number => commonPair(word.slice(at, at + 2));
  let best = 0;
  for (let at = 1; at + 3 <= word.length; at++)
    if (commonness(at) + commonness(at + 1) < commonness(best) + commonness(best + 1)) best = at;
  return best;
}
