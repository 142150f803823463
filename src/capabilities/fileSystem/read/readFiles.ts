import { isObject, type Json, type JsonObject } from '../../../core/base/json';
import { isToolError } from '../../../core/vocabulary/errors';
import type { ToolMedia } from '../../../core/vocabulary/toolResult';
import { filesText } from './fileText';
import { readTarget } from './readFile';
import { accessesOf, checkCancelled, targetOf } from '../shared/target';
import type { ToolContext, ToolHandler } from '../../../core/capability/tool';
import type { ReadFilesInput } from './inputs';

const defaultTotal = 7_000;
const atOnce = 8;
/** So much is shown of every file, and so long is what says that the rest was cut. */
const leastShare = 100;
const markerLength = 100;

export const handler: ToolHandler<ReadFilesInput> = {
  /**
   * Of several files each is judged by itself when it is read, so that one that is refused does not stop the others.
   */
  async accesses(input, context) {
    const [only] = input.paths;
    if (only === undefined || input.paths.length > 1) return [];
    return accessesOf(await targetOf(context, only), 'fs.read');
  },
  async run(input, context) {
    const room = input.max_bytes ?? defaultTotal;
    const wholes = await readAll(input, context, () => room);
    // Small files are whole, and leave what they do not need to the large ones.
    const lengths = wholes.map(textLength);
    const share = fairShare(wholes, lengths, room);
    const answers = await readAll(input, context, (at) => ((lengths[at] ?? 0) > share ? share : undefined), wholes);
    const files = answers.map((answer) => answer.file);
    const media = answers.flatMap((answer) => answer.media);
    const failed = answers.filter((answer) => answer.failed).length;
    return { payload: { files, count: files.length - failed, failed }, ...(media.length > 0 ? { media } : {}) };
  },
  text: filesText,
};

/** Reads the files that `limit` names a limit for; of the others `known` is the answer already. */
async function readAll(
  input: ReadFilesInput,
  context: ToolContext,
  limit: (at: number) => number | undefined,
  known: readonly Answer[] = [],
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < input.paths.length; at += atOnce) {
    checkCancelled(context.stopped);
    const some = input.paths.slice(at, at + atOnce).map(async (path, index) => {
      const answer = known[at + index];
      const most = limit(at + index);
      return answer && most === undefined ? answer : readOne(path, most ?? 0, input, context);
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

/**
 * The bytes of content that each file may have at most, so that the whole result has about `room`; `lengths` are those
 * of the contents.
 */
function fairShare(answers: readonly Answer[], lengths: readonly number[], room: number): number {
  let left = Math.max(0, room - answers.reduce((sum, answer) => sum + factsLength(answer), 0));
  for (const [index, length] of [...lengths].sort((a, b) => a - b).entries()) {
    const share = left / (lengths.length - index);
    // A file that is cut says how to go on, which takes room too.
    if (length > share) return Math.max(leastShare, Math.floor(share) - markerLength);
    left -= length;
  }
  return Infinity;
}

/** How long a file's content is in the result, escapes included. */
function textLength({ file }: Answer): number {
  return hasContent(file) ? JSON.stringify(file.content).length : 0;
}

/** How long all else about a file is in the result. */
function factsLength({ file }: Answer): number {
  return hasContent(file) ? JSON.stringify({ ...file, content: '' }).length - '""'.length : JSON.stringify(file).length;
}

function hasContent(file: Json): file is JsonObject & { readonly content: string } {
  return isObject(file) && typeof file['content'] === 'string';
}

interface Answer {
  readonly file: Json;
  readonly media: readonly ToolMedia[];
  readonly failed: boolean;
}

async function readOne(path: string, share: number, input: ReadFilesInput, context: ToolContext): Promise<Answer> {
  const refused = (code: string, message: string): Answer => ({
    file: { path, error: { code, message } },
    media: [],
    failed: true,
  });
  try {
    const target = await targetOf(context, path);
    for (const access of accessesOf(target, 'fs.read')) {
      const verdict = await context.access(access);
      if (!verdict.allowed) return refused('denied_by_policy', verdict.reason);
    }
    const { head, line_numbers } = input;
    const limits = {
      max_bytes: share,
      ...(head === undefined ? {} : { head }),
      ...(line_numbers === undefined ? {} : { line_numbers }),
    };
    const { payload, media } = await readTarget(target, limits, context);
    return { file: payload, media: media ?? [], failed: false };
  } catch (error) {
    if (isToolError(error)) return refused(error.data.code, error.data.message);
    throw error;
  }
}
