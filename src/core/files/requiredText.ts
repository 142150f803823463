import type { SearchQuery } from '../ports/fileSearch';
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

/**
 * Finds texts that every match of an RE2 expression must hold, one after the other, so that files and lines without
 * them need not be searched; none where none is sure. Only plain characters at the top level count: not those in
 * groups, sets, alternatives, or before `?`, `*` and `{`.
 */
function requiredLiterals(pattern: string): readonly string[] {
  if (/\(\?[a-zA-Z]*[imsU]|\\[QEpPxC0-9]/.test(pattern)) return [];
  let depth = 0;
  const found: string[] = [];
  let run = '';
  const end = (): void => {
    if (run.length >= 2 && /^[\x20-\x7e]+$/.test(run)) found.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '|' && depth === 0) return [];
    if (char === '[') {
      end();
      at = endOfSet(pattern, at);
    } else if (char === '(') {
      end();
      depth++;
    } else if (char === ')') {
      end();
      depth--;
    } else if (char === '?' || char === '*' || char === '{') {
      // The character before may be missing.
      run = run.slice(0, -1);
      end();
      if (char === '{') at = Math.max(at, pattern.indexOf('}', at));
    } else if (char === '+' || char === '.' || char === '^' || char === '$') end();
    else if (char === '\\') {
      const next = pattern[++at] ?? '';
      if (/[A-Za-z0-9]/.test(next)) end();
      else if (depth === 0) run += next;
    } else if (depth === 0) run += char;
  }
  end();
  return found;
}

function endOfSet(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  for (; at < pattern.length && pattern[at] !== ']'; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[' && pattern[at + 1] === ':') at = Math.max(at, pattern.indexOf(':]', at) + 1);
  }
  return at;
}
