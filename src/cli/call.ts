import { resultText } from '../core/vocabulary/toolResult';
import { actorOf, type CliArgs, type CliIo, UsageError } from './args';
import { openWorkspace } from './platform';
import { messageOf } from '../core/base/errorText';

/** What a workspace wants beyond the user's own settings. */
const heldBack: ReadonlySet<string> = new Set(['widening_pending', 'active_profile_pending', 'configuration_held']);

/**
 * `call TOOL JSON`: runs one tool through the gate and prints its result as JSON. Exit 0 success, 1 tool error or
 * denial.
 */
export async function runCall(args: CliArgs, io: CliIo): Promise<number> {
  const [tool, text, ...rest] = args.words;
  if (tool === undefined || text === undefined || rest.length > 0) throw new UsageError('usage: call TOOL JSON');
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the input of \`${tool}\` must be JSON (${messageOf(error)})`);
  }
  const type = actorOf(args);
  const opened = await openWorkspace(args, io);
  try {
    if (!opened.core.tools.registry.tool(tool)) await opened.core.servers.list.discover();
    const result = await opened.core.gate.router.invoke({
      tool,
      input,
      actor: { type, id: 'command-line' },
      surface: 'cli',
      ...(io.signal ? { signal: io.signal } : {}),
    });
    const field = opened.core.tools.registry.tool(tool)?.definition.contentField;
    io.out(args.has('text') ? resultText(result, field) : JSON.stringify(result, undefined, 2));
    const problems = opened.core.problems();
    // Nobody can accept it here, so it is said that it does not count.
    for (const one of problems) if (heldBack.has(one.code)) io.error(`${one.severity}: ${one.message}`);
    if (!result.success && (result.error.code === 'tool_not_found' || result.error.code === 'not_enabled'))
      for (const one of problems) if (!heldBack.has(one.code)) io.error(`${one.severity}: ${one.message}`);
    return result.success ? 0 : 1;
  } finally {
    await opened.close();
  }
}
