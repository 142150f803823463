import { visibleText } from './visible';

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
export function foreignLine(text: string): string {
  const line = visibleText(text.slice(0, mostOfAText * 4))
    .text.replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return `${characters.slice(0, mostOfAText).join('')}${characters.length > mostOfAText ? '…' : ''}`;
}

/**
 * Words that a repository chose, for a text that a model reads: a short line in quotation marks that the words cannot
 * close. The sentence around them says whose they are.
 */
export function foreignText(text: string): string {
  return `"${foreignLine(text).replace(/["\u201c\u201d\u201e\u201f\u2033\uff02]/g, "'")}"`;
}
