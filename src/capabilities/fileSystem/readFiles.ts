import type { Json } from '../../core/base/json';
import { isToolError } from '../../core/errors';
import type { ToolContext, ToolHandler } from '../../core/tool';
import type { ToolMedia } from '../../core/toolResult';
import { readTarget } from './readFile';
import { accessesOf, checkCancelled, targetOf } from './target';

interface ReadFilesInput {
  readonly paths: readonly string[];
  readonly head?: number;
  readonly line_numbers?: boolean;
  readonly max_bytes?: number;
}

const defaultTotal = 7_000;
const atOnce = 8;

export const handler: ToolHandler<ReadFilesInput> = {
  /** Of several files each is judged by itself when it is read, so that one that is refused does not stop the others. */
  async accesses(input, context) {
    const [only] = input.paths;
    if (only === undefined || input.paths.length > 1) return [];
    return accessesOf(await targetOf(context, only), 'fs.read');
  },
  async run(input, context) {
    const share = Math.max(200, Math.floor((input.max_bytes ?? defaultTotal) / input.paths.length));
    const files: Json[] = [];
    const media: ToolMedia[] = [];
    let failed = 0;
    for (let at = 0; at < input.paths.length; at += atOnce) {
      checkCancelled(context.stopped);
      for (const answer of await Promise.all(input.paths.slice(at, at + atOnce).map((path) => readOne(path, share, input, context)))) {
        files.push(answer.file);
        media.push(...answer.media);
        if (answer.failed) failed++;
      }
    }
    return { payload: { files, count: files.length - failed, failed }, ...(media.length > 0 ? { media } : {}) };
  },
};

interface Answer {
  readonly file: Json;
  readonly media: readonly ToolMedia[];
  readonly failed: boolean;
}

async function readOne(path: string, share: number, input: ReadFilesInput, context: ToolContext): Promise<Answer> {
  const refused = (code: string, message: string): Answer => ({ file: { path, error: { code, message } }, media: [], failed: true });
  try {
    const target = await targetOf(context, path);
    for (const access of accessesOf(target, 'fs.read')) {
      const verdict = await context.access(access);
      if (!verdict.allowed) return refused('denied_by_policy', verdict.reason);
    }
    const { head, line_numbers } = input;
    const limits = { max_bytes: share, ...(head === undefined ? {} : { head }), ...(line_numbers === undefined ? {} : { line_numbers }) };
    const { payload, media } = await readTarget(target, limits, context);
    return { file: payload, media: media ?? [], failed: false };
  } catch (error) {
    if (isToolError(error)) return refused(error.data.code, error.data.message);
    throw error;
  }
}
