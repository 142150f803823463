import { strict as assert } from 'node:assert';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli, temporaryWorkspace } from '../../support/cli';

/** A workspace and a folder in which its commands keep their state. */
function place(files: Readonly<Record<string, string>>) {
  const { folder, dispose } = temporaryWorkspace(files);
  const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
  const own = ['--workspace', folder, '--state-dir', state];
  return {
    folder,
    state,
    call: (tool: string, input: unknown, ...more: string[]) =>
      runCli(['call', tool, JSON.stringify(input), '--yes', ...own, ...more]),
    changes: (...words: string[]) => runCli(['changes', ...words, ...own, '--private', path.join(state, 'hooks')]),
    dispose() {
      dispose();
      rmSync(state, { recursive: true });
    },
  };
}

describe('changes on the command line', () => {
  it('D.undo: are listed, shown as a diff, taken back and made again, each by another process', async () => {
    const { folder, call, changes, dispose } = place({ 'a.txt': 'one\ntwo\n' });
    await call('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: '2' }] });
    await call('write_file', { path: 'b/c.txt', content: 'new\n' });
    const listed = (await changes('list', '--json')).json();
    assert.deepEqual(
      listed.bursts[0].files.map((one: any) => [one.path, one.action, one.state, one.added, one.removed]),
      [
        ['a.txt', 'write', 'as_left', 1, 1],
        ['b', 'make_folder', 'as_left', undefined, undefined],
        ['b/c.txt', 'create', 'as_left', 1, 0],
      ],
    );
    assert.match((await changes('list')).text, /as left\s+changed a\.txt {2}\+1 -1/);
    assert.match((await changes('diff', '--file', 'a.txt')).text, /-two\n\+2/);
    assert.equal((await changes('undo', '--all')).text, '3 changes taken back');
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one\ntwo\n');
    assert.ok(!existsSync(path.join(folder, 'b')));
    assert.equal((await changes('list', '--json')).json().bursts[0].files[0].state, 'taken_back');
    assert.equal((await changes('redo', '--file', 'a.txt')).text, '1 change made again');
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one\n2\n');
    dispose();
  });

  it('reports a conflict with exit code 1 and touches nothing', async () => {
    const { folder, call, changes, dispose } = place({ 'a.txt': 'one\ntwo\n' });
    await call('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: '2' }] });
    writeFileSync(path.join(folder, 'a.txt'), 'one\nmine\n');
    const undone = await changes('undo', '--file', 'a.txt');
    assert.deepEqual([undone.code, undone.text.includes('conflicts: a.txt')], [1, true]);
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one\nmine\n');
    assert.equal((await changes('undo')).code, 2);
    assert.equal((await changes('undo', '--all', '--file', 'a.txt')).code, 2);
    dispose();
  });

  it('keeps what was there for this user alone, out of the workspace, and nothing of a secret', async () => {
    const { state, call, changes, dispose } = place({ '.env': 'TOKEN=hunter2\n', 'a.txt': 'old' });
    await call('write_file', { path: 'a.txt', content: 'new' });
    await call('write_file', { path: '.env', content: 'TOKEN=changed' }, '--set', 'policy.preset=open');
    const files = readdirSync(state, { recursive: true, withFileTypes: true });
    for (const entry of files.filter((one) => one.parentPath.includes('changes')))
      assert.equal(statSync(path.join(entry.parentPath, entry.name)).mode & 0o077, 0, entry.name);
    const kept = files
      .filter((one) => one.isFile())
      .map((one) => readFileSync(path.join(one.parentPath, one.name), 'latin1'))
      .join('');
    assert.ok(kept.includes('old') && !kept.includes('hunter2') && !kept.includes('TOKEN'));
    const rows = (await changes('list', '--json')).json().bursts[0].files;
    assert.deepEqual(
      rows.map((one: any) => [one.path, one.state]),
      [
        ['a.txt', 'as_left'],
        ['.env', 'cannot'],
      ],
    );
    dispose();
  });

  it('an agent is asked where nothing can be kept, and the result says what cannot be taken back', async () => {
    const { folder, dispose } = place({ 'a.txt': 'old' });
    const own = ['--workspace', folder, '--set', 'fileSystem.deleteToTrash=false'];
    const rule = '[{"id":"free","match":{"accessAny":["fs.write"],"path":"**"},"decision":"allow","reason":"free"}]';
    const input = JSON.stringify({ path: 'a.txt', content: 'new' });
    // No home folder, no state folder: there is no place to keep anything.
    const asked = await runCli(['call', 'write_file', input, ...own, '--set', `policy.boundaries=${rule}`]);
    assert.equal(asked.json().error.code, 'approval_unavailable');
    assert.equal(readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'old');
    const denied = await runCli(['call', 'write_file', input, '--yes', ...own, '--set', 'changes.whenNotKept=deny']);
    assert.equal(denied.json().error.code, 'not_kept');
    const allowed = await runCli(['call', 'write_file', input, '--yes', ...own]);
    assert.deepEqual(allowed.json().warnings, ['one change of this call cannot be taken back']);
    dispose();
  });
});
