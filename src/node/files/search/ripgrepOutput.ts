import { isObject } from '../../../core/base/json';
import { shownLine, withoutReturn } from '../../../core/files/searchText';
import type { SearchFile, SearchLine, SearchQuery } from '../../../core/ports/fileSearch';

/** Reads ripgrep's JSON lines as they arrive and puts each file's lines together. */
export class RipgrepOutput {
  readonly #query: Pick<SearchQuery, 'maxPerFile' | 'contextLines'>;
  #rest: Buffer = Buffer.alloc(0);
  readonly #open = new Map<string, { line: number; text: string; column: number | undefined }[]>();

  constructor(query: Pick<SearchQuery, 'maxPerFile' | 'contextLines'>) {
    this.#query = query;
  }

  /** Takes a piece of the output and answers the files that are complete. */
  take(data: Buffer): SearchFile[] {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    const end = all.lastIndexOf(10);
    this.#rest = all.subarray(end + 1);
    if (end < 0) return [];
    const files: SearchFile[] = [];
    for (const line of all.toString('utf8', 0, end).split('\n')) {
      const event: unknown = JSON.parse(line);
      if (!isObject(event) || !isObject(event['data'])) continue;
      const { data } = event;
      const path = textOf(data['path'])?.text.replace(/^\.\//, '').replaceAll('\\', '/');
      if (path === undefined) continue;
      if (event['type'] === 'match' || event['type'] === 'context') this.#line(path, data, event['type'] === 'match');
      else if (event['type'] === 'end') {
        const lines = this.#open.get(path);
        this.#open.delete(path);
        // A NUL byte anywhere makes a file binary, also where matches came before it.
        if (lines && (data['binary_offset'] ?? null) === null) files.push(this.#file(path, lines));
      }
    }
    return files;
  }

  #line(path: string, data: Record<string, unknown>, matched: boolean): void {
    const found = textOf(data['lines']);
    const number = data['line_number'];
    if (!found || typeof number !== 'number') return;
    const matches = data['submatches'];
    const first: unknown = Array.isArray(matches) ? matches[0] : undefined;
    // An empty match at the very end of a file comes without its place.
    const start = isObject(first) && typeof first['start'] === 'number' ? first['start'] : Infinity;
    const lines = this.#open.get(path) ?? [];
    this.#open.set(path, lines);
    const text = withoutReturn(found.text.replace(/\n$/, ''));
    const column = found.bytes === undefined ? characters(text, start) : decode(found.bytes.subarray(0, start)).length;
    lines.push({ line: number, text, column: matched ? Math.min(column, text.length) : undefined });
  }

  #file(path: string, lines: readonly { line: number; text: string; column: number | undefined }[]): SearchFile {
    const { maxPerFile, contextLines } = this.#query;
    const matches = lines.filter((one) => one.column !== undefined).map((one) => one.line);
    const kept = new Set(matches.slice(0, maxPerFile));
    const more = matches.length > maxPerFile;
    const shown: SearchLine[] = [];
    for (const { line, text, column } of lines) {
      if (kept.has(line)) shown.push(shownLine(line, text, column));
      // What came only for the match too many is left out, as are its surroundings.
      else if (!more || near(kept, line, contextLines)) shown.push(shownLine(line, text, undefined));
    }
    return { path, lines: shown, count: kept.size, more };
  }
}

function near(kept: ReadonlySet<number>, line: number, distance: number): boolean {
  for (let at = line - distance; at <= line + distance; at++) if (kept.has(at)) return true;
  return false;
}

/** Text as ripgrep gives it: as such, or as base64 where it is not UTF-8. */
function textOf(value: unknown): { readonly text: string; readonly bytes?: Uint8Array } | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value['text'] === 'string') return { text: value['text'] };
  if (typeof value['bytes'] !== 'string') return undefined;
  const bytes = Buffer.from(value['bytes'], 'base64');
  return { text: decode(bytes), bytes };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Turns an offset in UTF-8 bytes into one in UTF-16 units. */
function characters(text: string, bytes: number): number {
  let seen = 0;
  for (let index = 0; index < text.length;) {
    if (seen >= bytes) return index;
    const code = text.codePointAt(index) ?? 0;
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += code > 0xffff ? 2 : 1;
  }
  return text.length;
}
