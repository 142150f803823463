import type { LineMatcher } from './lineMatcher';
import type { SearchFile, SearchLine, SearchQuery } from '../ports/fileSearch';

/** So much is shown of a line. */
export const shownCharacters = 240;
/** A text of more characters cannot be held as one. */
const longestText = 1 << 28;
/** After so many characters whoever runs a search is asked whether something else is due. */
const charactersPerStep = 1 << 16;

export type TextMatches = Omit<SearchFile, 'path'>;

/** A step of work that can wait for others: it yields from time to time and returns its result. */
export type Steps<T> = Generator<undefined, T>;

/** Finds the matching lines of one text, with their context, as the text arrives. */
export class TextSearch {
  readonly #matcher: LineMatcher;
  readonly #contextLines: number;
  readonly #maxPerFile: number;
  readonly #shown: SearchLine[] = [];
  /** The last lines that are not shown, as many as a match would show before itself. */
  #before: string[] = [];
  /** So many of the next lines are shown whatever they hold. */
  #after = 0;
  #line = 0;
  #count = 0;
  #more = false;

  constructor(matcher: LineMatcher, query: Pick<SearchQuery, 'contextLines' | 'maxPerFile'>) {
    this.#matcher = matcher;
    this.#contextLines = query.contextLines;
    this.#maxPerFile = query.maxPerFile;
  }

  /** True once nothing that follows changes the result. */
  get isDone(): boolean {
    return this.#more && this.#after === 0;
  }

  get hasFound(): boolean {
    return this.#count > 0;
  }

  /** True where lines that hold no match may matter, as context of one. */
  get wantsContext(): boolean {
    return this.#contextLines > 0;
  }

  /** Takes the next lines. All but the last part of a text end with a line feed. */
  *take(text: string): Steps<void> {
    let step = charactersPerStep;
    for (let at = 0; at < text.length && !this.isDone;) {
      const found = text.indexOf('\n', at);
      const end = found < 0 ? text.length : found;
      this.#takeLine(text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end));
      at = end + 1;
      if (at < step) continue;
      step = at + charactersPerStep;
      yield;
    }
  }

  /** Passes over so many lines that hold no match; only where no context is wanted. */
  skip(lines: number): void {
    this.#line += lines;
  }

  end(): TextMatches | undefined {
    return this.#count === 0 ? undefined : { lines: this.#shown, count: this.#count, more: this.#more };
  }

  #takeLine(line: string): void {
    this.#line++;
    const found = this.#more ? undefined : this.#matcher(line);
    if (found && this.#count >= this.#maxPerFile) this.#more = true;
    else if (found) {
      const first = this.#line - this.#before.length;
      for (const [index, text] of this.#before.entries()) this.#shown.push(shownLine(first + index, text, undefined));
      this.#before = [];
      this.#shown.push(shownLine(this.#line, line, found.column));
      this.#count++;
      this.#after = this.#contextLines;
      return;
    }
    if (this.#after > 0) {
      this.#after--;
      this.#shown.push(shownLine(this.#line, line, undefined));
    } else if (this.#contextLines > 0) {
      this.#before.push(line);
      if (this.#before.length > this.#contextLines) this.#before.shift();
    }
  }
}

/** Finds the matching lines of one file. What has a NUL is binary, and is not searched. */
export function* searchSteps(
  bytes: Uint8Array,
  matcher: LineMatcher,
  query: Pick<SearchQuery, 'contextLines' | 'maxPerFile'>,
): Steps<TextMatches | 'binary' | 'too-large' | undefined> {
  if (bytes.length > longestText) return 'too-large';
  const wide = wideEncoding(bytes);
  if (!wide && bytes.includes(0)) return 'binary';
  const text = new TextDecoder(wide).decode(bytes);
  if (wide && text.includes('\0')) return 'binary';
  const search = new TextSearch(matcher, query);
  yield* search.take(text);
  return search.end();
}

/** The same at once. */
export function searchText(...input: Parameters<typeof searchSteps>): TextMatches | 'binary' | 'too-large' | undefined {
  return atOnce(searchSteps(...input));
}

/** Runs steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The encoding of a file whose byte order mark names another than UTF-8, which both engines take every other file for.
 */
export function wideEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Cuts a long line to the part around its first match. */
export function shownLine(line: number, text: string, column: number | undefined): SearchLine {
  const start =
    text.length <= shownCharacters ? 0 : Math.max(0, Math.min((column ?? 0) - 60, text.length - shownCharacters));
  const shown =
    text.length <= shownCharacters ? text : `${start > 0 ? '…' : ''}${text.slice(start, start + shownCharacters)}…`;
  return column === undefined ? { line, text: shown } : { line, text: shown, column: column + 1 };
}
