import { resultText } from '../core/vocabulary/toolResult';
import { type CliArgs, type CliIo, readCall, verbatim } from './args';
import { discoverFor, withWorkspace } from './openWorkspace';
import { brief } from './problemLines';

/** What a workspace wants beyond the user's own settings. */
const heldBack: ReadonlySet<string> = new Set(['widening_pending', 'active_profile_pending', 'configuration_held']);

/**
 * `call TOOL JSON`: runs one tool through the gate and prints its result as JSON. Exit 0 success, 1 tool error or
 * denial.
 */
export async function runCall(args: CliArgs, io: CliIo): Promise<number> {
  const { tool, input, actor } = readCall(args, 'call');
  return withWorkspace(args, io, async ({ core }) => {
    await discoverFor(core, tool);
    const result = await core.gate.router.invoke({
      tool,
      input,
      actor,
      surface: 'cli',
      ...(io.signal ? { signal: io.signal } : {}),
    });
    const field = core.tools.registry.tool(tool)?.definition.contentField;
    verbatim(io, args.has('text') ? resultText(result, field) : JSON.stringify(result, undefined, 2));
    const problems = core.problems();
    // Nobody can accept it here, so it is said that it does not count.
    for (const one of problems) if (heldBack.has(one.code)) io.error(brief(one));
    if (!result.success && (result.error.code === 'tool_not_found' || result.error.code === 'not_enabled'))
      for (const one of problems) if (!heldBack.has(one.code)) io.error(brief(one));
    return result.success ? 0 : 1;
  });
}
