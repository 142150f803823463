import type { LineMatcher } from '../lineMatcher';
import type { SearchFile, SearchLine, SearchQuery } from '../ports/fileSearch';

/** So much is shown of a line. */
export const shownCharacters = 240;

/** Decodes a file as both engines do: by byte order mark, else UTF-8; a NUL byte makes it binary. */
export function decodeForSearch(bytes: Uint8Array): string | 'binary' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.includes(0) ? 'binary' : new TextDecoder().decode(bytes);
}

/** Finds the matching lines of one file, with their context. */
export function searchText(
  bytes: Uint8Array,
  matcher: LineMatcher,
  query: Pick<SearchQuery, 'contextLines' | 'maxPerFile'>,
): Omit<SearchFile, 'path'> | 'binary' | undefined {
  const text = decodeForSearch(bytes);
  if (text === 'binary') return 'binary';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const matches = new Map<number, number>();
  let more = false;
  for (const [index, line] of lines.entries()) {
    const found = matcher(withoutReturn(line));
    if (!found) continue;
    if (matches.size >= query.maxPerFile) {
      more = true;
      break;
    }
    matches.set(index, found.column);
  }
  if (matches.size === 0) return undefined;
  const shown = new Set<number>();
  for (const index of matches.keys()) {
    for (let at = Math.max(0, index - query.contextLines); at <= Math.min(lines.length - 1, index + query.contextLines); at++)
      shown.add(at);
  }
  return {
    lines: [...shown].sort((a, b) => a - b).map((index) => shownLine(index + 1, withoutReturn(lines[index] ?? ''), matches.get(index))),
    count: matches.size,
    more,
  };
}

export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Cuts a long line to the part around its first match. */
export function shownLine(line: number, text: string, column: number | undefined): SearchLine {
  const start = text.length <= shownCharacters ? 0 : Math.max(0, Math.min((column ?? 0) - 60, text.length - shownCharacters));
  const shown = text.length <= shownCharacters ? text : `${start > 0 ? '…' : ''}${text.slice(start, start + shownCharacters)}…`;
  return column === undefined ? { line, text: shown } : { line, text: shown, column: column + 1 };
}
