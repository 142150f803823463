// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { readWhole } from '../../../src/core/files/readWhole';
import { NodeFileSystem } from '../../../src/node/nodeFileSystem';
import { SessionRoots } from '../../../src/node/files/sessionRoots';
import { callByCli, temporaryWorkspace } from '../../support/cli';
import { openSystem } from '../../support/system';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { skipBecause } from '../../support/skip';

describe('S3.file-system: a session root belongs to one session of one workspace', () => {
  let workspace: TestWorkspace;
  beforeEach(() => (workspace = makeWorkspace()));
  afterEach(() => workspace.dispose());
  const storage = (): string => path.join(workspace.base, 'storage');
  const rootOf = (files: NodeFileSystem, key: string): string => files.session(key).folders()[0]?.path ?? '';
  const filesOn = (roots: SessionRoots | string): NodeFileSystem =>
    new NodeFileSystem({
      folders: () => [workspace.folder()],
      sessionStorage: typeof roots === 'string' ? new SessionRoots(roots) : roots,
    });

  it('is another one for each window and each profile, over the same storage', () => {
    const windows = [1, 2, 3].map(() => filesOn(storage()));
    const roots = windows.flatMap((files) =>
      ['default', 'readOnly', '', '../default', 'x'.repeat(500)].map((key) => rootOf(files, key)),
    );
    assert.equal(new Set(roots).size, roots.length);
    for (const root of roots) assert.ok(root.startsWith(realpathSync(storage()) + path.sep));
    assert.equal(rootOf(windows[0] as NodeFileSystem, 'default'), roots[0], 'the same one within the session');
  });

  it('has a name that does not follow from the profile, and is closed to other users', () => {
    const root = rootOf(filesOn(storage()), 'default');
    const hash = createHash('sha256').update('default').digest('hex').slice(0, 32);
    assert.notEqual(path.basename(path.dirname(root)), hash);
    assert.match(path.basename(path.dirname(root)), /\.[0-9a-f]{32}$/);
    if (process.platform === 'win32') return;
    for (const folder of [root, path.dirname(root)]) assert.equal(lstatSync(folder).mode & 0o777, 0o700, folder);
  });

  it('is closed to other users whatever the mask of the process', function () {
    if (process.platform === 'win32') skipBecause(this, 'needs a POSIX file system');
    const mask = process.umask(0);
    try {
      const root = rootOf(filesOn(storage()), 'default');
      assert.equal(lstatSync(root).mode & 0o777, 0o700);
    } finally {
      process.umask(mask);
    }
  });

  it('leads to no other session from within', () => {
    const files = filesOn(storage());
    const session = files.session('a');
    assert.equal(session.session('b'), session);
    assert.notEqual(files.session('b'), session);
  });

  it('is gone with its window, and answers nothing afterwards', () => {
    const roots = new SessionRoots(storage());
    const root = rootOf(filesOn(roots), 'default');
    writeFileSync(path.join(root, 'a.txt'), 'a');
    symlinkSync(workspace.root, path.join(root, 'link'));
    workspace.put({ 'keep.txt': 'kept' });
    roots.dispose();
    assert.ok(!existsSync(root) && !existsSync(storage()));
    assert.equal(readFileSync(workspace.at('keep.txt'), 'utf8'), 'kept');
    assert.throws(() => roots.root('default'), /session is over/);
  });

  it('is removed at a later start where its process was killed, and only then', async () => {
    const [roots, other] = [new SessionRoots(storage()), new SessionRoots(storage())];
    const mine = rootOf(filesOn(roots), 'default');
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
    const names = {
      dead: `${machine}.${gone}.${'a'.repeat(32)}`,
      elsewhere: `${machine === '00000000' ? '11111111' : '00000000'}.${gone}.${'a'.repeat(32)}`,
      alive: `${machine}.${process.ppid}.${'a'.repeat(32)}`,
      foreign: 'something-else',
      link: `${machine}.${gone}.${'b'.repeat(32)}`,
    };
    workspace.put({ 'keep.txt': 'kept' });
    for (const name of [names.dead, names.elsewhere, names.alive, names.foreign])
      mkdirSync(path.join(storage(), name, 'x'), { recursive: true });
    symlinkSync(workspace.root, path.join(storage(), names.dead, 'x', 'link'));
    symlinkSync(workspace.root, path.join(storage(), names.link));
    assert.equal(await other.sweep(), 2);
    assert.deepEqual(
      readdirSync(storage()).sort(),
      [names.elsewhere, names.alive, names.foreign, path.basename(path.dirname(mine))].sort(),
    );
    assert.equal(readFileSync(workspace.at('keep.txt'), 'utf8'), 'kept');
    roots.dispose();
  });

  it('is left by no link that stands in it', async () => {
    const files = filesOn(storage());
    const session = files.session('default');
    const [folder] = session.folders();
    assert.ok(folder);
    workspace.put({ 'w.txt': 'CANARY-of-the-workspace-7f3a' });
    symlinkSync(workspace.root, path.join(folder.path, 'workspace'));
    symlinkSync(workspace.at('w.txt'), path.join(folder.path, 'w.txt'));
    for (const name of ['workspace/w.txt', 'w.txt', 'workspace', '../../root/w.txt'])
      await assert.rejects(async () => readWhole(session, await session.canonical({ folder, path: name })), name);
  });

  it('is another one for each command of the command line, with the same --state-dir too, and nothing of it is left', async () => {
    const other = temporaryWorkspace();
    const state = path.join(workspace.base, 'state');
    const call = (folder: string, tool: string, input: object): ReturnType<typeof callByCli> =>
      callByCli(folder, tool, input, '--set', 'fileSystem.root=session', '--state-dir', state);
    assert.equal((await call(workspace.root, 'write_file', { path: 's.txt', content: 'kept' })).code, 0);
    for (const folder of [workspace.root, other.folder])
      assert.equal((await call(folder, 'read_file', { path: 's.txt' })).json().error.code, 'not_found');
    assert.ok(!existsSync(path.join(state, 'sessions')));
    other.dispose();
  });

  it('is empty after a restart of the system, and in another workspace', async () => {
    const sessions = path.join(workspace.base, 'storage');
    const start = async (folder: string) =>
      openSystem({
        user: { 'fileSystem.root': 'session' },
        approve: true,
        platform: {
          files: new NodeFileSystem({
            folders: () => [{ name: 'w', path: folder, scheme: 'file' }],
            sessionStorage: new SessionRoots(sessions),
          }),
        },
      });
    const first = await start(workspace.root);
    assert.ok((await first.call('write_file', { path: 'mine.txt', content: 'x' })).success);
    assert.ok((await first.call('read_file', { path: 'mine.txt' })).success);
    for (const folder of [workspace.root, workspace.outside]) {
      const next = await start(folder);
      const found = await next.call('find_files', { pattern: '**' });
      assert.deepEqual(found.success && (found.payload as any).files, []);
      next.dispose();
    }
    first.dispose();
  });
});
