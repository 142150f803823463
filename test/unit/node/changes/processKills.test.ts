// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { full, runs } from '../../../support/counts';
import { keptFiles } from '../../../support/keptFiles';
import { atEachStep, program } from '../../../support/killedAtSteps';
import { skipBecause } from '../../../support/skip';

const original: Readonly<Record<string, string>> = {
  'a.txt': 'A'.repeat(50_000),
  'c.txt': 'C'.repeat(5000),
  'd/e/b.txt': 'B'.repeat(5000),
};

function makeBase(folders: readonly string[] = ['']): string {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-capabilities-kills-')));
  for (const below of folders)
    for (const [name, text] of Object.entries(original)) {
      const file = path.join(base, 'root', below, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  return base;
}

/** Contents by path, without what an ended write left beside a file. */
function contents(base: string, below = ''): Record<string, string> {
  const root = path.join(base, 'root', below);
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-tmp'))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(root, file), readFileSync(file, 'latin1')]),
  );
}

async function started(base: string, ...more: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program('killedChanger'), base, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((done, failed) => {
    child.stdout?.once('data', () => done());
    child.once('exit', (code) => failed(new Error(`it ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null, 'it ended before it was killed');
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Every byte that a record names is there, and is what its name says. */
async function verify({ store }: ReturnType<typeof keptFiles>): Promise<void> {
  for (const record of await store.read())
    if (record.type === 'change')
      for (const state of [record.before, record.after])
        if (state.kind === 'file' && state.hash !== undefined)
          assert.equal((await store.image(state.hash))?.length, state.size, JSON.stringify(record));
}

/** Each file is wholly one that stood there. */
function assertWhole(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const isUniform = /^(.)\1*$/.test(text) && [50_000, 5000, 100].includes(text.length);
    assert.ok(isUniform, `${name} holds ${text.length} bytes, neither what stood there nor what came`);
  }
}

async function assertCanBeTakenBack(base: string, when: string, below = ''): Promise<void> {
  assertWhole(contents(base, below));
  const kept = keptFiles(base);
  await verify(kept);
  const undone = await kept.takeBackAll();
  const bad = undone.filter(({ outcome }) => outcome.kind === 'conflict' || outcome.kind === 'impossible');
  assert.deepEqual(
    [contents(base, below), bad.map(({ label, outcome }) => [label, outcome])],
    [original, []],
    `killed ${when}`,
  );
  kept.store.dispose();
  rmSync(base, { recursive: true });
}

describe('A process that is killed while it changes files or takes changes back', () => {
  it('D.undo: at any of its steps leaves each file as before or after and a store that verifies, and everything can be taken back', async () => {
    const steps = await atEachStep({
      name: 'killedChanger',
      makeBase: () => makeBase(),
      args: ['', '2'],
      look: assertCanBeTakenBack,
    });
    assert.ok(steps > 80, `it has ${steps} steps`);
  });

  it('D.undo: can be taken back at any of its steps too where a file held the same several times', async () => {
    const steps = await atEachStep({
      name: 'killedChanger',
      makeBase: () => makeBase(['one']),
      args: ['one', '4', '2'],
      look: (base, when) => assertCanBeTakenBack(base, when, 'one'),
    });
    assert.ok(steps > 60, `it has ${steps} steps`);
  });

  it('D.undo: at any moment leaves each file as before or after and a store that verifies, and everything can be taken back', async () => {
    for (const moment of fc.sample(fc.integer({ min: 0, max: 120 }), { numRuns: runs(4, 20, 200), seed: 20261123 })) {
      const base = makeBase();
      const child = await started(base);
      await pause(moment);
      await killed(child);
      await assertCanBeTakenBack(base, `after ${moment} ms`);
    }
  });

  it('D.undo: two processes on one store do not harm each other, whenever each is killed', async function () {
    if (!full) skipBecause(this, 'left to the whole run');
    for (const moment of fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: runs(0, 10), seed: 20261124 })) {
      const base = makeBase(['one', 'two']);
      const [one, two] = await Promise.all([started(base, 'one'), started(base, 'two')]);
      await pause(moment);
      await killed(one);
      await pause(moment);
      await killed(two);
      const kept = keptFiles(base);
      await verify(kept);
      await kept.takeBackAll();
      assert.deepEqual([contents(base, 'one'), contents(base, 'two')], [original, original], `after ${moment} ms`);
      kept.store.dispose();
      rmSync(base, { recursive: true });
    }
  });
});
