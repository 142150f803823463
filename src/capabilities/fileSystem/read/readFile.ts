import type { Json } from '../../../core/base/json';
import { say } from '../../../core/base/sentence';
import { refusal, toolError, unfitInput } from '../../../core/vocabulary/errors';
import type { OpenFile } from '../../../core/ports/files';
import type { ToolOutcome } from '../../../core/vocabulary/toolResult';
import { base64 } from '../../../core/base/base64';
import { readBase64, readBytes } from './bytes';
import { lineRangeOf, readLines } from './lines';
import { sniff } from './media';
import { accessesOf, judgedTarget, nothingThere, statOf, type Target, targetOf } from '../shared/target';
import { decoderFor, guessWide, looksBinary } from '../shared/text';
import { sniffBom } from '../../shared/encodings';
import { fileText } from './fileText';
import type { ToolContext, ToolHandler } from '../../../core/capability/tool';
import { grouped } from '../../../core/base/figures';
import type { ReadInput } from './inputs';

const defaultMaxBytes = 7_000;
const largestImage = 5_000_000;
/** Read first; most files are not longer. */
const headSize = 65_536;

export const handler: ToolHandler<ReadInput> = {
  accesses: async (input, context) => accessesOf(await targetOf(context, input.path), 'fs.read'),
  run: async (input, context) => readTarget(await judgedTarget(context, input.path, 'fs.read'), input, context),
  // Tells before the call that there is nothing to read.
  async preview(input, context) {
    await statOf(await targetOf(context, input.path));
    return {};
  },
  text: fileText,
};

/** Reads one file as `read_file` answers it; `read_files` does the same for each of its paths. */
export async function readTarget(
  target: Target,
  input: Partial<ReadInput>,
  context: ToolContext,
): Promise<ToolOutcome> {
  const range = lineRangeOf(input);
  const file = await target.files.open(target.real).catch(async (error: unknown) => {
    if (!(await target.files.stat(target.real))) throw nothingThere(target.shown);
    throw error;
  });
  try {
    const maxBytes = input.max_bytes ?? defaultMaxBytes;
    const base = { path: target.shown, size_bytes: file.stat.size };
    checkOffset(input.offset, file.stat.size);
    checkTogether(input);
    if (input.encoding === 'base64') return { payload: { ...base, ...(await readBase64(file, input, maxBytes)) } };
    if (input.offset !== undefined || input.length !== undefined) {
      const payload = await readBytes(file, {
        range: input,
        encoding: file.stat.unsaved ? undefined : input.encoding,
        maxBytes,
        checkText: (bytes) => {
          if (looksBinary(bytes)) throw notText(target.shown, bytes, sniff(bytes).mimeType, file.stat.size);
        },
      });
      return { payload: { ...base, ...payload } };
    }
    const head = await file.read(0, Math.min(headSize, file.stat.size));
    const automatic = decoderFor(input.encoding).encoding === 'utf-8' || file.stat.unsaved === true;
    const encoding = automatic ? undefined : input.encoding;
    if (automatic && !sniffBom(head)) {
      const kind = sniff(head);
      if (kind.image) return await readImage(file, base, kind.mimeType);
      if (looksBinary(head)) throw notText(target.shown, head, kind.mimeType, file.stat.size);
    }
    return {
      payload: {
        ...base,
        ...(await readLines(file, head, range, { encoding, line_numbers: input.line_numbers, maxBytes }, context)),
      },
    };
  } finally {
    await file.close();
  }
}

function notText(shown: string, head: Uint8Array, mimeType: string, size: number): Error {
  const wide = guessWide(head);
  return wide
    ? toolError(
        'not_text',
        `\`${shown}\` looks like ${wide} without a byte order mark; set encoding to ${wide} to read it`,
      )
    : refusal('not_text', say('file_unreadable_as_text', shown, mimeType, grouped(size)));
}

/** Lines are those of text, and numbered only where whole lines are shown. */
function checkTogether(input: Partial<ReadInput>): void {
  const byLine = (['start_line', 'end_line', 'head', 'tail'] as const).filter((name) => input[name] !== undefined);
  const [first] = input.encoding === 'base64' ? byLine : [];
  if (first !== undefined)
    throw unfitInput(`base64 has no lines, so ${first} cannot choose any; give offset and length`);
  if (
    input.line_numbers === true &&
    (input.encoding === 'base64' || input.offset !== undefined || input.length !== undefined)
  )
    throw unfitInput('line_numbers go with lines only; leave it out, or choose lines in place of bytes');
}

function checkOffset(offset: number | undefined, size: number): void {
  if (offset !== undefined && offset > size) {
    throw unfitInput(`/offset must be at most ${grouped(size)}, the size in bytes (got ${grouped(offset)})`);
  }
}

async function readImage(file: OpenFile, base: Record<string, Json>, mimeType: string): Promise<ToolOutcome> {
  const { size } = file.stat;
  const fits = size <= largestImage;
  const why = fits ? '' : `, too large to show; more than ${grouped(largestImage)}`;
  const content = `[image: ${mimeType}, ${grouped(size)} bytes${why}]`;
  return {
    payload: { ...base, content, encoding: 'image', mime_type: mimeType },
    ...(fits ? { media: [{ mimeType, data: base64(await file.read(0, size)) }] } : {}),
  };
}
