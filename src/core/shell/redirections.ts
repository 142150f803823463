import type { Redirection, Word } from 'unbash';
import type { Expander } from './expand';
import { type Field, plainField } from './field';
import type { Io } from './reader';
import type { Sightings } from './sightings';

/**
 * What the redirections of a command read and write, and what the command is fed then.
 * @param words the command, as it is told with what they touch.
 * @returns `isAway` where the output no longer goes to the next command.
 */
export function readRedirections(
  redirects: readonly Redirection[],
  words: string,
  io: Io,
  seen: Sightings,
  expander: Expander,
): { readonly io: Io; readonly isAway: boolean } {
  let input = io;
  let isAway = false;
  for (const one of redirects) {
    if (one.type === 'HereDoc') {
      const parts = one.delimiter?.quoted ? undefined : one.body.parts;
      input = fedBy(parts ? expander.textsOf(parts) : [plainField(one.body.text)]);
    } else if (one.type === 'HereString') {
      const texts = one.target ? expander.texts(one.target) : [];
      if (texts[0]) seen.suspect(texts[0], words);
      input = fedBy(texts, '\n');
    } else if (one.target && !copiesDescriptor(one.operator, one.target)) {
      const isInput = one.operator === '<' || one.operator === '<&';
      for (const field of filesOf(one.target, expander)) {
        if (isInput || one.operator === '<>') seen.touch('fs.read', field, `${words} ${one.operator} ${field.text}`);
        if (!isInput) seen.touch('fs.write', field, `${words} ${one.operator} ${field.text}`);
      }
      if (isInput) input = { isFed: true };
      else isAway ||= isOutput(one.descriptor);
    }
  }
  return { io: input, isAway };
}

function filesOf(word: Word, expander: Expander): readonly Field[] {
  // bash expands wildcards behind `<` too, where they stand for one file.
  const whole = expander.texts(word);
  const split = expander.fields(word);
  return [...whole, ...split.filter(({ text, isPattern }) => isPattern || whole.every((one) => one.text !== text))];
}

/** What a command reads from text in the line, which is known where it is one text. */
function fedBy([text, ...others]: readonly Field[], end = ''): Io {
  return text?.isKnown && others.length === 0 ? { isFed: true, stdin: `${text.text}${end}` } : { isFed: true };
}

/** True for `2>&1` and its like, which name no file. */
const copiesDescriptor = (operator: string, target: Word): boolean =>
  /^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.text);

/** True where it is the output that goes elsewhere. */
const isOutput = (descriptor: Redirection['descriptor']): boolean =>
  descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 1);
