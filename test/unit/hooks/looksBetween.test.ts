// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { soloLooks } from '../../../src/app/soloLooks';
import { answerHook } from '../../../src/cli/hook';
import { readSettings } from '../../../src/core/settings/readSettings';
import { dropLooks, looksFolder } from '../../../src/node/hooks/looksFolder';
import { changesPlace, hookCall } from '../../support/hooks';

/** A place whose user has checkpoints on, and lets what is not understood run. */
function looksPlace(files: Readonly<Record<string, string>> = {}, settings: object = {}) {
  const place = changesPlace(files);
  mkdirSync(place.privateFolder, { mode: 0o700, recursive: true });
  const user = { 'policy.preset': 'open', 'policy.boundaries': [runs], 'changes.checkpoints': true, ...settings };
  writeFileSync(path.join(place.privateFolder, 'settings.json'), JSON.stringify({ version: 1, user, modes: {} }), {
    mode: 0o600,
  });
  const looks = path.join(place.privateFolder, 'looks');
  return {
    ...place,
    write: (name: string, text: string): void => writeFileSync(place.at(name), text),
    /** What is kept of calls that have not ended. */
    open: (): readonly string[] =>
      existsSync(looks)
        ? readdirSync(looks).flatMap((root) =>
            readdirSync(path.join(looks, root)).flatMap((name) =>
              name.endsWith('.json') ? [path.join(looks, root, name)] : [],
            ),
          )
        : [],
    looks,
    /** The call of each change, by place. */
    makers: async () => {
      const { bursts } = (await place.changes('list', '--json')).json();
      return Object.fromEntries(
        bursts.flatMap(({ files: listed }: any) =>
          listed.map(({ path: named, changes }: any) => [
            named,
            changes.map((one: any) => [one.tool, (one.or_by_calls ?? []).length]),
          ]),
        ),
      );
    },
  };
}

/** The files below a folder. */
const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());

const runs = { id: 'mine', match: { tool: 'host:*' }, decision: 'allow', reason: 'mine' };
const shell = (command: string, id: string, dialect: 'claude' | 'codex' = 'claude') =>
  hookCall('Bash', { command }, id, dialect);

describe('what commands of other agents change without an editor', () => {
  it('D.undo: is found by a look before and one after, and taken back: files, modes, links, folders, moves', async () => {
    const place = looksPlace({
      'src/a.ts': 'a',
      'gone.ts': 'gone',
      'old.ts': 'a longer text that moves',
      'run.sh': '',
    });
    const { pre, post } = shell('./build', '1');
    const answered = await place.answer('claude', pre);
    assert.deepEqual([answered.exitCode, answered.stdout], [0, ''], answered.stderr);
    assert.equal(place.open().length, 1);
    place.write('src/a.ts', 'A');
    place.write('new.ts', 'new');
    rmSync(place.at('gone.ts'));
    renameSync(place.at('old.ts'), place.at('moved.ts'));
    chmodSync(place.at('run.sh'), 0o755);
    symlinkSync('src/a.ts', place.at('link'));
    mkdirSync(place.at('empty'));
    await place.answer('claude', post);
    assert.deepEqual(place.open(), []);
    assert.deepEqual((await place.rows()).sort(), [
      'create link: as_left',
      'create moved.ts: as_left',
      'create new.ts: as_left',
      'delete gone.ts: as_left',
      'delete old.ts: as_left',
      'make_folder empty: as_left',
      'write run.sh: as_left',
      'write src/a.ts: as_left',
    ]);
    const undone = await place.changes('undo', '--all');
    assert.equal(undone.code, 0, undone.text);
    const texts = ['src/a.ts', 'gone.ts', 'old.ts', 'new.ts', 'moved.ts', 'link', 'empty'].map((one) =>
      place.read(one),
    );
    assert.deepEqual(texts, ['a', 'gone', 'a longer text that moves', undefined, undefined, undefined, undefined]);
    assert.equal(statSync(place.at('run.sh')).mode & 0o100, 0);
    await place.changes('redo', '--all');
    assert.deepEqual([place.read('src/a.ts'), place.read('moved.ts')], ['A', 'a longer text that moves']);
    place.dispose();
  });

  it('D.undo: a file that the call names is told once, what it changes besides is told too', async () => {
    const place = looksPlace({ 'log.txt': 'log' });
    const { pre, post } = shell('./build > log.txt', '1');
    assert.equal((await place.answer('claude', pre)).exitCode, 0);
    place.write('log.txt', 'built');
    place.write('a.txt', 'ALPHA');
    await place.answer('claude', post);
    assert.deepEqual((await place.rows()).sort(), ['write a.txt: as_left', 'write log.txt: as_left']);
    assert.deepEqual(await place.makers(), {
      'a.txt': [['host:claude:Bash', 0]],
      'log.txt': [['host:claude:Bash', 0]],
    });
    place.dispose();
  });

  it('D.undo: nothing is looked at where checkpoints are off, where a call only reads, and of the home folder', async () => {
    const off = looksPlace({}, { 'changes.checkpoints': false });
    await off.answer('claude', shell('./build', '1').pre);
    const on = looksPlace();
    await on.answer('claude', shell('ls', '1').pre);
    assert.deepEqual([off.open(), on.open()], [[], []]);
    const settings = readSettings({ managed: {}, user: {}, workspace: {}, bundles: [] });
    const { privateFolder } = on;
    for (const root of [homedir(), path.dirname(homedir()), '/'])
      assert.equal(soloLooks({ privateFolder, root, settings, mostMs: 1000 }), undefined, root);
    off.dispose();
    on.dispose();
  });

  it('D.undo: two agents at once: each is told what came about while it ran alone, and who else it may have been', async () => {
    const place = looksPlace({ 'b.txt': 'beta', 'c.txt': 'gamma' });
    const [claude, codex] = [shell('./one', '1'), shell('./two', '2', 'codex')];
    await place.answer('claude', claude.pre);
    place.write('a.txt', 'by claude, before codex began');
    await place.answer('codex', codex.pre);
    place.write('b.txt', 'by one of them');
    await place.answer('claude', claude.post);
    place.write('c.txt', 'by codex, after claude ended');
    await place.answer('codex', codex.post);
    assert.deepEqual(await place.makers(), {
      'a.txt': [['host:claude:Bash', 0]],
      'b.txt': [['host:claude:Bash', 1]],
      'c.txt': [['host:codex:Bash', 1]],
    });
    await place.changes('undo', '--all');
    assert.deepEqual(['a.txt', 'b.txt', 'c.txt'].map(place.read), ['alpha', 'beta', 'gamma']);
    place.dispose();
  });

  it('D.undo: hooks that run side by side lose nothing and tell nothing twice', async () => {
    const place = looksPlace();
    const calls = Array.from({ length: 6 }, (_, at) => shell(`./run ${at}`, String(at), at % 2 ? 'codex' : 'claude'));
    const dialect = (at: number) => (at % 2 ? 'codex' : 'claude');
    await Promise.all(
      calls.map(async ({ pre, post }, at) => {
        const { exitCode, stderr } = await place.answer(dialect(at), pre);
        assert.equal(exitCode, 0, stderr);
        place.write(`new-${at}.txt`, `${at}`);
        await place.answer(dialect(at), post);
      }),
    );
    assert.deepEqual(
      (await place.rows()).sort(),
      calls.map((_, at) => `create new-${at}.txt: as_left`),
    );
    for (const told of Object.values(await place.makers()) as unknown[][]) assert.equal(told.length, 1);
    assert.deepEqual(place.open(), []);
    place.dispose();
  });

  it('D.undo: of agents that were killed no more than twenty calls are kept, and the next call ends them', async () => {
    const place = looksPlace();
    for (let at = 0; at < 22; at++) await place.answer('claude', shell('./killed', `killed ${at}`).pre);
    assert.equal(place.open().length, 21);
    place.write('a.txt', 'by one that was killed');
    // Half an hour later nobody waits for them any more; what was done meanwhile is a person's.
    for (const file of place.open()) {
      const { version, look } = JSON.parse(readFileSync(file, 'utf8'));
      const time = look.time - 31 * 60_000;
      rmSync(file);
      writeFileSync(
        file.replace(String(look.time), String(time)),
        JSON.stringify({ version, look: { ...look, time } }),
        {
          mode: 0o600,
        },
      );
    }
    const { pre, post } = shell('./next', 'next');
    await place.answer('claude', pre);
    assert.equal(place.open().length, 1);
    await place.answer('claude', post);
    assert.deepEqual([place.open(), await place.rows()], [[], []]);
    place.dispose();
  }).timeout(120_000);

  it('D.undo: a call that was killed lately is told by the next one, and never as that one’s', async () => {
    const place = looksPlace({ 'b.txt': 'beta' });
    await place.answer('claude', shell('./killed', '1').pre);
    place.write('a.txt', 'by the killed one');
    const { pre, post } = shell('./next', '2', 'codex');
    await place.answer('codex', pre);
    place.write('b.txt', 'by the next one');
    await place.answer('codex', post);
    assert.deepEqual(await place.makers(), { 'a.txt': [['host:claude:Bash', 0]], 'b.txt': [['host:codex:Bash', 1]] });
    place.dispose();
  });

  it('D.undo: a repository runs nothing by being looked at, and nothing outside of it is read', async () => {
    const place = looksPlace({ '.gitattributes': '* filter=evil diff=evil\n', 'sub/x.txt': 'x' });
    const ran = path.join(place.state, 'ran');
    const program = `#!/bin/sh\ntouch ${ran}\nexit 1\n`;
    rmSync(place.at('.git'), { recursive: true });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.folder });
    git('init', '-q');
    for (const name of ['git', 'evil', '.git/hooks/post-index-change', '.git/hooks/pre-commit']) {
      place.write(name, program);
      chmodSync(place.at(name), 0o755);
    }
    for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv'])
      git('config', key, place.at('evil'));
    git('config', 'core.fsmonitor', place.at('evil'));
    git('config', 'core.worktree', '/');
    rmSync(ran, { force: true });
    const outside = path.join(place.state, 'outside');
    writeFileSync(outside, 'not of the workspace');
    symlinkSync(outside, place.at('leads-out'));
    symlinkSync(place.state, place.at('folder-out'));
    const before = process.env['PATH'];
    process.env['PATH'] = `${place.folder}:${before}`;
    process.env['GIT_DIR'] = place.at('.git');
    try {
      const { pre, post } = shell('./build', '1');
      assert.equal((await place.answer('claude', pre)).exitCode, 0);
      place.write('sub/x.txt', 'X');
      writeFileSync(outside, 'not of the workspace, changed');
      await place.answer('claude', post);
    } finally {
      process.env['PATH'] = before;
      delete process.env['GIT_DIR'];
    }
    assert.equal(existsSync(ran), false);
    assert.deepEqual(await place.rows(), ['write sub/x.txt: as_left']);
    const kept = place.waiting().map((name) => readFileSync(path.join(place.privateFolder, 'changes', name), 'latin1'));
    assert.ok(!kept.join('').includes('not of the workspace'));
    place.dispose();
  });

  it('D.undo: what policy calls a secret is told and not kept', async () => {
    const place = looksPlace({ 'keys/id_rsa': 'PRIVATE hunter2' });
    const { pre, post } = shell('./build', '1');
    await place.answer('claude', pre);
    place.write('keys/id_rsa', 'PRIVATE hunter3, longer');
    await place.answer('claude', post);
    const kept = walk(place.privateFolder).map((file) => readFileSync(file, 'latin1'));
    assert.ok(!kept.join('').includes('hunter'));
    assert.deepEqual(await place.rows(), ['write keys/id_rsa: cannot']);
    place.dispose();
  });

  it('D.undo: everything that is kept is this user’s alone', async () => {
    const place = looksPlace();
    const { pre, post } = shell('./build', '1');
    await place.answer('claude', pre);
    place.write('a.txt', 'x');
    await place.answer('claude', post);
    for (const file of walk(place.looks)) assert.equal(statSync(file).mode & 0o077, 0, file);
    place.dispose();
  });

  for (const whenNotKept of ['ask', 'deny', 'allow'] as const)
    it(`D.undo: where the look takes too long, \`changes.whenNotKept\` decides: ${whenNotKept}`, async () => {
      const place = looksPlace({}, { 'changes.whenNotKept': whenNotKept });
      await place.answer('claude', shell('./first', '1').pre);
      const [look = ''] = place.open();
      writeFileSync(path.join(path.dirname(look), 'lock'), String(process.pid), { mode: 0o600 });
      const { pre } = shell('./second', '2');
      const options = {
        dialect: 'claude',
        event: undefined,
        privateFolder: place.privateFolder,
        limitMs: 250,
      } as const;
      const answered = await answerHook(options, JSON.stringify({ cwd: place.folder, ...pre }), 0);
      assert.equal(answered.exitCode, whenNotKept === 'allow' ? 0 : 2);
      if (whenNotKept !== 'allow') assert.match(answered.stderr, /takes longer than .* call again/);
      // An end that nobody could look at is recorded by the next look.
      place.write('a.txt', 'by the first');
      await answerHook(options, JSON.stringify({ cwd: place.folder, ...shell('./first', '1').post }), 0);
      rmSync(path.join(path.dirname(look), 'lock'));
      const { pre: third, post } = shell('./third', '3');
      await place.answer('claude', third);
      await place.answer('claude', post);
      assert.deepEqual(await place.makers(), { 'a.txt': [['host:claude:Bash', 0]] });
      assert.deepEqual(place.open(), []);
      place.dispose();
    });

  it('D.undo: what a hook left that was killed while it looked stops nobody', async () => {
    const place = looksPlace();
    await place.answer('claude', shell('./first', '1').pre);
    const folder = path.dirname(place.open()[0] ?? '');
    const [kept = ''] = readdirSync(path.join(folder, 'kept'));
    const locks = [path.join(folder, 'lock'), path.join(folder, 'kept', kept, 'lock')];
    // The number is that of a process that runs, as after a restart of the machine.
    for (const lock of locks) writeFileSync(lock, String(process.pid), { mode: 0o600 });
    const older = new Date(Date.now() - 3 * 60_000);
    for (const lock of locks) utimesSync(lock, older, older);
    writeFileSync(path.join(folder, 'kept', kept, 'git', 'index.lock'), '');
    place.write('a.txt', 'by the first');
    await place.answer('claude', shell('./first', '1').post);
    assert.deepEqual(await place.makers(), { 'a.txt': [['host:claude:Bash', 0]] });
    assert.deepEqual(
      locks.map((lock) => existsSync(lock)),
      [false, false],
    );
    place.dispose();
  });

  it('D.undo: folders in which no agent worked for long are forgotten, and the oldest of many', async () => {
    const place = looksPlace();
    const now = Date.now();
    const made = Array.from({ length: 12 }, (_, at) => {
      const { storage } = looksFolder(place.privateFolder, `/work/${at}`);
      mkdirSync(path.join(storage, 'x'), { recursive: true, mode: 0o700 });
      const used = new Date(now - (at < 10 ? at * 24 : 400) * 3_600_000);
      utimesSync(path.dirname(storage), used, used);
      return path.dirname(storage);
    });
    chmodSync(place.looks, 0o700);
    await dropLooks(place.privateFolder, now);
    assert.deepEqual(
      made.map((folder) => existsSync(folder)),
      made.map((_, at) => at < 8),
    );
    assert.equal(readdirSync(place.looks).length, 8);
    place.dispose();
  });
});
