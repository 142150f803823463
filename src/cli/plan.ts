import { writeFileSync } from 'node:fs';
import { say, worded } from '../core/base/sentence';
import { didYouMean } from '../core/base/nearest';
import { describeCall } from '../core/policy/plans/plannedCall';
import { type CliArgs, type CliIo, UsageError, verbatim } from './args';
import { planOf, readJson } from './frozenPlan';
import { withWorkspace } from './openWorkspace';

/**
 * `plan freeze FILE [--approve] [--out FROZEN]`: names the tools by their ids, binds the calls by their hash and prints
 * the frozen plan, for `--plan` of `call`, `why` and `serve`. With `--approve` its calls are asked about no more. Exit
 * 1 where it names a tool that does not exist.
 */
export async function runPlan(args: CliArgs, io: CliIo): Promise<number> {
  const [action, file, ...rest] = args.words;
  if (action !== 'freeze' || file === undefined || rest.length > 0) throw new UsageError('usage: plan freeze FILE');
  const found = planOf(readJson(file), file);
  return withWorkspace(args, io, async ({ core: { policy, servers, tools } }) => {
    const { registry } = tools;
    if (found.calls.some(({ tool }) => !registry.tool(tool))) await servers.list.discover();
    const unknown = found.calls.filter(({ tool }) => !registry.tool(tool));
    for (const { tool } of unknown) io.error(`no tool is called \`${tool}\`${didYouMean(tool, registry.toolNames())}`);
    if (unknown.length > 0) return 1;
    const { title, calls, hash, frozenAt } = policy.plans.freeze(found.title, found.calls);
    const isApproved = args.has('approve');
    if (isApproved) policy.plans.approve(hash);
    const frozen = { title, hash, frozenAt: new Date(frozenAt).toISOString(), isApproved, calls };
    const out = args.value('out');
    const text = JSON.stringify(frozen, undefined, 2);
    if (out === undefined) verbatim(io, text);
    else {
      writeFileSync(out, `${text}\n`, { mode: 0o600 });
      for (const call of calls)
        io.error(worded(call.count > 1 ? say('planned_times', describeCall(call), call.count) : describeCall(call)));
      io.out(hash);
    }
    return 0;
  });
}
