import type { SearchQuery } from '../ports/fileSearch';
import { requiredLiterals } from './requiredLiteral';
import { regexText } from '../base/regexText';

type Question = Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord'>;

/**
 * Characters beyond ASCII that fold to a letter of ASCII: the long s and the Kelvin sign. No others do (Unicode,
 * CaseFolding.txt).
 */
const folded: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/** True where the pattern is nothing but the text itself, so that finding the text is finding the match. */
export function isPlainText({ pattern, literal, wholeWord }: Question): boolean {
  return !wholeWord && (literal || /^[^\\^$.|?*+()[\]{}]+$/.test(pattern));
}

/**
 * Texts that every match holds, one after the other; none where none is sure, or where they would have to be folded by
 * more than ASCII's rules.
 */
export function requiredTexts(query: Question): readonly string[] {
  const texts = query.literal || isPlainText(query) ? [query.pattern] : requiredLiterals(query.pattern);
  return query.ignoreCase ? texts.filter((text) => /^[\x00-\x7f]+$/.test(text)) : texts;
}

/** The longest of them, undefined where there is none. */
export function requiredText(query: Question): string | undefined {
  const [first, ...more] = requiredTexts(query);
  return first === undefined
    ? undefined
    : more.reduce((one, other) => (other.length > one.length ? other : one), first);
}

/** Tells whether a text, or bytes, hold all of some texts one after the other. */
export function holdsInOrder<T extends string | Uint8Array>(
  whole: { readonly indexOf: (part: T, from?: number) => number },
  parts: readonly T[],
): boolean {
  let at = 0;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * An expression for an ASCII text in any case, in strings of characters or, with `inBytes`, in UTF-8 bytes read as
 * Latin-1. It holds only characters, small sets and, for two letters, two alternatives that start differently, so it
 * takes linear time.
 */
export function anyCase(text: string, inBytes = false): RegExp {
  const parts = [...text].map((char) => {
    const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
    if (lower === upper) return regexText(char);
    const more = folded[lower];
    if (more === undefined) return `[${lower}${upper}]`;
    if (!inBytes) return `[${lower}${upper}${more}]`;
    const bytes = [...new TextEncoder().encode(more)].map((byte) => `\\x${byte.toString(16)}`).join('');
    return `(?:[${lower}${upper}]|${bytes})`;
  });
  return new RegExp(parts.join(''));
}
