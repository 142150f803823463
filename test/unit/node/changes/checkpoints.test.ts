// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeChanges } from '../../../support/changes';
import { program, rowsOf, start, treeOf } from '../../../support/programChanges';

describe('what a program changes by itself', () => {
  it('D.undo: is found, recorded and taken back byte for byte, and made again', async () => {
    const made = start((root) => {
      const at = (name: string): string => path.join(root, name);
      writeFileSync(at('a.txt'), 'changed\r\nby it\r\n');
      rmSync(at('old'), { recursive: true });
      mkdirSync(at('new/deep'), { recursive: true });
      writeFileSync(at('new/deep/b.bin'), new Uint8Array([0, 255, 13, 10]));
      writeFileSync(at('empty'), '');
      rmSync(at('link'));
      rmSync(at('turns'));
      mkdirSync(at('turns'));
      writeFileSync(at('turns/into'), 'a folder');
    });
    made.workspace.put({
      'a.txt': 'one\r\ntwo\n',
      'old/x.sh': '#!/bin/sh\n',
      'old/deep/y.txt': 'y',
      'there/z.txt': 'z',
      turns: 'was a file',
    });
    chmodSync(made.workspace.at('old/x.sh'), 0o755);
    chmodSync(made.workspace.at('old/deep/y.txt'), 0o600);
    symlinkSync('a.txt', made.workspace.at('link'));
    const before = treeOf(made.workspace.root);
    const result = await made.call('run_it', {});
    assert.ok(result.success);
    assert.equal(result.warnings, undefined);
    const after = treeOf(made.workspace.root);
    assert.equal(result.keptChanges, (await rowsOf(made)).length);
    assert.deepEqual((await rowsOf(made)).map(([action, at]) => `${action} ${at}`).sort(), [
      'delete link',
      'delete old',
      'delete old/deep',
      'delete old/deep/y.txt',
      'delete old/x.sh',
      'delete turns',
      'make_folder new',
      'make_folder new/deep',
      'make_folder turns',
      'write a.txt',
      'write empty',
      'write new/deep/b.bin',
      'write turns/into',
    ]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    await made.undo({ all: true, redo: true });
    assert.deepEqual(treeOf(made.workspace.root), after);
    made.dispose();
  });

  it('D.undo: a hostile repository has nothing run and nothing converted, and its repository is not touched', async () => {
    const made = start((root) => writeFileSync(path.join(root, 'a.txt'), 'new\r\n'));
    const { root } = made.workspace;
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
    const trap = path.join(made.workspace.base, 'trapped');
    const evil = `sh -c 'echo run >> "${trap}"; cat'`;
    made.workspace.put({
      'a.txt': 'old\r\n',
      'b.txt': 'caf\u00e9',
      'c.ident': '$Id$',
      '.gitattributes':
        '* filter=evil diff=evil text eol=lf\n*.ident ident\nb.txt working-tree-encoding=UTF-16 merge=evil\n[attr]binary filter=evil\n',
      '.gitmodules': '[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c "echo run"\n\tupdate = !sh -c "echo run"\n',
      'sub/.git/HEAD': 'ref: refs/heads/main\n',
      'sub/.git/config': `[core]\n\tfsmonitor = ${evil}\n\tworktree = ../..\n`,
      'sub/.git/objects/x': '',
      'sub/.git/refs/x': '',
      'sub/in.txt': 'in',
    });
    git('init', '-q');
    for (const [key, value] of [
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['diff.evil.textconv', evil],
      ['diff.external', evil],
      ['core.fsmonitor', evil],
      ['core.hooksPath', path.join(root, 'hooks')],
      ['core.pager', evil],
    ] as const)
      git('config', key, value);
    for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman', 'reference-transaction']) {
      made.workspace.put({ [`hooks/${hook}`]: `#!/bin/sh\necho run >> "${trap}"\n` });
      chmodSync(made.workspace.at(`hooks/${hook}`), 0o755);
    }
    made.workspace.put({ git: `#!/bin/sh\necho run >> "${trap}"\n` });
    chmodSync(made.workspace.at('git'), 0o755);
    const own = () => execFileSync('sh', ['-c', 'find .git -type f | sort | xargs sha1sum'], { cwd: root }).toString();
    const [before, repository] = [treeOf(root), own()];
    assert.ok((await made.call('run_it', {})).success);
    assert.ok(!existsSync(trap));
    assert.equal(own(), repository);
    assert.deepEqual(await rowsOf(made), [['write', 'a.txt', 'kept']]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(root), before);
    assert.ok(!existsSync(trap));
    made.dispose();
  });

  it('D.undo: no content of a secret is kept anywhere, and that it was changed is told', async () => {
    const made = start((root) => {
      writeFileSync(path.join(root, '.env'), 'TOKEN=changed-hunter2');
      writeFileSync(path.join(root, 'certs/server.pem'), 'changed-hunter2');
      writeFileSync(path.join(root, 'a.txt'), 'new');
    });
    made.workspace.put({
      '.gitignore': '.env\n',
      '.env': 'TOKEN=first-hunter2',
      'certs/server.pem': 'first-hunter2',
      'a.txt': 'old',
    });
    const result = await made.call('run_it', {});
    assert.ok(result.success);
    assert.deepEqual(result.warnings, ['2 changes of this call cannot be taken back']);
    assert.deepEqual((await rowsOf(made)).sort(), [
      ['write', '.env', 'secret'],
      ['write', 'a.txt', 'kept'],
      ['write', 'certs/server.pem', 'secret'],
    ]);
    const store = path.join(made.workspace.base, 'checkpoints');
    const [key = ''] = readdirSync(store);
    const names = execFileSync('git', ['ls-files'], {
      env: { GIT_DIR: path.join(store, key, 'git'), PATH: process.env['PATH'] },
    });
    assert.deepEqual(names.toString().split('\n').sort(), ['', '.gitignore', 'a.txt']);
    for (const entry of readdirSync(store, { recursive: true, withFileTypes: true }))
      assert.equal(statSync(path.join(entry.parentPath, entry.name)).mode & 0o077, 0, entry.name);
    made.dispose();
  });

  it('D.undo: what a person did before the call is not the call’s, and what comes after it stays when it is taken back', async () => {
    const made = start((root) => writeFileSync(path.join(root, 'a.txt'), 'ONE\ntwo\nthree\nfour\nfive\n'));
    const put = (text: string): void => made.workspace.put({ 'a.txt': text });
    put('one\ntwo\nthree\n');
    await made.call('run_it', {});
    put('one\ntwo\nthree\nfour\nfive\n');
    made.workspace.put({ 'mine.txt': 'a person wrote this' });
    await made.call('run_it', {});
    put('ONE\ntwo\nthree\nfour\nfive by a person\n');
    const { changes } = await made.history();
    assert.deepEqual(
      changes.map(({ path: at, call }) => [at, call === changes[0]?.call]),
      [
        ['a.txt', true],
        ['a.txt', false],
      ],
    );
    await made.undo({ call: changes[1]?.call });
    assert.equal(readFileSync(made.workspace.at('a.txt'), 'utf8'), 'one\ntwo\nthree\nfour\nfive by a person\n');
    assert.ok(existsSync(made.workspace.at('mine.txt')));
    made.dispose();
  });

  it('D.undo: is told to be the call’s or another’s where two ran at once, and recorded once, in the order in which it happened', async () => {
    let isFirst = true;
    const made = start(async (root) => {
      if (isFirst) {
        isFirst = false;
        writeFileSync(path.join(root, 'outer.txt'), 'outer');
        await made.call('run_it', {});
        await made.ok('write_file', { path: 'ours.txt', content: 'ours' });
        await made.ok('move_file', { source: 'moved.txt', destination: 'away.txt' });
        return;
      }
      writeFileSync(path.join(root, 'inner.txt'), 'inner');
    });
    made.workspace.put({ 'moved.txt': 'moved' });
    const before = treeOf(made.workspace.root);
    await made.call('run_it', {});
    const { changes } = await made.history();
    assert.deepEqual(changes.map((one) => [one.path, one.isFound ?? false, one.orBy?.length ?? 0]).sort(), [
      ['inner.txt', true, 1],
      ['moved.txt', false, 0],
      ['ours.txt', false, 0],
      ['outer.txt', true, 0],
    ]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    made.dispose();
  });

  it('D.undo: is found where the program fails', async () => {
    const failing = start((root) => {
      writeFileSync(path.join(root, 'half.txt'), 'half');
      throw new Error('it broke');
    });
    assert.equal((await failing.call('run_it', {})).success, false);
    assert.deepEqual(await rowsOf(failing), [['write', 'half.txt', 'kept']]);
    failing.dispose();
  });

  it('D.undo: is found for tools of servers and other extensions, and not looked for where nothing can have changed', async () => {
    for (const source of [
      { type: 'mcp', server: 's' },
      { type: 'extension', extensionId: 'a.b' },
    ] as const) {
      const made = start((root) => writeFileSync(path.join(root, 'a.txt'), 'new'), { source });
      await made.call('run_it', {});
      assert.deepEqual(await rowsOf(made), [['write', 'a.txt', 'kept']]);
      made.dispose();
    }
    const reading = start(() => undefined);
    reading.workspace.put({ 'a.txt': 'x' });
    await reading.ok('read_file', { path: 'a.txt' });
    assert.ok(!existsSync(path.join(reading.workspace.base, 'checkpoints')));
    reading.dispose();
  });

  it('D.undo: is found for a call that another agent runs after its hook let it pass', async () => {
    const made = start(() => undefined, { source: { type: 'host', agent: 'claude' } });
    made.workspace.put({ 'a.txt': 'old' });
    const invocation = {
      invocationId: 'hook-1',
      tool: 'run_it',
      input: {},
      actor: { type: 'agent', id: 'claude:s' },
      surface: 'host',
    } as const;
    assert.ok((await made.gate.router.invoke(invocation)).success);
    made.workspace.put({ 'a.txt': 'new', 'b/c.txt': 'made' });
    await made.gate.router.finishedElsewhere(invocation, { outcome: 'success', durationMs: 5 });
    await made.lookedAgain();
    assert.deepEqual(await rowsOf(made), [
      ['make_folder', 'b', 'kept'],
      ['write', 'a.txt', 'kept'],
      ['write', 'b/c.txt', 'kept'],
    ]);
    await made.undo({ call: 'hook-1' });
    assert.deepEqual(Object.keys(treeOf(made.workspace.root)), ['a.txt']);
    assert.equal(readFileSync(made.workspace.at('a.txt'), 'utf8'), 'old');
    made.dispose();
  });

  it('D.undo: a hook is not kept waiting for a look that takes long: it says so, and only where the user said so the call runs without', async () => {
    for (const whenNotKept of ['ask', 'deny', 'allow'] as const) {
      const made = makeChanges({
        settings: { 'changes.checkpoints': true, 'changes.whenNotKept': whenNotKept },
        capabilities: [program(() => undefined, { type: 'host', agent: 'claude' })],
        checkpoints: () => ({ fault: async () => undefined, take: () => new Promise<never>(() => undefined) }) as never,
      });
      const answered = async (): Promise<string> => {
        const answer = made.call('run_it', {});
        const soon = async (): Promise<'not yet'> => {
          made.clock.advance(500);
          await new Promise(setImmediate);
          return 'not yet';
        };
        while ((await Promise.race([answer, soon()])) === 'not yet');
        const result = await answer;
        return result.success ? 'runs' : result.error.code;
      };
      assert.equal(await answered(), whenNotKept === 'allow' ? 'runs' : 'not_kept');
      assert.equal(made.gate.asked.length, 0);
      // Who is asked then decides; the one who said no to all is not asked.
      assert.equal(await answered(), whenNotKept === 'deny' ? 'not_kept' : 'runs');
      assert.equal(made.gate.asked.length, whenNotKept === 'ask' ? 1 : 0);
      made.dispose();
    }
  });

  it('D.undo: the first look tells how far it is, ends with a cancelled call, and is finished by the next', async () => {
    let ran = 0;
    const made = start((root) => {
      ran++;
      rmSync(path.join(root, 'f/1'));
    });
    made.workspace.put(Object.fromEntries(Array.from({ length: 2100 }, (_one, at) => [`f/${at}`, `text ${at}`])));
    chmodSync(made.workspace.at('f/1'), 0o600);
    const before = treeOf(made.workspace.root);
    const told: string[] = [];
    const stop = new AbortController();
    const result = await made.gate.router.invoke({
      tool: 'run_it',
      input: {},
      actor: { type: 'agent', id: 'copilot' },
      surface: 'chat',
      signal: stop.signal,
      onProgress: ({ message }) => {
        if (told.push(message) === 2) stop.abort();
      },
    });
    assert.deepEqual([result.success ? '' : result.error.code, ran], ['cancelled', 0]);
    const progress = 'remembering the files of the workspace, so that changes can be taken back';
    assert.deepEqual(told, [`${progress}: 0 of 2100`, `${progress}: 2000 of 2100`]);
    await made.call('run_it', {});
    assert.deepEqual(await rowsOf(made), [['delete', 'f/1', 'kept']]);
    await made.undo({ all: true });
    assert.deepEqual(treeOf(made.workspace.root), before);
    made.dispose();
  });

  it('D.undo: a checkpoint that was damaged or cut short is made anew', async () => {
    let text = 0;
    const made = start((root) => writeFileSync(path.join(root, 'a.txt'), `text ${++text}`));
    await made.call('run_it', {});
    const store = path.join(made.workspace.base, 'checkpoints');
    const [key = ''] = readdirSync(store);
    writeFileSync(path.join(store, key, 'git', 'index'), 'no index');
    writeFileSync(path.join(store, key, 'git', 'index.lock'), '');
    writeFileSync(path.join(store, key, 'lock'), '999999999');
    const result = await made.call('run_it', {});
    assert.ok(result.success);
    assert.deepEqual([result.warnings, result.keptChanges], [undefined, 1]);
    const file = path.join(store, key, 'state.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    for (const wrong of [{ files: 'many' }, { bytes: -1 }, { modes: { 'a.txt': '0600' } }, { tree: '--help' }]) {
      writeFileSync(file, JSON.stringify({ ...state, ...wrong }));
      const next = await made.call('run_it', {});
      assert.deepEqual([next.success && next.warnings, next.success && next.keptChanges], [undefined, 1]);
      const { files, bytes, tree } = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual([Number.isInteger(files), bytes >= 0, tree.length], [true, true, 40]);
    }
    made.dispose();
  });
});
