import type { Json } from '../../../core/base/json';
import { unfitInput } from '../../../core/vocabulary/errors';
import type { OpenFile } from '../../../core/ports/files';
import { encodedLength, isWide } from '../shared/characters';
import {
  checkWhole,
  countLines,
  decoderFor,
  decodeText,
  type FileText,
  linesBetween,
  shownHashLength,
  utf8Length,
} from '../shared/text';
import { isInvalidUtf8, sniffBom } from '../../shared/encodings';
import type { ToolContext } from '../../../core/capability/tool';
import { type LineOptions, type LineRange, present, undecoded } from './lineRange';
import type { ReadInput } from './inputs';

/** The parameters that choose a part of a file. */
type RangeInput = Pick<ReadInput, 'start_line' | 'end_line' | 'head' | 'tail' | 'offset' | 'length'>;

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
  if (given.length > 1) throw unfitInput(`${given.join(' and ')} exclude each other; give one of them`);
  if (input.tail !== undefined) return { kind: 'tail', count: input.tail };
  if (input.head !== undefined) return { kind: 'lines', start: 1, end: input.head };
  const start = input.start_line ?? 1;
  if (input.end_line !== undefined && input.end_line < start) {
    throw unfitInput(`/end_line must be at least start_line (got ${input.end_line}, start_line is ${start})`);
  }
  return { kind: 'lines', start, end: input.end_line };
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
    throw unfitInput(`/start_line must be at most ${total}, the number of lines (got ${first})`);
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

/** Where in the file a line goes on after `shown`, where what was decoded tells that exactly. */
function offsetWithin(decoded: FileText, bytes: Uint8Array, line: number, shown: string): number | undefined {
  let start = 0;
  for (let at = 1; at < line; at++) start = decoded.text.indexOf('\n', start) + 1;
  if (decoded.encoding === 'utf-8' && decoded.text.includes('\ufffd') && isInvalidUtf8(bytes)) return undefined;
  const length = encodedLength(decoded.text.slice(0, start) + shown, decoded.encoding);
  return length === undefined ? undefined : length + (decoded.bom ? (sniffBom(bytes)?.length ?? 0) : 0);
}
