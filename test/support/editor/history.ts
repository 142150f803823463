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

/** Notes how often a job was tried, and says so where it needed its second try in two of its last ten runs. */
export function keepTries(job: Job, tries: number): string | undefined {
  const all = read<number[]>(triesFile());
  const own = [...(all[nameOf(job)] ?? []), tries].slice(-REMEMBERED_RUNS);
  write(triesFile(), { ...all, [nameOf(job)]: own });
  const seconds = own.filter((count) => count > 1).length;
  return tries > 1 && seconds > 1
    ? `it needed a second try in ${seconds} of its last ${own.length} runs (${triesFile()}): find the cause`
    : undefined;
}
