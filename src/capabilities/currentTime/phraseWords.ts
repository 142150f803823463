import { months, weekdays } from './timeFormats';

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** A word that a phrase parser did not understand. */
export class PhraseError extends Error {}

/** The number of the day in the week, from Monday, that a word names in full or in short. */
export const weekdayOf = (word: string | undefined): number | undefined => byPrefix(weekdays, word);
export const monthOf = (word: string | undefined): number | undefined => byPrefix(months, word);

function byPrefix(names: readonly string[], word: string | undefined): number | undefined {
  if (word === undefined || word.length < 3 || word.length > 9) return undefined;
  const short = word === 'sept' || word === 'tues' || word === 'thur' || word === 'thurs' || word.length === 3;
  const lower = names.map((name) => name.toLowerCase());
  const index = lower.findIndex((name) => name === word || (short && name.startsWith(word)));
  return index < 0 ? undefined : index + 1;
}

/** Which one of several a word asks for: `second` and `2` are 2, `last` is -1; undefined for any other word. */
export function orderOf(word: string | undefined): number | undefined {
  if (word === 'last') return -1;
  if (word === undefined) return undefined;
  if (/^[1-5]$/.test(word)) return Number(word);
  return ordinals.includes(word) ? ordinals.indexOf(word) + 1 : undefined;
}

/** The words of a phrase, read from the left. */
export class PhraseWords {
  readonly all: readonly string[];
  /** The place of the next word; set back where what follows was something else. */
  at = 0;

  constructor(text: string) {
    const spaced = text.toLowerCase().replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/, '$1 . $2 . $3');
    const words = spaced.match(/\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?|[a-z]+\.?|[^\sa-z\d]/g) ?? [];
    this.all = words.map((word) => (/^[a-z]+\.$/.test(word) ? word.slice(0, -1) : word));
  }

  get isEnd(): boolean {
    return this.at >= this.all.length;
  }

  /** The next word, or one behind it. */
  next(offset = 0): string | undefined {
    return this.all[this.at + offset];
  }

  /** Passes the next words if they are these. */
  take(...wanted: readonly string[]): boolean {
    if (!wanted.every((word, index) => this.next(index) === word)) return false;
    this.at += wanted.length;
    return true;
  }

  takeOne(...choices: readonly string[]): string | undefined {
    const word = this.next();
    if (word === undefined || !choices.includes(word)) return undefined;
    this.at++;
    return word;
  }
}
