import { strict as assert } from 'node:assert';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { overviewOf } from '../../../../src/core/changes/overview';
import { stateOf } from '../../../../src/core/changes/takeBack';
import { nodeCrypto } from '../../../../src/node/system';
import { makeChanges } from '../../../support/changes';
import { treeOf } from '../../../support/histories';

type System = ReturnType<typeof makeChanges>;

/** Calls of the history, oldest first, each once. */
async function callsOf({ history }: System): Promise<readonly string[]> {
  return [...new Set((await history()).changes.filter(({ reverts }) => !reverts).map(({ call }) => call))];
}

const conflictsOf = (told: Readonly<Record<string, unknown>>): readonly string[] =>
  (told['conflicts'] as { path: string }[]).map((one) => one.path).sort();

/** Takes one call back and says that nothing was touched, and what was told to be in the way. */
async function refused(system: System, call: string | undefined, redo = false): Promise<readonly string[]> {
  const before = treeOf(system.workspace.root);
  const told = await system.undo({ call, ...(redo ? { redo } : {}) });
  assert.deepEqual(treeOf(system.workspace.root), before);
  assert.equal(told['taken_back'], 0);
  return conflictsOf(told);
}

/** Something that can stand at a place, made by a person. */
const kinds: Readonly<Record<string, { make(file: string): void; read(file: string): string }>> = {
  file: { make: (file) => writeFileSync(file, file), read: (file) => readFileSync(file, 'utf8') },
  link: { make: (file) => symlinkSync('elsewhere', file), read: (file) => readlinkSync(file) },
  folder: { make: (file) => mkdirSync(file), read: (file) => String(lstatSync(file).isDirectory()) },
};

describe('Taking back a call at whose place something else stood since', () => {
  for (const [was, first] of Object.entries(kinds))
    for (const [between, second] of Object.entries(kinds))
      it(`D.undo: a ${was} stays deleted where a person made a ${between} since that a later call deleted, and says so`, async () => {
        const system = makeChanges();
        const { workspace, ok, undo, dispose } = system;
        const at = workspace.at('x');
        first.make(at);
        await ok('delete_file', { path: 'x' });
        second.make(at);
        const theirs = second.read(at);
        await ok('delete_file', { path: 'x' });
        const [one, other] = await callsOf(system);
        assert.deepEqual(await refused(system, one), ['x']);
        await undo({ call: other });
        assert.equal(second.read(at), theirs);
        // What a person takes away has nothing in its way.
        rmSync(at, { recursive: true });
        await undo({ call: one });
        assert.ok(first.read(at));
        dispose();
      });

  it('D.undo: a file that two calls deleted comes back with the later one first, and then with the earlier', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'a.txt': 'old' });
    await ok('delete_file', { path: 'a.txt' });
    await ok('write_file', { path: 'a.txt', content: 'new' });
    await ok('delete_file', { path: 'a.txt' });
    const [deleted, wrote, again] = await callsOf(system);
    assert.deepEqual(await refused(system, deleted), ['a.txt']);
    for (const call of [again, wrote, deleted]) assert.equal((await undo({ call }))['taken_back'], 1);
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'old');
    for (const call of [deleted, wrote, again]) await undo({ call, redo: true });
    assert.deepEqual(treeOf(workspace.root), {});
    assert.deepEqual(await refused(system, deleted), ['a.txt']);
    await undo({ all: true });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'old');
    dispose();
  });

  it('D.undo: what was deleted twice comes back with the second call where a person brought back the same', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'a.txt': 'same' });
    await ok('delete_file', { path: 'a.txt' });
    workspace.put({ 'a.txt': 'same' });
    await ok('delete_file', { path: 'a.txt' });
    const [one, other] = await callsOf(system);
    assert.deepEqual(await refused(system, one), ['a.txt']);
    assert.equal((await undo({ call: other }))['taken_back'], 1);
    assert.equal((await undo({ call: one }))['already'], 1);
    dispose();
  });

  it('D.undo: a new file that was taken back is not made again over what came and went since', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    await ok('write_file', { path: 'a.txt', content: 'agent' });
    const [made] = await callsOf(system);
    await undo({ call: made });
    workspace.put({ 'a.txt': 'person' });
    await ok('delete_file', { path: 'a.txt' });
    assert.deepEqual(await refused(system, made, true), ['a.txt']);
    const [, deleted] = await callsOf(system);
    await undo({ call: deleted });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), 'person');
    dispose();
  });

  it('D.undo: a file that a person made where a call had made and another deleted one stays', async () => {
    const system = makeChanges();
    const { workspace, ok, dispose } = system;
    workspace.put({ 'b.txt': 'old\n' });
    await ok('write_file', { path: 'a.txt', content: 'agent' });
    await ok('edit_file', { path: 'b.txt', edits: [{ old_text: 'old', new_text: 'new' }] });
    await ok('delete_file', { path: 'a.txt' });
    await ok('delete_file', { path: 'b.txt' });
    // The same as the calls had left is made by another call.
    await ok('write_file', { path: 'a.txt', content: 'agent' }, 'user');
    await ok('write_file', { path: 'b.txt', content: 'new\n' }, 'user');
    const [made, edited] = await callsOf(system);
    assert.deepEqual(await refused(system, made), ['a.txt']);
    assert.deepEqual(await refused(system, edited), ['b.txt']);
    dispose();
  });

  it('D.undo: a text that later calls changed and changed back is in the way where a person had changed it between', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    const text = (): string => readFileSync(workspace.at('a.txt'), 'utf8');
    workspace.put({ 'a.txt': '1\n2\n3\n' });
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: '2', new_text: 'two' }] });
    workspace.put({ 'a.txt': '1\nmine\n3\n' });
    await ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'mine', new_text: 'two' }] });
    const [first, second] = await callsOf(system);
    assert.deepEqual(await refused(system, first), ['a.txt']);
    await undo({ call: second });
    assert.equal(text(), '1\nmine\n3\n');
    dispose();
  });

  it('D.undo: lines that later calls changed elsewhere and changed back are in nobody’s way', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    const lines = (two: string, end = ''): string => `1\n${two}\n3\n4\n5\n6\n7\n${end}`;
    workspace.put({ 'a.txt': lines('2') });
    for (const [old_text, new_text] of [
      ['2', 'two'],
      ['7', 'seven'],
      ['seven', '7'],
    ])
      await ok('edit_file', { path: 'a.txt', edits: [{ old_text, new_text }] });
    const [first] = await callsOf(system);
    workspace.put({ 'a.txt': lines('two', 'mine\n') });
    await undo({ call: first });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), lines('2', 'mine\n'));
    await undo({ call: first, redo: true });
    assert.equal(readFileSync(workspace.at('a.txt'), 'utf8'), lines('two', 'mine\n'));
    dispose();
  });

  it('D.undo: what a person took back by hand is as if it had been taken back', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    const bytes = (last: number): Uint8Array => new Uint8Array([0, 255, last]);
    const write = (last: number): Promise<unknown> =>
      ok('write_file', { path: 'a.bin', content: Buffer.from(bytes(last)).toString('base64'), encoding: 'base64' });
    workspace.put({ 'a.bin': bytes(1) });
    await write(2);
    await write(3);
    await ok('delete_file', { path: 'a.bin' });
    const [first] = await callsOf(system);
    workspace.put({ 'a.bin': bytes(2) });
    await undo({ call: first });
    assert.deepEqual([...readFileSync(workspace.at('a.bin'))], [0, 255, 1]);
    dispose();
  });

  it('D.undo: bytes that later calls wrote and wrote back were theirs in between, so an older state is no answer', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ a: '\0old' });
    for (const content of ['\0agent', '\0other', '\0agent']) await ok('write_file', { path: 'a', content });
    const [first] = await callsOf(system);
    assert.deepEqual(await refused(system, first), ['a']);
    await undo({ all: true });
    assert.equal(readFileSync(workspace.at('a'), 'utf8'), '\0old');
    dispose();
  });

  it('D.undo: a move is not taken back to a name that something else had since, nor takes along what a person made', async () => {
    const system = makeChanges();
    const { workspace, ok, dispose } = system;
    workspace.put({ 'a.txt': 'a', 'b.txt': 'b', 'd/in': 'd' });
    await ok('move_file', { source: 'a.txt', destination: 'moved.txt' });
    workspace.put({ 'a.txt': 'person' });
    await ok('delete_file', { path: 'a.txt' });
    await ok('move_file', { source: 'b.txt', destination: 'gone.txt' });
    await ok('delete_file', { path: 'gone.txt' });
    workspace.put({ 'gone.txt': 'person' });
    await ok('move_file', { source: 'd', destination: 'e' });
    await ok('delete_file', { path: 'e', recursive: true });
    workspace.put({ 'e/mine': 'person' });
    const [first, , second, , third] = await callsOf(system);
    assert.deepEqual(await refused(system, first), ['moved.txt']);
    assert.deepEqual(await refused(system, second), ['gone.txt']);
    assert.deepEqual(await refused(system, third), ['e']);
    dispose();
  });

  it('D.undo: what a call wrote where a person had taken away what was moved there does not go back in its place', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'a.txt': 'a' });
    await ok('move_file', { source: 'a.txt', destination: 'b.txt' });
    renameSync(workspace.at('b.txt'), workspace.at('theirs.txt'));
    await ok('write_file', { path: 'b.txt', content: 'agent' });
    await ok('move_file', { source: 'b.txt', destination: 'c.txt' });
    const [moved, wrote] = await callsOf(system);
    assert.deepEqual(await refused(system, moved), ['b.txt']);
    await undo({ call: wrote });
    assert.ok(!existsSync(workspace.at('c.txt')));
    dispose();
  });

  it('D.undo: what later calls made as it had been is told, and not taken for taken back', async () => {
    const system = makeChanges();
    const { workspace, ok, clock, store, history, dispose } = system;
    workspace.put({ 'a.txt': 'a', 'd/': '', 'm.txt': 'm', 'n.txt': 'n' });
    await ok('write_file', { path: 'a.txt', content: 'b' });
    await ok('delete_file', { path: 'd' });
    await ok('move_file', { source: 'm.txt', destination: 'moved.txt' });
    await ok('move_file', { source: 'n.txt', destination: 'gone.txt' });
    await ok('delete_file', { path: 'gone.txt' });
    clock.advance(200_000);
    await ok('write_file', { path: 'a.txt', content: 'a' });
    await ok('write_file', { path: 'd/', content: '' });
    await ok('move_file', { source: 'moved.txt', destination: 'm.txt' });
    await ok('write_file', { path: 'n.txt', content: 'n' });
    const calls = await callsOf(system);
    const told: (readonly string[])[] = [];
    for (const at of [0, 1, 2, 3]) told.push(await refused(system, calls[at]));
    assert.deepEqual(told, [['a.txt'], ['d'], ['moved.txt'], ['gone.txt']]);
    const bursts = await overviewOf({ store, files: workspace.files, crypto: nodeCrypto, history: await history() });
    const states = bursts.at(-1)?.files.map(({ path, state }) => [path, state]);
    assert.deepEqual(states?.slice(0, 2), [
      ['a.txt', 'changed_since'],
      ['d', 'changed_since'],
    ]);
    dispose();
  });

  it('D.undo: of a change of too many lines the view says nothing, and not that none came', async () => {
    const system = makeChanges();
    const { dispose, workspace, store, ok, history } = system;
    const lines = (word: string): string => Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join('');
    workspace.put({ 'large.txt': lines('old'), 'small.txt': 'old\n' });
    await ok('write_file', { path: 'large.txt', content: lines('new') });
    await ok('write_file', { path: 'small.txt', content: 'new\nnew\n' });
    const bursts = await overviewOf({ store, files: workspace.files, crypto: nodeCrypto, history: await history() });
    const counts = bursts.flatMap(({ files }) => files.map(({ path, added, removed }) => [path, added, removed]));
    assert.deepEqual(counts.sort(), [
      ['large.txt', undefined, undefined],
      ['small.txt', 2, 1],
    ]);
    dispose();
  });

  it('D.undo: what several calls moved one after the other is where it was once all are taken back, in any order', async () => {
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    for (const order of orders) {
      const system = makeChanges();
      const { workspace, ok, undo, dispose } = system;
      workspace.put({ 'a/in.txt': 'a' });
      const before = treeOf(workspace.root);
      const names = ['a', 'b', 'c', 'd'];
      for (const at of [0, 1, 2]) await ok('move_file', { source: names[at], destination: names[at + 1] });
      const left = treeOf(workspace.root);
      const calls = await callsOf(system);
      const taken: (string | undefined)[] = [];
      for (const at of order) {
        const told = await undo({ call: calls[at] });
        assert.deepEqual(told['conflicts'], []);
        if (told['taken_back'] === 1) taken.push(calls[at]);
      }
      assert.deepEqual(treeOf(workspace.root), before, `in the order ${order.join()}`);
      for (const call of taken.reverse()) await undo({ call, redo: true });
      assert.deepEqual(treeOf(workspace.root), left, `made again in the order ${order.join()}`);
      dispose();
    }
  });

  it('D.undo: a deleted file does not come back under a name that was moved to and away again', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'a.txt': 'a', 'b.txt': 'b' });
    const before = treeOf(workspace.root);
    await ok('delete_file', { path: 'a.txt' });
    await ok('move_file', { source: 'b.txt', destination: 'a.txt' });
    await ok('move_file', { source: 'a.txt', destination: 'c.txt' });
    const [deleted] = await callsOf(system);
    assert.deepEqual(await refused(system, deleted), ['a.txt']);
    await undo({ all: true });
    assert.deepEqual(treeOf(workspace.root), before);
    dispose();
  });

  it('D.undo: a folder’s files come back where only the folder was made anew and deleted since', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'd/a.txt': 'a', 'd/b.txt': 'b' });
    await ok('delete_file', { path: 'd', recursive: true });
    workspace.put({ 'd/b.txt': 'person' });
    await ok('delete_file', { path: 'd', recursive: true });
    const [first, second] = await callsOf(system);
    assert.deepEqual(conflictsOf(await undo({ call: first })), ['d', 'd/b.txt']);
    assert.deepEqual(Object.keys(treeOf(workspace.root)), ['d', 'd/a.txt']);
    await undo({ call: second });
    assert.equal(readFileSync(workspace.at('d/b.txt'), 'utf8'), 'person');
    dispose();
  });

  it('D.undo: a call over which something else came is listed as changed since', async () => {
    const system = makeChanges();
    const { workspace, ok, clock, store, history, dispose } = system;
    workspace.put({ 'a.txt': 'a' });
    await ok('delete_file', { path: 'a.txt' });
    clock.advance(200_000);
    workspace.put({ 'a.txt': 'person' });
    await ok('delete_file', { path: 'a.txt' });
    const bursts = await overviewOf({ store, files: workspace.files, crypto: nodeCrypto, history: await history() });
    assert.deepEqual(
      bursts.map(({ files }) => files.map(({ state }) => state)),
      [['as_left'], ['changed_since']],
    );
    dispose();
  });

  it('D.undo: a change that later calls took away and made once more is not told as taken back', async () => {
    const system = makeChanges();
    const { workspace, ok, dispose } = system;
    workspace.put({ 'a.txt': 'old\n' });
    for (const content of ['new\n', 'old\n', 'new\n']) await ok('write_file', { path: 'a.txt', content });
    const [first] = await callsOf(system);
    assert.deepEqual(await refused(system, first), ['a.txt']);
    dispose();
  });

  it('D.undo: a move whose name something else had since, or that later calls moved back, is listed as changed since', async () => {
    const system = makeChanges();
    const { workspace, ok, store, history, dispose } = system;
    workspace.put({ 'a.txt': 'a', 'c.txt': 'c' });
    await ok('move_file', { source: 'a.txt', destination: 'b.txt' });
    await ok('write_file', { path: 'a.txt', content: 'another' });
    await ok('delete_file', { path: 'a.txt' });
    await ok('move_file', { source: 'c.txt', destination: 'd.txt' });
    await ok('move_file', { source: 'd.txt', destination: 'c.txt' });
    const options = { store, files: workspace.files, crypto: nodeCrypto, history: await history() };
    const moves = options.history.changes.filter(({ action }) => action === 'move');
    assert.deepEqual(await Promise.all(moves.map((one) => stateOf(one, options))), [
      'changed_since',
      'changed_since',
      'as_left',
    ]);
    dispose();
  });

  it('D.undo: everything comes back where a file held the same several times and a person brought one back', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, dispose } = system;
    workspace.put({ 'a.txt': 'first' });
    for (const content of ['second', 'first', 'second']) await ok('write_file', { path: 'a.txt', content });
    writeFileSync(workspace.at('a.txt'), 'first');
    const told = await undo({ all: true });
    assert.deepEqual([treeOf(workspace.root), conflictsOf(told)], [{ 'a.txt': 'file 644 first' }, []]);
    dispose();
  });
});
