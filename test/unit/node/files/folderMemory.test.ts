import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { FolderMemory } from '../../../../src/node/files/folderMemory';
import { handleMode } from '../../../../src/node/files/handles';
import { walk } from '../../../../src/core/files/walk';
import { comparePaths } from '../../../../src/core/files/paths';
import { runs } from '../../../support/counts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';

const handles = handleMode();
/** Folders are taken as settled at once, so that what a test has just made is remembered. */
const later = () => Date.now() + 60_000;

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const namesOf = (memory: FolderMemory, at = ''): string[] =>
  memory.list(ws.root, at).entries.map(({ name, type }) => `${name} ${type}`);
const freshNames = (at: string): string[] =>
  readdirSync(ws.at(at), { withFileTypes: true })
    .map((one) => `${one.name} ${one.isDirectory() ? 'directory' : one.isSymbolicLink() ? 'symlink' : 'file'}`)
    .sort();

async function walked(memory: FolderMemory): Promise<string[]> {
  const query = { include: [], exclude: [], includeIgnored: false };
  const found: string[] = [];
  await walk(
    { start: '', query, excludes: [], folders: memory.below(ws.root) },
    (batch) => found.push(...batch.map((one) => one.path)) > 0,
    new AbortController().signal,
  );
  return found;
}

describe('what is remembered of folders', () => {
  it('is always what is in them, whatever is made, moved, replaced and deleted, and whatever times are set', async function () {
    this.timeout(120_000);
    const place = fc.constantFrom('', 'a/', 'a/b/', 'c/');
    const name = fc.constantFrom('x', 'y', 'a', 'b');
    const step = fc.oneof(
      fc.record({ what: fc.constantFrom('file', 'folder', 'link', 'delete', 'backdate'), at: place, name }),
      fc.record({ what: fc.constant('move'), at: place, name, to: place, toName: name }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        rmSync(ws.root, { recursive: true, force: true });
        ws.put({ 'a/b/x': '', 'c/y': '' });
        const memory = new FolderMemory({ handles, now: later });
        for (const one of steps) {
          for (const at of ['', 'a', 'a/b', 'c']) {
            try {
              memory.list(ws.root, at);
            } catch {
              // Not there at the moment.
            }
          }
          // Longer than a tick of the clock by which file systems note a change.
          await wait(12);
          const target = ws.at(one.at + one.name);
          try {
            if (one.what === 'file') writeFileSync(target, 'x');
            else if (one.what === 'folder') mkdirSync(target);
            else if (one.what === 'link') symlinkSync(ws.outside, target);
            else if (one.what === 'delete') rmSync(target, { recursive: true });
            else if (one.what === 'backdate') utimesSync(ws.at(one.at), 1, 1);
            else if ('to' in one) renameSync(target, ws.at(one.to + one.toName));
          } catch {
            // Steps that cannot be done change nothing.
          }
          for (const at of ['', 'a', 'a/b', 'c']) {
            let expected: string[] | undefined;
            try {
              expected = freshNames(at);
            } catch {
              expected = undefined;
            }
            let got: string[] | undefined;
            try {
              got = namesOf(memory, at).sort();
            } catch {
              got = undefined;
            }
            // What a link leads to is never listed.
            if (expected !== undefined && got === undefined) assert.ok(!realFolder(at), at);
            else if (got !== undefined && realFolder(at)) assert.deepEqual(got, expected);
          }
        }
      }),
      { numRuns: runs(15, 150) },
    );
  });

  it('is kept only of folders that have not changed for two seconds, and not read again as long as they do not change', function () {
    let reads = 0;
    const counting = (now: () => number) => new FolderMemory({ handles, now, beforeRead: () => reads++ });
    ws.put({ x: '' });
    const young = counting(Date.now);
    young.list(ws.root, '');
    young.list(ws.root, '');
    assert.equal(reads, 2);
    if (process.platform !== 'linux') skipBecause(this, 'needs the handles of Linux');
    const settled = counting(later);
    reads = 0;
    settled.list(ws.root, '');
    settled.list(ws.root, '');
    assert.deepEqual([reads, namesOf(settled)], [1, ['x file']]);
  });

  it('holds for ignore files only as long as they do not change: the next walk obeys what stands in them then', async () => {
    const memory = new FolderMemory({ handles, now: later });
    ws.put({ 'a.log': '', 'b.txt': '', 'd/a.log': '', 'd/c.txt': '' });
    const steps: readonly (readonly [() => void, readonly string[]])[] = [
      [() => undefined, ['a.log', 'b.txt', 'd/a.log', 'd/c.txt']],
      [() => ws.put({ '.gitignore': '*.log\n' }), ['.gitignore', 'b.txt', 'd/c.txt']],
      [() => ws.put({ '.gitignore': '*.txt\n' }), ['.gitignore', 'a.log', 'd/a.log']],
      [() => ws.put({ 'd/.gitignore': '!c.txt\n' }), ['.gitignore', 'a.log', 'd/.gitignore', 'd/a.log', 'd/c.txt']],
      [() => rmSync(ws.at('.gitignore')), ['a.log', 'b.txt', 'd/.gitignore', 'd/a.log', 'd/c.txt']],
    ];
    for (const [change, expected] of steps) {
      await wait(12);
      change();
      for (let round = 0; round < 2; round++) assert.deepEqual(await walked(memory), expected);
    }
    if (process.platform === 'win32') return;
    writeFileSync(path.join(ws.outside, 'rules'), '*\n');
    symlinkSync(path.join(ws.outside, 'rules'), ws.at('.gitignore'));
    assert.ok((await walked(memory)).includes('b.txt'), 'rules were read through a link');
  });

  it('gives a walk the order of sorted paths', async () => {
    ws.put({ 'a/x': '', 'a.b': '', 'a-b/y': '', 'a/a/z': '', b: '', B: '', 'é/x': '', '!': '' });
    for (let round = 0; round < 2; round++) {
      const found = await walked(new FolderMemory({ handles, now: later }));
      assert.deepEqual(found, [...found].sort(comparePaths));
      assert.equal(found.length, 8);
    }
  });

  it('lists nothing of a place that a link leads to, also where the folder or one above is swapped at the last moment', async function () {
    if (handles !== 'proc') skipBecause(this, 'needs the handles of Linux');
    writeFileSync(path.join(ws.outside, 'secret.txt'), 's');
    mkdirSync(path.join(ws.outside, 'deep'));
    writeFileSync(path.join(ws.outside, 'deep', 'hidden.txt'), 's');
    for (const swapped of ['d', 'd/deep']) {
      ws.put({ 'd/deep/inner.txt': '', 'z.txt': '' });
      let done = false;
      const memory = new FolderMemory({
        handles,
        beforeRead: (absolute) => {
          if (done || absolute !== ws.at(swapped)) return;
          done = true;
          renameSync(ws.at('d'), ws.at('away'));
          symlinkSync(ws.outside, ws.at('d'));
        },
      });
      const found = await walked(memory);
      assert.deepEqual([done, found.filter((one) => /secret|hidden/.test(one))], [true, []]);
      rmSync(ws.at('d'));
      rmSync(ws.at('away'), { recursive: true });
    }
  });
});

/** True where the path leads to a folder without a link. */
function realFolder(at: string): boolean {
  let folder = ws.root;
  for (const name of at === '' ? [] : at.split('/')) {
    const entry = readdirSync(folder, { withFileTypes: true }).find((one) => one.name === name);
    if (!entry?.isDirectory()) return false;
    folder = path.join(folder, name);
  }
  return true;
}
