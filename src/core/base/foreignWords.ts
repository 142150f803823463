import { visibleText } from './visible';

const mostOfAWord = 64;
const mostOfAText = 200;

/**
 * An id that a repository chose, for a text that a model reads: one word without blanks, so that it is a name and no
 * sentence. Ids as they are usually written stay as they are.
 */
export function foreignWord(id: string): string {
  const word = [...id.slice(0, mostOfAWord * 4).replace(/[^\p{L}\p{N}._:/@#*-]+/gu, '_')]
    .slice(0, mostOfAWord)
    .join('');
  return word === '' ? '_' : word;
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
