import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { usedMs } from './processorTime';

/** What the run asks a worker for: one file of tests. */
export interface FileToRun {
  readonly built: string;
  readonly grep?: string;
  readonly timeout: number;
  /** Prints each test; otherwise what failed alone is printed. */
  readonly spec: boolean;
  /** Printed behind all that the file prints, so that the run knows where that ends. */
  readonly end: string;
}

/** What one file of tests came to, and what it cost. */
export interface FileRan {
  readonly passed: number;
  readonly pending: number;
  readonly failed: readonly string[];
  readonly wallMs: number;
  readonly cpuMs: number;
  /** How large the process is afterwards, in bytes. */
  readonly rss?: number;
  /** The dearest tests and hooks of the file. */
  readonly slowest: readonly { readonly title: string; readonly wallMs: number; readonly cpuMs: number }[];
}

class Quiet extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      if (this.failures.length > 0) this.epilogue();
    });
  }
}

/** Each file has a mocha of its own, so that any worker can take any file; the modules under test stay loaded. */
async function runFile(asked: FileToRun): Promise<FileRan> {
  const mocha = new Mocha({
    timeout: asked.timeout * patience,
    reporter: (asked.spec ? Mocha.reporters.Spec : Quiet) as never,
    ...(asked.grep ? { grep: asked.grep } : {}),
  });
  const began = { wall: Date.now(), cpu: usedMs() };
  mocha.addFile(path.resolve('.build/tests/support/setup.cjs'));
  mocha.addFile(asked.built);
  const counted = { passed: 0, pending: 0 };
  const failed: string[] = [];
  const costs: { title: string; wallMs: number; cpuMs: number }[] = [];
  await new Promise<void>((done) => {
    const runner = mocha.run(() => done());
    let at = began;
    const next = (title: string): void => {
      // To ask costs more than most tests; the costs of a few that took no time go to the next one that did.
      if (Date.now() - at.wall < 5) return;
      const now = { wall: Date.now(), cpu: usedMs() };
      costs.push({ title, wallMs: now.wall - at.wall, cpuMs: Math.round(now.cpu - at.cpu) });
      at = now;
    };
    runner.on('start', () => next('loading'));
    runner.on('pass', () => (counted.passed += 1));
    runner.on('pending', () => (counted.pending += 1));
    runner.on('fail', (test) => failed.push(test.fullTitle()));
    runner.on('test end', (test) => next(test.fullTitle()));
    runner.on('hook end', (hook) => next(hook.fullTitle()));
  });
  const now = { wall: Date.now(), cpu: usedMs() };
  failed.push(...leftFolders().map((name) => `leaves \`${name}\` in the temporary folder`));
  mocha.unloadFiles();
  mocha.dispose();
  return {
    ...counted,
    failed,
    wallMs: now.wall - began.wall,
    cpuMs: Math.round(now.cpu - began.cpu),
    rss: process.memoryUsage.rss(),
    slowest: costs.sort((a, b) => b.cpuMs - a.cpuMs).slice(0, 8),
  };
}

/** What the file left in the temporary folder of this process, taken out of the way of the next file. */
function leftFolders(): readonly string[] {
  const folder = process.env['AGENT_CAPABILITIES_TEMPORARY'];
  if (folder === undefined) return [];
  const left = readdirSync(folder);
  for (const name of left) rmSync(path.join(folder, name), { recursive: true, force: true });
  return left;
}

// Of this thread alone: as an option of the process it would have every thread and process of the product read the maps
// of all packages at its start.
process.setSourceMapsEnabled(true);

/**
 * What runs behind others takes as long as it is let: a limit that a test sets for itself says what it takes alone. So
 * many times as long is waited for it.
 */
const patience = Number(process.env['AGENT_CAPABILITIES_PATIENCE'] ?? 1);
if (patience > 1) {
  const limit = Mocha.Context.prototype.timeout as (this: Mocha.Context, ms?: number | string) => unknown;
  Mocha.Context.prototype.timeout = function (this: Mocha.Context, ms?: number | string) {
    return ms === undefined ? limit.call(this) : limit.call(this, Number(ms) * patience);
  } as never;
}

process.on('message', (asked: FileToRun) => {
  void runFile(asked)
    .catch((error: unknown): FileRan => {
      console.error(error);
      return { passed: 0, pending: 0, failed: [`${asked.built} loads`], wallMs: 0, cpuMs: 0, slowest: [] };
    })
    .then((ran) => {
      process.stdout.write(asked.end);
      process.send?.(ran);
    });
});
