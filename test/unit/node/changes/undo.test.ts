import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { agentChanges, burstsOf } from '../../../../src/core/changes/history';
import { callUndo } from '../../../../src/core/changes/undo';
import { makeChanges } from '../../../support/changes';
import { full } from '../../../support/counts';
import { treeOf } from '../../../support/histories';
import { skipBecause } from '../../../support/skip';

describe('Taking changes back', () => {
  it('D.undo: an edit, a new file in new folders, a move and a delete are taken back exactly, and made again', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({
      'a.txt': 'one\r\ntwo\r\n',
      'b.bin': new Uint8Array([0, 255, 1]),
      'd/e.txt': 'deep',
      'd/f/g.txt': '',
    });
    chmodSync(workspace.at('d/e.txt'), 0o755);
    symlinkSync('../a.txt', workspace.at('d/link'));
    const before = treeOf(workspace.root);
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: '2' }] });
    await ok('write_file', { path: 'new/er/c.txt', content: 'c' });
    await ok('write_file', { path: 'b.bin', content: 'text now' });
    await ok('move_file', { source: 'a.txt', destination: 'new/b.txt' });
    await ok('edit_file', { path: 'new/b.txt', edits: [{ old_text: 'one', new_text: '1' }] });
    await ok('move_file', { source: 'new/er/c.txt', destination: 'b.bin', overwrite: true });
    await ok('delete_file', { path: 'd', recursive: true });
    await ok('write_file', { path: 'empty/', content: '' });
    const after = treeOf(workspace.root);
    const told = await undo({ all: true });
    assert.deepEqual(told['conflicts'], []);
    assert.deepEqual(treeOf(workspace.root), before);
    await undo({ all: true, redo: true });
    assert.deepEqual(treeOf(workspace.root), after);
    await undo({ all: true });
    assert.deepEqual(treeOf(workspace.root), before);
    dispose();
  });

  it('D.undo: a call is taken back by its id and made again, and so is a call that took something back', async () => {
    const { dispose, workspace, call, undo, history } = makeChanges();
    workspace.put({ 'a.txt': 'old' });
    const text = (): string => readFileSync(workspace.at('a.txt'), 'utf8');
    const wrote = await call('write_file', { path: 'a.txt', content: 'new' });
    const readOnly = await call('read_file', { path: 'a.txt' });
    assert.deepEqual([wrote.success && wrote.keptChanges, readOnly.success && readOnly.keptChanges], [1, undefined]);
    const of = async (id: string) => callUndo(await history(), id, workspace.files);
    assert.deepEqual(await of(wrote.invocationId), { standing: 1, takenBack: 0 });
    assert.deepEqual(await of(readOnly.invocationId), { standing: 0, takenBack: 0 });
    const took = await call('undo_change', { call: wrote.invocationId });
    assert.deepEqual([text(), await of(wrote.invocationId)], ['old', { standing: 0, takenBack: 1 }]);
    assert.deepEqual(await of(took.invocationId), { standing: 1, takenBack: 0 });
    await undo({ call: took.invocationId });
    assert.deepEqual([text(), await of(wrote.invocationId)], ['new', { standing: 1, takenBack: 0 }]);
    assert.deepEqual(await of(took.invocationId), { standing: 0, takenBack: 1 });
    await undo({ call: took.invocationId, redo: true });
    assert.equal(text(), 'old');
    dispose();
  });

  it('D.undo: what a person changed since is kept, merged where it can be', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n' });
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: '2\n', new_text: 'two\n' }] });
    writeFileSync(workspace.at('a.txt'), '1\ntwo\n3\n4\n5\n6\n7\n8\nmine\n');
    const told = await undo({ file: 'a.txt' });
    assert.equal((told['merged'] as unknown[]).length, 1);
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), '1\n2\n3\n4\n5\n6\n7\n8\nmine\n');
    dispose();
  });

  it('D.undo: where a person changed the same lines, nothing is touched and the conflict is told', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'a.txt': '1\n2\n3\n' });
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: '2\n', new_text: 'two\n' }] });
    await ok('write_file', { path: 'n.txt', content: 'new\n' });
    writeFileSync(workspace.at('a.txt'), '1\nmine\n3\n');
    writeFileSync(workspace.at('n.txt'), 'new\nand mine\n');
    const told = await undo({ all: true });
    assert.deepEqual(
      (told['conflicts'] as { path: string }[]).map((one) => one.path),
      ['n.txt', 'a.txt'],
    );
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), '1\nmine\n3\n');
    assert.equal(readFileSync(workspace.at('n.txt'), 'utf8'), 'new\nand mine\n');
    dispose();
  });

  it('D.undo: a new file that a person saves in the moment before it is deleted stays, and the conflict is told', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    await ok('write_file', { path: 'a.txt', content: 'agent' });
    const { files } = workspace;
    const remove = files.delete.bind(files);
    files.delete = async (...given) => {
      writeFileSync(workspace.at('a.txt'), 'person');
      return remove(...given);
    };
    const told = await undo({ all: true });
    assert.equal((told['conflicts'] as unknown[]).length, 1);
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'person');
    files.delete = remove;
    writeFileSync(workspace.at('a.txt'), 'agent');
    await undo({ all: true });
    assert.deepEqual(treeOf(workspace.root), {});
    dispose();
  });

  it('D.undo: a link that a person has led elsewhere since is theirs, and stays', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'a.txt': 'a', 'b.txt': 'b' });
    symlinkSync('a.txt', workspace.at('l'));
    await ok('delete_file', { path: 'l' });
    await undo({ all: true });
    assert.equal(readlinkSync(workspace.at('l')), 'a.txt');
    rmSync(workspace.at('l'));
    symlinkSync('b.txt', workspace.at('l'));
    const told = await undo({ all: true, redo: true });
    assert.equal((told['conflicts'] as unknown[]).length, 1);
    assert.equal(readlinkSync(workspace.at('l')), 'b.txt');
    dispose();
  });

  it('never deletes what the agent did not make', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    await ok('write_file', { path: 'made/a.txt', content: 'a' });
    writeFileSync(workspace.at('made/mine.txt'), 'mine');
    writeFileSync(workspace.at('untracked.txt'), 'mine');
    const told = await undo({ all: true });
    assert.equal((told['kept'] as unknown[]).length, 1);
    assert.deepEqual(Object.keys(treeOf(workspace.root)).sort(), ['made', 'made/mine.txt', 'untracked.txt']);
    dispose();
  });

  it('follows moves: an edit is taken back where its file is now', async () => {
    const { dispose, workspace, ok, undo, history } = makeChanges();
    workspace.put({ 'src/a.txt': 'old\n' });
    await ok('edit_file', { path: 'src/a.txt', edits: [{ old_text: 'old', new_text: 'new' }] });
    await ok('move_file', { source: 'src', destination: 'lib' });
    const [edit] = (await history()).changes;
    await undo({ change: edit?.id });
    assert.equal(readFileSync(workspace.at('lib/a.txt'), 'utf8'), 'old\n');
    await undo({ all: true });
    assert.equal(readFileSync(workspace.at('src/a.txt'), 'utf8'), 'old\n');
    dispose();
  });

  it('D.undo: a file that was moved out of a folder goes back into it, wherever a later call moved that', async () => {
    const { dispose, workspace, ok, undo, history } = makeChanges();
    workspace.put({ 'd/a.txt': 'a', 'd/b.txt': 'b', 'd.txt': 'beside' });
    await ok('move_file', { source: 'd/a.txt', destination: 'new/a.txt' });
    await ok('write_file', { path: 'd.txt', content: 'agent' });
    await ok('move_file', { source: 'd', destination: 'e' });
    const left = treeOf(workspace.root);
    const { changes } = await history();
    const [moved, written] = ['move', 'write'].map((action) => changes.find((one) => one.action === action)?.call);
    for (let time = 0; time < 2; time++) {
      await undo({ call: moved });
      assert.deepEqual(Object.keys(treeOf(workspace.root)).sort(), ['d.txt', 'e', 'e/a.txt', 'e/b.txt']);
      await undo({ call: moved, redo: true });
      assert.deepEqual(treeOf(workspace.root), left);
    }
    await undo({ call: written });
    assert.match(treeOf(workspace.root)['d.txt'] ?? '', /beside$/);
    dispose();
  });

  it('takes back a call, a burst, or everything since a change', async () => {
    const { dispose, workspace, ok, undo, history, clock } = makeChanges();
    for (const name of ['a', 'b', 'c', 'd']) {
      if (name === 'c') clock.advance(121_000);
      await ok('write_file', { path: name, content: name });
    }
    const { changes } = await history();
    await undo({ burst: changes[0]?.id });
    assert.deepEqual(Object.keys(treeOf(workspace.root)).sort(), ['c', 'd']);
    await undo({ since: changes[3]?.id });
    assert.deepEqual(Object.keys(treeOf(workspace.root)), ['c']);
    await undo({ call: changes[2]?.call });
    assert.deepEqual(treeOf(workspace.root), {});
    await undo({ burst: changes[0]?.id, redo: true });
    assert.deepEqual(Object.keys(treeOf(workspace.root)).sort(), ['a', 'b']);
    dispose();
  });

  it('D.undo: what works on one prompt is one burst however long it takes, and the next prompt begins another', async () => {
    const { dispose, gate, history, clock } = makeChanges();
    const writes: readonly (readonly [prompt: string | undefined, pauseMs: number])[] = [
      ['first', 0],
      ['first', 600_000],
      ['second', 1000],
      [undefined, 1000],
      [undefined, 1000],
      [undefined, 121_000],
    ];
    for (const [at, [prompt, pauseMs]] of writes.entries()) {
      clock.advance(pauseMs);
      await gate.router.invoke({
        tool: 'write_file',
        input: { path: `${at}`, content: 'a' },
        actor: { type: 'agent', id: 'copilot' },
        surface: 'mcp',
        ...(prompt === undefined ? {} : { prompt }),
      });
    }
    const bursts = burstsOf(agentChanges(await history()));
    assert.deepEqual(
      bursts.map(({ changes }) => changes.map((one) => one.path)),
      [['0', '1'], ['2'], ['3', '4'], ['5']],
    );
    dispose();
  });

  it('an agent takes back its own changes only, and is asked about', async () => {
    const { dispose, workspace, ok, call, gate, history } = makeChanges();
    await ok('write_file', { path: 'mine', content: 'm' }, 'agent');
    await ok('write_file', { path: 'persons', content: 'p' }, 'user');
    const { changes } = await history();
    const other = await call('undo_change', { change: changes[1]?.id });
    assert.equal(!other.success && other.error.code, 'not_found');
    const asked = gate.asked.length;
    await call('undo_change', { all: true });
    assert.equal(gate.asked.length, asked + 1);
    assert.deepEqual(Object.keys(treeOf(workspace.root)), ['persons']);
    dispose();
  });

  it('says before the change that a secret cannot be taken back, and keeps no byte of it', async () => {
    const { dispose, workspace, ok, call, gate, store } = makeChanges({
      answer: () => ({ outcome: 'denied', by: 'user', waitedMs: 0 }),
    });
    void ok;
    workspace.put({ '.env': 'TOKEN=hunter2' });
    await call('write_file', { path: '.env', content: 'TOKEN=other' });
    void gate;
    const records = JSON.stringify(await store.read());
    assert.equal(readFileSync(workspace.at('.env'), 'utf8'), 'TOKEN=hunter2');
    assert.ok(!records.includes('.env'));
    dispose();
  });

  it('is undone by a person whatever the profile lets agents do', async () => {
    const { dispose, workspace, ok } = makeChanges();
    await ok('write_file', { path: 'a', content: 'a' });
    const strict = makeChanges({
      workspace,
      profile: { capabilities: [{ ref: 'changes', enabled: false }], mode: 'plan', scopes: [] },
    });
    assert.equal((await strict.undo({ all: true }))['taken_back'], 1);
    assert.deepEqual(treeOf(workspace.root), {});
    const byAgent = await strict.call('undo_change', { all: true });
    assert.equal(!byAgent.success && byAgent.error.code, 'not_enabled');
    strict.dispose();
    dispose();
  });

  it('a person may rename or delete what was changed', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ a: 'old', b: 'old' });
    await ok('write_file', { path: 'a', content: 'new' });
    await ok('delete_file', { path: 'b' });
    rmSync(workspace.at('a'));
    writeFileSync(workspace.at('b'), 'mine');
    mkdirSync(workspace.at('x'));
    renameSync(workspace.at('b'), workspace.at('x/b'));
    await undo({ all: true });
    assert.deepEqual(Object.keys(treeOf(workspace.root)).sort(), ['b', 'x', 'x/b']);
    dispose();
  });

  it('D.undo: a private folder comes back private', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'd/private/a.txt': 'a', 'alone/': '' });
    for (const [name, mode] of [
      ['d/private', 0o700],
      ['d', 0o770],
      ['alone', 0o711],
    ] as const)
      chmodSync(workspace.at(name), mode);
    const before = treeOf(workspace.root);
    await ok('delete_file', { path: 'd', recursive: true });
    await ok('delete_file', { path: 'alone' });
    await undo({ all: true });
    assert.deepEqual(treeOf(workspace.root), before);
    dispose();
  });

  it('D.undo: a folder that was moved out of a private one and comes back first finds it private again', async () => {
    const { dispose, workspace, ok, undo, history } = makeChanges();
    workspace.put({ 'd/e/a.txt': 'a', 'd/b.txt': 'b' });
    chmodSync(workspace.at('d'), 0o700);
    const before = treeOf(workspace.root);
    await ok('move_file', { source: 'd/e', destination: 'kept' });
    await ok('delete_file', { path: 'd', recursive: true });
    const { changes } = await history();
    await undo({ call: changes[0]?.call });
    await undo({ call: changes.at(-1)?.call });
    assert.deepEqual(treeOf(workspace.root), before);
    dispose();
  });

  it('D.undo: what cannot be reached is told, and does not keep the others from being taken back', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'a.txt': 'old\n', 'd/b.txt': 'old\n', 'e/c.txt': 'old\n' });
    for (const name of ['a.txt', 'd/b.txt', 'e/c.txt'])
      await ok('edit_file', { path: name, edits: [{ old_text: 'old', new_text: 'new' }] });
    rmSync(workspace.at('d'), { recursive: true });
    writeFileSync(workspace.at('d'), 'mine');
    rmSync(workspace.at('e'), { recursive: true });
    symlinkSync(workspace.outside, workspace.at('e'));
    const told = await undo({ all: true });
    const paths = [...(told['conflicts'] as { path: string }[]), ...((told['impossible'] ?? []) as { path: string }[])];
    assert.deepEqual(paths.map((one) => one.path).sort(), ['d/b.txt', 'e/c.txt']);
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'old\n');
    assert.equal(readFileSync(workspace.at('d'), 'utf8'), 'mine');
    dispose();
  });

  it('D.undo: a file that was moved away since is told, and not passed over', async () => {
    const { dispose, workspace, ok, undo } = makeChanges();
    workspace.put({ 'a.txt': 'old\n' });
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'old', new_text: 'new' }] });
    renameSync(workspace.at('a.txt'), workspace.at('b.txt'));
    const [conflict] = (await undo({ all: true }))['conflicts'] as { path: string; why: string }[];
    assert.equal(conflict?.path, 'a.txt');
    assert.match(conflict.why, /moved or deleted/);
    renameSync(workspace.at('b.txt'), workspace.at('a.txt'));
    await undo({ all: true });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'old\n');
    dispose();
  });

  it('D.undo: a new file or folder that a later call deleted is told, for it comes back with that call', async () => {
    const { dispose, workspace, ok, undo, history } = makeChanges();
    await ok('write_file', { path: 'a.txt', content: 'new' });
    await ok('delete_file', { path: 'a.txt' });
    const [made, deleted] = (await history()).changes;
    assert.equal(((await undo({ call: made?.call }))['conflicts'] as unknown[]).length, 1);
    await undo({ call: deleted?.call });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'new');
    await undo({ call: made?.call });
    assert.deepEqual(treeOf(workspace.root), {});
    await ok('write_file', { path: 'folder/', content: '' });
    await ok('delete_file', { path: 'folder' });
    const [folder] = (await history()).changes.filter(({ action }) => action === 'make_folder');
    assert.equal(((await undo({ call: folder?.call }))['conflicts'] as unknown[]).length, 1);
    dispose();
  });

  it('D.undo: what is made below the old name of a folder that was moved stays apart from it', async () => {
    const { dispose, workspace, ok, undo, history } = makeChanges();
    workspace.put({ 'd/a.txt': 'a' });
    await ok('move_file', { source: 'd', destination: 'e' });
    await ok('write_file', { path: 'd/b.txt', content: 'b' });
    const left = treeOf(workspace.root);
    const { changes } = await history();
    const [moved, made] = [changes[0]?.call, changes.at(-1)?.call];
    await undo({ call: made });
    await undo({ call: moved });
    assert.deepEqual(Object.keys(treeOf(workspace.root)), ['d', 'd/a.txt']);
    await undo({ call: moved, redo: true });
    await undo({ call: made, redo: true });
    assert.deepEqual(treeOf(workspace.root), left);
    dispose();
  });

  it('D.undo: a file of 50 MB is taken back and made again', async function () {
    if (!full) skipBecause(this, 'left to the whole run');
    const { dispose, workspace, ok, undo } = makeChanges();
    const bytes = Buffer.alloc(50_000_000, 'some line of text\r\n');
    writeFileSync(workspace.at('large.txt'), bytes);
    const whole = (): string =>
      createHash('sha256')
        .update(readFileSync(workspace.at('large.txt')))
        .digest('hex');
    const before = whole();
    await ok('write_file', { path: 'large.txt', content: 'agent', mode: 'append', end_of_line: 'as_given' });
    const appended = whole();
    await ok('delete_file', { path: 'large.txt' });
    await undo({ all: true });
    assert.equal(whole(), before);
    await undo({ all: true, redo: true });
    assert.deepEqual(treeOf(workspace.root), {});
    assert.notEqual(appended, before);
    dispose();
  }).timeout(60_000);
});
