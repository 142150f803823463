import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PolicyStamp } from '../../../src/node/policyStamp';

describe('the stamp of policy files', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'stamp-'));
    folder = path.join(root, 'capabilities');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('changes with every way in which the files can change, at once and after a rest, and not otherwise', () => {
    const stamp = new PolicyStamp(folder, (name) => name.endsWith('.json'));
    const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
    const seen = new Set<string>();
    const expectNew = (what: string): void => {
      const now = stamp.now();
      assert.ok(!seen.has(now), what);
      seen.add(now);
      assert.equal(stamp.now(), now, `${what}: nothing changed since`);
    };
    /** As if the folder had been left alone for a minute: then it is not listed again. */
    const rest = (): void => {
      const past = new Date(Date.now() - 60_000);
      utimesSync(folder, past, past);
      seen.add(stamp.now());
    };
    expectNew('no folder');
    mkdirSync(folder);
    assert.equal(stamp.now(), '', 'an empty folder is like none');
    write('a.json', '1');
    expectNew('a file');
    write('b.json', '2');
    expectNew('another in the same moment');
    rest();
    write('a.json', '11');
    expectNew('another text of the same file');
    write('other.txt', '3');
    assert.ok(seen.has(stamp.now()), 'a file that is none of them');
    rest();
    write('c.json', '3');
    expectNew('a new file after a rest');
    rest();
    renameSync(path.join(folder, 'c.json'), path.join(folder, 'd.json'));
    expectNew('another name');
    unlinkSync(path.join(folder, 'b.json'));
    expectNew('one less');
    rmSync(folder, { recursive: true });
    assert.equal(stamp.now(), '');
  });
});
