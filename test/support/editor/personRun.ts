import Mocha from 'mocha';
import { reportTo } from './driver/reporter';
import type { Job } from './jobs';
import { publishRuntime, type PersonRuntime } from './person';
import type { Printer } from './print';
import type { EditorSession } from './session';
import { tryTwice } from './tryTwice';

/** Runs suites in this process that look at the editor from outside, the way a person does. */
export async function runPersonJob(session: EditorSession, job: Job, printer: Printer): Promise<number> {
  const runtime: PersonRuntime = {
    session,
    vsix: job.vsix,
    window: job.sources[0]?.window === undefined ? undefined : {},
  };
  publishRuntime(runtime);
  let tries = 1;
  for (const source of job.sources) {
    printer.accept({ kind: 'file', name: source.name });
    const seen = printer.passed + printer.failures.length + printer.pending;
    tries = Math.max(tries, await tryTwice(session, printer, () => runFile(source.bundle, printer, job.grep)));
    const ran = printer.passed + printer.failures.length + printer.pending - seen;
    if (ran === 0 && !job.grep) printer.fail('has tests', 'the file defines no test');
  }
  await runtime.window?.editor?.close();
  return tries;
}

/** Each run loads the file anew, so that it begins with a window of its own. */
async function runFile(bundle: string, printer: Printer, grep: string | undefined): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 240_000,
    reporter: reportTo(printer.accept) as never,
    ...(grep ? { grep } : {}),
  });
  try {
    mocha.addFile(bundle);
    await new Promise<void>((done) => mocha.run(() => done()));
    mocha.unloadFiles();
    mocha.dispose();
  } catch (error) {
    printer.fail('loads', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
