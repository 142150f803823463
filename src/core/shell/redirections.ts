import type { Redirection, Word } from 'unbash';
import { variableName } from './builtin';
import { fillNumber } from './environment';
import type { Expander } from './expand';
import { type Field, plainField } from './field';
import type { Io, Reader } from './reader';

type HereText = Extract<Redirection, { type: 'HereDoc' | 'HereString' }>;

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
  const reading: Reading = { words, reader, expander };
  let input = io;
  let output: Destination;
  for (const one of redirects) {
    const descriptor = descriptorOf(one);
    if (one.descriptor?.type === 'FileDescriptorVariable') fillDescriptor(one.descriptor.name, reading);
    const made =
      one.type === 'HereDoc' || one.type === 'HereString'
        ? readHereText(one, descriptor, reading)
        : readTarget(one, descriptor, reading);
    input = made.input ?? input;
    output = made.output ?? output;
  }
  return { io: input, output };
}

interface Reading {
  readonly words: string;
  readonly reader: Reader;
  readonly expander: Expander;
}

/** What a redirection makes of what a command is fed and of its output, where it changes them. */
interface Redirected {
  readonly input?: Io | undefined;
  readonly output?: Destination;
}

/** `{fd}>file` gives a variable the number of a descriptor. */
function fillDescriptor(name: string, { words, reader, expander }: Reading): void {
  if (name.includes('[')) reader.reckon(expander.reckoned(name), words);
  fillNumber(variableName(name) ?? name, reader);
}

/** `<<EOF` and `<<<text`: text of the line itself. */
function readHereText(one: HereText, descriptor: number | undefined, { words, reader, expander }: Reading): Redirected {
  const isDoc = one.type === 'HereDoc';
  const texts = isDoc ? docTexts(one, expander) : one.target ? expander.texts(one.target) : [];
  if (!isDoc && texts[0]) reader.suspect(texts[0], words);
  if (descriptor === 0) return { input: fedBy(texts, isDoc ? '' : '\n') };
  return descriptor === 1 ? { output: 'unknown' } : {};
}

/** `<file`, `>file` and `2>&1`. */
function readTarget(
  { operator, target }: Exclude<Redirection, HereText>,
  descriptor: number | undefined,
  { words, reader, expander }: Reading,
): Redirected {
  const copied = target && copiedDescriptor(operator, target);
  // What another descriptor stands for is not followed.
  if (copied !== undefined) return copied === descriptor ? {} : toDescriptor(descriptor, 'unknown');
  const files = target ? filesOf(target, expander) : [];
  const isInput = operator === '<' || operator === '<&';
  for (const field of files) {
    if (isInput || operator === '<>') reader.touch('fs.read', field, `${words} ${operator} ${field.text}`);
    if (!isInput) reader.touch('fs.write', field, `${words} ${operator} ${field.text}`);
  }
  return toDescriptor(descriptor, files.length > 0 && files.every(isElsewhere) ? 'away' : 'unknown');
}

/** What becomes of a command whose input is read from elsewhere, or whose output goes elsewhere. */
const toDescriptor = (descriptor: number | undefined, output: Destination): Redirected =>
  descriptor === 0 ? { input: { isFed: true } } : descriptor === 1 ? { output } : {};

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
