import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import Mocha from 'mocha';
import { bundleSuites, type SuiteSource } from './bundle';
import { reportTo } from './driver/reporter';
import { publishRuntime } from './person';
import { Printer } from './print';
import { projectRoot } from './root';
import type { EditorSession } from './session';
import { tryTwice } from './tryTwice';

/** Runs suites in this process that look at the editor from outside, the way a person does. */
export async function runPersonSuites(
  session: EditorSession,
  vsix: string[],
  sources: SuiteSource[],
  grep?: string,
): Promise<number> {
  const started = Date.now();
  const printer = new Printer();
  const failures = join(projectRoot(), '.build', 'failures');
  await mkdir(failures, { recursive: true });
  publishRuntime({ session, vsix, failures });
  const bundles = await bundleSuites(sources, join(projectRoot(), '.build', 'suites', 'person'));
  for (const [index, source] of sources.entries()) {
    printer.accept({ kind: 'file', name: source.name });
    const seen = printer.passed + printer.failures.length + printer.pending;
    await tryTwice(printer, () => runFile(bundles[index] ?? '', printer, grep));
    const ran = printer.passed + printer.failures.length + printer.pending - seen;
    if (ran === 0 && !grep) printer.fail('has tests', 'the file defines no test');
  }
  printer.summary('person suites', started);
  return printer.failures.length;
}

/** Each run loads the file anew, so that it begins with a window of its own. */
async function runFile(bundle: string, printer: Printer, grep: string | undefined): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 90_000,
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
