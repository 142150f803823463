import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HelperStarter } from '../../../../src/node/files/search/helperStarter';
import type { Program, ProgramEnd, ProgramStarter, RunningProgram } from '../../../../src/node/files/search/programs';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import { FrameReader, frameOf } from '../../../../src/node/files/search/spawnProtocol';
import { installedRipgrep } from '../../../support/ripgrep';
import { bundleEntry } from '../../../support/worker';
import { makeWorkspace } from '../../../support/workspace';

const node = (code: string, ...args: readonly string[]): Program => ({
  binary: process.execPath,
  args: ['-e', code, '--', ...args],
  folder: process.cwd(),
});

interface Ran {
  readonly text: string;
  readonly how: ProgramEnd;
}

/** Starts a program and waits for its end. */
function run(
  starter: ProgramStarter,
  program: Program,
  meanwhile?: (running: RunningProgram, text: string) => void,
): Promise<Ran> {
  return new Promise((resolve) => {
    let text = '';
    const running = starter.start(program, {
      output: (data) => {
        text += data.toString();
        meanwhile?.(running, text);
      },
      end: (how) => resolve({ text, how }),
    });
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked about yet.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the helper that starts programs', () => {
  let script = '';
  let starter: HelperStarter;

  /** Starts one program from here, after which the helper comes. */
  async function ready(one: HelperStarter): Promise<number> {
    await run(one, node(''));
    await until(() => one.pid !== undefined);
    return one.pid ?? 0;
  }

  before(async () => {
    script = await bundleEntry('src/spawnHelper.ts');
  });
  after(() => rmSync(path.dirname(script), { recursive: true, force: true }));
  beforeEach(() => {
    starter = new HelperStarter({ script, isLarge: () => true });
  });
  afterEach(() => starter.dispose());

  it('hands arguments over as they are, and output, complaint and code back', async () => {
    await ready(starter);
    const args = ['a b', '$(touch x)', '"', "'", '', 'é\n', '--flag=1', '; exit 9'];
    const code = 'console.log(JSON.stringify(process.argv.slice(1))); console.error("no"); process.exitCode = 3';
    const { text, how } = await run(starter, node(code, ...args));
    assert.deepEqual([JSON.parse(text), how], [args, { started: true, code: 3, complaint: 'no\n' }]);
    assert.deepEqual(
      (await run(starter, { binary: '/nonexistent/program', args: [], folder: process.cwd() })).how.started,
      false,
    );
  });

  it('is not started in a small process, and programs run all the same', async () => {
    const small = new HelperStarter({ script, isLarge: () => false });
    for (let round = 0; round < 2; round++) assert.equal((await run(small, node('console.log(1)'))).text, '1\n');
    assert.equal(small.pid, undefined);
    small.dispose();
  });

  it('keeps the output of several programs apart, lets it wait, and kills', async () => {
    await ready(starter);
    const lines = 'for (let at = 0; at < 30000; at++) console.log(process.argv[1] + at)';
    const all = await Promise.all(['a', 'b', 'c'].map((name) => run(starter, node(lines, name))));
    for (const [index, { text }] of all.entries()) {
      const name = 'abc'[index] ?? '';
      assert.equal(text, Array.from({ length: 30_000 }, (_, at) => `${name}${at}\n`).join(''));
    }
    const paused = await run(starter, node(lines, 'p'), (running) => {
      running.pause();
      setTimeout(() => running.resume(), 1);
    });
    assert.equal(paused.text.split('\n').length, 30_001);
    const killed = await run(starter, node('console.log(1); setInterval(() => {}, 1000)'), (running) => running.kill());
    assert.equal(killed.how.started, true);
  });

  it('ends with what it runs when the process that started it is killed', async () => {
    const parent = spawn(process.execPath, [path.resolve('.build/tests/support/processes/helperParent.cjs'), script]);
    const ids = await new Promise<readonly [number, number]>((resolve) => {
      parent.stdout.on('data', (data: Buffer) => resolve(JSON.parse(data.toString())));
    });
    assert.deepEqual(ids.map(isAlive), [true, true]);
    parent.kill('SIGKILL');
    await until(() => !ids.some(isAlive));
  });

  it('ends when it is disposed', async () => {
    const pid = await ready(starter);
    starter.dispose();
    await until(() => !isAlive(pid));
  });

  it('is done without where it is killed, comes again, and is given up after the third time', async () => {
    for (let round = 0; round < 3; round++) {
      const pid = await ready(starter);
      // What a helper that is killed leaves behind ends with its output; this one writes nothing more, so it is ended
      // here.
      let left = 0;
      const running = run(starter, node('console.log(process.pid); setInterval(() => {}, 1000)'), (_, text) => {
        left = Number(text);
        process.kill(pid, 'SIGKILL');
      });
      assert.deepEqual((await running).how, { started: false });
      process.kill(left, 'SIGKILL');
    }
    for (let round = 0; round < 3; round++) assert.equal((await run(starter, node('console.log(1)'))).text, '1\n');
    await wait(50);
    assert.equal(starter.pid, undefined);
  });

  const binary = installedRipgrep();
  (binary === undefined ? it.skip : it)('gives the same search, whole, page by page and cancelled', async () => {
    await ready(starter);
    const search = async () => new RipgrepSearch({ binary: binary ?? '', smallFolder: 0, starter });
    const [helped, own] = [makeWorkspace({ search }), makeWorkspace()];
    const tree = Object.fromEntries(
      Array.from({ length: 60 }, (_, file) => [`d${file % 7}/f${file}.txt`, 'needle\n'.repeat(100)]),
    );
    helped.put(tree);
    own.put(tree);
    for (const input of [
      { pattern: 'needle' },
      { pattern: 'needle', limit: 3500 },
      { pattern: 'absent' },
      { pattern: '\\w+', path: 'd3' },
    ])
      assert.deepEqual(await helped.ok('grep_files', input), await own.ok('grep_files', input));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('cancelled by the test')), 3);
    await helped
      .call('grep_files', { pattern: 'needle' }, { signal: controller.signal })
      .catch((error: unknown) => error);
    assert.equal((await helped.ok('grep_files', { pattern: 'needle', limit: 5 }))['match_count'], 5);
    helped.dispose();
    own.dispose();
  });
});

describe('frames between the helper and its process', () => {
  it('come back whole, however their bytes arrive', () => {
    const frames = [
      frameOf('ready', 0, Buffer.alloc(0)),
      frameOf('output', 7, Buffer.from('x'.repeat(5000))),
      frameOf('output', 4_000_000_000, Buffer.from('é')),
    ];
    const all = Buffer.concat(frames);
    for (const size of [1, 3, 9, 10, 4999, all.length]) {
      const reader = new FrameReader();
      const got = [];
      for (let at = 0; at < all.length; at += size) got.push(...reader.take(all.subarray(at, at + size)));
      assert.deepEqual(
        got.map((one) => (one.kind === 'output' ? [one.id, one.data.toString()] : [one.kind])),
        [['ready'], [7, 'x'.repeat(5000)], [4_000_000_000, 'é']],
      );
    }
    assert.throws(() => new FrameReader().take(Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0])));
  });
});
