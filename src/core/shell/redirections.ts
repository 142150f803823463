import type { Redirection, Word } from 'unbash';
import { variableName } from './builtin';
import { fillNumber } from './environment';
import type { Expander } from './expand';
import { type Field, plainField } from './field';
import type { Io, Reader } from './reader';

/** What becomes of the output of a command, where it no longer goes to the next one as it is. */
type Destination = 'away' | 'unknown' | undefined;

/**
 * What the redirections of a command read and write, and what the command is fed then.
 * @param words the command, as it is told with what they touch.
 * @returns `output` is `away` where nothing goes to the next command, `unknown` where something may.
 */
export function readRedirections(
  redirects: readonly Redirection[],
  words: string,
  io: Io,
  reader: Reader,
  expander: Expander,
): { readonly io: Io; readonly output: Destination } {
  let input = io;
  let output: Destination;
  for (const one of redirects) {
    const descriptor = descriptorOf(one);
    if (one.descriptor?.type === 'FileDescriptorVariable') {
      const { name } = one.descriptor;
      if (name.includes('[')) reader.reckon(expander.reckoned(name), words);
      fillNumber(variableName(name) ?? name, reader);
    }
    if (one.type === 'HereDoc' || one.type === 'HereString') {
      const isDoc = one.type === 'HereDoc';
      const texts = isDoc ? docTexts(one, expander) : one.target ? expander.texts(one.target) : [];
      if (!isDoc && texts[0]) reader.suspect(texts[0], words);
      if (descriptor === 0) input = fedBy(texts, isDoc ? '' : '\n');
      else if (descriptor === 1) output = 'unknown';
      continue;
    }
    const copied = one.target && copiedDescriptor(one.operator, one.target);
    if (copied !== undefined) {
      // What another descriptor stands for is not followed.
      if (descriptor === 0 && copied !== 0) input = { isFed: true };
      if (descriptor === 1 && copied !== 1) output = 'unknown';
      continue;
    }
    const files = one.target ? filesOf(one.target, expander) : [];
    const isInput = one.operator === '<' || one.operator === '<&';
    for (const field of files) {
      if (isInput || one.operator === '<>') reader.touch('fs.read', field, `${words} ${one.operator} ${field.text}`);
      if (!isInput) reader.touch('fs.write', field, `${words} ${one.operator} ${field.text}`);
    }
    if (descriptor === 0) input = { isFed: true };
    if (descriptor === 1) output = files.length > 0 && files.every(isElsewhere) ? 'away' : 'unknown';
  }
  return { io: input, output };
}

/** The descriptor that is changed; undefined for one that a variable names. */
function descriptorOf({ descriptor, operator }: Redirection): number | undefined {
  if (descriptor) return descriptor.type === 'FileDescriptor' ? descriptor.value : undefined;
  return operator.startsWith('<') ? 0 : 1;
}

/** True for a file from which nothing comes back to the next command. */
const isElsewhere = ({ text, isKnown, isPattern }: Field): boolean =>
  isKnown && !isPattern && (text === '/dev/null' || !/(?:^|\/)(?:dev|proc|fd)(?:\/|$)/.test(text));

function docTexts({ delimiter, body }: Extract<Redirection, { type: 'HereDoc' }>, expander: Expander) {
  const parts = delimiter?.quoted ? undefined : body.parts;
  return parts ? expander.textsOf(parts) : [plainField(body.text)];
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

/** The descriptor of `2>&1` and its like, which name no file; -1 where one is closed. */
function copiedDescriptor(operator: string, target: Word): number | undefined {
  if (!/^[<>]&$/.test(operator) || !/^(?:\d+-?|-)$/.test(target.text)) return undefined;
  return target.text === '-' ? -1 : Number.parseInt(target.text, 10);
}
