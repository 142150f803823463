import { strict as assert } from 'node:assert';
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { JudgedFile } from '../../../src/node/databases/sqliteFile';
import { skipBecause } from '../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

describe('S0.db-query: the file that SQLite opened is the file that was judged', () => {
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = makeWorkspace();
    workspace.put({ 'a.sqlite': 'a', 'b.sqlite': 'b' });
  });
  afterEach(() => workspace.dispose());
  const look = (name: string, make = false) => JudgedFile.look(workspace.at(name), make);
  const checked = (name: string, between: () => number | undefined): string | undefined => {
    const judged = look(name);
    assert.ok(judged instanceof JudgedFile, String(judged));
    const fd = between();
    try {
      return judged.check();
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  };

  it('passes what stayed as it was', () =>
    assert.equal(
      checked('a.sqlite', () => openSync(workspace.at('a.sqlite'), 'r')),
      undefined,
    ));
  it('notices another file in its place that is put back', function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a POSIX file system');
    const fault = checked('a.sqlite', () => {
      renameSync(workspace.at('a.sqlite'), workspace.at('c'));
      symlinkSync(workspace.at('b.sqlite'), workspace.at('a.sqlite'));
      const fd = openSync(workspace.at('a.sqlite'), 'r');
      rmSync(workspace.at('a.sqlite'));
      renameSync(workspace.at('c'), workspace.at('a.sqlite'));
      return fd;
    });
    assert.equal(fault, 'exchanged');
  });
  it('notices a link that stays, a folder that became a link, and one that is gone', () => {
    workspace.put({ 'd/a.sqlite': 'a', 'e/a.sqlite': 'e' });
    assert.equal(
      checked('a.sqlite', () => {
        rmSync(workspace.at('a.sqlite'));
        symlinkSync(workspace.at('b.sqlite'), workspace.at('a.sqlite'));
        return undefined;
      }),
      'exchanged',
    );
    assert.equal(
      checked('d/a.sqlite', () => {
        renameSync(workspace.at('d'), workspace.at('f'));
        symlinkSync(workspace.at('e'), workspace.at('d'));
        return undefined;
      }),
      'exchanged',
    );
    assert.equal(
      checked('b.sqlite', () => {
        rmSync(workspace.at('b.sqlite'));
        return undefined;
      }),
      'missing',
    );
  });
  it('is not misled by a file that another thread has open for a moment, as the one that watches the memory has', async function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a system that tells what is open');
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(
      `const { openSync, closeSync } = require('node:fs');
       const { flag, file, ms } = require('node:worker_threads').workerData;
       const fd = openSync(file, 'r');
       Atomics.store(flag, 0, 1);
       Atomics.notify(flag, 0);
       Atomics.wait(flag, 0, 1, ms);
       closeSync(fd);`,
      { eval: true, workerData: { flag, file: workspace.at('b.sqlite'), ms: 20 } },
    );
    const fault = checked('a.sqlite', () => {
      const fd = openSync(workspace.at('a.sqlite'), 'r');
      assert.notEqual(Atomics.wait(flag, 0, 0, 20_000), 'timed-out');
      return fd;
    });
    assert.equal(fault, undefined);
    await new Promise((resolve) => thread.once('exit', resolve));
  });
  it('notices another file under a number that was taken before', function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a system that tells what is open');
    const before = openSync(workspace.at('a.sqlite'), 'r');
    const fault = checked('a.sqlite', () => {
      closeSync(before);
      const fd = openSync(workspace.at('b.sqlite'), 'r');
      assert.equal(fd, before, 'the system gave another number');
      return fd;
    });
    assert.equal(fault, 'exchanged');
  });
  it('says beforehand what is none', () => {
    symlinkSync(workspace.at('b.sqlite'), workspace.at('l.sqlite'));
    symlinkSync(workspace.outside, workspace.at('dir'));
    mkdirSync(workspace.at('folder'));
    assert.deepEqual(
      [
        look('l.sqlite'),
        look('dir/x.sqlite', true),
        look('folder'),
        look('none'),
        look('no/where'),
        look('no/where', true),
      ],
      ['exchanged', 'exchanged', 'not_a_file', 'missing', 'missing', 'missing'],
    );
    assert.deepEqual(readdirSync(workspace.outside), []);
  });
});
