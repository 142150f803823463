import { catalogue } from '../sentences/catalogue';
import { plainWords, type Translate } from './translate';

export type SentenceCode = keyof typeof catalogue;

/** What a sentence is about. A list holds names and is written as `a`, `b`; a sentence is a part of the other. */
export type SentenceArgument = string | number | Sentence | readonly string[];

/** What is told, as a code of the catalogue and its arguments; the words are made where a person or a model reads it. */
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
  C extends SentenceCode ? (args: Arguments<(typeof catalogue)[C]>) => void : never
) extends (args: infer A extends readonly SentenceArgument[]) => void
  ? A
  : never;

/** Makes a sentence; a code that is not in the catalogue, or a wrong number of arguments, does not compile. */
export function say<C extends SentenceCode>(code: C, ...args: Common<C>): Sentence {
  return { code, args };
}

/** The words of a sentence, in the language of `translate`: plain English without it. */
export function worded({ code, args }: Sentence, translate: Translate = plainWords): string {
  const values = args.map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return one;
    return 'code' in one ? worded(one, translate) : one.map((name) => `\`${name}\``).join(', ');
  });
  return translate(catalogue[code], ...values);
}
