import { decoderFor, isSingleByte, utf8Length } from './text';

/**
 * The longest character of the encodings that are known, in bytes; so much before a part tells where its first whole
 * character starts.
 */
export const longestCharacter = 4;

/**
 * How many bytes at the start of a part belong to a character that starts before it. `before` holds the bytes right
 * before, `offset` is its place.
 */
export function brokenStart(before: Uint8Array, part: Uint8Array, encoding: string, offset: number): number {
  if (isWide(encoding)) {
    const odd = offset % 2;
    const [first = 0, second = 0] = part.subarray(odd);
    const isSecondHalf = ((encoding === 'utf-16le' ? second : first) & 0xfc) === 0xdc;
    return odd + (isSecondHalf && offset + odd > 2 ? 2 : 0);
  }
  if (encoding !== 'utf-8') return 0;
  for (let back = 1; back <= Math.min(3, before.length); back++) {
    const missing = missingAfter(before[before.length - back] ?? 0, back);
    if (missing === undefined) continue;
    const rest = part.subarray(0, missing);
    return rest.length === missing && rest.every((byte) => (byte & 0xc0) === 0x80) ? missing : 0;
  }
  return 0;
}

/** A part without the unfinished character at its end, if it has one. */
export function withoutBrokenEnd(part: Uint8Array, encoding: string): Uint8Array {
  if (isSingleByte(encoding)) return part;
  if (isWide(encoding)) {
    const even = part.length - (part.length % 2);
    const high = part[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
    return part.subarray(0, even >= 2 && (high & 0xfc) === 0xd8 ? even - 2 : even);
  }
  if (encoding !== 'utf-8') return withoutUndecodableEnd(part, encoding);
  for (let back = 1; back <= Math.min(3, part.length); back++) {
    const missing = missingAfter(part[part.length - back] ?? 0, back);
    if (missing !== undefined) return missing > 0 ? part.subarray(0, part.length - back) : part;
  }
  return part;
}

/** How many bytes a text takes in an encoding; undefined where that takes encoding it. */
export function encodedLength(text: string, encoding: string): number | undefined {
  if (encoding === 'utf-8') return utf8Length(text);
  if (isWide(encoding)) return text.length * 2;
  return isSingleByte(encoding) ? text.length : undefined;
}

export function isWide(encoding: string): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

/**
 * For a byte that begins a UTF-8 character: how many of its bytes are not among the `count` that are there; undefined
 * within a character.
 */
function missingAfter(byte: number, count: number): number | undefined {
  if (byte < 0x80) return 0;
  if (byte < 0xc0) return undefined;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  return Math.max(0, length - count);
}

/** The other encodings have no rule that is short: what the decoder takes is whole. */
function withoutUndecodableEnd(part: Uint8Array, encoding: string): Uint8Array {
  const tail = Math.min(part.length, 64);
  for (let cut = 0; cut < Math.min(longestCharacter, tail); cut++) {
    const whole = part.subarray(0, part.length - cut);
    if (!decoderFor(encoding).decode(whole).endsWith('\ufffd')) return whole;
  }
  return part;
}
