import { messageOf } from './errorText';
import { type Catalogue, sentenceText } from '../sentences/catalogue';
import { plainWords, type Translate } from './translate';

export type SentenceCode = keyof Catalogue;

/**
 * What a sentence is about. A list of names is written as `a`, `b`, one of sentences as a; b; a sentence is a part of
 * the other.
 */
type SentenceArgument = string | number | Sentence | readonly string[] | readonly Sentence[];

/**
 * What is told, as a code of the catalogue and its arguments; the words are made where a person or a model reads it.
 */
export interface Sentence {
  readonly code: SentenceCode;
  readonly args: readonly SentenceArgument[];
}

/** One argument for each of `{0}`, `{1}`, … of a template. */
type Arguments<
  T extends string,
  Found extends readonly SentenceArgument[] = [],
> = T extends `${string}{${Found['length']}}${string}` ? Arguments<T, [...Found, SentenceArgument]> : Found;

/** What fits every code of a union alike. */
type Common<C extends SentenceCode> = (
  C extends SentenceCode ? (args: Arguments<Catalogue[C]>) => void : never
) extends (args: infer A extends readonly SentenceArgument[]) => void
  ? A
  : never;

/** Makes a sentence; a code that is not in the catalogue, or a wrong number of arguments, does not compile. */
export function say<C extends SentenceCode>(code: C, ...args: Common<C>): Sentence {
  return { code, args };
}

/**
 * Several parts as one part of a sentence: `a` or `b` or `c`. Halved, so that many nest no deeper than a kept sentence
 * is read.
 */
export function linked(
  by: 'either' | 'both' | 'in_turn' | 'does_then' | 'flow_two',
  parts: readonly (Sentence | string)[],
): Sentence {
  const half = parts.length >> 1;
  const [only = ''] = parts;
  if (half === 0) return typeof only === 'string' ? say('as_it_is', only) : only;
  return say(by, linked(by, parts.slice(0, half)), linked(by, parts.slice(half)));
}

/** Names as one part of a sentence, each in backticks: `a` or `b` or `c`. */
export const eitherOf = (names: readonly string[]): Sentence =>
  linked(
    'either',
    names.map((one) => `\`${one}\``),
  );

/** The same text for sentences that say the same, and another for all others. */
export const sentenceKey = ({ code, args }: Sentence): string =>
  args.reduce<string>((key, one) => `${key} ${JSON.stringify(one)}`, code);

/**
 * Stands for an argument that says nothing, such as the pointer to a whole document, until its blank is gone with it.
 */
const silent = '\0';
// eslint-disable-next-line no-control-regex -- it is no character of any text
const silentPart = /^\0 | ?\0/g;

/** The words of a sentence, in the language of `translate`: plain English without it. */
export function worded({ code, args }: Sentence, translate: Translate = plainWords): string {
  const values = args.map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return one;
    if ('code' in one) return worded(one, translate);
    const names = one.flatMap((item) => (typeof item === 'string' ? [`\`${item}\``] : []));
    const sentences = one.flatMap((item) => (typeof item === 'string' ? [] : [worded(item, translate)]));
    return [...names, ...sentences].join(sentences.length > 0 ? '; ' : ', ');
  });
  return values.includes('')
    ? translate(sentenceText(code), ...values.map((one) => (one === '' ? silent : one))).replace(silentPart, '')
    : translate(sentenceText(code), ...values);
}

/** The sentence with each text in it, at any depth, as `change` makes it; its keys come in sorted order. */
export function withTexts({ args, code }: Sentence, change: (text: string) => string): Sentence {
  const changed = args.map((arg): SentenceArgument => {
    if (typeof arg === 'number') return arg;
    if (typeof arg === 'string') return change(arg);
    if ('code' in arg) return withTexts(arg, change);
    const texts = arg.flatMap((one) => (typeof one === 'string' ? [change(one)] : []));
    const sentences = arg.flatMap((one) => (typeof one === 'string' ? [] : [withTexts(one, change)]));
    return sentences.length > 0 ? sentences : texts;
  });
  return { args: changed, code };
}

/** An error of a reader whose message is quoted in the problem or refusal that comes of it. */
export class SaidError extends Error {
  readonly said: Sentence;

  constructor(said: Sentence, options?: ErrorOptions) {
    super(worded(said), options);
    this.said = said;
  }
}

/** What an error says; the words of a foreign one are taken as they are. */
export function saidBy(error: unknown): Sentence {
  if (error instanceof SaidError) return error.said;
  return say('as_it_is', messageOf(error));
}
