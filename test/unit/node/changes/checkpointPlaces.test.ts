// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gitCheckpoints } from '../../../../src/node/changes/checkpoints/checkpoints';
import { rowsOf, start, treeOf } from '../../../support/programChanges';

describe('what a program changes by itself', () => {
  it('D.undo: permissions alone are found of a file that has long been there, and that somebody closed before', async () => {
    const made = start((root) => {
      chmodSync(path.join(root, 'src/opened.txt'), 0o666);
      writeFileSync(path.join(root, 'src/closed.txt'), 'changed\n');
    });
    const { workspace } = made;
    workspace.put({
      'src/opened.txt': 'as it was\n',
      'src/closed.txt': 'a key\n',
      'src/other.txt': '',
      constructor: '',
    });
    const storage = path.join(workspace.base, 'checkpoints');
    const looked = async () => {
      // As in another window: nothing is remembered of what was looked at.
      const checkpoints = gitCheckpoints({ storage, environment: process.env, keepsSecrets: () => false });
      const { signal } = new AbortController();
      const roots = [workspace.root];
      return {
        checkpoints,
        signal,
        taken: await checkpoints.take({ roots, isSecret: () => false, mayForget: false, signal }),
      };
    };
    const { taken: first } = await looked();
    // Git compares whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    chmodSync(workspace.at('src/closed.txt'), 0o600);
    writeFileSync(workspace.at('constructor'), 'a name that objects inherit');
    const { checkpoints, signal, taken } = await looked();
    const found = await checkpoints.between(first, taken, signal);
    const modes = found.map(({ path: at, before, after }) => [
      at,
      ...[before, after].map((one) => 'mode' in one && one.mode?.toString(8)),
    ]);
    assert.deepEqual(modes, [
      ['constructor', '644', '644'],
      ['src/closed.txt', '644', '600'],
    ]);

    assert.ok((await made.call('run_it', {})).success);
    const change = (await made.history()).changes.find((one) => one.path === 'src/closed.txt');
    assert.equal(change?.before.kind === 'file' && change.before.mode?.toString(8), '600');
    made.dispose();
  });

  it('D.undo: is no move where it is not clear which file went where, or where files hold nothing', async () => {
    const made = start((root) => {
      for (const name of ['empty', 'one', 'two', 'some']) rmSync(path.join(root, name));
      writeFileSync(path.join(root, 'nothing'), '');
      writeFileSync(path.join(root, 'which'), 'twins');
      mkdirSync(path.join(root, 'some'));
      writeFileSync(path.join(root, 'some/thing'), 'of its own');
    });
    made.workspace.put({ empty: '', one: 'twins', two: 'twins', some: 'of its own' });
    const before = treeOf(made.workspace.root);
    await made.ok('run_it', {});
    assert.deepEqual((await rowsOf(made)).map(([action, place]) => `${action} ${place}`).sort(), [
      'delete empty',
      'delete one',
      'delete some',
      'delete two',
      'make_folder some',
      'write nothing',
      'write some/thing',
      'write which',
    ]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    made.dispose();
  });

  it('D.undo: permissions alone, empty folders and files that were moved are found, taken back and made again', async () => {
    const made = start((root) => {
      const at = (name: string): string => path.join(root, name);
      chmodSync(at('run.sh'), 0o755);
      chmodSync(at('open.txt'), 0o600);
      chmodSync(at('both.txt'), 0o444);
      rmSync(at('shut.txt'));
      writeFileSync(at('shut.txt'), 'changed by it');
      chmodSync(at('shut.txt'), 0o400);
      rmSync(at('bare'), { recursive: true });
      mkdirSync(at('made/empty/deep'), { recursive: true });
      rmSync(at('last/one.txt'));
      renameSync(at('old'), at('new'));
      renameSync(at('hollow'), at('hollow too'));
      renameSync(at('away.txt'), at('made/here.txt'));
    });
    made.workspace.put({
      'run.sh': 'echo',
      'open.txt': 'open',
      'both.txt': 'both',
      'shut.txt': 'shut',
      'last/one.txt': 'the only one here',
      'old/x.txt': 'x',
      'old/deep/y.txt': 'y',
      'away.txt': 'away',
      'twin/1.txt': 'the same',
      'twin/2.txt': 'the same',
    });
    for (const name of ['bare/inner', 'stays/empty', 'hollow/deep'])
      mkdirSync(made.workspace.at(name), { recursive: true });
    const before = treeOf(made.workspace.root);
    const result = await made.call('run_it', {});
    assert.ok(result.success);
    assert.equal(result.warnings, undefined);
    const after = treeOf(made.workspace.root);
    assert.deepEqual(
      (await made.history()).changes.map((one) => [one.action, one.path, one.to?.path ?? '', one.notKept ?? '']).sort(),
      [
        ['delete', 'bare', '', ''],
        ['delete', 'bare/inner', '', ''],
        ['delete', 'hollow', '', ''],
        ['delete', 'hollow/deep', '', ''],
        ['delete', 'last/one.txt', '', ''],
        ['delete', 'old', '', ''],
        ['delete', 'old/deep', '', ''],
        ['make_folder', 'hollow too', '', ''],
        ['make_folder', 'hollow too/deep', '', ''],
        ['make_folder', 'made', '', ''],
        ['make_folder', 'made/empty', '', ''],
        ['make_folder', 'made/empty/deep', '', ''],
        ['make_folder', 'new', '', ''],
        ['make_folder', 'new/deep', '', ''],
        ['move', 'away.txt', 'made/here.txt', ''],
        ['move', 'old/deep/y.txt', 'new/deep/y.txt', ''],
        ['move', 'old/x.txt', 'new/x.txt', ''],
        ['write', 'both.txt', '', ''],
        ['write', 'open.txt', '', ''],
        ['write', 'run.sh', '', ''],
        ['write', 'shut.txt', '', ''],
      ],
    );
    const told = await made.undo({ all: true });
    for (const key of ['conflicts', 'impossible', 'kept']) assert.deepEqual(told[key] ?? [], [], key);
    assert.deepEqual(treeOf(made.workspace.root), before);
    await made.undo({ all: true, redo: true });
    assert.deepEqual(treeOf(made.workspace.root), after);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    made.dispose();
  });

  it('D.undo: a moved file that a person changed since goes back with that, and permissions that a person changed since stay', async () => {
    const made = start((root) => {
      renameSync(path.join(root, 'a.txt'), path.join(root, 'b.txt'));
      for (const name of ['p.txt', 'q.txt']) chmodSync(path.join(root, name), 0o755);
    });
    made.workspace.put({ 'a.txt': 'text\n', 'p.txt': 'p', 'q.txt': 'q' });
    await made.call('run_it', {});
    made.workspace.put({ 'b.txt': 'text\nand mine\n', 'p.txt': 'p and mine' });
    chmodSync(made.workspace.at('q.txt'), 0o700);
    const told = await made.undo({ all: true });
    assert.equal(readFileSync(made.workspace.at('a.txt'), 'utf8'), 'text\nand mine\n');
    assert.ok(!existsSync(made.workspace.at('b.txt')));
    assert.equal(readFileSync(made.workspace.at('p.txt'), 'utf8'), 'p and mine');
    assert.equal(statSync(made.workspace.at('p.txt')).mode & 0o777, 0o644);
    assert.equal(statSync(made.workspace.at('q.txt')).mode & 0o777, 0o700);
    assert.equal((told['conflicts'] as unknown[]).length, 1);
    made.dispose();
  });

  it('D.undo: files that the call only ceased to ignore were there before, and are not deleted when it is taken back', async () => {
    const made = start((root) => {
      writeFileSync(path.join(root, '.gitignore'), 'other/\n');
      writeFileSync(path.join(root, 'build/new.txt'), 'made by it');
    });
    made.workspace.put({
      '.gitignore': 'build/\n',
      'build/mine.txt': 'a person made this',
      'build/deep/too.txt': 'too',
    });
    const before = treeOf(made.workspace.root);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await made.call('run_it', {});
    assert.deepEqual((await rowsOf(made)).sort(), [
      ['write', '.gitignore', 'kept'],
      ['write', 'build/new.txt', 'kept'],
    ]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    made.dispose();
  });
});
