import { findSuites, type SuiteKind } from './bundle';
import { chooseEditor } from './desktop';
import { runHostSuites } from './hostRun';
import { runPersonSuites } from './personRun';
import { shutdown } from './processes';
import { EditorSession } from './session';

export interface RunOptions {
  /** The packaged extension under test. */
  vsix: string;
  suites: SuiteKind[];
  grep?: string;
  /** Where the suites are: `<folder>/editor`, `<folder>/agent`, `<folder>/person`. */
  folder?: string;
  suffix?: string;
  /** User settings of the editor and agent suites. */
  settings?: Record<string, unknown>;
}

const log = (line: string): void => console.log(line);

/** Runs the wanted kinds with one editor start for all of them, and gives the number of failures. */
export async function runEditorSuites(options: RunOptions): Promise<number> {
  process.setSourceMapsEnabled(true);
  const folder = options.folder ?? 'test';
  const vsix = [options.vsix];
  const found = options.suites.map((kind) => ({
    kind,
    sources: findSuites(`${folder}/${kind}`, options.suffix ?? '.test.ts'),
  }));
  for (const { kind, sources } of found)
    if (sources.length === 0) log(`there are no ${kind} suites in ${folder}/${kind}`);
  const present = found.filter(({ sources }) => sources.length > 0);
  if (present.length === 0) return 0;
  const editor = await chooseEditor(log);
  const needsBrowser = editor === 'code-server' || present.some(({ kind }) => kind === 'person');
  if (needsBrowser && editor === 'desktop') log('person suites use code-server, because a browser can look at it');
  let failures = 0;
  try {
    const session = needsBrowser ? await EditorSession.start(log) : undefined;
    for (const { kind, sources } of present) {
      if (kind === 'person' && session) failures += await runPersonSuites(session, vsix, sources, options.grep);
      else {
        const filter = options.grep ? { grep: options.grep } : {};
        const settings = options.settings ? { settings: options.settings } : {};
        failures += await runHostSuites(editor === 'code-server' ? session : undefined, {
          kind,
          vsix,
          sources,
          ...filter,
          ...settings,
        });
      }
    }
    await session?.stop();
  } finally {
    await shutdown();
  }
  return failures;
}
