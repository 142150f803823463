import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pause } from '../core/base/pause';
import type { Core } from '../app/compose';
import { problem, type Problem } from '../core/base/problem';
import { say } from '../core/base/sentence';
import { coverage } from '../core/policy/cases/coverage';
import { caseFileEnding, type PolicyCase, readCaseFile } from '../core/policyTests/caseFile';
import { caseWorld } from '../core/policyTests/caseWorld';
import { hasPassed, judgeCase, type JudgedCase } from '../core/policyTests/judgeCase';
import { mutate } from '../core/policyTests/mutation';
import { type PolicyTestRun, reportJunit, reportTap, reportText } from '../core/policyTests/report';
import { differenceText } from '../core/policyTests/witnessText';
import type { Boundary } from '../core/vocabulary/boundary';
import { readSmallFile } from '../node/regularFile';
import { type CliArgs, type CliIo, outJson, UsageError, writeNamed } from './args';
import { withWorkspace } from './openWorkspace';
import { problemLine } from './problemLines';
import { workspaceFolder } from './workspace';
import { isPresetId } from '../core/policy/rules/presets';

const watchMs = 300;

/**
 * `policy test [FILE…]`: judges the cases of files, of `*.policy-test.json` in `.vscode/capabilities` where none is
 * named, and prints what failed and why. Nothing runs, asks or is recorded. Exit 0 where every case passed, 1 where one
 * failed or could not be read, or the score of `--mutate` is below `--min-score`.
 */
export async function runPolicyTest(words: readonly string[], args: CliArgs, io: CliIo): Promise<number> {
  const folder = workspaceFolder(args);
  const least = Number(args.value('min-score') ?? '0');
  if (!(least >= 0 && least <= 1)) throw new UsageError('`--min-score` must be a number from 0 to 1');
  if (!args.has('watch')) return testOnce(words, folder, least, args, io);
  let seen = '';
  while (!io.signal?.aborted) {
    const now = stamp(folder, caseFiles(words, folder));
    if (now !== seen) await testOnce(words, folder, least, args, io);
    seen = now;
    await pause(watchMs, io.signal);
  }
  return 0;
}

async function testOnce(
  words: readonly string[],
  folder: string,
  least: number,
  args: CliArgs,
  io: CliIo,
): Promise<number> {
  const files = caseFiles(words, folder);
  if (files.length === 0)
    throw new UsageError(`there is no file \`*${caseFileEnding}\` in \`.vscode/capabilities\`; name the files`);
  const problems: Problem[] = [];
  const cases = files.flatMap((file) => readCases(file, problems));
  return withWorkspace(args, io, async ({ core, problems: faults }) => {
    for (const one of [...faults, ...problems]) io.error(problemLine(one));
    const run = await runCases(cases, core, args);
    print(run, args, io);
    const against = args.value('against');
    if (against !== undefined) {
      const { difference } = await import('./policyDiff');
      const text = differenceText(await difference(core, against, 'now', args));
      (args.has('json') || args.has('tap') ? io.error : io.out)(text);
    }
    const failed = problems.length > 0 || run.cases.some((one) => !hasPassed(one));
    return failed || (run.mutation !== undefined && run.mutation.score < least) ? 1 : 0;
  });
}

/** The files that are named, or all of the workspace; a folder stands for those in it. */
function caseFiles(words: readonly string[], folder: string): readonly string[] {
  const within = (at: string): readonly string[] =>
    readdirSync(at)
      .filter((name) => name.endsWith(caseFileEnding))
      .sort()
      .map((name) => path.join(at, name));
  if (words.length === 0) {
    const own = path.join(folder, '.vscode', 'capabilities');
    return existsSync(own) ? within(own) : [];
  }
  return words.flatMap((word) => {
    const at = path.resolve(word);
    if (!existsSync(at)) throw new UsageError(`there is no file \`${word}\``);
    return statSync(at).isDirectory() ? within(at) : [at];
  });
}

function readCases(file: string, problems: Problem[]): readonly PolicyCase[] {
  const read = readSmallFile(file, {});
  if (read.type !== 'text') {
    const why = read.type === 'absent' ? say('file_not_there') : read.fault;
    problems.push(problem({ severity: 'error', said: say('file_unreadable', why), file, line: 1, column: 1 }));
    return [];
  }
  const { value, problems: found } = readCaseFile(read.text, shownFile(file));
  problems.push(...found);
  return value;
}

/** Short where it lies below the folder that the command was started in. */
function shownFile(file: string): string {
  const short = path.relative('', file);
  return short.startsWith('..') ? file : short;
}

/** Which text the cases and the rules of a workspace have now. */
function stamp(folder: string, files: readonly string[]): string {
  const own = path.join(folder, '.vscode', 'capabilities');
  const rules = existsSync(own) ? readdirSync(own).map((name) => path.join(own, name)) : [];
  return [...files, ...rules, path.join(folder, '.vscode', 'settings.json')]
    .map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0}`)
    .join('\n');
}

async function runCases(cases: readonly PolicyCase[], core: Core, args: CliArgs): Promise<PolicyTestRun> {
  const started = performance.now();
  const world = caseWorld({ ...core.tools, policy: core.policy.engine, gate: core.gate });
  const judged: JudgedCase[] = [];
  for (const one of cases) judged.push(await judgeCase(one, world));
  const durationMs = performance.now() - started;
  const { engine } = core.policy;
  const counts = ({ scope, id }: Boundary): boolean => scope !== 'builtin' || (args.has('presets') && isPresetId(id));
  const rules = engine.rules(core.tools.profiles.active());
  return {
    cases: judged,
    rules,
    durationMs,
    ...(args.has('coverage')
      ? {
          coverage: coverage(
            rules.filter(({ boundary }) => counts(boundary)),
            judged.flatMap(({ subject }) => subject ?? []),
          ),
        }
      : {}),
    ...(args.has('mutate') ? { mutation: await mutate(judged, engine, counts) } : {}),
  };
}

function print(run: PolicyTestRun, args: CliArgs, io: CliIo): void {
  const junit = args.value('junit');
  if (junit !== undefined) writeNamed(junit, `${reportJunit(run)}\n`);
  if (args.has('json')) outJson(io, plain(run));
  else io.out(args.has('tap') ? reportTap(run) : reportText(run));
}

function plain({ cases, coverage: covered, mutation, durationMs }: PolicyTestRun): object {
  return {
    durationMs,
    cases: cases.map((one) => ({
      name: one.case.name,
      file: one.case.file,
      line: one.case.line,
      passed: hasPassed(one),
      expected: one.case.expect,
      ...one.verdict,
    })),
    ...(covered
      ? { coverage: covered.map(({ boundary, fired, untested }) => ({ rule: boundary.id, fired, untested })) }
      : {}),
    ...(mutation
      ? { mutation: { ...mutation, survivors: mutation.survivors.map(({ rule, change }) => ({ rule, change })) } }
      : {}),
  };
}
