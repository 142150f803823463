// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerHooks } from '../../../src/app/hookGate';
import { parseArgs } from '../../../src/cli/args';
import { consentUsage, optionsOf, workspaceUsage } from '../../../src/cli/usage';
import { openWorkspace } from '../../../src/cli/openWorkspace';
import { changesPlace, type HookPlace, hookCall as call } from '../../support/hooks';
import { recordedPairs } from '../../support/recordedHooks';
import { runCli } from '../../support/cli';
import { itWithShared } from '../../support/shared';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An editor's gate over the place, which answers its hooks. */
async function editorAt(place: HookPlace & { state: string }) {
  const known = optionsOf(`${workspaceUsage} ${consentUsage} [--private DIR]`);
  const own = ['--state-dir', place.state, '--private', place.privateFolder];
  const args = parseArgs(['--workspace', place.folder, ...own, '--yes'], known);
  const opened = await openWorkspace(args, { out() {}, error() {}, environment: {} });
  const hooks = answerHooks({
    core: opened.core,
    keep: (events) => events.length,
    log: silent,
    folders: () => [place.folder],
    privateFolder: place.privateFolder,
    leavesSettings: true,
  });
  const gates = path.join(place.privateFolder, 'gates');
  while (!readdirSync(gates).some((name) => name.endsWith('.json'))) await new Promise((done) => setImmediate(done));
  return {
    calls: () => opened.core.policy.limits.use.calls,
    close: async () => {
      hooks?.dispose();
      await opened.close();
    },
  };
}

describe('an editor of a folder that a session was in earlier', () => {
  it('D.hooks: denies by its rules what the session does elsewhere, and counts nothing that it lets pass', async () => {
    const rule = { id: 'no-rm', match: { accessAny: ['fs.delete'] }, decision: 'deny', reason: 'keep it' };
    const rules = JSON.stringify({ boundaries: [rule] });
    const place = changesPlace({ '.vscode/capabilities/boundaries.json': rules });
    const cwd = path.join(place.folder, '..', 'other');
    mkdirSync(cwd);
    const told = async (command: string, where: string): Promise<string> =>
      (await place.answer('claude', { ...call('Bash', { command }, command).pre, cwd: where })).stdout;
    await told('ls', place.folder);
    const editor = await editorAt(place);
    try {
      const before = editor.calls();
      assert.equal(await told('ls', cwd), '');
      assert.equal(editor.calls(), before);
      assert.match(await told('rm x', cwd), /keep it/);
      await told('ls', place.folder);
      assert.equal(editor.calls(), before + 1);
    } finally {
      await editor.close();
      place.dispose();
    }
  });
});

describe('what the file tools of other agents change', () => {
  for (const agent of ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'vscode'] as const)
    for (const how of ['alone', 'with an editor'] as const)
      itWithShared(`vectors/hooks/${agent}.jsonl`, `D.hooks D.undo: ${agent}, ${how}: is taken back`, async (file) => {
        const place = changesPlace({ 'a.txt': 'alpha\nbeta\n' });
        const editor = how === 'alone' ? undefined : await editorAt(place);
        const pairs = recordedPairs(file, place.folder);
        assert.ok(pairs.length > 0);
        const wanted = new Set<string>();
        const begin = { 'a.txt': 'alpha\nbeta\n' } as Record<string, string>;
        for (const { pre, post, preEvent, postEvent } of pairs) {
          const name = /a\.txt/.test(JSON.stringify(pre)) ? 'a.txt' : (/\w+\.txt/.exec(JSON.stringify(pre))?.[0] ?? '');
          const answered = await place.answer(agent, pre, preEvent);
          assert.equal(answered.exitCode, 0, answered.stderr);
          writeFileSync(place.at(name), `${place.read(name) ?? ''}by the agent ${wanted.size}\n`);
          await place.answer(agent, post, postEvent);
          wanted.add(name);
        }
        await editor?.close();
        const rows = await place.rows();
        assert.deepEqual(
          [...new Set(rows)].sort(),
          [...wanted].map((name) => `${name in begin ? 'write' : 'create'} ${name}: as_left`).sort(),
        );
        const bursts = (await place.changes('list', '--json')).json().bursts;
        assert.match(JSON.stringify(bursts), new RegExp(`"host:${agent}:`));
        const after = Object.fromEntries([...wanted].map((name) => [name, place.read(name)]));
        const undone = await place.changes('undo', '--all');
        assert.match(undone.text, /taken back/);
        for (const name of wanted) assert.equal(place.read(name), begin[name], name);
        await place.changes('redo', '--all');
        for (const name of wanted) assert.equal(place.read(name), after[name], name);
        place.dispose();
      });

  it('D.undo: a command finds what hooks kept, wherever it keeps its own state', async () => {
    const place = changesPlace();
    const { pre, post } = call('Edit', { file_path: 'a.txt' }, '1');
    await place.answer('claude', pre);
    writeFileSync(place.at('a.txt'), 'changed');
    await place.answer('claude', post);
    const hooks = ['--workspace', place.folder, '--private', place.privateFolder];
    for (const state of ['one', 'two'].map((name) => path.join(path.dirname(place.state), name)))
      assert.match((await runCli(['changes', 'list', ...hooks, '--state-dir', state])).text, /changed a\.txt/);
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    place.dispose();
  });

  it('D.undo: a call that is never told to have ended is seen at the next look after some minutes', async () => {
    const place = changesPlace();
    const { pre } = call('Edit', { file_path: 'a.txt' }, '1');
    assert.equal((await place.answer('claude', pre)).exitCode, 0);
    writeFileSync(place.at('a.txt'), 'changed by a killed agent');
    assert.deepEqual(await place.rows(), []);
    const [name = ''] = place.waiting();
    const folder = path.join(place.privateFolder, 'changes');
    const older = String(Number(name.slice(0, 13)) - 3 * 60_000);
    const aged = readFileSync(path.join(folder, name), 'latin1').replace(name.slice(0, 13), older);
    writeFileSync(path.join(folder, older + name.slice(13)), aged, { encoding: 'latin1', mode: 0o600 });
    rmSync(path.join(folder, name));
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    // It may go on from there, and its end is told after all.
    writeFileSync(place.at('a.txt'), 'changed once more');
    await place.answer('claude', call('Edit', { file_path: 'a.txt' }, '1').post);
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    await place.changes('undo', '--all');
    assert.equal(place.read('a.txt'), 'alpha');
    place.dispose();
  });

  it('D.undo: what a person made of it since is not overwritten', async () => {
    const place = changesPlace();
    const { pre, post } = call('Write', { file_path: 'a.txt', content: 'x' }, '1');
    await place.answer('claude', pre);
    writeFileSync(place.at('a.txt'), 'by the agent');
    await place.answer('claude', post);
    writeFileSync(place.at('a.txt'), 'by a person');
    const undone = await place.changes('undo', '--all');
    assert.deepEqual([undone.code, place.read('a.txt')], [1, 'by a person']);
    place.dispose();
  });

  it('D.undo: nothing is kept of what policy calls a secret, of a denied call and of one that only reads', async () => {
    const place = changesPlace({ 'id_rsa.pub': 'public', 'keys/id_rsa': 'PRIVATE KEY hunter2' });
    for (const [tool, name] of [
      ['Edit', '.env'],
      ['Read', 'a.txt'],
    ] as const) {
      const { pre, post } = call(tool, { file_path: name }, name);
      await place.answer('claude', pre);
      await place.answer('claude', post);
    }
    assert.deepEqual(place.waiting(), []);
    // Rules of the user may let such a file be changed.
    mkdirSync(place.at('.vscode'));
    mkdirSync(place.privateFolder, { mode: 0o700, recursive: true });
    writeFileSync(
      path.join(place.privateFolder, 'settings.json'),
      JSON.stringify({ version: 1, user: { 'policy.preset': 'open' }, modes: {} }),
      { mode: 0o600 },
    );
    const { pre, post } = call('Edit', { file_path: 'keys/id_rsa' }, '3');
    assert.equal((await place.answer('claude', pre)).exitCode, 0);
    writeFileSync(place.at('keys/id_rsa'), 'PRIVATE KEY hunter3');
    await place.answer('claude', post);
    const kept = place.waiting().map((name) => readFileSync(path.join(place.privateFolder, 'changes', name), 'latin1'));
    assert.ok(!kept.join('').includes('hunter'));
    assert.deepEqual(await place.rows(), ['write keys/id_rsa: cannot']);
    place.dispose();
  });

  it('D.undo: files in new folders, moved, deleted and named by a command line are put back', async () => {
    const place = changesPlace({ 'old.ts': 'old', 'gone.ts': 'gone', 'log.txt': 'log' });
    const patch = [
      '*** Begin Patch',
      '*** Add File: src/deep/new.ts',
      '+new',
      '*** Update File: old.ts',
      '*** Move to: moved.ts',
      '@@',
      '-old',
      '+moved',
      '*** Delete File: gone.ts',
      '*** End Patch',
    ].join('\n');
    const before = ['old.ts', 'gone.ts', 'log.txt', 'moved.ts', 'src'].map((name) => [name, place.read(name)]);
    const { pre, post } = call('apply_patch', { command: patch }, '1', 'codex');
    assert.equal((await place.answer('codex', pre)).exitCode, 0);
    mkdirSync(place.at('src/deep'), { recursive: true });
    writeFileSync(place.at('src/deep/new.ts'), 'new');
    renameSync(place.at('old.ts'), place.at('moved.ts'));
    writeFileSync(place.at('moved.ts'), 'moved');
    rmSync(place.at('gone.ts'));
    await place.answer('codex', post);
    const shell = call('Bash', { command: 'echo hello > log.txt' }, '2');
    assert.equal((await place.answer('claude', shell.pre)).exitCode, 0);
    writeFileSync(place.at('log.txt'), 'hello');
    await place.answer('claude', shell.post);
    assert.deepEqual((await place.rows()).sort(), [
      'create moved.ts: as_left',
      'create src/deep/new.ts: as_left',
      'delete gone.ts: as_left',
      'delete old.ts: as_left',
      'make_folder src/deep: as_left',
      'make_folder src: as_left',
      'write log.txt: as_left',
    ]);
    await place.changes('undo', '--all');
    assert.deepEqual(
      before.map(([name]) => [name, place.read(name as string)]),
      before,
    );
    place.dispose();
  });

  it('D.hooks D.undo: a folder that a line moves comes back with its files', async () => {
    const place = changesPlace({ 'src/a.ts': 'a', 'src/sub/b.ts': 'b' });
    const { pre, post } = call('Bash', { command: 'mv src lib' }, '1');
    assert.equal((await place.answer('claude', pre)).stdout, '');
    renameSync(place.at('src'), place.at('lib'));
    await place.answer('claude', post);
    await place.changes('undo', '--all');
    assert.deepEqual([place.read('src/a.ts'), place.read('src/sub/b.ts')], ['a', 'b']);
    assert.equal(place.read('lib/a.ts'), undefined);
    await place.changes('redo', '--all');
    assert.deepEqual([place.read('src/a.ts'), place.read('lib/sub/b.ts')], [undefined, 'b']);
    place.dispose();
  });

  it('D.undo: a call that begins while an editor answers may end without it, and the other way round', async () => {
    const place = changesPlace({ 'b.txt': 'beta' });
    const [first, second] = ['a.txt', 'b.txt'].map((file_path) =>
      call('Write', { file_path, content: 'x' }, file_path),
    );
    let editor = await editorAt(place);
    assert.equal((await place.answer('claude', first!.pre)).exitCode, 0);
    await editor.close();
    writeFileSync(place.at('a.txt'), 'changed');
    await place.answer('claude', first!.post);
    assert.equal((await place.answer('claude', second!.pre)).exitCode, 0);
    editor = await editorAt(place);
    writeFileSync(place.at('b.txt'), 'changed');
    await place.answer('claude', second!.post);
    await editor.close();
    assert.deepEqual((await place.rows()).sort(), ['write a.txt: as_left', 'write b.txt: as_left']);
    await place.changes('undo', '--all');
    assert.deepEqual([place.read('a.txt'), place.read('b.txt')], ['alpha', 'beta']);
    place.dispose();
  });

  it('D.undo: two calls of one file at a time are told apart as far as it can be known', async () => {
    const place = changesPlace();
    const [first, second] = ['1', '2'].map((id) => call('Write', { file_path: 'a.txt', content: id }, id));
    await place.answer('claude', first!.pre);
    await place.answer('claude', second!.pre);
    writeFileSync(place.at('a.txt'), 'one');
    await place.answer('claude', first!.post);
    writeFileSync(place.at('a.txt'), 'two');
    await place.answer('claude', second!.post);
    const { changes } = (await place.changes('list', '--json')).json().bursts[0].files[0];
    assert.deepEqual(
      changes.map((one: any) => [one.found_by_comparison, (one.or_by_calls ?? []).length]),
      [
        [true, 1],
        [true, 0],
      ],
    );
    await place.changes('undo', '--change', changes[1].id);
    assert.equal(place.read('a.txt'), 'one');
    await place.changes('undo', '--all');
    assert.equal(place.read('a.txt'), 'alpha');
    place.dispose();
  });

  it('D.hooks: a link out of the workspace, a device and a folder keep nobody waiting and nothing of theirs is kept', async () => {
    const place = changesPlace({ 'folder/x.txt': 'x' });
    const outside = path.join(path.dirname(place.folder), 'outside.txt');
    writeFileSync(outside, 'not of the workspace');
    symlinkSync(outside, place.at('link.txt'));
    symlinkSync('/dev/zero', place.at('zero'));
    for (const [index, name] of ['link.txt', 'zero', 'folder', '../outside.txt', '/dev/zero'].entries()) {
      const { pre, post } = call('Write', { file_path: name, content: 'x' }, String(index));
      await place.answer('claude', pre);
      await place.answer('claude', post);
    }
    const kept = place.waiting().map((name) => readFileSync(path.join(place.privateFolder, 'changes', name), 'latin1'));
    assert.ok(!kept.join('').includes('not of the workspace'));
    assert.deepEqual(await place.rows(), []);
    place.dispose();
  });

  it('D.hooks: entries are this user’s alone, bounded, and a damaged one stops nothing', async () => {
    const place = changesPlace();
    const folder = path.join(place.privateFolder, 'changes');
    const { pre, post } = call('Write', { file_path: 'a.txt', content: 'x' }, '1');
    await place.answer('claude', pre);
    const [name = ''] = place.waiting();
    assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0);
    assert.equal(statSync(folder).mode & 0o077, 0);
    for (let at = 0; at < 520; at++)
      writeFileSync(path.join(folder, `${String(1000 + at).padStart(13, '0')}-x.begun`), at % 2 ? '{' : 'x\n', {
        mode: 0o600,
      });
    utimesSync(path.join(folder, name), new Date(), new Date());
    writeFileSync(place.at('a.txt'), 'changed');
    await place.answer('claude', post);
    assert.ok(place.waiting().length <= 500);
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    // Taken in by a command, it stays for the editor, and is told once.
    assert.deepEqual(await place.rows(), ['write a.txt: as_left']);
    place.dispose();
  });
});
