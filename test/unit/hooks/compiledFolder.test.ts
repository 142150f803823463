import { strict as assert } from 'node:assert';
import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dropCompiled, noteUse } from '../../../src/node/hooks/compiledFolder';

const dayMs = 24 * 60 * 60 * 1000;

describe('compiled code of the hook', () => {
  let folder = '';
  const now = Date.now();
  const put = (name: string, ageMs: number): string => {
    const file = path.join(folder, name);
    writeFileSync(file, 'x', { mode: 0o600 });
    utimesSync(file, new Date(now - ageMs), new Date(now - ageMs));
    return file;
  };
  const names = (): readonly string[] => readdirSync(folder).sort();

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'compiled-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('D.hooks: goes when no hook used it for two weeks, and stays while one does', () => {
    put('hookMain-v20-x64-1-1.bin', 15 * dayMs);
    const used = put('hookMain-v20-x64-2-2.bin', 15 * dayMs);
    put('hookMain-v24-x64-2-2.bin', 13 * dayMs);
    put('other.txt', 90 * dayMs);
    assert.equal(noteUse(used, now), true);
    assert.equal(noteUse(used, now), false);
    dropCompiled(folder, now);
    assert.deepEqual(names(), ['hookMain-v20-x64-2-2.bin', 'hookMain-v24-x64-2-2.bin', 'other.txt']);
  });

  it('D.hooks: is bounded, the oldest going first; what is half written stays while its process may live', () => {
    for (let at = 0; at < 130; at++) put(`chunk-${String(at).padStart(3, '0')}.bin`, at * 1000);
    put('a.bin.12.tmp', 2 * 60 * 60_000);
    put('b.bin.13.tmp', 1000);
    dropCompiled(folder, now);
    const left = names();
    assert.equal(left.length, 101);
    assert.ok(left.includes('chunk-099.bin') && !left.includes('chunk-100.bin'));
    assert.deepEqual(left.slice(0, 1), ['b.bin.13.tmp']);
  });

  it('D.hooks: a folder that is gone or that others may write is left alone', () => {
    dropCompiled(path.join(folder, 'gone'), now);
    assert.equal(noteUse(path.join(folder, 'gone'), now), false);
    if (process.platform === 'win32') return;
    put('x.bin', 90 * dayMs);
    chmodSync(folder, 0o777);
    dropCompiled(folder, now);
    assert.deepEqual(names(), ['x.bin']);
  });
});
