// The usual constants: how soon repetition stops to count, and how much length does.
const k1 = 1.2;
const b = 0.75;

interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

/**
 * Ranks documents by BM25: what holds more of the rarer words of a query, in fewer words of its own, comes first.
 * Documents are added one by one; a query reads only the entries of its own terms.
 */
export class Bm25 {
  readonly #postings = new Map<string, Postings>();
  readonly #lengths: number[] = [];
  #total = 0;

  get size(): number {
    return this.#lengths.length;
  }

  /** Adds a document, whose place is the number of those before it, by the weights of its terms. */
  add(terms: ReadonlyMap<string, number>, length: number): void {
    const place = this.#lengths.length;
    for (const [term, weight] of terms) {
      let postings = this.#postings.get(term);
      if (!postings) {
        postings = { documents: [], weights: [] };
        this.#postings.set(term, postings);
      }
      postings.documents.push(place);
      postings.weights.push(weight);
    }
    this.#lengths.push(length);
    this.#total += length;
  }

  /** The score of each document by its place: 0 for one that holds no term, else above. */
  scores(terms: Iterable<string>): Float64Array {
    const count = this.#lengths.length;
    const average = this.#total / Math.max(1, count) || 1;
    const scores = new Float64Array(count);
    for (const term of new Set(terms)) {
      const postings = this.#postings.get(term);
      if (!postings) continue;
      const holding = postings.documents.length;
      const rarity = Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
      for (let at = 0; at < holding; at++) {
        const place = postings.documents[at] ?? 0;
        const weight = postings.weights[at] ?? 0;
        const norm = k1 * (1 - b + (b * (this.#lengths[place] ?? 0)) / average);
        scores[place] = (scores[place] ?? 0) + (rarity * weight * (k1 + 1)) / (weight + norm);
      }
    }
    return scores;
  }
}
