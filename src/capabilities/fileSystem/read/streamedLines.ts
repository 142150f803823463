import type { Json } from '../../../core/base/json';
import { unfitInput } from '../../../core/vocabulary/errors';
import { LineFeedCounter, pieceSize } from '../../../core/files/lineFeeds';
import type { OpenFile } from '../../../core/ports/files';
import { encodedLength, withoutBrokenEnd } from '../shared/characters';
import { progressOf } from '../shared/progress';
import { checkCancelled } from '../shared/target';
import { countLines, decoderFor, decodeText, splitLines, utf8Length } from '../shared/text';
import type { ToolContext } from '../../../core/capability/tool';
import { type LineOptions, type LineRange, present, undecoded, withMarker, withNote } from './lineRange';
import { grouped } from '../../../core/base/figures';

/**
 * Reads lines of a file that is too large to be held: what comes before them is counted, and what follows is not read.
 */
export async function readStreamed(
  file: OpenFile,
  range: LineRange,
  options: LineOptions,
  context: ToolContext,
): Promise<Record<string, Json>> {
  if (range.kind === 'tail') return readTail(file, range.count, options, context);
  const { start, lineAt } = await findLine(file, range.start, context);
  const part = await readPart(file, start, options);
  const all = splitLines(part.text);
  const wanted = range.end === undefined ? Infinity : range.end - range.start + 1;
  const total = part.atEnd ? lineAt - 1 + countLines(part.text) : undefined;
  const shownLines = all.slice(0, wanted);
  const { next_line, ...shown } = present(shownLines, { ...part, first: lineAt, total, options });
  const last = shown.last_line;
  const endsEarly = wanted > all.length && !part.atEnd && shown.truncated !== true;
  const more = next_line ?? (!part.atEnd || all.length > wanted ? last + 1 : undefined);
  return {
    ...shown,
    ...(endsEarly ? { content: withMarker(shown.content, range.start, last, total), truncated: true } : {}),
    ...(more === undefined ? {} : { next_line: more }),
    ...part.facts,
    ...(total === undefined ? {} : { total_lines: total }),
  };
}

/**
 * The last lines. Their numbers are known only where they are asked for, because all lines before have to be counted
 * then.
 */
async function readTail(
  file: OpenFile,
  count: number,
  options: LineOptions,
  context: ToolContext,
): Promise<Record<string, Json>> {
  const start = await findTail(file, count, context);
  const before = start === 0 ? 0 : options.line_numbers === true ? await countBefore(file, start, context) : undefined;
  const part = await readPart(file, start, options);
  const lines = splitLines(part.text);
  const total = before !== undefined && part.atEnd ? before + lines.length : undefined;
  const { first_line, last_line, next_line, ...shown } = present(lines, {
    ...part,
    first: (before ?? 0) + 1,
    total,
    options,
  });
  if (before !== undefined) {
    const span = { first_line, last_line, ...(next_line === undefined ? {} : { next_line }) };
    return { ...shown, ...span, ...part.facts, ...(total === undefined ? {} : { total_lines: total }) };
  }
  const used = last_line;
  const isWhole = part.atEnd && used === lines.length && shown.truncated !== true;
  if (isWhole || part.isPart) return { ...shown, ...part.facts };
  const text = lines.slice(0, used).join('');
  const next = part.offsetOf(text);
  const way = next === undefined ? 'a smaller tail' : `a smaller tail, or with offset=${next}`;
  const content = withNote(
    text,
    `${grouped(used)} of the last ${grouped(count)} lines shown; call again with ${way} for what follows`,
  );
  return { ...shown, content, truncated: true, ...(next === undefined ? {} : { next_offset: next }), ...part.facts };
}

interface Part {
  readonly text: string;
  readonly atEnd: boolean;
  /** True where not even the first line is there whole. */
  readonly isPart: boolean;
  readonly offsetOf: (shown: string) => number | undefined;
  readonly facts: Record<string, Json>;
}

/** Reads enough bytes to fill the answer, whole lines of them where there are any. */
async function readPart(file: OpenFile, start: number, options: LineOptions): Promise<Part> {
  const bytes = await file.read(start, Math.min(options.maxBytes * 4 + 4096, file.stat.size - start));
  const atEnd = start + bytes.length >= file.stat.size;
  const isPart = !atEnd && !bytes.includes(10);
  const whole = atEnd
    ? bytes
    : isPart
      ? withoutBrokenEnd(bytes, decoderFor(options.encoding).encoding)
      : upToLastLine(bytes);
  const decoded = decodeText(whole, options.encoding);
  const mark = decoded.bom ? 3 : 0;
  return {
    text: decoded.text,
    atEnd,
    isPart,
    offsetOf: (shown) => {
      // A byte that is no text takes three as it is shown.
      if (decoded.encoding === 'utf-8' && utf8Length(decoded.text) + mark !== whole.length) return undefined;
      const length = encodedLength(shown, decoded.encoding);
      return length === undefined ? undefined : start + mark + length;
    },
    facts: { encoding: decoded.encoding, end_of_line: decoded.endOfLine, ...undecoded(decoded, whole) },
  };
}

function upToLastLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(10);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

/** Finds where a line starts by counting line feeds, reading one piece while the other is counted. */
async function findLine(
  file: OpenFile,
  line: number,
  context: ToolContext,
): Promise<{ start: number; lineAt: number }> {
  let missing = line - 1;
  if (missing <= 0) return { start: 0, lineAt: 1 };
  const counter = new LineFeedCounter();
  const progress = progressOf(context);
  const { size } = file.stat;
  const readAt = (offset: number): Promise<Uint8Array> =>
    offset < size
      ? file.read(offset, pieceSize, counter.pieces[(offset / pieceSize) % 2 === 0 ? 0 : 1])
      : Promise.resolve(new Uint8Array());
  let next = readAt(0);
  for (let offset = 0; offset < size; offset += pieceSize) {
    checkCancelled(context.stopped);
    progress(() => `${grouped(offset)} of ${grouped(size)} bytes passed over`);
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
    const start = offset + at + 1;
    // After the last line feed of a file there is no other line.
    if (start === size) break;
    return { start, lineAt: line };
  }
  const [lastByte] = await file.read(file.stat.size - 1, 1);
  const total = line - 1 - missing + (lastByte === 10 ? 0 : 1);
  throw unfitInput(`/start_line must be at most ${grouped(total)}, the number of lines (got ${line})`);
}

/** Counts the line feeds before a place. */
async function countBefore(file: OpenFile, end: number, context: ToolContext): Promise<number> {
  const counter = new LineFeedCounter();
  let count = 0;
  for (let offset = 0; offset < end; offset += pieceSize) {
    checkCancelled(context.stopped);
    count += counter.count(await file.read(offset, Math.min(pieceSize, end - offset), counter.pieces[0]));
  }
  return count;
}

/** Finds where the last lines start, reading from the end. */
async function findTail(file: OpenFile, count: number, context: ToolContext): Promise<number> {
  let missing = count + 1;
  let end = file.stat.size;
  const [lastByte] = await file.read(end - 1, 1);
  if (lastByte !== 10) missing--;
  while (end > 0) {
    checkCancelled(context.stopped);
    const offset = Math.max(0, end - pieceSize);
    const piece = await file.read(offset, end - offset);
    for (let at = piece.lastIndexOf(10); at >= 0; at = at > 0 ? piece.lastIndexOf(10, at - 1) : -1) {
      if (--missing === 0) return offset + at + 1;
    }
    end = offset;
  }
  return 0;
}
