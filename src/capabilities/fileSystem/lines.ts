import type { Json } from '../../core/base/json';
import { toolError } from '../../core/errors';
import type { OpenFile } from '../../core/ports/files';
import type { ToolContext } from '../../core/tool';
import { encodedLength, isWide } from './characters';
import {
  checkWhole,
  countLines,
  decoderFor,
  decodeText,
  type FileText,
  grouped,
  isInvalidUtf8,
  linesBetween,
  shownHashLength,
  sniffBom,
  utf8Length,
} from './text';

/** Which lines are wanted, numbered from 1, both ends included. */
export type LineRange =
  { readonly kind: 'lines'; readonly start: number; readonly end: number | undefined } | { readonly kind: 'tail'; readonly count: number };

interface RangeInput {
  readonly start_line?: number;
  readonly end_line?: number;
  readonly head?: number;
  readonly tail?: number;
  readonly offset?: number;
  readonly length?: number;
}

/** Reads the parameters that choose lines; two ways at once are an error that names them. */
export function lineRangeOf(input: RangeInput): LineRange {
  const lines = input.start_line !== undefined || input.end_line !== undefined;
  const bytes = input.offset !== undefined || input.length !== undefined;
  const ways = [
    lines && 'start_line/end_line',
    input.head !== undefined && 'head',
    input.tail !== undefined && 'tail',
    bytes && 'offset/length',
  ];
  const given = ways.filter((way) => way !== false);
  if (given.length > 1) throw toolError('invalid_input', `input is not valid: ${given.join(' and ')} exclude each other; give one of them`);
  if (input.tail !== undefined) return { kind: 'tail', count: input.tail };
  if (input.head !== undefined) return { kind: 'lines', start: 1, end: input.head };
  const start = input.start_line ?? 1;
  if (input.end_line !== undefined && input.end_line < start) {
    throw toolError(
      'invalid_input',
      `input is not valid: /end_line must be at least start_line (got ${input.end_line}, start_line is ${start})`,
    );
  }
  return { kind: 'lines', start, end: input.end_line };
}

export interface LineOptions {
  readonly encoding: string | undefined;
  readonly line_numbers: boolean | undefined;
  readonly maxBytes: number;
}

/** Up to this size a file is read whole, so that its hash, its number of lines and its style are known. */
const wholeSize = 16 * 1024 * 1024;

/** Reads lines of a file; `head` holds its first bytes. Large files are streamed and never held whole. */
export async function readLines(
  file: OpenFile,
  head: Uint8Array,
  range: LineRange,
  options: LineOptions,
  context: ToolContext,
): Promise<Record<string, Json>> {
  // A line feed of two bytes is not found by looking for one byte, so these are read whole.
  const wide = isWide(sniffBom(head)?.encoding ?? decoderFor(options.encoding).encoding);
  if (file.stat.size > wholeSize && !wide) {
    const { readStreamed } = await import('./streamedLines');
    return readStreamed(file, range, options, context);
  }
  checkWhole(file.stat.size);
  const bytes = file.stat.size <= head.length ? head.subarray(0, file.stat.size) : await file.read(0, file.stat.size);
  const decoded = decodeText(bytes, options.encoding);
  const total = countLines(decoded.text);
  const first = range.kind === 'tail' ? Math.max(1, total - range.count + 1) : range.start;
  const last = Math.min(range.kind === 'tail' ? total : (range.end ?? total), total);
  if (first > total && total > 0) {
    throw toolError('invalid_input', `input is not valid: /start_line must be at most ${total}, the number of lines (got ${first})`);
  }
  const shown =
    first === 1 && last === total && !options.line_numbers && fits(decoded.text, bytes, options.maxBytes)
      ? { content: decoded.text, first_line: Math.min(1, total), last_line: total }
      : present(linesBetween(decoded.text, first, last, options.maxBytes), {
          first,
          total,
          options,
          offsetOf: (shownText) => offsetWithin(decoded, bytes, first, shownText),
        });
  return {
    ...shown,
    encoding: decoded.encoding,
    content_hash: context.ports.crypto.sha256(bytes).slice(0, shownHashLength),
    total_lines: total,
    end_of_line: decoded.endOfLine,
    ...(decoded.bom ? { bom: true } : {}),
    ...undecoded(decoded, bytes),
  };
}

/** Whether a text has room; no encoding's byte becomes more than three bytes of UTF-8, so most need not be measured. */
function fits(text: string, decodedFrom: Uint8Array, maxBytes: number): boolean {
  return decodedFrom.length * 3 <= maxBytes || utf8Length(text) <= maxBytes;
}

/** Says where bytes were shown as replacement characters, so that nobody takes these for what the file holds. */
export function undecoded({ text, encoding }: FileText, bytes: Uint8Array): { readonly note?: string } {
  if (encoding !== 'utf-8' || !text.includes('\ufffd') || !isInvalidUtf8(bytes)) return {};
  return {
    note: 'some bytes are not UTF-8 and show as \ufffd; call again with the encoding of the file, such as windows-1252, and give it when you edit or append',
  };
}

/** Lines as results show them. */
export type Shown = {
  readonly content: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly truncated?: true;
  readonly next_line?: number;
  readonly next_offset?: number;
};

/** What `present` has to know of the lines that it shows. */
export interface LineFacts {
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

/** Joins lines up to the limit of bytes; what is left out is said in the last line (ux.md). */
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
  if (parts.length === lines.length) return { content, ...span, ...(total !== undefined && last < total ? { next_line: last + 1 } : {}) };
  return { content: withMarker(content, first, last, total), ...span, truncated: true, next_line: last + 1 };
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

/** Where in the file a line goes on after `shown`, where what was decoded tells that exactly. */
function offsetWithin(decoded: FileText, bytes: Uint8Array, line: number, shown: string): number | undefined {
  let start = 0;
  for (let at = 1; at < line; at++) start = decoded.text.indexOf('\n', start) + 1;
  if (decoded.encoding === 'utf-8' && decoded.text.includes('\ufffd') && isInvalidUtf8(bytes)) return undefined;
  const length = encodedLength(decoded.text.slice(0, start) + shown, decoded.encoding);
  return length === undefined ? undefined : length + (decoded.bom ? (sniffBom(bytes)?.length ?? 0) : 0);
}

export function withMarker(content: string, first: number, last: number, total: number | undefined): string {
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  return withNote(content, `lines ${grouped(first)}-${grouped(last)}${of} shown; call again with start_line=${last + 1}`);
}

export function withNote(content: string, note: string): string {
  return `${content}${content.endsWith('\n') ? '' : '\n'}[cut: ${note}]`;
}
