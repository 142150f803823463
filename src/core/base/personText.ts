import { say, worded } from './sentence';
import { plainWords, type Translate } from './translate';

/**
 * What was written for a model as a person reads it: words of a workspace are quoted with their origin, without the
 * mark that keeps a model from taking them for instructions. Recorded texts are English, whatever the person reads.
 */
export function personText(text: string, t: Translate): string {
  const mark = (code: 'words_of_workspace' | 'words_of_workspace_for_people', in_: Translate): string =>
    worded(say(code, '"'), in_);
  const shown = mark('words_of_workspace_for_people', t);
  return [plainWords, t].reduce((all, one) => all.replaceAll(mark('words_of_workspace', one), () => shown), text);
}
