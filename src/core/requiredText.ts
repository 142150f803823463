import type { SearchQuery } from './ports/fileSearch';
import { requiredLiteral } from './requiredLiteral';

type Question = Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord'>;

/** Characters beyond ASCII that fold to a letter of ASCII: the long s and the Kelvin sign. No others do (Unicode, CaseFolding.txt). */
const folded: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

/** True where the pattern is nothing but the text itself, so that finding the text is finding the match. */
export function isPlainText({ pattern, literal, wholeWord }: Question): boolean {
  return !wholeWord && (literal || /^[^\\^$.|?*+()[\]{}]+$/.test(pattern));
}

/** A text that every match holds; undefined where none is sure, or where it would have to be folded by more than ASCII's rules. */
export function requiredText(query: Question): string | undefined {
  const text = query.literal || isPlainText(query) ? query.pattern : requiredLiteral(query.pattern);
  return text !== undefined && query.ignoreCase && !/^[\x00-\x7f]+$/.test(text) ? undefined : text;
}

/**
 * An expression for an ASCII text in any case, in strings of characters or, with `inBytes`, in UTF-8 bytes read as Latin-1. It holds only
 * characters, small sets and, for two letters, two alternatives that start differently, so it takes linear time.
 */
export function anyCase(text: string, inBytes = false): RegExp {
  const parts = [...text].map((char) => {
    const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
    if (lower === upper) return char.replace(/[\\^$.|?*+()[\]{}/-]/, '\\$&');
    const more = folded[lower];
    if (more === undefined) return `[${lower}${upper}]`;
    if (!inBytes) return `[${lower}${upper}${more}]`;
    const bytes = [...new TextEncoder().encode(more)].map((byte) => `\\x${byte.toString(16)}`).join('');
    return `(?:[${lower}${upper}]|${bytes})`;
  });
  return new RegExp(parts.join(''));
}
