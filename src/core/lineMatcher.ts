import { RE2JS } from 're2js';
import { toolError } from './errors';
import type { SearchQuery } from './ports/fileSearch';
import { anyCase, holdsInOrder, isPlainText, requiredText, requiredTexts } from './requiredText';

/** The first match in one line, or undefined. `column` counts UTF-16 units from 0. */
export type LineMatcher = (line: string) => { readonly column: number; readonly length: number } | undefined;

/**
 * Compiles a search's pattern so that it takes linear time whatever the pattern (RE2 syntax). Throws `invalid_pattern`. Plain text is looked for
 * as such, and lines without a text that every match holds never reach the expression, which is many times slower.
 */
export function compileLineMatcher(query: Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord'>): LineMatcher {
  const expression = compileExpression(query);
  const text = requiredText(query);
  const slow: LineMatcher = (line) => {
    const matcher = expression.matcher(line);
    return matcher.find() ? { column: matcher.start(), length: matcher.end() - matcher.start() } : undefined;
  };
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

export function compileExpression(query: Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord'>): RE2JS {
  const { pattern } = query;
  if (pattern === '') throw toolError('invalid_pattern', 'the pattern is empty; give the text or the expression to look for');
  if (pattern.length > 10_000) throw toolError('invalid_pattern', 'the pattern has more than 10,000 characters');
  if (/[\r\n]/.test(pattern))
    throw toolError('invalid_pattern', 'the pattern holds a line end; matches lie within one line, so search for one line');
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
