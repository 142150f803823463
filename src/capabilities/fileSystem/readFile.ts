import type { Json } from '../../core/base/json';
import { toolError } from '../../core/errors';
import type { OpenFile } from '../../core/ports/files';
import type { ToolContext, ToolHandler } from '../../core/tool';
import type { ToolOutcome } from '../../core/toolResult';
import { toBase64 } from './base64';
import { lineRangeOf, readLines } from './lines';
import { sniff } from './media';
import { accessesOf, judgedTarget, nothingThere, type Target, targetOf } from './target';
import { decoderFor, decodeText, grouped, guessWide, looksBinary, sniffBom } from './text';

export interface ReadInput {
  readonly path: string;
  readonly encoding?: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly head?: number;
  readonly tail?: number;
  readonly offset?: number;
  readonly length?: number;
  readonly line_numbers?: boolean;
  readonly max_bytes?: number;
}

export const defaultMaxBytes = 7_000;
const largestImage = 5_000_000;
/** Read first; most files are not longer. */
const headSize = 65_536;

export const handler: ToolHandler<ReadInput> = {
  accesses: async (input, context) => accessesOf(await targetOf(context, input.path), 'fs.read'),
  run: async (input, context) => readTarget(await judgedTarget(context, input.path, 'fs.read'), input, context),
};

/** Reads one file as `read_file` answers it; `read_files` does the same for each of its paths. */
export async function readTarget(target: Target, input: Omit<ReadInput, 'path'>, context: ToolContext): Promise<ToolOutcome> {
  const range = lineRangeOf(input);
  const file = await target.files.open(target.real).catch(async (error: unknown) => {
    if (!(await target.files.stat(target.real))) throw nothingThere(target.shown);
    throw error;
  });
  try {
    const maxBytes = input.max_bytes ?? defaultMaxBytes;
    const base = { path: target.shown, size_bytes: file.stat.size };
    checkOffset(input.offset, file.stat.size);
    if (input.encoding === 'base64') return { payload: { ...base, ...(await readBase64(file, input, maxBytes)) } };
    if (input.offset !== undefined || input.length !== undefined)
      return { payload: { ...base, ...(await readBytes(file, input, maxBytes)) } };
    const head = await file.read(0, Math.min(headSize, file.stat.size));
    const automatic = decoderFor(input.encoding).encoding === 'utf-8' || file.stat.unsaved === true;
    const encoding = automatic ? undefined : input.encoding;
    if (automatic && !sniffBom(head)) {
      const kind = sniff(head);
      if (kind.image) return await readImage(file, base, kind.mimeType);
      if (looksBinary(head)) throw notText(target.shown, head, kind.mimeType, file.stat.size);
    }
    return {
      payload: { ...base, ...(await readLines(file, head, range, { encoding, line_numbers: input.line_numbers, maxBytes }, context)) },
    };
  } finally {
    await file.close();
  }
}

function notText(shown: string, head: Uint8Array, mimeType: string, size: number): Error {
  const wide = guessWide(head);
  return wide
    ? toolError('not_text', `\`${shown}\` looks like ${wide} without a byte order mark; set encoding to ${wide} to read it`)
    : toolError(
        'not_text',
        `\`${shown}\` is not text (${mimeType}, ${grouped(size)} bytes); set encoding to base64 to read its bytes, or do without its content`,
      );
}

function checkOffset(offset: number | undefined, size: number): void {
  if (offset !== undefined && offset > size) {
    throw toolError(
      'invalid_input',
      `input is not valid: /offset must be at most ${grouped(size)}, the size in bytes (got ${grouped(offset)})`,
    );
  }
}

async function readBase64(file: OpenFile, input: Omit<ReadInput, 'path'>, maxBytes: number): Promise<Record<string, Json>> {
  const { size } = file.stat;
  const offset = Math.min(input.offset ?? 0, size);
  const room = Math.max(3, Math.floor(maxBytes / 4) * 3);
  const bytes = await file.read(offset, Math.min(input.length ?? size, room, size - offset));
  const end = offset + bytes.length;
  const wanted = Math.min(input.length === undefined ? size : offset + input.length, size);
  return {
    content: toBase64(bytes),
    encoding: 'base64',
    ...(end < wanted
      ? {
          truncated: true,
          next_offset: end,
          note: `[cut: bytes ${grouped(offset)}-${grouped(end)} of ${grouped(size)} shown; call again with offset=${end}]`,
        }
      : {}),
  };
}

/** A byte range as text; a character that the range cuts is left to the next one. */
async function readBytes(file: OpenFile, input: Omit<ReadInput, 'path'>, maxBytes: number): Promise<Record<string, Json>> {
  const { size } = file.stat;
  const offset = Math.min(input.offset ?? 0, size);
  const wanted = Math.min(input.length ?? size, size - offset);
  const bytes = await file.read(offset, Math.min(wanted, maxBytes));
  const whole = bytes.length < wanted || offset + wanted < size ? wholeCharacters(bytes) : bytes;
  const { text, encoding } = decodeText(whole, file.stat.unsaved ? undefined : input.encoding);
  const end = offset + whole.length;
  const cut = bytes.length < wanted;
  const marker = `[cut: bytes ${grouped(offset)}-${grouped(end)} of ${grouped(size)} shown; call again with offset=${end}]`;
  return { content: cut ? `${text}\n${marker}` : text, encoding, ...(end < size ? { truncated: cut, next_offset: end } : {}) };
}

/** Drops an unfinished UTF-8 character at the end, unless nothing else is there. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length - 1); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

async function readImage(file: OpenFile, base: Record<string, Json>, mimeType: string): Promise<ToolOutcome> {
  const { size } = file.stat;
  if (size > largestImage) {
    const content = `[image: ${mimeType}, ${grouped(size)} bytes, too large to show; more than ${grouped(largestImage)}]`;
    return { payload: { ...base, content, encoding: 'image', mime_type: mimeType } };
  }
  const data = toBase64(await file.read(0, size));
  return {
    payload: { ...base, content: `[image: ${mimeType}, ${grouped(size)} bytes]`, encoding: 'image', mime_type: mimeType },
    media: [{ mimeType, data }],
  };
}
