import { type Sentence, worded } from '../base/sentence';
import type { Translate } from '../base/translate';

/** A reason in the person's language. The marks that keep a model from taking words for instructions are left out. */
export function reasonWords(said: Sentence, t: Translate): string {
  return worded(forPeople(said), t);
}

type Argument = Sentence['args'][number];

function forPeople({ code, args }: Sentence): Sentence {
  return { code: code === 'words_of_workspace' ? 'words_of_workspace_for_people' : code, args: args.map(argument) };
}

function argument(one: Argument): Argument {
  if (typeof one === 'string' || typeof one === 'number') return one;
  if ('code' in one) return forPeople(one);
  const sentences = one.flatMap((item) => (typeof item === 'string' ? [] : [forPeople(item)]));
  return sentences.length > 0 ? sentences : one;
}
