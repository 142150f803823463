import { wordSet } from '../base/wordSet';
import { Bm25 } from '../base/bm25';
import { wordsOf } from '../vocabulary/names';

/** What is indexed of one tool, most telling first. */
export interface IndexedTool {
  readonly name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly parameters: readonly string[];
  readonly description: string;
}

const weights = { name: 4, title: 2, tags: 2, parameters: 1.5, description: 1 };

const stopWords = wordSet(
  'a an and are as at be by for from has how i if in into is it its of on or that the this to use used using was what when where which will with you your',
);

/**
 * Cuts the commonest English endings, so that `files`, `filing` and `filed` meet. Equal treatment matters more than
 * right stems.
 */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return stem(word.slice(0, -3));
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith('ed')) return stem(word.slice(0, -2));
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return stem(word.slice(0, -1));
  if (word.length > 4 && word.endsWith('e')) return word.slice(0, -1);
  return word;
}

/** What a word of a text becomes in the index; nothing where it is too common to tell tools apart. */
function termsOfWord(word: string): readonly string[] {
  return wordsOf(word)
    .filter((one) => !stopWords.has(one))
    .map(stem);
}

/** The same words come again and again in descriptions: each is taken apart once. */
const mostWords = 20_000;

/** The terms of one tool with their weights, as the index counts them. */
interface ToolTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Takes texts apart into weighted terms; keep one for many tools. */
export class TermReader {
  readonly #words = new Map<string, readonly string[]>();

  terms(text: string): readonly string[] {
    const all: string[] = [];
    this.#each(text, (term) => all.push(term));
    return all;
  }

  #each(text: string, take: (term: string) => void): void {
    // Most texts are plain English, for which the expression without Unicode is several times as fast.
    // eslint-disable-next-line no-control-regex -- the range is what ASCII is
    const separators = /^[\u0000-\u007f]*$/.test(text) ? /[^A-Za-z0-9]+/ : /[^\p{L}\p{N}]+/u;
    for (const word of text.split(separators)) for (const term of this.#word(word)) take(term);
  }

  read(tool: IndexedTool): ToolTerms {
    const counts = new Map<string, number>();
    const add = (text: string, weight: number): void => {
      this.#each(text, (term) => counts.set(term, (counts.get(term) ?? 0) + weight));
    };
    add(tool.name, weights.name);
    add(tool.title, weights.title);
    add(tool.tags.join(' '), weights.tags);
    add(tool.parameters.join(' '), weights.parameters);
    add(tool.description.slice(0, 2000), weights.description);
    let length = 0;
    for (const weight of counts.values()) length += weight;
    return { counts, length };
  }

  #word(word: string): readonly string[] {
    const known = this.#words.get(word);
    if (known) return known;
    const made = termsOfWord(word);
    if (this.#words.size >= mostWords) this.#words.clear();
    this.#words.set(word, made);
    return made;
  }
}

/**
 * Ranks tools by BM25 over names, titles, tags, parameters and descriptions. Tools are added one by one; a search reads
 * only the query's words.
 */
export class ToolIndex {
  readonly #ranking = new Bm25();
  readonly #names = new Map<string, number>();
  readonly #reader: TermReader;

  /** @param reader takes queries apart; the one that read the tools knows their words already. */
  constructor(tools: readonly IndexedTool[] = [], reader = new TermReader()) {
    this.#reader = reader;
    for (const tool of tools) this.add(tool.name, reader.read(tool));
  }

  /** Adds a tool, whose place is the number of tools before it. */
  add(name: string, { counts, length }: ToolTerms): void {
    const key = name.toLowerCase();
    if (!this.#names.has(key)) this.#names.set(key, this.#ranking.size);
    this.#ranking.add(counts, length);
  }

  /** The places of the best tools in the list that was indexed, best first; equal scores keep the list's order. */
  search(
    query: string,
    limit: number,
    keep: (index: number) => boolean = () => true,
  ): readonly { readonly index: number; readonly score: number }[] {
    const scores = this.#ranking.scores(this.#reader.terms(query));
    // A name that was typed whole is meant.
    const exact = this.#names.get(query.trim().toLowerCase());
    if (exact !== undefined) scores[exact] = (scores[exact] ?? 0) + 1000;
    const best: { index: number; score: number }[] = [];
    for (let index = 0; index < scores.length; index++) {
      const score = scores[index] ?? 0;
      if (score === 0) continue;
      const last = best[best.length - 1];
      if (best.length >= limit && last && (score < last.score || (score === last.score && index > last.index)))
        continue;
      if (!keep(index)) continue;
      let at = best.length;
      for (; at > 0; at--) {
        const before = best[at - 1];
        if (!before || before.score > score || (before.score === score && before.index < index)) break;
      }
      best.splice(at, 0, { index, score });
      if (best.length > limit) best.pop();
    }
    return best;
  }
}
