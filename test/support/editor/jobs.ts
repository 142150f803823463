import { treeMs } from '../processorTime';
import { type BundledSuite, type SuiteKind } from './bundle';
import { runHostJob } from './hostRun';
import { runPersonJob } from './personRun';
import { Printer } from './print';
import type { EditorSession } from './session';

/** What runs in one window after another: a file of person tests, or the files that share an extension host. */
export interface Job {
  kind: SuiteKind;
  vsix: string[];
  sources: BundledSuite[];
  grep?: string;
  settings?: Record<string, unknown>;
}

export interface JobResult extends Pick<Printer, 'passed' | 'pending' | 'failures' | 'unsteady'> {
  /** How often its tests ran: twice where something failed and a second try was allowed. */
  tries: number;
  wallMs: number;
  cpuMs: number;
}

/** By what the table of times and the history of second tries know it. */
export function nameOf(job: Job): string {
  return job.sources.map((source) => source.name).join(' + ');
}

/**
 * Files of host suites share a window unless one asks for its own; each file of person tests opens its own windows,
 * unless several name the window that they share.
 */
export function jobsOf(sources: BundledSuite[], rest: Omit<Job, 'sources'>): Job[] {
  const alone = rest.kind === 'person' ? undefined : 'own';
  const groups = new Map<string, BundledSuite[]>();
  for (const source of sources) {
    const key = source.window === alone ? source.name : `window ${source.window ?? 'of all'}`;
    groups.set(key, [...(groups.get(key) ?? []), source]);
  }
  return [...groups.values()].map((group) => ({ ...rest, sources: group }));
}

/** Runs a job and prints it as it goes; without a session, in desktop VS Code. */
export async function runJob(session: EditorSession | undefined, job: Job): Promise<JobResult> {
  const printer = new Printer();
  const began = { wall: Date.now(), cpu: treeMs() };
  const tries =
    job.kind === 'person' && session
      ? await runPersonJob(session, job, printer)
      : await runHostJob(session, job, printer);
  const { passed, pending, failures, unsteady } = printer;
  return {
    passed,
    pending,
    failures,
    unsteady,
    tries,
    wallMs: Date.now() - began.wall,
    cpuMs: treeMs() - began.cpu,
  };
}
