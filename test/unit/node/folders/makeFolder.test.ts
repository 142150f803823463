import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skipBecause } from '../../../support/skip';
import { createBlobStore } from '../../../../src/node/blobStore';
import { CliLauncher } from '../../../../src/node/cliLauncher';
import { FileLock } from '../../../../src/node/fileLock';
import { FreedesktopTrash } from '../../../../src/node/files/trash';
import { makeFolder } from '../../../../src/node/folders/makeFolder';
import { writeTourProject } from '../../../../src/node/tour/tourProject';

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

  it('whoever keeps something in such a folder ends, with an error or without what it keeps', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'only Linux has such a folder');
    const below = '/proc/none/below/deeper';
    assert.equal(await new FileLock(`${below}/one.lock`).run(async () => 'done'), 'done');
    await createBlobStore(below, 1000).set('key', { facts: {}, body: new Uint8Array([1]) });
    const file = path.join(base, 'gone');
    writeFileSync(file, '');
    await assert.rejects(new FreedesktopTrash(`${below}/Trash`).move(file, file));
    await assert.rejects(new CliLauncher(below, 'cli.js').write());
    await assert.rejects(writeTourProject(below));
  });

  it('nothing makes folders by the way of Node that may never end', () => {
    const files = readdirSync('src', { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => path.join(entry.parentPath, entry.name));
    const own = /\bmkdir(?:Sync)?\([^;]*recursive/;
    assert.deepEqual(
      files.filter((name) => own.test(readFileSync(name, 'utf8'))),
      [],
    );
    assert.match("await mkdir(path.join(trash, 'info'), { recursive: true });", own);
  });
});
