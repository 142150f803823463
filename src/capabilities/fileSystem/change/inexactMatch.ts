import { splitLines, withEndOfLine } from '../shared/text';
import { regexText } from '../../../core/base/regexText';

/** A place in a text. */
interface Place {
  /** From 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The longest text that is looked for so. */
const longest = 200_000;

/** Finds a text of several lines whichever line ends it has in the file; for files that have both. */
export function lineEndMatches(text: string, wanted: string): readonly Place[] {
  const plain = withEndOfLine(wanted, 'lf');
  if (!plain.includes('\n') || plain.length > longest) return [];
  const pattern = plain.split('\n').map(regexText).join('\\r?\\n');
  const found: Place[] = [];
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
export function replaceEnded(text: string, places: readonly Place[], replacement: string): string {
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
function lineEndIn(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** Whole lines of a text that are the wanted ones, white space at the ends of lines apart. */
interface LooseMatch extends Place {
  /** The indentation of the first of the lines that is not empty. */
  readonly indent: string;
}

/**
 * Finds the places, none overlapping another, whose lines are those of `wanted` once white space at their ends is taken
 * away.
 */
export function looseMatches(text: string, wanted: string): readonly LooseMatch[] {
  const goal = linesOf(wanted).map((line) => line.trim());
  if (goal.every((line) => line === '')) return [];
  const lines = splitLines(text);
  const trimmed = lines.map((line) => line.trim());
  const found: LooseMatch[] = [];
  for (let at = 0, start = 0; at + goal.length <= lines.length;) {
    const fits = goal.every((line, row) => trimmed[at + row] === line);
    const height = fits ? goal.length : 1;
    const end = start + lines.slice(at, at + height).reduce((sum, line) => sum + line.length, 0);
    if (fits) found.push({ line: at + 1, start, end, indent: indentOf(lines.slice(at, at + height)) });
    at += height;
    start = end;
  }
  return found;
}

/**
 * Replaces the places; the new lines are indented from where the old ones stood. Replacing by nothing takes the lines
 * away.
 */
export function replaceLoosely(
  text: string,
  places: readonly LooseMatch[],
  wanted: string,
  replacement: string,
): string {
  const given = indentOf(linesOf(wanted));
  let result = '';
  let done = 0;
  for (const place of places) {
    result += text.slice(done, place.start);
    if (replacement !== '') {
      const lines = linesOf(replacement).map((line) => {
        if (line.trim() === '') return line.trim();
        return line.startsWith(given) ? place.indent + line.slice(given.length) : line;
      });
      const lineEnd = lineEndIn(text.slice(place.start, place.end));
      result += lines.join(lineEnd) + (text[place.end - 1] === '\n' ? lineEnd : '');
    }
    done = place.end;
  }
  return result + text.slice(done);
}

function linesOf(text: string): string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  return /^[ \t]*/.exec(first)?.[0] ?? '';
}
