import { isObject } from '../base/json';
import { type Sentence, withTexts, worded } from '../base/sentence';
import { isSentenceCode, sentenceText } from '../sentences/catalogue';

type Argument = Sentence['args'][number];

/** No sentence of ours is a part of a part of more. */
const deepest = 6;

/** The English words of what an event tells. */
export function detailText(detail: string | Sentence): string {
  return typeof detail === 'string' ? detail : worded(detail);
}

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
  if (said === undefined || (said.code === 'as_it_is' && typeof said.args[0] === 'string')) return undefined;
  const kept = withTexts(said, text);
  return worded(kept) === recorded ? kept : undefined;
}

/** Reads a recorded sentence; undefined where it is none of this version's. */
export function readSentence(value: unknown, depth = 0): Sentence | undefined {
  if (!isObject(value) || depth > deepest) return undefined;
  const { code, args } = value;
  if (typeof code !== 'string' || !isSentenceCode(code) || !Array.isArray(args)) return undefined;
  if (args.length !== blanksOf(sentenceText(code))) return undefined;
  const read = args.map((arg) => readArgument(arg, depth));
  return read.includes(undefined) ? undefined : { args: read.filter((one) => one !== undefined), code };
}

/** How many arguments a template takes; `{0}` is the first. */
function blanksOf(template: string): number {
  let blanks = 0;
  while (template.includes(`{${blanks}}`)) blanks++;
  return blanks;
}

function readArgument(value: unknown, depth: number): Argument | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (!Array.isArray(value)) return readSentence(value, depth + 1);
  if (value.every((one) => typeof one === 'string')) return value;
  const sentences = value.flatMap((one) => readSentence(one, depth + 1) ?? []);
  return sentences.length === value.length ? sentences : undefined;
}
