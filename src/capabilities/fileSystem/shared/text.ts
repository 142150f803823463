import { say } from '../../../core/base/sentence';
import { refusal, toolError } from '../../../core/vocabulary/errors';
import { grouped } from '../../../core/base/figures';
import { StandardTextDecoder as TextDecoder } from '../../../core/base/textDecoder';
import { sniffBom } from '../../shared/encodings';

type EndOfLine = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

/** Text as it was found in a file, with what is needed to write it back alike. */
export interface FileText {
  /** Without the byte order mark. */
  readonly text: string;
  /** The WHATWG name of the encoding, such as `utf-8`. */
  readonly encoding: string;
  readonly bom: boolean;
  readonly endOfLine: EndOfLine;
}

/**
 * The decoder for a name that a caller gave; `auto`, `text` and nothing mean UTF-8 unless a byte order mark says
 * otherwise.
 */
export function decoderFor(name: string | undefined): InstanceType<typeof TextDecoder> {
  const label = name === undefined || name === 'auto' || name === 'text' || name === 'utf8' ? 'utf-8' : name;
  try {
    const decoder = new TextDecoder(label);
    // Only there is a mark; Node 20 takes the first `\xff` of windows-1252 for one.
    return decoder.encoding.startsWith('utf-') ? new TextDecoder(label, { ignoreBOM: true }) : decoder;
  } catch {
    throw toolError(
      'unsupported',
      `the encoding \`${label.slice(0, 60)}\` is not known; give auto, base64 or an encoding's name such as utf-8, utf-16le, windows-1252, shift_jis`,
    );
  }
}

/** True where the first bytes cannot be text: a NUL that no 16-bit encoding explains. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

/** A text of more bytes is not held whole: it would not fit into a string. */
const largestWhole = 500_000_000;

/** Throws where a file is too large to be read whole. */
export function checkWhole(size: number): void {
  if (size > largestWhole) {
    throw toolError(
      'too_large',
      `the file has ${grouped(size)} bytes, more than the ${grouped(largestWhole)} that can be held at once; read_file with offset and length reads a part of it`,
    );
  }
}

export function decodeText(bytes: Uint8Array, encoding: string | undefined): FileText {
  const chosen = decoderFor(encoding);
  const mark = sniffBom(bytes);
  const automatic = chosen.encoding === 'utf-8';
  const used = mark && (automatic || mark.encoding === chosen.encoding) ? mark : undefined;
  const decoder = used && automatic ? decoderFor(used.encoding) : chosen;
  const text = decoder.decode(used ? bytes.subarray(used.length) : bytes);
  return { text, encoding: decoder.encoding, bom: used !== undefined, endOfLine: endOfLineOf(text) };
}

/** The 16-bit encoding that bytes without a byte order mark look like: every other one of them is mostly NUL. */
export function guessWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 8192);
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const many = sample.length / 5;
  if (odd > many && even * 10 < odd) return 'utf-16le';
  return even > many && odd * 10 < even ? 'utf-16be' : undefined;
}

const singleByte = /^(?:windows-(?:125\d|874)|iso-8859-\d+(?:-i)?|koi8-[ru]|macintosh|x-mac-cyrillic|ibm866)$/;

/** True for the encodings in which every byte is a character. */
export function isSingleByte(encoding: string): boolean {
  return singleByte.test(encoding);
}

/**
 * Writes text in an encoding by its WHATWG name: UTF-8, UTF-16 and those of one byte for each character. Throws
 * `unsupported` for any other, and for a character that the encoding does not have.
 */
export function encodeText(text: string, like: { readonly encoding: string; readonly bom: boolean }): Uint8Array {
  if (like.encoding === 'utf-8') checkPairs(text);
  if (isSingleByte(like.encoding)) return encodeSingleByte(text, like.encoding);
  const marked = like.bom ? `\ufeff${text}` : text;
  if (like.encoding === 'utf-16le' || like.encoding === 'utf-16be') {
    const bytes = new Uint8Array(marked.length * 2);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < marked.length; index++)
      view.setUint16(index * 2, marked.charCodeAt(index), like.encoding === 'utf-16le');
    return bytes;
  }
  if (like.encoding !== 'utf-8') {
    throw toolError(
      'unsupported',
      `text cannot be written in \`${like.encoding}\`, only in utf-8, utf-16le, utf-16be and encodings of one byte such as windows-1252; give the bytes with write_file and encoding base64`,
    );
  }
  return new TextEncoder().encode(marked);
}

/** UTF-8 has no half of a surrogate pair: it would be written as another character. */
function checkPairs(text: string): void {
  const at = text.search(/\p{Surrogate}/u);
  if (at < 0) return;
  throw toolError(
    'unsupported',
    `utf-8 has no character for half of a surrogate pair (\`\\u${text.charCodeAt(at).toString(16)}\`, line ${text.slice(0, at).split('\n').length}); give both halves, or the bytes with encoding base64`,
  );
}

function encodeSingleByte(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const codes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) codes.set(decoder.decode(Uint8Array.of(byte)), byte);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    const code = char === '\ufffd' ? undefined : codes.get(char);
    if (code === undefined) {
      const shown = String.fromCodePoint(text.codePointAt(index) ?? 0xfffd);
      throw toolError(
        'unsupported',
        `\`${encoding}\` has no character \`${shown}\` (line ${text.slice(0, index).split('\n').length}); do without it, or write the whole file with encoding utf-8`,
      );
    }
    bytes[index] = code;
  }
  return bytes;
}

/**
 * How the lines of a text end. The whole text is looked at: an edit may rely on every line of a file ending in CRLF.
 */
function endOfLineOf(text: string): EndOfLine {
  let lf = false;
  let crlf = false;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text.charCodeAt(at - 1) === 13) crlf = true;
    else lf = true;
    if (lf && crlf) return 'mixed';
  }
  if (crlf) return 'crlf';
  if (lf) return 'lf';
  return text.includes('\r') ? 'cr' : 'none';
}

export function withEndOfLine(text: string, endOfLine: 'lf' | 'crlf'): string {
  const plain = text.replace(/\r\n/g, '\n');
  return endOfLine === 'lf' ? plain : plain.replace(/\n/g, '\r\n');
}

/** Splits after each line feed, so that joining the parts gives the text back. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/**
 * The lines from `first` to `last`, numbered from 1; those after the one by which they have more than `most` characters
 * are left out.
 */
export function linesBetween(text: string, first: number, last: number, most: number): string[] {
  let start = 0;
  for (let line = 1; line < first; line++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return [];
  }
  const lines: string[] = [];
  const from = start;
  for (let line = first; line <= last && start < text.length && start - from <= most; line++) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      length += 2;
      index++;
    } else length += code < 0x800 ? 1 : 2;
  }
  return length;
}

/** How much of a content hash results show; `expected_hash` is compared as far as it goes. */
export const shownHashLength = 16;
/** So much of a hash tells that a file has changed since; nothing is approved by it. */
export const shortestHash = 8;

export function sameHash(expected: string, actual: string): boolean {
  const wanted = expected.toLowerCase().replace(/^sha256:/, '');
  return wanted.length >= shortestHash && actual.startsWith(wanted);
}

export const changedSince = (shown: string, actual: string): Error =>
  refusal('conflict', say('file_changed_since_read', shown, actual.slice(0, shownHashLength)));
