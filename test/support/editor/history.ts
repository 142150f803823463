import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir } from './cache';
import { nameOf, type Job, type JobResult } from './jobs';
import { projectRoot } from './root';

const REMEMBERED_RUNS = 10;

/** Of what test/run.mjs makes a table, with the files of the unit tests. */
const timesFile = (): string => join(projectRoot(), '.build', 'times.json');
/** Survives a new clone where the cache does. */
const triesFile = (): string => join(cacheDir(), 'second-tries.json');

function read<T>(file: string): Record<string, T> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, T>;
  } catch {
    return {};
  }
}

function write(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content, undefined, 1));
}

export function keepTimes(job: Job, { passed, failures, wallMs, cpuMs, tries }: JobResult): void {
  const ran = {
    passed,
    failed: failures.map(({ title }) => title),
    wallMs: wallMs / tries,
    cpuMs: cpuMs / tries,
    at: Date.now(),
  };
  write(timesFile(), { ...read(timesFile()), [nameOf(job)]: ran });
}

/** How long the job took when it ran last here. */
export function lastWallMs(job: Job): number | undefined {
  return read<{ wallMs: number }>(timesFile())[nameOf(job)]?.wallMs;
}

/** Notes how often a job was tried, and says what to do where that shows that it is unsteady. */
export function keepTries(job: Job, tries: number): string | undefined {
  const all = read<number[]>(triesFile());
  const { remembered, complaint } = judgeTries(all[nameOf(job)] ?? [], tries);
  write(triesFile(), { ...all, [nameOf(job)]: remembered });
  return complaint && `${complaint} (${triesFile()}): find the cause`;
}

/**
 * Adds one run to the earlier ones of a file, of which the last ten are remembered. It is complained about in a run
 * that needed its second try where another of the ten did too.
 */
export function judgeTries(earlier: readonly number[], tries: number) {
  const remembered = [...earlier, tries].slice(-REMEMBERED_RUNS);
  const seconds = remembered.filter((count) => count > 1).length;
  const complaint =
    tries > 1 && seconds > 1 ? `it needed a second try in ${seconds} of its last ${remembered.length} runs` : undefined;
  return { remembered, complaint };
}
