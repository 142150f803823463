import { isAscii } from 'node:buffer';
import { shownLine, withoutReturn } from '../../../core/files/searchText';
import type { SearchFile, SearchLine, SearchQuery } from '../../../core/ports/fileSearch';
import { comparedBytes, type MatchRow } from './ripgrepRows';

/** Lines of more bytes, where one is one character, are not made a string as a whole. */
const longLine = 2000;

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
  if (bare - start > longLine && isAscii(bytes.subarray(start, bare))) {
    const part = (from?: number, to?: number): string =>
      bytes.toString('latin1', start + (from ?? 0), Math.min(start + (to ?? bare), bare));
    return shownLine(line, { length: bare - start, slice: part }, column && Math.min(column, bare - start));
  }
  const text = withoutReturn(bytes.toString('utf8', start, end));
  if (column === undefined) return shownLine(line, text, undefined);
  // Bytes become UTF-16 units. An empty match may stand behind the line's carriage return.
  return shownLine(line, text, Math.min(bytes.toString('utf8', start, start + column).length, text.length));
}
