import { commonPair } from './letterPairs';

/** Bits by character, of the characters of a text: random tokens have more than words. */
export function entropy(text: string): number {
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** What stands in examples and tests in place of a secret. */
const example =
  /example|sample|dummy|placeholder|changeme|change_me|your[_-]?|my[_-]|xxxx|\*\*\*|\.\.\.|1234567|abcdefg|0123456|fffffff|deadbeef|redacted|hidden|password|passw0rd|secret|token|foobar|lorem/i;

/** One character again and again, or a few by turns. */
const repeated = /^(.{1,6}?)\1{2,}.{0,5}$/;

/** Tells what was written as an example from what a machine drew. */
export const isExample = (text: string): boolean => example.test(text) || repeated.test(text) || isSequence(text);

/** Most characters follow the one before: `abcdef…`, `23456…`. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) steps++;
  return steps * 2 > text.length;
}

const digit = /\d/;
const letter = /[A-Za-z]/;

/** What words joined by signs consist of, and what those joined by capitals do. */
const bySigns = /(?<![A-Za-z0-9])(?:[a-z]{2,}|[A-Z]{2,})(?![A-Za-z0-9])|[-_.]/g;
const byCapitals = /[A-Z]?[a-z]{2,}|(?<![A-Za-z0-9])[A-Z]{2,}(?![A-Za-z0-9])|[-_.]/g;

/**
 * Words joined as a name make up most of it, `utf8ToBase64Converter`, `name_of_it`: by the signs and capitals between
 * them, and by their pairs of letters, which chance has less of.
 */
export function isOfWords(text: string): boolean {
  const joined = /[a-z]/.test(text) && /[A-Z]/.test(text) ? byCapitals : bySigns;
  if (text.length < 16 || text.replace(joined, '').length > 0.4 * text.length) return false;
  const found = text.match(/(?<=[A-Za-z])[a-z]/g)?.length ?? 0;
  let common = 0;
  for (let at = 1; at < text.length; at++)
    if (/^[A-Za-z][a-z]$/.test(text.slice(at - 1, at + 1)) && commonPair(text.slice(at - 1, at + 1).toLowerCase()) > 0)
      common++;
  return common > 0.4 * found;
}

/** Letters and digits by chance, as in a key: no word, no number, no example. */
export function isRandom(text: string, leastBits = 2.8): boolean {
  return digit.test(text) && letter.test(text) && entropy(text) >= leastBits && !isExample(text) && !isOfWords(text);
}

/** Lower and upper case and a digit by chance: what words joined as a name do not have. */
export function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && (text.match(/\d/g)?.length ?? 0) >= 2 && isRandom(text, 3.2);
}

/** Words of one case with a number or two among them: `shop-service-v2`. */
const joinedWords = /^(?:[a-z\d]+(?:[-_.][a-z\d]+)+|[A-Z\d]+(?:[-_.][A-Z\d]+)+)$/;

/** Letters and digits by chance, of both cases or long: no words that are joined. */
export const isDrawn = (text: string): boolean =>
  isMixed(text) ||
  (text.length >= 16 && isRandom(text) && ((text.match(/\d/g)?.length ?? 0) >= 3 || !joinedWords.test(text)));

/** What nobody would have written as an example: with a digit by chance, or long and of both cases without one. */
export const isPassword = (text: string): boolean =>
  (text.length >= 8 && isRandom(text, 2.5)) ||
  (text.length >= 10 && /[a-z]/.test(text) && /[A-Z]/.test(text) && entropy(text) >= 3 && !isExample(text));

const hash = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const integrity = /^(?:sha(?:1|256|384|512)|md5)[-:]/i;

/** What files are full of and keeps nothing secret: hashes, ids, checksums of lock files. */
export const isPublicId = (text: string): boolean => hash.test(text) || uuid.test(text) || integrity.test(text);

/** Bytes in base64 go on before or behind, in the same line or in those around. */
export const isWithinBytes = (text: string, start: number, end: number): boolean =>
  /[+/]$|[A-Za-z0-9+/]{20}(?:\r?\n|\\r?\\?n|["'+\s]{1,12})$/.test(text.slice(Math.max(0, start - 40), start)) ||
  /^(?:[+/]|\s{0,2}["'+\s\\n]{0,12}[A-Za-z0-9+/]{40})/.test(text.slice(end, end + 64));
