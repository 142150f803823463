import path from 'node:path';
import { withoutWaiting } from '../core/definitions/waitingProblems';
import { isPending, type Problem } from '../core/base/problem';
import { placeInSettings } from '../core/settings/settingsPlaces';
import { readSmallFile } from '../node/regularFile';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { withWorkspace } from './openWorkspace';
import { problemLine } from './problemLines';

/**
 * `validate [--servers] [--json]`: prints every problem of the workspace's policy files, definitions, settings, servers
 * and profiles, the active one and all others. Exit 1 where there is one. What only waits for a person's answer in the
 * editor is no fault of the files: it is noted on the other stream, and as information in JSON. With `--servers` MCP
 * servers are started, too, so that those count that do not answer.
 */
export async function runValidate(args: CliArgs, io: CliIo): Promise<number> {
  if (args.words.length > 0) throw new UsageError('usage: validate [--servers] [--json]');
  return withWorkspace(args, io, async (opened) => {
    const { core } = opened;
    if (args.has('servers')) await core.servers.list.discover();
    else if (core.servers.list.list().length > 0)
      io.error('note: MCP servers were not started; `--servers` starts them and tells what is wrong with their tools');
    const everyProfile = await core.agents.checks.everyProfile();
    const found = withoutWaiting([
      ...opened.problems,
      ...core.problems(),
      ...everyProfile,
      ...(await core.gate.resolver.crossChecks()),
    ]);
    const settings = path.join(opened.folder, '.vscode', 'settings.json');
    const all = unique(found.map((problem) => placed(problem, opened.folder, settings))).map((problem): Problem =>
      isPending(problem) ? { ...problem, severity: 'information' } : problem,
    );
    const problems = all.filter((problem) => !isPending(problem));
    if (args.has('json')) outJson(io, all);
    else {
      for (const problem of all) if (isPending(problem)) io.error(problemLine(problem));
      for (const problem of problems) io.out(problemLine(problem));
      if (problems.length === 0) io.out('no problem found');
    }
    return problems.some((problem) => problem.severity !== 'information') ? 1 : 0;
  });
}

/** Names every file by its whole path, and finds the place of what stands in the workspace's settings. */
function placed(problem: Problem, folder: string, settings: string): Problem {
  if (problem.file !== undefined) return { ...problem, file: path.resolve(folder, problem.file) };
  const read = readSmallFile(settings, { within: folder });
  return read.type === 'text' ? placeInSettings(problem, read.text, settings) : problem;
}

/**
 * The resolver and the definitions read the same files of capabilities and may find the same fault; it is said once, by
 * the definitions, which know the exact place.
 */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const at = (one: Problem): string => JSON.stringify([one.file ?? '', one.line ?? 0]);
  const defined = new Set(problems.filter(({ code }) => code === 'invalid_definition').map(at));
  const seen = new Set<string>();
  return problems.filter((one) => {
    const key = JSON.stringify([at(one), one.code, one.message]);
    return !(one.code === 'invalid_capability' && defined.has(at(one))) && !seen.has(key) && seen.add(key);
  });
}
