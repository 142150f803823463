import { isToolError } from '../../../core/vocabulary/errors';
import type { HttpResponse } from '../../../core/ports/http';
import type { ReadPageInput, ReadPageOutput } from '../page/readPage';
import { wantedFormat } from './input';
import type { WebFetchInput } from './inputSchema';
import type { ToolContext } from '../../../core/capability/tool';

/** One attempt at a conversion may take so long and so much; a hostile page loses its thread, not ours. */
const limits = { timeoutMs: 2_000, memoryMb: 512 };

/**
 * Converts a body in the worker. A page that takes too long or too much, or that the converter fails at, is tried again
 * with less: in full instead of its main content, then raw; the result says so.
 */
export async function convertPage(
  response: HttpResponse,
  input: WebFetchInput,
  maxLength: number,
  context: ToolContext,
): Promise<ReadPageOutput> {
  const configured = context.config['focus'] === 'main' ? 'main' : 'full';
  const task: ReadPageInput = {
    body: response.body,
    url: response.url,
    contentType: response.headers['content-type'],
    format: wantedFormat(input, context.config),
    focus: input.focus ?? configured,
    query: input.query,
    fragment: input.fragment,
    start: input.start_index ?? 0,
    maxLength,
  };
  const attempts: readonly (readonly [ReadPageInput, string | undefined])[] = [
    [task, undefined],
    ...(task.focus === 'main'
      ? ([[{ ...task, focus: 'full' }, 'the main content could not be found; the full page is given']] as const)
      : []),
    [
      { ...task, format: 'raw', query: undefined, fragment: undefined, focus: 'full' },
      'the page could not be converted; it is given raw',
    ],
  ];
  let failure: unknown;
  for (const [attempt, warning] of attempts) {
    try {
      // The pool hands back what `readPage` returned.
      const page = (await context.ports.worker.run('readPage', attempt, {
        ...limits,
        signal: context.signal,
      })) as ReadPageOutput;
      return warning === undefined ? page : { ...page, warnings: [...page.warnings, warning] };
    } catch (error) {
      if (isToolError(error) && error.data.code !== 'timeout' && error.data.code !== 'too_large') throw error;
      failure = error;
    }
  }
  throw failure;
}
