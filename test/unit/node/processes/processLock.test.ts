import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { takeProcessLock } from '../../../../src/node/processes/processLock';
import { withFolder } from '../../../support/auditEvents';

describe('the lock of a process', () => {
  const gone = spawnSync(process.execPath, ['-e', 'process.exit()']).pid;

  it('is had by one at a time, and again once it was given back', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      assert.equal(takeProcessLock(file), true);
      assert.equal(takeProcessLock(file), false);
      assert.equal(fs.readFileSync(file, 'utf8'), String(process.pid));
      fs.rmSync(file);
      assert.equal(takeProcessLock(file), true);
    }));

  it('is taken over from a process that is gone, and from one that ended before it wrote its number', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      fs.writeFileSync(file, String(gone));
      assert.equal(takeProcessLock(file), true);
      fs.writeFileSync(file, '');
      assert.equal(takeProcessLock(file), false, 'its number may be written just now');
      fs.utimesSync(file, new Date(0), new Date(0));
      assert.equal(takeProcessLock(file), true);
      assert.deepEqual(fs.readdirSync(folder), ['one.lock'], 'nothing else is left');
    }));

  it('is given back to who took it over between the look at it and its removal', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      fs.writeFileSync(file, String(gone));
      const { renameSync } = fs;
      fs.renameSync = (from, to) => {
        fs.renameSync = renameSync;
        // Another window is that much quicker; this process stands for it, because it runs.
        fs.writeFileSync(file, String(process.ppid));
        renameSync(from, to);
      };
      try {
        assert.equal(takeProcessLock(file), false);
      } finally {
        fs.renameSync = renameSync;
      }
      assert.equal(fs.readFileSync(file, 'utf8'), String(process.ppid));
      assert.deepEqual(fs.readdirSync(folder), ['one.lock']);
    }));

  it('fails with words where it cannot be made', () =>
    withFolder(async (folder) => assert.throws(() => takeProcessLock(path.join(folder, 'not', 'there')), /ENOENT/)));
});
