import { type Sentence, withTexts, worded } from '../base/sentence';

/** The English words of what an event tells. */
export function detailText(detail: string | Sentence): string {
  return typeof detail === 'string' ? detail : worded(detail);
}

/** Words of others, which no sentence of ours stands for. */
export const isForeign = ({ args, code }: Sentence): boolean => code === 'as_it_is' && typeof args[0] === 'string';

/**
 * What a recorded text says, as a sentence beside it. It is kept only where its words, with each argument cleaned by
 * itself, are the text to the letter: so the arguments hold nothing that was hidden in the text, by the words around
 * it too. Left out for words of others, which the text tells as well.
 */
export function sentenceOf(
  said: Sentence | undefined,
  recorded: string,
  text: (value: string) => string,
): Sentence | undefined {
  if (said === undefined || isForeign(said)) return undefined;
  const kept = withTexts(said, text);
  return worded(kept) === recorded ? kept : undefined;
}
