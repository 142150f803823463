import { existsSync } from 'node:fs';
import type { Core } from '../app/compose';
import { lastCalls, pastSubject } from '../core/explain/simulate';
import { type PolicyDifference, policyDifference } from '../core/policy/cases/difference';
import { BoundaryFiles } from '../core/policy/rules/boundaryFile';
import { presetNames, withPreset } from '../core/policy/rules/presets';
import type { PolicySubject } from '../core/policy/rules/subject';
import { differenceText, witnessCall } from '../core/policyTests/witnessText';
import type { Boundary } from '../core/vocabulary/boundary';
import { FolderReader } from '../node/audit/folderReader';
import { readSmallFile } from '../node/regularFile';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { withWorkspace } from './openWorkspace';

/**
 * `policy diff A B [--record DIR]`: calls that two policies judge differently, one for each way. A policy is `now`, the
 * name of a preset or a file of rules, which stands in place of the workspace's. Exit 0 where none was found, 1 where
 * one was.
 */
export async function runPolicyDiff(words: readonly string[], args: CliArgs, io: CliIo): Promise<number> {
  const [first, second, ...rest] = words;
  if (first === undefined || second === undefined || rest.length > 0)
    throw new UsageError('`policy diff` needs two policies: `now`, a preset or a file of rules');
  return withWorkspace(args, io, async ({ core }) => {
    const found = await difference(core, first, second, args);
    if (args.has('json')) outJson(io, plain(found));
    else io.out(differenceText(found));
    return found.witnesses.length === 0 ? 0 : 1;
  });
}

/** Compares two policies over a workspace. */
export async function difference(core: Core, first: string, second: string, args: CliArgs): Promise<PolicyDifference> {
  const { engine } = core.policy;
  const [before, after] = [engine.withRules(policyRules(core, first)), engine.withRules(policyRules(core, second))];
  try {
    await Promise.all([before.ready, after.ready]);
    return policyDifference(before, after, await recorded(core, args.value('record')));
  } finally {
    before.dispose();
    after.dispose();
  }
}

/** The rules of a policy as it is named on the command line. */
export function policyRules({ policy, settings }: Core, name: string): readonly Boundary[] {
  const now = policy.engine.boundaries;
  if (name === 'now') return now;
  const preset = presetNames.find((one) => one === name);
  if (preset !== undefined) return withPreset(now, preset, settings());
  const read = readSmallFile(name, {});
  if (read.type !== 'text')
    throw new UsageError(
      `\`${name}\` is neither \`now\`, a preset (${presetNames.join(', ')}) nor a file that can be read`,
    );
  const { boundaries, problems } = new BoundaryFiles().read({ path: name, text: read.text });
  const [wrong] = problems.filter(({ severity }) => severity === 'error');
  if (wrong) throw new UsageError(`${name}:${wrong.line ?? 1}: ${wrong.message}`);
  return [...now.filter(({ scope }) => scope !== 'workspace'), ...boundaries];
}

/** The last calls of a record, as rules see them; arguments are not kept, so clauses about them count as matching. */
async function recorded({ tools }: Core, dir: string | undefined): Promise<readonly PolicySubject[]> {
  if (dir === undefined) return [];
  if (!existsSync(dir)) throw new UsageError(`there is no folder \`${dir}\``);
  const calls = await lastCalls(new FolderReader(dir), tools.registry);
  return calls.map((call) => pastSubject(call, 'strict'));
}

function plain({ witnesses, searched }: PolicyDifference): object {
  return {
    witnesses: witnesses.map((one) => ({
      call: witnessCall(one),
      before: one.before,
      after: one.after,
      because: one.because,
      from: one.from,
    })),
    searched,
  };
}
