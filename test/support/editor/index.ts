import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleSuites, findSuites, type SuiteKind } from './bundle';
import { prepareChromium } from './chromium';
import { chooseEditor } from './desktop';
import { keepTimes, keepTries } from './history';
import { prepareEditor } from './install';
import { installedFolder } from './installedExtensions';
import { jobsOf, nameOf, runJob, type Job, type JobResult } from './jobs';
import { wantPictures } from './pictures';
import { Printer } from './print';
import { shutdown } from './processes';
import { projectRoot } from './root';
import { compiledFolder } from './server';
import { runSideBySide } from './sideBySide';

export interface RunOptions {
  /** The packaged extension under test. */
  vsix: string;
  suites: SuiteKind[];
  grep?: string;
  /** Parts of paths: only files that have one of them are run. */
  parts?: string[];
  /** Where the suites are: `<folder>/editor`, `<folder>/agent`, `<folder>/person`. */
  folder?: string;
  suffix?: string;
  /** User settings of the editor and agent suites. */
  settings?: Record<string, unknown>;
}

const log = (line: string): void => console.log(line);

/** Runs the wanted kinds and gives the number of failures. */
export async function runEditorSuites(options: RunOptions): Promise<number> {
  process.setSourceMapsEnabled(true);
  const folder = options.folder ?? 'test';
  const jobs: Job[] = [];
  for (const kind of options.suites) {
    const all = findSuites(`${folder}/${kind}`, options.suffix ?? '.test.ts');
    if (all.length === 0) log(`there are no ${kind} suites in ${folder}/${kind}`);
    const sources = options.parts?.length
      ? all.filter(({ name }) => options.parts?.some((part) => name.includes(part)))
      : all;
    if (sources.length === 0) continue;
    const bundled = await bundleSuites(sources, join(projectRoot(), '.build', 'suites', kind));
    const filter = options.grep ? { grep: options.grep } : {};
    const settings = options.settings ? { settings: options.settings } : {};
    jobs.push(...jobsOf(bundled, { kind, vsix: [options.vsix], ...filter, ...settings }));
  }
  if (jobs.length === 0) return 0;
  const editor = await chooseEditor(log);
  const onDesktop = (job: Job): boolean => editor === 'desktop' && job.kind !== 'person';
  if (editor === 'desktop' && jobs.some((job) => job.kind === 'person'))
    log('person suites use code-server, because a browser can look at it');
  if (options.parts?.length || options.grep) wantPictures();
  const started = Date.now();
  await rm(join(projectRoot(), '.build', 'failures'), { recursive: true, force: true });
  for (const folder of [compiledFolder(), installedFolder()]) await rm(folder, { recursive: true, force: true });
  const printers = new Map<SuiteKind, Printer>();
  const count = (job: Job, result: JobResult): void => {
    const printer = printers.get(job.kind) ?? new Printer();
    printers.set(job.kind, printer);
    printer.add(result);
    if (job.grep) return;
    keepTimes(job, result);
    const unsteady = keepTries(job, result.tries);
    if (unsteady) printer.failures.push({ file: nameOf(job), title: 'is steady', error: unsteady });
  };
  try {
    for (const job of jobs.filter(onDesktop)) count(job, await runJob(undefined, job));
    const inBrowser = jobs.filter((job) => !onDesktop(job));
    // A part of the tests prints as it goes; all of them run in three editors side by side, for windows wait much.
    const editors = options.grep ? 1 : Number(process.env['AGENT_CAPABILITIES_EDITORS'] ?? '3');
    if (inBrowser.length > 0) {
      await prepareEditor(log);
      log(`browser: ${(await prepareChromium(log)).description}`);
      await runSideBySide(inBrowser, editors, count);
    }
  } finally {
    await shutdown();
  }
  for (const [kind, printer] of printers) printer.summary(kind, started);
  return [...printers.values()].reduce((sum, printer) => sum + printer.failures.length, 0);
}
