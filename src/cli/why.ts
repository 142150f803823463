import type { Json } from '../core/base/json';
import { explainCall, explanationText } from '../core/explain/explain';
import { subjectOf } from '../core/policy/rules/subject';
import { actorOf, type CliArgs, type CliIo, UsageError } from './args';
import { openWorkspace } from './platform';
import { messageOf } from '../core/base/errorText';

/**
 * `why TOOL JSON [--text]`: what the gate would do with a call and why, without running it. Exit 0 whatever the
 * verdict.
 */
export async function runWhy(args: CliArgs, io: CliIo): Promise<number> {
  const [tool, text = '{}', ...rest] = args.words;
  if (tool === undefined || rest.length > 0) throw new UsageError('usage: why TOOL JSON');
  let input: Json;
  try {
    input = JSON.parse(text) as Json;
  } catch (error) {
    throw new UsageError(`the input of \`${tool}\` must be JSON (${messageOf(error)})`);
  }
  const type = actorOf(args);
  const opened = await openWorkspace(args, io);
  try {
    const { gate, policy, tools } = opened.core;
    const preview = await gate.router.preview({ tool, input, actor: { type, id: 'command-line' }, surface: 'cli' });
    const subject = preview.call ? subjectOf(preview.call, preview.call.accesses) : undefined;
    const { governance } = gate.resolver;
    const explanation = explainCall(tool, preview, policy.engine.rules(tools.profiles.active()), subject, (rule, of) =>
      governance.accountNotes(rule, of),
    );
    io.out(args.has('text') ? explanationText(explanation) : JSON.stringify(explanation, undefined, 2));
    return 0;
  } finally {
    await opened.close();
  }
}
