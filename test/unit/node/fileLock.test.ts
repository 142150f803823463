import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileLock } from '../../../src/node/fileLock';

describe('a lock between windows', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lets one after the other work, and goes when the work is done or failed', async () => {
    const file = path.join(folder, 'not', 'there', 'one.lock');
    const locks = Array.from({ length: 6 }, () => new FileLock(file));
    let inside = 0;
    let most = 0;
    const results = await Promise.allSettled(
      locks.map((lock, index) =>
        lock.run(async () => {
          most = Math.max(most, ++inside);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inside--;
          if (index === 2) throw new Error('no');
          return index;
        }),
      ),
    );
    assert.equal(most, 1);
    assert.deepEqual(
      results.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')),
      [0, 1, 'failed', 3, 4, 5],
    );
    assert.deepEqual(await readdir(path.dirname(file)), []);
  });

  it('does not wait for a process that is gone, nor for ever, nor where no lock can be made', async () => {
    const file = path.join(folder, 'one.lock');
    await writeFile(file, '');
    await utimes(file, new Date(0), new Date(0));
    assert.equal(await new FileLock(file).run(async () => 'old'), 'old');
    await writeFile(file, '');
    assert.equal(await new FileLock(file, { wait: 60 }).run(async () => 'held'), 'held');
    assert.deepEqual(await readdir(folder), ['one.lock'], 'the lock of another is left alone');
    assert.equal(await new FileLock(path.join(file, 'below a file')).run(async () => 'none'), 'none');
  });
});
