import type { SearchQuery } from '../../../core/ports/fileSearch';

const ascii: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\x0c\\r ' };

/**
 * Writes an RE2 expression so that ripgrep's engine understands it alike: `\d`, `\w`, `\s` and `\b` mean ASCII in RE2 and Unicode there.
 * The expression has been accepted by our own engine before, so that both refuse the same.
 */
export function rustPattern(query: Pick<SearchQuery, 'pattern' | 'literal' | 'wholeWord'>): string {
  const inner = query.literal ? query.pattern.replace(/[\\^$.|?*+()[\]{}#&~-]/g, '\\$&') : translate(query.pattern);
  return query.wholeWord ? `(?-u:\\b)(?:${inner})(?-u:\\b)` : inner;
}

function translate(pattern: string): string {
  let out = '';
  let inSet = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '\\') {
      out += escapeOf(pattern[++at] ?? '', inSet);
    } else if (inSet) {
      if (char === '[' && pattern[at + 1] === ':') {
        const end = pattern.indexOf(':]', at);
        if (end > 0) {
          out += pattern.slice(at, end + 2);
          at = end + 1;
          continue;
        }
      }
      if (char === ']') inSet = false;
      // In a set these are operators there and ordinary characters here.
      out += char === '[' || ((char === '&' || char === '~' || char === '-') && pattern[at + 1] === char) ? `\\${char}` : char;
    } else if (char === '[') {
      inSet = true;
      out += char;
      if (pattern[at + 1] === '^') out += pattern[++at];
      if (pattern[at + 1] === ']') {
        out += '\\]';
        at++;
      }
    } else out += char;
  }
  return out;
}

function escapeOf(letter: string, inSet: boolean): string {
  const set = ascii[letter.toLowerCase()];
  if (set !== undefined) {
    if (letter === letter.toLowerCase()) return inSet ? set : `[${set}]`;
    return `[^${set}]`;
  }
  if ((letter === 'b' || letter === 'B') && !inSet) return `(?-u:\\${letter})`;
  return `\\${letter}`;
}
