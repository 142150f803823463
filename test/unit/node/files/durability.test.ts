// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { realDisk } from '../../../../src/node/files/atomicWrite';
import { LateSync } from '../../../../src/node/files/lateSync';
import { WriteJournal } from '../../../../src/node/files/writeJournal';
import { runs } from '../../../support/counts';
import { atEachStep, program } from '../../../support/killedAtSteps';
import { makeWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';

const content = (letter: string): string => letter.repeat(300_000);

describe('a write that is interrupted', () => {
  it('leaves the old content or the new one at whichever step the process is killed, and no temporary file after the next start', async () => {
    for (const changes of ['pooled', 'in place'] as const) {
      const made: Workspace[] = [];
      let orphans = 0;
      // The first round of each file makes its folder known, the second does not.
      const steps = await atEachStep({
        name: 'killedWriter',
        makeBase() {
          const ws = workspaceToWrite();
          made.push(ws);
          return ws.base;
        },
        args: [changes, '4'],
        async look(base) {
          const at = (name: string): string => path.join(base, 'root', name);
          assertWhole({ at });
          orphans += await assertSwept({ base, root: at('') }, 0);
        },
      });
      assert.ok(steps > 12, `4 writes have ${steps} steps`);
      assert.ok(orphans > 0, 'no kill left a temporary file, so that nothing was tested');
      for (const ws of made) ws.dispose();
    }
  });

  it('leaves the old content or the new one when the process is killed at any moment, and no temporary file after the next start', async () => {
    const ws = workspaceToWrite();
    for (let run = 0; run < runs(8, 16, 200); run++) {
      await killWhileWriting(ws.base, (run * 7) % 23, run % 2 === 0 ? 'pooled' : 'in place');
      assertWhole(ws);
    }
    await assertSwept(ws, 0);
  });

  it('is swept at the next start only where its process is gone, and only its own temporary files', async () => {
    const ws = makeWorkspace();
    const storage = path.join(ws.base, 'writes');
    const mine = (run: string): string => `.${run}0123456789ab.agent-capabilities-tmp`;
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const record = (run: string, pid: number, folders: readonly string[], host = hostname()): void => {
      mkdirSync(storage, { recursive: true });
      writeFileSync(
        path.join(storage, `${run}.${pid}.txt`),
        [host, ...folders.map((one) => JSON.stringify(one)), '"cut'].join('\n'),
      );
    };
    ws.put({
      [`a/${mine('aaaaaaaa')}`]: '',
      [`a/${mine('bbbbbbbb')}`]: '',
      'a/.aaaaaaaa.txt': '',
      [`b/${mine('cccccccc')}`]: '',
    });
    writeFileSync(path.join(ws.outside, mine('aaaaaaaa')), '');
    symlinkSync(ws.outside, ws.at('link'));
    record('aaaaaaaa', gone, [ws.at('a'), ws.at('link'), ws.at('missing'), 'relative']);
    record('bbbbbbbb', process.pid, [ws.at('a')]);
    record('cccccccc', gone, [ws.at('b')], 'another-machine');
    const journal = new WriteJournal(storage);
    assert.equal(await journal.sweep(), 1);
    assert.deepEqual(
      [readdirSync(ws.at('a')).sort(), readdirSync(ws.at('b')), readdirSync(ws.outside), readdirSync(storage).length],
      [['.aaaaaaaa.txt', mine('bbbbbbbb')], [mine('cccccccc')], [mine('aaaaaaaa')], 2],
    );
    assert.equal(await journal.sweep(Date.now() + 31 * 24 * 3600 * 1000), 1);
    assert.deepEqual(readdirSync(ws.at('b')), []);
    ws.dispose();
  });

  it('is swept at the next write in the folder where nobody knows whose it was, once it is a minute old', async () => {
    const ws = makeWorkspace();
    ws.put({
      '.0123456789ab.agent-capabilities-tmp': '',
      'a.txt': 'a',
      'new/.0123456789ab.agent-capabilities-tmp': '',
    });
    utimesSync(ws.at('.0123456789ab.agent-capabilities-tmp'), 1, 1);
    await ws.ok('write_file', { path: 'a.txt', content: 'end' });
    await ws.ok('write_file', { path: 'new/a.txt', content: 'end' });
    assert.deepEqual(temporaryFilesIn(ws.root), [path.join('new', '.0123456789ab.agent-capabilities-tmp')]);
    ws.dispose();
  });

  it('leaves the old content, says that the disk is full, and cleans up, at each of 20 levels', async () => {
    for (let level = 0; level < 20; level++) {
      for (const kind of ['error', 'short'] as const) {
        let room = level * 15_000;
        const ws = makeWorkspace({
          disk: {
            ...realDisk,
            write: async (handle, data) => {
              if (room <= 0 && kind === 'error') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
              const part = data.subarray(0, Math.min(room, data.length));
              room -= part.length;
              return part.length === 0 ? 0 : realDisk.write(handle, part);
            },
          },
        });
        ws.put({ 'a.txt': content('a') });
        assert.equal(await ws.code('write_file', { path: 'a.txt', content: content('b') }), 'no_space');
        assert.equal(await ws.code('write_file', { path: 'a.txt', content: content('b'), mode: 'append' }), 'no_space');
        assert.equal(
          await ws.code('edit_file', { path: 'a.txt', edits: [{ old_text: content('a'), new_text: content('c') }] }),
          'no_space',
        );
        assert.ok(readFileSync(ws.at('a.txt'), 'utf8') === content('a'), `level ${level}`);
        assert.deepEqual(readdirSync(ws.root), ['a.txt']);
        ws.dispose();
      }
    }
  });

  it('notices a disk that takes less than it says, and a sync that fails', async () => {
    const lying = makeWorkspace({
      disk: {
        ...realDisk,
        write: async (handle, data) => (await realDisk.write(handle, data.subarray(0, data.length >> 1)), data.length),
      },
    });
    lying.put({ 'a.txt': 'old' });
    assert.equal(await lying.code('write_file', { path: 'a.txt', content: content('b') }), 'no_space');
    const failing = makeWorkspace({
      sync: 'before',
      disk: { ...realDisk, sync: () => Promise.reject(Object.assign(new Error('io'), { code: 'EIO' })) },
    });
    failing.put({ 'a.txt': 'old' });
    assert.equal(await failing.code('write_file', { path: 'a.txt', content: 'new' }), 'process_error');
    for (const ws of [lying, failing]) {
      assert.deepEqual([readFileSync(ws.at('a.txt'), 'utf8'), readdirSync(ws.root)], ['old', ['a.txt']]);
      ws.dispose();
    }
  });

  it('is synced after it took its name, unless it has been replaced meanwhile, and a failure is told', async () => {
    const ws = makeWorkspace();
    const synced: number[] = [];
    const told: unknown[] = [];
    const late = new LateSync({
      async sync(descriptor) {
        synced.push(fstatSync(descriptor).ino);
        if (synced.length === 2) throw new Error('io');
      },
      onFailure: (error) => told.push(error),
    });
    ws.put({ a: 'a', replaced: 'r', b: 'b', c: 'c' });
    const descriptors = ['a', 'replaced', 'b', 'c'].map((name) => openSync(ws.at(name), 'r'));
    unlinkSync(ws.at('replaced'));
    for (const one of descriptors) await late.add(one);
    await late.flush();
    assert.deepEqual(
      [synced, told.map(String)],
      [['a', 'b', 'c'].map((name) => statSync(ws.at(name)).ino), ['Error: io']],
    );
    for (const one of descriptors) assert.throws(() => fstatSync(one), { code: 'EBADF' });
    ws.dispose();
  });

  it('waits for a disk that is slower than who writes, and holds no more than 256 files open', async () => {
    const ws = makeWorkspace();
    ws.put({ a: 'a' });
    let [open, most] = [0, 0];
    const late = new LateSync({
      async sync() {
        await new Promise((done) => setImmediate(done));
        open--;
      },
    });
    for (let count = 0; count < 1000; count++) {
      await late.add(openSync(ws.at('a'), 'r'));
      most = Math.max(most, ++open);
    }
    assert.ok(most > 64 && most <= 256, `${most} were open`);
    await late.flush();
    assert.equal(open, 0);
    ws.dispose();
  });

  it('is synced by itself after a write that did not wait for it', async () => {
    let done: (content: string) => void = () => undefined;
    const seen = new Promise<string>((resolve) => {
      done = resolve;
    });
    const ws = makeWorkspace({
      sync: 'after',
      disk: { ...realDisk, sync: async (descriptor) => done(`${fstatSync(descriptor).ino}`) },
    });
    await ws.ok('write_file', { path: 'a.txt', content: 'new' });
    assert.equal(await seen, `${statSync(ws.at('a.txt')).ino}`);
    ws.dispose();
  });

  it('survives a disk that is really full, where one can be mounted', async function () {
    const mount = mkdtempSync(path.join(tmpdir(), 'full-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mount], { stdio: 'ignore' });
    } catch {
      rmdirSync(mount);
      skipBecause(this, 'a file system of its own can be mounted by root only');
    }
    try {
      for (let level = 1; level <= 20; level++) {
        mkdirSync(path.join(mount, 'root'), { recursive: true });
        const ws = makeWorkspace();
        const { NodeFileSystem } = await import('../../../../src/node/nodeFileSystem');
        const files = new NodeFileSystem({
          folders: () => [{ name: 'root', path: path.join(mount, 'root'), scheme: 'file' }],
        });
        writeFileSync(path.join(mount, 'root', 'a.txt'), content('a'));
        const room = 2 * 1024 * 1024 - 400_000;
        writeFileSync(path.join(mount, 'fill'), Buffer.alloc(room - level * 10_000));
        const code = await ws.code('write_file', { path: 'a.txt', content: 'b'.repeat(900_000) }, { files });
        assert.deepEqual(
          [code, readFileSync(path.join(mount, 'root', 'a.txt'), 'utf8') === content('a')],
          ['no_space', true],
        );
        assert.deepEqual(readdirSync(path.join(mount, 'root')), ['a.txt']);
        ws.dispose();
      }
    } finally {
      execFileSync('umount', [mount]);
      rmdirSync(mount);
    }
  });

  it('leaves other names of the content alone: writing replaces the name', async () => {
    const ws = makeWorkspace();
    ws.put({ 'a.txt': 'shared' });
    require('node:fs').linkSync(ws.at('a.txt'), path.join(ws.outside, 'other.txt'));
    await ws.ok('write_file', { path: 'a.txt', content: 'mine' });
    await ws.ok('write_file', { path: 'a.txt', content: '!', mode: 'append' });
    assert.deepEqual(
      [readFileSync(ws.at('a.txt'), 'utf8'), readFileSync(path.join(ws.outside, 'other.txt'), 'utf8')],
      ['mine!', 'shared'],
    );
    assert.equal(statSync(path.join(ws.outside, 'other.txt')).nlink, 1);
    assert.equal(existsSync(ws.at('.tmp')), false);
    ws.dispose();
  });
});

const names = ['a.txt', 'deep/er/b.txt'];
type Workspace = ReturnType<typeof makeWorkspace>;

function workspaceToWrite(): Workspace {
  const ws = makeWorkspace();
  ws.put(Object.fromEntries(names.map((name) => [name, content('a')])));
  return ws;
}

function assertWhole(ws: Pick<Workspace, 'at'>): void {
  for (const name of names) {
    const now = readFileSync(ws.at(name), 'utf8');
    assert.ok(now === content(now.charAt(0)), `${name} holds ${now.length} bytes, neither the old nor the new ones`);
  }
}

/** The next start removes what the kills left: answers how many files, at least so many; the workspace is gone then. */
async function assertSwept({ base, root }: Pick<Workspace, 'base' | 'root'>, least: number): Promise<number> {
  const orphans = temporaryFilesIn(root).length;
  assert.ok(orphans >= least, 'no kill left a temporary file, so that nothing was tested');
  const journal = new WriteJournal(path.join(base, 'writes'));
  const swept = await journal.sweep();
  journal.dispose();
  assert.deepEqual([swept, temporaryFilesIn(root), existsSync(path.join(base, 'writes'))], [orphans, [], false]);
  rmSync(base, { recursive: true });
  return orphans;
}

async function killWhileWriting(base: string, afterMs: number, changes: 'pooled' | 'in place'): Promise<void> {
  const child = spawn(process.execPath, [program('killedWriter'), base, changes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await started(child);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
}

function temporaryFilesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-tmp'));
}

function started(child: ChildProcess): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the writer ended with ${code}`)));
  }).then(() => {
    child.removeAllListeners('exit');
  });
}
