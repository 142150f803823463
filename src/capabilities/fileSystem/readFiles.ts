import type { Json } from '../../core/base/json';
import { isToolError } from '../../core/errors';
import type { ToolHandler } from '../../core/tool';
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

export const handler: ToolHandler<ReadFilesInput> = {
  /** One file that cannot be resolved does not stop the others, so its error waits for the run. */
  accesses: async (input, context) => {
    const accesses = [];
    for (const path of input.paths) {
      const target = await targetOf(context, path).catch((error: unknown) => {
        if (isToolError(error)) return undefined;
        throw error;
      });
      if (target && input.paths.length === 1) accesses.push(...accessesOf(target, 'fs.read'));
    }
    return accesses;
  },
  async run(input, context) {
    const share = Math.max(200, Math.floor((input.max_bytes ?? defaultTotal) / input.paths.length));
    const files: Json[] = [];
    const media: ToolMedia[] = [];
    let failed = 0;
    for (const path of input.paths) {
      checkCancelled(context.signal);
      try {
        const target = await targetOf(context, path);
        for (const access of accessesOf(target, 'fs.read')) {
          const verdict = await context.access(access);
          if (!verdict.allowed) throw new Refused(verdict.reason);
        }
        const outcome = await readTarget(
          target,
          {
            max_bytes: share,
            ...(input.head === undefined ? {} : { head: input.head }),
            ...(input.line_numbers === undefined ? {} : { line_numbers: input.line_numbers }),
          },
          context,
        );
        files.push(outcome.payload);
        media.push(...(outcome.media ?? []));
      } catch (error) {
        if (error instanceof Refused) files.push({ path, error: { code: 'denied_by_policy', message: error.message } });
        else if (isToolError(error)) files.push({ path, error: { code: error.data.code, message: error.data.message } });
        else throw error;
        failed++;
      }
    }
    return { payload: { files, count: files.length - failed, failed }, ...(media.length > 0 ? { media } : {}) };
  },
};

class Refused extends Error {}
