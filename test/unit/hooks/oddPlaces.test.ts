// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { lstatSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { skipBecause } from '../../support/skip';
import { changesPlace, hookCall as call } from '../../support/hooks';

/** Does something between the two events of a call, as the tool of another agent. */
async function edited(place: ReturnType<typeof changesPlace>, name: string, work: () => void): Promise<void> {
  const { pre, post } = call('Edit', { file_path: place.at(name) }, name);
  await place.answer('claude', pre);
  work();
  await place.answer('claude', post);
}

describe('what other agents change in files that are odd', () => {
  before(function () {
    // A backslash is between names there, a colon in none, and links take rights.
    if (process.platform === 'win32') skipBecause(this, 'it is of POSIX');
  });

  for (const name of ['x:y.txt', 'ba\\ck.txt'])
    it(`D.undo: is kept where it is called \`${name}\``, async () => {
      const place = changesPlace({ [name]: 'before\n' });
      await edited(place, name, () => writeFileSync(place.at(name), 'after\n'));
      assert.deepEqual(await place.rows(), [`write ${name}: as_left`]);
      await place.changes('undo', '--all');
      assert.equal(place.read(name), 'before\n');
      place.dispose();
    });

  it('D.undo: a file that became a link is a file again, what the link leads to stays, and it can be made again', async () => {
    const place = changesPlace({ 'a.txt': 'mine\n', 'b.txt': 'other\n' });
    await edited(place, 'a.txt', () => {
      rmSync(place.at('a.txt'));
      symlinkSync('b.txt', place.at('a.txt'));
    });
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    await place.changes('undo', '--all');
    assert.ok(lstatSync(place.at('a.txt')).isFile());
    assert.deepEqual([place.read('a.txt'), place.read('b.txt')], ['mine\n', 'other\n']);
    await place.changes('redo', '--all');
    assert.equal(readlinkSync(place.at('a.txt')), 'b.txt');
    await place.changes('undo', '--all');
    assert.deepEqual([place.read('a.txt'), place.read('b.txt')], ['mine\n', 'other\n']);
    place.dispose();
  });

  it('D.undo: a link that a person put in the place of what a call wrote is left as it is', async () => {
    const place = changesPlace({ 'a.txt': 'mine\n', 'b.txt': 'other\n' });
    await edited(place, 'a.txt', () => writeFileSync(place.at('a.txt'), 'after\n'));
    rmSync(place.at('a.txt'));
    symlinkSync('b.txt', place.at('a.txt'));
    await place.changes('undo', '--all');
    assert.equal(readlinkSync(place.at('a.txt')), 'b.txt');
    assert.equal(place.read('b.txt'), 'other\n');
    place.dispose();
  });
});
