import { shownCharacters, shownLine } from '../../../core/files/searchText';
import type { SearchFile, SearchLine, SearchQuery } from '../../../core/ports/fileSearch';
import { comparedBytes, type MatchRow } from './ripgrepRows';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly column?: number;
}

/**
 * Makes the lines of a result from the content of a file that has been opened and verified, and from where ripgrep found matches in it. Undefined
 * where the content is not what ripgrep read: it has been changed or swapped since, or is in another encoding than UTF-8.
 */
export function linesAt(
  bytes: Buffer,
  rows: readonly MatchRow[],
  query: Pick<SearchQuery, 'contextLines' | 'maxPerFile'>,
): Omit<SearchFile, 'path'> | 'binary' | undefined {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return undefined;
  if (bytes.includes(0)) return 'binary';
  const from = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const kept = rows.slice(0, query.maxPerFile);
  const spans = new Map<number, Span>();
  for (const row of kept) {
    const span = spanOf(bytes, from, row);
    if (!span) return undefined;
    spans.set(row.line, span);
  }
  for (const { line } of kept) addContext(spans, bytes, from, line, query.contextLines);
  const lines = [...spans].sort(([a], [b]) => a - b).map(([line, span]) => lineOf(bytes, line, span));
  return { lines, count: kept.length, more: rows.length > kept.length };
}

function spanOf(bytes: Buffer, from: number, { offset, column, start: expected }: MatchRow): Span | undefined {
  const start = from + offset;
  if (start > bytes.length || (start > from && bytes[start - 1] !== 10)) return undefined;
  const end = lineEnd(bytes, start);
  // Told to know CRLF, ripgrep reads a carriage return within a line otherwise than our own engine does.
  const carriage = bytes.subarray(start, end).indexOf(13);
  if (carriage >= 0 && carriage < end - start - 1) return undefined;
  const compared = Math.min(comparedBytes, end - start);
  return bytes.subarray(start, start + compared).equals(expected.subarray(0, compared)) ? { start, end, column } : undefined;
}

function addContext(spans: Map<number, Span>, bytes: Buffer, from: number, line: number, distance: number): void {
  const { start, end } = spans.get(line) ?? { start: 0, end: 0 };
  for (let before = 1, at = start; before <= distance && at > from; before++) {
    const previous = at - 1 > from ? Math.max(bytes.lastIndexOf(10, at - 2) + 1, from) : from;
    if (!spans.has(line - before)) spans.set(line - before, { start: previous, end: at - 1 });
    at = previous;
  }
  for (let after = 1, at = end + 1; after <= distance && at < bytes.length; after++) {
    const next = lineEnd(bytes, at);
    if (!spans.has(line + after)) spans.set(line + after, { start: at, end: next });
    at = next + 1;
  }
}

function lineEnd(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(10, start);
  return found < 0 ? bytes.length : found;
}

function lineOf(bytes: Buffer, line: number, { start, end, column }: Span): SearchLine {
  const bare = end > start && bytes[end - 1] === 13 ? end - 1 : end;
  // An empty match may stand behind the line's carriage return.
  const match = Math.min(start + (column ?? 0), bare);
  // Bytes become UTF-16 units. Of what follows the match, as much as can be shown: a line may have megabytes.
  const before = bytes.toString('utf8', start, match);
  const text = before + bytes.toString('utf8', match, Math.min(bare, match + 4 * (shownCharacters + 100)));
  return shownLine(line, text, column === undefined ? undefined : before.length);
}
