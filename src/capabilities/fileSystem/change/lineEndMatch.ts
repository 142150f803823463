import { withEndOfLine } from '../shared/text';
import { regexText } from '../../../core/base/regexText';

/** A place that is the wanted text but for the line ends. */
interface LineEndMatch {
  /** From 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The longest text that is looked for so. */
const longest = 200_000;

/** Finds a text of several lines whichever line ends it has in the file; for files that have both. */
export function lineEndMatches(text: string, wanted: string): readonly LineEndMatch[] {
  const plain = withEndOfLine(wanted, 'lf');
  if (!plain.includes('\n') || plain.length > longest) return [];
  const pattern = plain.split('\n').map(regexText).join('\\r?\\n');
  const found: LineEndMatch[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(new RegExp(pattern, 'g'))) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1)) line++;
    counted = match.index;
    found.push({ line, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Replaces the places; the new lines end as those that stood there did. */
export function replaceEnded(text: string, places: readonly LineEndMatch[], replacement: string): string {
  let result = '';
  let done = 0;
  for (const { start, end } of places) {
    result +=
      text.slice(done, start) + withEndOfLine(replacement, lineEndIn(text.slice(start, end)) === '\n' ? 'lf' : 'crlf');
    done = end;
  }
  return result + text.slice(done);
}

/** The first line end of a text. */
export function lineEndIn(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
