import { codeWords } from '../sentences/codeWords';
import type { Translate } from '../base/translate';

/** What a person reads in place of a code; undefined for one that has no words. */
export function codeWord(kind: keyof typeof codeWords, code: string, translate: Translate): string | undefined {
  const words: Readonly<Record<string, string>> = codeWords[kind];
  const word = Object.hasOwn(words, code) ? words[code] : undefined;
  return word === undefined ? undefined : translate(word);
}
