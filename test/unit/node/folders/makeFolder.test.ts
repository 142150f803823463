import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skipBecause } from '../../../support/skip';
import { makeFolder } from '../../../../src/node/folders/makeFolder';

describe('making a folder', () => {
  let base: string;
  beforeEach(() => (base = mkdtempSync(path.join(tmpdir(), 'make-folder-'))));
  afterEach(() => rmSync(base, { recursive: true }));

  it('makes it with its parents for this user alone, and is content with what is there', () => {
    const folder = path.join(base, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    assert.ok(statSync(folder).isDirectory());
    if (process.platform !== 'win32') assert.equal(statSync(path.join(base, 'a')).mode & 0o777, 0o700);
  });

  it('throws where a file stands in the way', () => {
    writeFileSync(path.join(base, 'file'), '');
    assert.throws(() => makeFolder(path.join(base, 'file')), /EEXIST/);
    assert.throws(() => makeFolder(path.join(base, 'file', 'below')), /ENOTDIR|ENOENT/);
  });

  it('throws, and ends, where nothing can be made in a parent', function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux has such a folder');
    assert.throws(() => makeFolder('/proc/none/below'), /ENOENT/);
    assert.throws(() => mkdirSync('/proc/none'), /ENOENT/);
  });
});
