import { isSentenceCode, sentenceText } from '../sentences/catalogue';
import { isObject } from './json';
import type { Sentence } from './sentence';

type Argument = Sentence['args'][number];

/** No sentence of ours is a part of a part of more. */
const deepest = 8;

/** Reads a sentence that was kept, such as in a record; undefined where it is none of this version's. */
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
