import { existsSync } from 'node:fs';
import { isObject } from '../core/base/json';
import { didYouMean } from '../core/base/nearest';
import { worded } from '../core/base/sentence';
import { flattenRequires } from '../core/capability/composed';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import type { Problem } from '../core/base/problem';
import { withWorkspace } from './openWorkspace';
import { mend, problemLine } from './problemLines';
import { readJsonFile } from './workspace';
import { withLacks } from '../core/explain/lacks';
import { stateWords } from '../core/resolver/requirement';
import { resolutionLines } from '../core/resolver/resolutionLines';
import type { RequirementState } from '../core/vocabulary/requirement';

/**
 * `resolve CAPABILITY [--states FILE]`: prints verdict, blocking, required_actions and warnings as JSON. Without
 * `--states` what is stale or unknown is probed first. Exit 0 for every verdict; 1 for an unknown capability.
 */
export async function runResolve(args: CliArgs, io: CliIo): Promise<number> {
  const [id, ...rest] = args.words;
  if (id === undefined || rest.length > 0) throw new UsageError('usage: resolve CAPABILITY [--states FILE]');
  const states = readStates(args.value('states'));
  return withWorkspace(args, io, async (opened) => {
    const { governance, resolver, rows } = opened.core.gate.resolver;
    const capability = governance.capability(id);
    const tellFaults = (): void => {
      for (const problem of [...opened.problems, ...rows().ruleProblems, ...rows().problems])
        if (problem.severity === 'error') io.error(problemLine(problem));
    };
    if (!capability) {
      const names = [...opened.core.tools.registry.capabilityIds(), ...rows().capabilities.map((one) => one.id)];
      io.error(`no capability is called \`${id}\`${didYouMean(id, names)}`);
      // It may stand in a file that cannot be read.
      tellFaults();
      return 1;
    }
    if (!states) {
      const signal = io.signal ?? new AbortController().signal;
      const open = flattenRequires(capability.requires).filter(
        (one) => resolver.state(one, capability.freshnessBudgetHours) !== 'fresh',
      );
      for (const one of open) {
        const outcome = await resolver.probe(one, signal, args.has('yes'));
        if (outcome.outcome === 'probed' && !outcome.isGood) io.error(`${one}: red, ${worded(outcome.detail)}`);
        else if (outcome.outcome === 'not-run')
          io.error(`${one}: not probed, ${worded(outcome.why)}${mend(outcome.why.code)}`);
      }
    }
    // A file that cannot be read may hold a rule that denies: the answer comes, and so does the doubt.
    tellFaults();
    const answer = withLacks(resolver.resolve(capability, { states }), await governance.lacks(capability));
    outJson(io, { capability: capability.id, ...resolutionLines(answer) });
    return 0;
  });
}

function readStates(file: string | undefined): Readonly<Record<string, RequirementState>> | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new UsageError(`the file of states \`${file}\` does not exist`);
  const problems: Problem[] = [];
  const raw = readJsonFile(file, problems);
  if (problems[0]) throw new UsageError(`the file of states \`${file}\` cannot be read (${problems[0].message})`);
  if (!isObject(raw))
    throw new UsageError(`the file of states \`${file}\` must be an object from requirement id to state`);
  const states: Record<string, RequirementState> = {};
  for (const [id, value] of Object.entries(raw)) {
    const state = typeof value === 'string' && Object.hasOwn(stateWords, value) ? stateWords[value] : undefined;
    if (!state)
      throw new UsageError(
        `the state of \`${id}\` must be ${Object.keys(stateWords).join(', ')} (got ${JSON.stringify(value)})`,
      );
    states[id] = state;
  }
  return states;
}
