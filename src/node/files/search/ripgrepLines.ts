import { shownCharacters, shownLine, type Steps, type TextMatches, wideEncoding } from '../../../core/files/searchText';
import type { LineMatcher } from '../../../core/files/lineMatcher';
import type { SearchLine, SearchQuery } from '../../../core/ports/fileSearch';
import type { Content } from './contained';
import { comparedBytes, type MatchRow } from './ripgrepRows';

/** A part of a file, with whole lines around where ripgrep found something. */
interface Part {
  readonly bytes: Buffer;
  /** Where its first byte is in the file. */
  readonly base: number;
}

export interface LineQuestion {
  readonly query: Pick<SearchQuery, 'contextLines' | 'maxPerFile'>;
  /** Finds the match in a line that ripgrep may read otherwise than our own engine. */
  readonly matcher: LineMatcher;
  /** True where ripgrep looks for more than the expression means, in lines with more than ASCII. */
  readonly isLoose: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const byteOrderMark = Buffer.from('\ufeff');
/** So much around a match is read of a large file at first. */
const around = 1 << 16;

/**
 * Makes the lines of a result from the content of a file that has been opened and verified, and from where ripgrep
 * found matches in it: nothing where the file holds none after all, `changed` where it is not what ripgrep read, is in
 * another encoding than UTF-8, or holds a NUL.
 */
export function* linesAt(
  content: Content,
  rows: readonly MatchRow[],
  question: LineQuestion,
): Steps<TextMatches | 'changed' | undefined> {
  const { whole } = content;
  if (whole) {
    if (wideEncoding(whole) || whole.includes(0)) return 'changed';
    return matchesOf(rows, () => ({ bytes: whole, base: 0 }), whole.subarray(0, 3).equals(byteOrderMark), question);
  }
  const start = content.slice(0, 3);
  if (wideEncoding(start)) return 'changed';
  const window = content.room.window();
  for (let at = 0, isLast = false; !isLast; at += window.length) {
    const bytes = content.slice(at, window.length, window);
    if (bytes.includes(0)) return 'changed';
    isLast = bytes.length < window.length;
    yield;
  }
  const hasMark = start.equals(byteOrderMark);
  const partOf = ({ offset }: MatchRow): Part =>
    partAround(content, offset + (hasMark ? 3 : 0), question.query.contextLines);
  return matchesOf(rows, partOf, hasMark, question);
}

/** As much as holds the line at a place and the lines around it. */
function partAround(content: Content, offset: number, contextLines: number): Part {
  for (let size = around; ; size *= 4) {
    const base = Math.max(0, offset - size);
    const bytes = content.slice(base, offset - base + size);
    const isEnd = bytes.length < offset - base + size;
    let start = offset - base;
    for (let line = 0; line <= contextLines && start > 0; line++)
      start = start < 2 ? 0 : bytes.lastIndexOf(10, start - 2) + 1;
    let end = offset - base;
    for (let line = 0; line <= contextLines && end < bytes.length; line++) end = lineEnd(bytes, end) + 1;
    if ((start > 0 || base === 0) && (end <= bytes.length || isEnd))
      return { bytes: bytes.subarray(start, end), base: base + start };
  }
}

function matchesOf(
  rows: readonly MatchRow[],
  partOf: (row: MatchRow) => Part,
  hasMark: boolean,
  question: LineQuestion,
): TextMatches | 'changed' | undefined {
  const { maxPerFile, contextLines } = question.query;
  const lines = new Map<number, SearchLine>();
  const context = new Map<number, string>();
  let [count, more] = [0, false];
  for (const row of rows) {
    const { bytes, base } = partOf(row);
    const from = hasMark && base === 0 ? 3 : 0;
    const span = spanOf(bytes, from, row.offset + (hasMark ? 3 : 0) - base, row);
    if (!span) return 'changed';
    const line = lineOf(bytes, span, row, question);
    // What ripgrep counted in vain is missing at the end.
    if (!line && rows.length > maxPerFile) return 'changed';
    if (!line) continue;
    more = count === maxPerFile;
    if (more) break;
    count++;
    lines.set(row.line, line);
    for (const [number, text] of contextOf(bytes, from, row.line, span, contextLines)) context.set(number, text);
  }
  if (count === 0) return undefined;
  for (const [number, text] of context) if (!lines.has(number)) lines.set(number, shownLine(number, text, undefined));
  return { lines: [...lines.values()].sort((a, b) => a.line - b.line), count, more };
}

/** The line of a row, if it starts as ripgrep read it. */
function spanOf(bytes: Buffer, from: number, start: number, row: MatchRow): Span | undefined {
  if (start < from || start > bytes.length || (start > from && bytes[start - 1] !== 10)) return undefined;
  const end = lineEnd(bytes, start);
  const compared = Math.min(comparedBytes, end - start);
  return bytes.subarray(start, start + compared).equals(row.start.subarray(0, compared)) ? { start, end } : undefined;
}

function lineOf(
  bytes: Buffer,
  { start, end }: Span,
  row: MatchRow,
  { matcher, isLoose }: LineQuestion,
): SearchLine | undefined {
  const bare = bareEnd(bytes, start, end);
  const line = bytes.subarray(start, bare);
  // A carriage return at the very end of a file is a line end for us only.
  if (line.includes(13) || (bare < end && end === bytes.length) || (isLoose && !isAscii(line))) {
    const text = line.toString('utf8');
    const found = matcher(text);
    return found && shownLine(row.line, text, found.column);
  }
  // An empty match may stand behind the line's carriage return.
  const match = Math.min(start + row.column, bare);
  // Bytes become UTF-16 units. Of what follows the match, as much as can be shown: a line may have megabytes.
  const before = bytes.toString('utf8', start, match);
  const text = before + bytes.toString('utf8', match, Math.min(bare, match + 4 * (shownCharacters + 100)));
  return shownLine(row.line, text, before.length);
}

function* contextOf(
  bytes: Buffer,
  from: number,
  line: number,
  { start, end }: Span,
  distance: number,
): Iterable<readonly [number, string]> {
  for (let before = 1, at = start; before <= distance && at > from; before++) {
    const previous = at - 1 > from ? Math.max(bytes.lastIndexOf(10, at - 2) + 1, from) : from;
    yield [line - before, textOf(bytes, previous, at - 1)];
    at = previous;
  }
  for (let after = 1, at = end + 1; after <= distance && at < bytes.length; after++) {
    const next = lineEnd(bytes, at);
    yield [line + after, textOf(bytes, at, next)];
    at = next + 1;
  }
}

/** Of a line of megabytes, as much as can be shown. */
function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, Math.min(bareEnd(bytes, start, end), start + 4 * (shownCharacters + 100)));
}

function bareEnd(bytes: Buffer, start: number, end: number): number {
  return end > start && bytes[end - 1] === 13 ? end - 1 : end;
}

function lineEnd(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(10, start);
  return found < 0 ? bytes.length : found;
}

function isAscii(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte > 127) return false;
  return true;
}
