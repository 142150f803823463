import { fromBase64 } from '../../../core/base/base64';
import { toolError, unfitInput } from '../../../core/vocabulary/errors';
import { decoderFor, decodeText, encodeText, guessWide, looksBinary, withEndOfLine } from '../shared/text';
import { isInvalidUtf8, sniffBom } from '../../shared/encodings';

type EndOfLineWish = 'keep' | 'as_given' | 'lf' | 'crlf';

/** The encoding that a call names; undefined where the file's own decides. */
export function namedEncoding(name: string | undefined): string | undefined {
  return name === undefined || name === 'text' || name === 'auto' ? undefined : decoderFor(name).encoding;
}

/**
 * The encoding in which text is added to what a file holds: that of its byte order mark, else the one that is named,
 * else UTF-8. Throws where that is not the file's own: a file of two encodings is one that nothing reads.
 */
export function encodingToAppend(
  shown: string,
  before: Uint8Array,
  content: string,
  named: string | undefined,
): string | undefined {
  if (before.length === 0) return named;
  const mark = sniffBom(before)?.encoding;
  const isAutomatic = named === undefined || named === 'utf-8';
  const encoding = mark !== undefined && isAutomatic ? mark : (named ?? 'utf-8');
  if (mark === undefined && isAutomatic) checkUtf8(shown, before, content);
  else checkIsIn(shown, before, encoding);
  if (encoding.startsWith('utf-16') && before.length % 2 !== 0)
    throw toolError(
      'not_text',
      `\`${shown}\` has an odd number of bytes, which ${encoding} has not, so text cannot be added to it; give the bytes with encoding base64`,
    );
  return encoding;
}

function checkUtf8(shown: string, before: Uint8Array, content: string): void {
  if (looksBinary(before)) {
    const wide = guessWide(before);
    const next = wide ? `set encoding to ${wide}, which it looks like` : 'give the bytes with encoding base64';
    throw toolError('not_text', `\`${shown}\` is not text, so text cannot be added to it; ${next}`);
  }
  // What is ASCII is the same in every encoding whose characters are bytes.
  if (/[^\u0000-\u007f]/.test(content) && isInvalidUtf8(before)) {
    throw toolError(
      'not_text',
      `\`${shown}\` is not UTF-8, so this text would damage it; give its encoding, such as windows-1252`,
    );
  }
}

/** Throws where text in an encoding would damage what a file holds, because that is in another one. */
export function checkIsIn(shown: string, bytes: Uint8Array, encoding: string): void {
  if (bytes.length === 0 || mayBeIn(bytes, encoding)) return;
  const own = tellingEncoding(bytes);
  const next = own === undefined ? 'give the encoding that it has, or leave encoding out' : `set encoding to ${own}`;
  throw toolError('not_text', `\`${shown}\` is not ${encoding.toUpperCase()}, so this text would damage it; ${next}`);
}

/** True where each byte is a character of ASCII. By index: `every` and `for … of` take seven times as long. */
function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === undefined || byte === 0 || byte > 0x7f) return false;
  }
  return true;
}

/** The encoding that bytes tell by themselves; undefined where they are ASCII alone, or may be in one of many. */
function tellingEncoding(bytes: Uint8Array): string | undefined {
  const marked = sniffBom(bytes)?.encoding ?? guessWide(bytes);
  if (marked !== undefined) return marked;
  return isAscii(bytes) || bytes.includes(0) || isInvalidUtf8(bytes) ? undefined : 'utf-8';
}

/** True where bytes can be in an encoding: NULs are half characters of UTF-16, and there alone. */
function mayBeIn(bytes: Uint8Array, encoding: string): boolean {
  const own = tellingEncoding(bytes);
  return own === undefined ? bytes.includes(0) === encoding.startsWith('utf-16') : own === encoding;
}

/**
 * Writes text as the file has it: its byte order mark, its encoding where that is UTF-16, and CRLF where all its lines
 * end so. A file that comes to UTF-16 gets a byte order mark.
 */
export function textBytes(
  given: string,
  before: Uint8Array | undefined,
  encoding: string | undefined,
  { append, endOfLine }: { readonly append: boolean; readonly endOfLine: EndOfLineWish },
): Uint8Array {
  const isNew = before === undefined || before.length === 0;
  // Only at the start of a file is it a mark: within it, it would be an invisible character.
  const content = append && !isNew ? given.replace(/^\ufeff/, '') : given;
  const forced = endOfLine === 'lf' || endOfLine === 'crlf' ? withEndOfLine(content, endOfLine) : content;
  const isMarked = content.startsWith('\ufeff');
  if (isNew || (endOfLine === 'as_given' && encoding === undefined)) {
    const bom = encoding?.startsWith('utf-16') === true && !isMarked;
    return encodeText(forced, { encoding: encoding ?? 'utf-8', bom });
  }
  const mark = sniffBom(before)?.encoding;
  if (mark === undefined && encoding === undefined && looksBinary(before))
    return encodeText(forced, { encoding: 'utf-8', bom: false });
  const isKept = encoding !== undefined && mayBeIn(before, encoding);
  const comesToWide = !isKept && encoding?.startsWith('utf-16') === true;
  const bom = (mark !== undefined || comesToWide) && !append && !isMarked;
  const was = mark ?? (isKept ? encoding : guessWide(before));
  const isCrlf = endOfLine === 'keep' && decodeText(before, was).endOfLine === 'crlf';
  return encodeText(isCrlf ? withEndOfLine(forced, 'crlf') : forced, { encoding: encoding ?? mark ?? 'utf-8', bom });
}

/**
 * Reads base64 (RFC 4648, either alphabet, with or without padding, white space ignored). Throws `invalid_input` for
 * anything else, bits at the end that stand for nothing among it.
 */
export function contentOfBase64(text: string): Uint8Array {
  const spelled = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
  const bytes = fromBase64(spelled.endsWith('=') ? spelled : spelled.padEnd(Math.ceil(spelled.length / 4) * 4, '='));
  if (bytes) return bytes;
  throw unfitInput(
    '/content must be base64 (got other characters, a broken length or padding, or bits left over at the end); set encoding to text for plain text',
  );
}
