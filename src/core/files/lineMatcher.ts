import { RE2JS } from 're2js';
import { toolError } from '../vocabulary/errors';
import type { SearchQuery } from '../ports/fileSearch';
import { anyCase, holdsInOrder, isPlainText, requiredText, requiredTexts } from './requiredText';

type Question = Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord'>;

/** The first match in one line, or undefined. `column` counts UTF-16 units from 0. */
export type LineMatcher = (line: string) => { readonly column: number; readonly length: number } | undefined;

/** Tells whether an expression names the carriage return, so that it looks for one: as `\r`, or by its number. */
export function namesCarriageReturn({ pattern, literal }: Pick<Question, 'pattern' | 'literal'>): boolean {
  if (literal) return false;
  return [...pattern.matchAll(/\\(?:x0[dD]|x\{0*[dD]\}|0?15|.)/gs)].some(
    ([escape]) => escape === '\\r' || escape.length > 2,
  );
}

/**
 * Tells whether an expression can match nothing because it asks for a line feed; one that is in a set, optional or an
 * alternative may be missing.
 */
function needsLineFeed({ pattern, literal }: Pick<Question, 'pattern' | 'literal'>): boolean {
  if (literal || pattern.includes('|')) return false;
  const parts =
    /\\Q.*?(?:\\E|$)|\\(?:x0[aA]|x\{0*[aA]\}|0?12|.)(?:[?*]|\{0)?|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|./gs;
  return [...pattern.matchAll(parts)].some(([part]) => part === '\\n' || /^\\(?:x0a|x\{0*a\}|0?12)$/i.test(part));
}

/**
 * Compiles a search's pattern so that it takes linear time whatever the pattern (RE2 syntax). Throws `invalid_pattern`.
 * Plain text is looked for as such, and lines without a text that every match holds never reach the expression, which
 * is many times slower.
 *
 * A carriage return within a line bounds `^` and `$` and no match goes across it, as in ripgrep told to know CRLF; an
 * expression that names it sees it as a character.
 */
export function compileLineMatcher(query: Question): LineMatcher {
  const expression = compileExpression(query);
  const text = requiredText(query);
  const whole: LineMatcher = (line) => {
    const matcher = expression.matcher(line);
    return matcher.find() ? { column: matcher.start(), length: matcher.end() - matcher.start() } : undefined;
  };
  const slow = namesCarriageReturn(query) ? whole : betweenReturns(whole);
  if (text === undefined) return slow;
  if (query.ignoreCase) {
    const anywhere = anyCase(text);
    if (!isPlainText(query)) return (line) => (anywhere.test(line) ? slow(line) : undefined);
    return (line) => {
      const match = anywhere.exec(line);
      return match ? { column: match.index, length: match[0].length } : undefined;
    };
  }
  // Half a surrogate pair is no character for the expression.
  if (!isPlainText(query) || /[\ud800-\udfff]/.test(text)) {
    const texts = requiredTexts(query);
    return (line) => (holdsInOrder(line, texts) ? slow(line) : undefined);
  }
  return (line) => {
    const column = line.indexOf(text);
    return column < 0 ? undefined : { column, length: text.length };
  };
}

function betweenReturns(matcher: LineMatcher): LineMatcher {
  return (line) => {
    if (!line.includes('\r')) return matcher(line);
    let start = 0;
    for (const piece of line.split('\r')) {
      const found = matcher(piece);
      if (found) return { ...found, column: start + found.column };
      start += piece.length + 1;
    }
    return undefined;
  };
}

export function compileExpression(query: Question): RE2JS {
  const { pattern } = query;
  if (pattern === '')
    throw toolError('invalid_pattern', 'the pattern is empty; give the text or the expression to look for');
  if (pattern.length > 10_000) throw toolError('invalid_pattern', 'the pattern has more than 10,000 characters');
  if (/[\r\n]/.test(pattern))
    throw toolError(
      'invalid_pattern',
      'the pattern holds a line end; matches lie within one line, so search for one line',
    );
  if (needsLineFeed(query))
    throw toolError(
      'invalid_pattern',
      'the pattern asks for a line feed; matches lie within one line, so end it with $ or search for one line',
    );
  const inner = query.literal ? RE2JS.quote(pattern) : pattern;
  try {
    return RE2JS.compile(query.wholeWord ? `\\b(?:${inner})\\b` : inner, query.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read';
    throw toolError(
      'invalid_pattern',
      `the pattern is not a regular expression of RE2 (no look-around, no back-references): ${why}; set literal to true to search for the text itself`,
    );
  }
}
