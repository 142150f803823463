import type { Json } from '../../../core/base/json';
import type { OpenFile } from '../../../core/ports/files';
import { base64 } from '../../../core/base/base64';
import { brokenStart, longestCharacter, withoutBrokenEnd } from '../shared/characters';
import { decoderFor } from '../shared/text';
import { sniffBom } from '../../shared/encodings';
import { grouped } from '../../../core/base/figures';

interface ByteRange {
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
}

/** A range of bytes as base64. */
export async function readBase64(file: OpenFile, input: ByteRange, maxBytes: number): Promise<Record<string, Json>> {
  const { size } = file.stat;
  const offset = Math.min(input.offset ?? 0, size);
  const room = Math.max(3, Math.floor(maxBytes / 4) * 3);
  const bytes = await file.read(offset, Math.min(input.length ?? size, room, size - offset));
  const end = offset + bytes.length;
  const wanted = Math.min(input.length === undefined ? size : offset + input.length, size);
  return {
    content: base64(bytes),
    encoding: 'base64',
    ...(end < wanted ? { truncated: true, next_offset: end, note: cutMarker(offset, end, size) } : {}),
  };
}

interface TextRange {
  readonly range: ByteRange;
  /** The encoding that the call names; undefined where the file's own holds. */
  readonly encoding: string | undefined;
  readonly maxBytes: number;
  /** Throws where the bytes cannot be text; asked where nothing says how they are encoded. */
  readonly checkText: (bytes: Uint8Array) => void;
}

/**
 * A range of bytes as text, in the encoding that the start of the file tells. A character that the start of the range
 * cuts is left out, and the answer then says where it starts; one that its end cuts is left to the next range.
 */
export async function readBytes(
  file: OpenFile,
  { range, encoding: named, maxBytes, checkText }: TextRange,
): Promise<Record<string, Json>> {
  const { size } = file.stat;
  const chosen = decoderFor(named).encoding;
  const mark = sniffBom(await file.read(0, Math.min(longestCharacter, size)));
  const encoding = chosen === 'utf-8' && mark ? mark.encoding : chosen;
  const asked = Math.min(range.offset ?? 0, size);
  const wanted = Math.min(range.length ?? size, size - asked);
  const known = Math.min(asked, longestCharacter);
  const read = await file.read(asked - known, known + Math.min(wanted, maxBytes));
  const part = read.subarray(known);
  if (chosen === 'utf-8' && !mark) checkText(part);
  const whole = part.subarray(brokenStart(read.subarray(0, known), part, encoding, asked));
  const atEnd = asked + part.length >= size;
  const ended = atEnd ? whole : withoutBrokenEnd(whole, encoding);
  // A range that is shorter than its character is shown as it is.
  const shown = ended.length > 0 ? ended : part;
  const start = shown === part ? asked : asked + part.length - whole.length;
  const end = start + shown.length;
  const isMarked = start === 0 && mark !== undefined && mark.encoding === encoding;
  const text = decoderFor(encoding).decode(isMarked ? shown.subarray(mark.length) : shown);
  const cut = part.length < wanted;
  return {
    content: cut ? `${text}\n${cutMarker(start, end, size)}` : text,
    encoding,
    ...(start === asked ? {} : { offset: start }),
    ...(end < size ? { truncated: cut, next_offset: end } : {}),
  };
}

function cutMarker(start: number, end: number, size: number): string {
  return `[cut: bytes ${grouped(start)}-${grouped(end)} of ${grouped(size)} shown; call again with offset=${end}]`;
}
