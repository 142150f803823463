import { plainWords } from '../core/base/translate';
import { visible } from '../core/base/visible';
import { clauseText, explainCall, explanationText } from '../core/explain/explain';
import { subjectOf } from '../core/policy/rules/subject';
import type { CallExplanation } from '../core/ports/governance';
import { type CliArgs, type CliIo, outJson, readCall } from './args';
import { discoverFor, withWorkspace } from './openWorkspace';
import { brief } from './problemLines';

/**
 * `why TOOL JSON [--text]`: what the gate would do with a call and why, without running it. Exit 0 whatever the
 * verdict.
 */
export async function runWhy(args: CliArgs, io: CliIo): Promise<number> {
  const { tool, input, actor } = readCall(args, 'why', '{}');
  return withWorkspace(args, io, async ({ core }) => {
    const { gate, policy, tools } = core;
    await discoverFor(core, tool);
    const preview = await gate.router.preview({ tool, input, actor, surface: 'cli' });
    const subject = preview.call ? subjectOf(preview.call, preview.call.accesses) : undefined;
    const { governance } = gate.resolver;
    const isForPerson = args.has('text');
    const explanation = explainCall(
      ...([tool, preview, policy.engine.rules(tools.profiles.active()), subject] as const),
      (rule, of) => governance.accountNotes(rule, of),
      isForPerson ? plainWords : undefined,
    );
    if (isForPerson) io.out(explanationText(explanation, plainWords, visible));
    else outJson(io, asJson(explanation));
    // What keeps a tool away, such as a server whose tools wait for a yes.
    if (!tools.registry.tool(tool)) for (const one of core.problems()) io.error(brief(one));
    return 0;
  });
}

/** For programs, which have always read each clause that failed as one text. */
const asJson = ({ rules, ...rest }: CallExplanation) => ({
  ...rest,
  rules: rules.map((rule) => ({ ...rule, failed: rule.failed.map(clauseText) })),
});
