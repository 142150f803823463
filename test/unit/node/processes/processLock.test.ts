import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { releaseProcessLock, takeProcessLock } from '../../../../src/node/processes/processLock';
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

  it('is not left behind where the disk is full, and no clock that was set back keeps an empty one', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      const { writeFileSync } = fs;
      fs.writeFileSync = ((at: string, _text: string, options: object) => {
        writeFileSync(at, '', options);
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      }) as typeof fs.writeFileSync;
      try {
        assert.throws(() => takeProcessLock(file), /no space left/);
      } finally {
        fs.writeFileSync = writeFileSync;
      }
      assert.deepEqual(fs.readdirSync(folder), []);
      fs.writeFileSync(file, '');
      const later = new Date(Date.now() + 3_600_000);
      fs.utimesSync(file, later, later);
      assert.equal(takeProcessLock(file), true);
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

  it('that was left is removed by one process alone, and by the next where that one was killed at it', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      fs.writeFileSync(file, String(gone));
      const { writeFileSync } = fs;
      const marks: string[] = [];
      // Another process is at it just now.
      fs.writeFileSync = ((at: string, ...more: [string, object]) => {
        if (at !== file) {
          marks.push(at);
          writeFileSync(at, String(process.ppid));
        }
        writeFileSync(at, ...more);
      }) as typeof writeFileSync;
      try {
        assert.equal(takeProcessLock(file), false);
      } finally {
        fs.writeFileSync = writeFileSync;
      }
      assert.equal(fs.readFileSync(file, 'utf8'), String(gone), 'it is not removed twice');
      const [mark] = marks;
      assert.ok(mark !== undefined && new Set(marks).size === 1);
      assert.equal(takeProcessLock(file), false, 'it is still at it');
      fs.writeFileSync(mark, String(gone));
      assert.equal(takeProcessLock(file), true);
      assert.deepEqual(fs.readdirSync(folder), ['one.lock'], 'nothing else is left');
    }));

  it('is given back by who has it alone', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'one.lock');
      assert.equal(takeProcessLock(file), true);
      fs.writeFileSync(file, String(process.ppid));
      releaseProcessLock(file);
      assert.equal(fs.readFileSync(file, 'utf8'), String(process.ppid));
      fs.writeFileSync(file, String(process.pid));
      releaseProcessLock(file);
      assert.deepEqual(fs.readdirSync(folder), []);
    }));

  it('fails with words where it cannot be made', () =>
    withFolder(async (folder) => assert.throws(() => takeProcessLock(path.join(folder, 'not', 'there')), /ENOENT/)));
});
