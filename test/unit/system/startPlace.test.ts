import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlace } from '../../support/start/ownPlace';

describe('`npm start`', () => {
  it('has a place of its own where another one of the checkout runs, and takes over what a killed one left', () => {
    const cache = mkdtempSync(path.join(tmpdir(), 'start-'));
    try {
      const first = startPlace(cache);
      const second = startPlace(cache);
      assert.deepEqual([first.isFirst, second.isFirst], [true, false]);
      assert.notEqual(first.folder, second.folder);
      mkdirSync(second.folder);
      second.release();
      assert.ok(!existsSync(second.folder));
      first.release();
      const gone = spawnSync(process.execPath, ['-e', '0']).pid;
      writeFileSync(path.join(cache, 'start.lock'), String(gone));
      mkdirSync(path.join(cache, `start-${gone}`));
      const third = startPlace(cache);
      assert.deepEqual(
        [third.isFirst, third.folder, existsSync(path.join(cache, `start-${gone}`))],
        [true, first.folder, false],
      );
      third.release();
    } finally {
      rmSync(cache, { recursive: true });
    }
  });
});
