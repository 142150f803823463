import { type FileText, utf8Length } from '../shared/text';
import { isInvalidUtf8 } from '../../shared/encodings';
import { grouped } from '../../../core/base/figures';

/** Which lines are wanted, numbered from 1, both ends included. */
export type LineRange =
  | { readonly kind: 'lines'; readonly start: number; readonly end: number | undefined }
  | { readonly kind: 'tail'; readonly count: number };

export interface LineOptions {
  readonly encoding: string | undefined;
  readonly line_numbers: boolean | undefined;
  readonly maxBytes: number;
}

/** Says where bytes were shown as replacement characters, so that nobody takes these for what the file holds. */
export function undecoded({ text, encoding }: FileText, bytes: Uint8Array): { readonly note?: string } {
  if (encoding !== 'utf-8' || !text.includes('\ufffd') || !isInvalidUtf8(bytes)) return {};
  return {
    note: 'some bytes are not UTF-8 and show as \ufffd; call again with the encoding of the file, such as windows-1252, and give it when you edit or append',
  };
}

/** Joins lines up to the limit of bytes; what is left out is said in the last line. */
export function present(lines: readonly string[], facts: LineFacts): Shown {
  const { first, total, options } = facts;
  let used = 0;
  const parts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const text = options.line_numbers ? numbered(line, first + index) : line;
    const size = utf8Length(text);
    if (used + size > options.maxBytes || (index === 0 && facts.isPart === true)) {
      // A single line that is too long is shown in part, so that every call gets further.
      if (parts.length === 0) return cutWithin(line, facts);
      break;
    }
    used += size;
    parts.push(text);
  }
  const last = first + parts.length - 1;
  const content = parts.join('');
  const span = { first_line: parts.length === 0 ? 0 : first, last_line: parts.length === 0 ? 0 : last };
  if (parts.length === lines.length)
    return { content, ...span, ...(total !== undefined && last < total ? { next_line: last + 1 } : {}) };
  return { content: withMarker(content, first, last, total), ...span, truncated: true, next_line: last + 1 };
}

export function withMarker(content: string, first: number, last: number, total: number | undefined): string {
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  return withNote(
    content,
    `lines ${grouped(first)}-${grouped(last)}${of} shown; call again with start_line=${last + 1}`,
  );
}

export function withNote(content: string, note: string): string {
  return `${content}${content.endsWith('\n') ? '' : '\n'}[cut: ${note}]`;
}

/** Lines as results show them. */
type Shown = {
  readonly content: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly truncated?: true;
  readonly next_line?: number;
  readonly next_offset?: number;
};

/** What `present` has to know of the lines that it shows. */
interface LineFacts {
  /** The number of the first line. */
  readonly first: number;
  /** Undefined where nobody has counted. */
  readonly total: number | undefined;
  readonly options: LineOptions;
  /** The place in the file, in bytes, after so much of the first line; undefined where it cannot be told. */
  readonly offsetOf: (shown: string) => number | undefined;
  /** True where the first line goes on after what is given of it. */
  readonly isPart?: boolean;
}

function numbered(line: string, number: number): string {
  return `${String(number).padStart(5)}\t${line}`;
}

function cutWithin(line: string, { first, total, options, offsetOf, isPart }: LineFacts): Shown {
  const number = options.line_numbers ? numbered('', first) : '';
  const shown = startOf(line, options.maxBytes - number.length);
  const next = offsetOf(shown);
  const long = `has ${isPart === true ? 'more than ' : ''}${grouped(line.length)} characters`;
  const ways = [
    next === undefined ? 'offset and length for its bytes' : `offset=${next} for what follows in it`,
    ...(first === total ? [] : [`start_line=${first + 1}`]),
  ];
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  return {
    content: `${number}${shown}\n[cut: a part of line ${grouped(first)}${of} shown; line ${grouped(first)} ${long}; call again with ${ways.join(', or with ')}]`,
    first_line: first,
    last_line: first,
    truncated: true,
    ...(next === undefined ? {} : { next_offset: next }),
    ...(first === total ? {} : { next_line: first + 1 }),
  };
}

/** As much of a text as so many bytes hold, without half a character at the end. */
function startOf(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(Math.max(4, bytes))).read);
}
