import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageFixture, type SuiteKind } from './bundle';
import { prepareChromium } from './chromium';
import { runEditorSuites } from './index';
import { prepareEditor } from './install';
import { handleSignals } from './processes';
import { work } from './sideBySide';

const USAGE = `usage: node test/support/editor/cli.mjs <command>
  install                            put the editor and the browser into the cache
  test --vsix FILE [--suites editor,agent,person] [--grep TEXT] [part of a path …]
  self-test [--suites …] [--grep …]  the harness's own tests, with its fixture extension`;

const KINDS: SuiteKind[] = ['editor', 'agent', 'person'];

function parseKinds(text: string | undefined): SuiteKind[] {
  if (text === undefined) return KINDS;
  return text.split(',').map((name) => {
    const kind = KINDS.find((known) => known === name);
    if (!kind) throw new Error(`"${name}" is no kind of suite: ${KINDS.join(', ')}`);
    return kind;
  });
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { vsix: { type: 'string' }, suites: { type: 'string' }, grep: { type: 'string' } },
  });
  const suites = parseKinds(values.suites);
  const filter = values.grep ? { grep: values.grep } : {};
  switch (positionals[0]) {
    case 'install':
      console.log((await prepareEditor(console.log)).entry);
      console.log((await prepareChromium(console.log)).executable);
      return 0;
    case 'test':
      if (!values.vsix) throw new Error('--vsix is missing');
      return runEditorSuites({ vsix: resolve(values.vsix), suites, parts: positionals.slice(1), ...filter });
    // One of the editors that `test` runs side by side.
    case 'worker':
      return work();
    case 'self-test':
      return runEditorSuites({
        vsix: await packageFixture(),
        suites,
        folder: 'test/support/editor/self-test',
        suffix: '.check.ts',
        ...filter,
      });
    default:
      console.error(USAGE);
      return 1;
  }
}

handleSignals();
main().then(
  (failures) => process.exit(failures === 0 ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
