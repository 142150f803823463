import type { Json } from '../../core/base/json';
import { toolError } from '../../core/errors';
import { LineFeedCounter, pieceSize } from '../../core/files/lineFeeds';
import type { OpenFile } from '../../core/ports/files';
import type { ToolContext } from '../../core/tool';
import { checkCancelled } from './target';
import {
  countLines,
  decodeText,
  type FileText,
  grouped,
  isInvalidUtf8,
  linesBetween,
  shownHashLength,
  sniffBom,
  splitLines,
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
  const mark = sniffBom(head);
  const wide = mark?.encoding === 'utf-16le' || mark?.encoding === 'utf-16be';
  if (file.stat.size > wholeSize && !wide) return readStreamed(file, range, options, context);
  const bytes = file.stat.size <= head.length ? head.subarray(0, file.stat.size) : await file.read(0, file.stat.size);
  const decoded = decodeText(bytes, options.encoding);
  const total = countLines(decoded.text);
  const first = range.kind === 'tail' ? Math.max(1, total - range.count + 1) : range.start;
  const last = Math.min(range.kind === 'tail' ? total : (range.end ?? total), total);
  if (first > total && total > 0) {
    throw toolError('invalid_input', `input is not valid: /start_line must be at most ${total}, the number of lines (got ${first})`);
  }
  const shown =
    first === 1 && last === total && !options.line_numbers && utf8Length(decoded.text) <= options.maxBytes
      ? { content: decoded.text, first_line: Math.min(1, total), last_line: total }
      : present(linesBetween(decoded.text, first, last, options.maxBytes), first, total, options);
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

/** Says where bytes were shown as replacement characters, so that nobody takes these for what the file holds. */
function undecoded({ text, encoding }: FileText, bytes: Uint8Array): { readonly note?: string } {
  if (encoding !== 'utf-8' || !text.includes('\ufffd') || !isInvalidUtf8(bytes)) return {};
  return {
    note: 'some bytes are not UTF-8 and show as \ufffd; call again with the encoding of the file, such as windows-1252, and give it when you edit or append',
  };
}

/** Joins lines up to the limit of bytes; what is left out is said in the last line (ux.md). */
function present(lines: readonly string[], first: number, total: number | undefined, options: LineOptions): Record<string, Json> {
  let used = 0;
  const parts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const text = options.line_numbers ? `${String(first + index).padStart(5)}\t${line}` : line;
    const size = utf8Length(text);
    if (used + size > options.maxBytes) {
      // A single line that is too long is shown in part, so that every call gets further.
      if (parts.length === 0) return cutWithin(text, first, total, options.maxBytes);
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

function cutWithin(text: string, line: number, total: number | undefined, maxBytes: number): Record<string, Json> {
  const content = text.slice(0, Math.floor(maxBytes / 3)).replace(/[\ud800-\udbff]$/, '');
  const more = `line ${grouped(line)} has ${grouped(text.length)} characters; call again with offset and length for its bytes, or with start_line=${line + 1}`;
  return {
    content: `${content}\n[cut: a part of line ${grouped(line)}${total === undefined ? '' : ` of ${grouped(total)}`} shown; ${more}]`,
    first_line: line,
    last_line: line,
    truncated: true,
    next_line: line + 1,
  };
}

function withMarker(content: string, first: number, last: number, total: number | undefined): string {
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  const marker = `[cut: lines ${grouped(first)}-${grouped(last)}${of} shown; call again with start_line=${last + 1}]`;
  return content.endsWith('\n') ? content + marker : `${content}\n${marker}`;
}

async function readStreamed(file: OpenFile, range: LineRange, options: LineOptions, context: ToolContext): Promise<Record<string, Json>> {
  const tail = range.kind === 'tail';
  const { start, lineAt } = tail ? await findTail(file, range.count, context) : await findLine(file, range.start, context);
  // Enough bytes to fill the answer, and the rest of the line that they end in.
  const bytes = await file.read(start, Math.min(options.maxBytes * 4 + 4096, file.stat.size - start));
  const atEnd = start + bytes.length >= file.stat.size;
  const decoded = decodeText(atEnd ? bytes : upToLastLine(bytes), options.encoding);
  const all = splitLines(decoded.text);
  const wanted = tail || range.end === undefined ? Infinity : range.end - range.start + 1;
  const total = atEnd && !tail ? lineAt - 1 + countLines(decoded.text) : undefined;
  const { first_line, last_line, next_line, ...shown } = present(all.slice(0, wanted), Math.max(lineAt, 1), total, options);
  const last = Number(last_line);
  const endsEarly = !tail && wanted > all.length && !atEnd && shown['truncated'] !== true;
  const more = next_line ?? (!atEnd || all.length > wanted ? last + 1 : undefined);
  return {
    ...shown,
    ...(endsEarly ? { content: withMarker(String(shown['content']), range.start, last, total), truncated: true } : {}),
    // Counted from the end, the lines' numbers are not known without reading all.
    ...(lineAt === 0 ? {} : { first_line, last_line, ...(more === undefined ? {} : { next_line: more }) }),
    encoding: decoded.encoding,
    end_of_line: decoded.endOfLine,
    ...(total === undefined ? {} : { total_lines: total }),
    ...undecoded(decoded, atEnd ? bytes : upToLastLine(bytes)),
  };
}

function upToLastLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(10);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** Finds where a line starts by counting line feeds, reading one piece while the other is counted. */
async function findLine(file: OpenFile, line: number, context: ToolContext): Promise<{ start: number; lineAt: number }> {
  let missing = line - 1;
  if (missing <= 0) return { start: 0, lineAt: 1 };
  const counter = new LineFeedCounter();
  const { size } = file.stat;
  const readAt = (offset: number): Promise<Uint8Array> =>
    offset < size
      ? file.read(offset, pieceSize, counter.pieces[(offset / pieceSize) % 2 === 0 ? 0 : 1])
      : Promise.resolve(new Uint8Array());
  let next = readAt(0);
  for (let offset = 0; offset < size; offset += pieceSize) {
    checkCancelled(context);
    const piece = await next;
    next = readAt(offset + pieceSize);
    // Awaited below; a failure while this piece is counted must not count as forgotten.
    next.catch(() => undefined);
    const count = counter.count(piece);
    if (count < missing) {
      missing -= count;
      continue;
    }
    await next;
    let at = -1;
    for (; missing > 0; missing--) at = piece.indexOf(10, at + 1);
    return { start: offset + at + 1, lineAt: line };
  }
  const [lastByte] = await file.read(file.stat.size - 1, 1);
  const total = line - 1 - missing + (lastByte === 10 ? 0 : 1);
  throw toolError('invalid_input', `input is not valid: /start_line must be at most ${grouped(total)}, the number of lines (got ${line})`);
}

/** Finds where the last lines start, reading from the end; their numbers stay unknown. */
async function findTail(file: OpenFile, count: number, context: ToolContext): Promise<{ start: number; lineAt: number }> {
  let missing = count + 1;
  let end = file.stat.size;
  const [lastByte] = await file.read(end - 1, 1);
  if (lastByte !== 10) missing--;
  while (end > 0) {
    checkCancelled(context);
    const offset = Math.max(0, end - pieceSize);
    const piece = await file.read(offset, end - offset);
    for (let at = piece.lastIndexOf(10); at >= 0; at = at > 0 ? piece.lastIndexOf(10, at - 1) : -1) {
      if (--missing === 0) return { start: offset + at + 1, lineAt: 0 };
    }
    end = offset;
  }
  return { start: 0, lineAt: 1 };
}
