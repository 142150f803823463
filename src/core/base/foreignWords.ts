import { onOneLine } from './text';
import { say, type Sentence, withTexts, worded } from './sentence';
import { visible } from './visible';

const mostOfAWord = 64;
const mostOfAText = 200;

/**
 * An id that a repository chose, for a text that a model reads: one word without blanks, so that it is a name and no
 * sentence. Ids as they are usually written stay as they are; one that is cut ends in `…`.
 */
export function foreignWord(id: string): string {
  const start = id.slice(0, mostOfAWord * 4);
  const word = [...start.replace(/[^\p{L}\p{N}\p{M}._:/@#*+-]+|\p{Default_Ignorable_Code_Point}+/gu, '_')];
  if (start === id && word.length <= mostOfAWord) return word.join('') || '_';
  return `${word.slice(0, mostOfAWord - 1).join('')}…`;
}

/** Words of others in one visible, short line. */
export function foreignLine(text: string, most = mostOfAText): string {
  const characters = [...onOneLine(visible(text.slice(0, most * 4)))];
  return `${characters.slice(0, most).join('')}${characters.length > most ? '…' : ''}`;
}

/**
 * Words that a repository chose, for a text that a model reads: a short line in quotation marks that the words cannot
 * close. The sentence around them says whose they are.
 */
export function foreignText(text: string): string {
  return `"${unquoted(foreignLine(text))}"`;
}

const unquoted = (line: string): string => line.replace(/["\u201c\u201d\u201e\u201f\u2033\uff02]/g, "'");

/**
 * Sentences of ours about what a repository wrote, between quotation marks that its words cannot close: the first one,
 * and of the others as many as make one short line.
 */
export function foreignSentences(told: readonly Sentence[]): Sentence {
  const clean = told.map((one) => withTexts(one, (text) => unquoted(foreignLine(text, mostOfAText / 2))));
  const lengths = clean.map((one) => worded(one).length);
  const fits = (last: number): boolean => lengths.slice(0, last + 1).reduce((sum, one) => sum + one) <= mostOfAText;
  return say(
    'quoted_sentences',
    clean.filter((_one, at) => at === 0 || fits(at)),
  );
}
