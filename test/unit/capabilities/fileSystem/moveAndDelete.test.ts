import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Access } from '../../../../src/core/vocabulary/access';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import type { AccessVerdict } from '../../../../src/core/capability/tool';

const denying =
  (pattern: RegExp) =>
  async (access: Access): Promise<AccessVerdict> =>
    pattern.test(access.resource) ? { allowed: false, reason: 'protected by the test' } : { allowed: true };

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const text = (name: string): string => readFileSync(ws.at(name), 'utf8');

describe('move_file', () => {
  it('moves files and folders, makes parents, and replaces only with overwrite', async () => {
    ws.put({ 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c' });
    const moved = await ws.call('move_file', { source: 'a.txt', destination: 'x/y/a2.txt' });
    assert.deepEqual(moved.ok && moved.accesses, [
      { effect: 'fs.read', resource: 'a.txt' },
      { effect: 'fs.delete', resource: 'a.txt' },
      { effect: 'fs.write', resource: 'x/y/a2.txt' },
    ]);
    assert.deepEqual(moved.ok && moved.outcome.payload, { source: '/a.txt', destination: '/x/y/a2.txt', moved: true });
    assert.equal(await ws.code('move_file', { source: 'b.txt', destination: 'x/y/a2.txt' }), 'already_exists');
    await ws.ok('move_file', { source: 'b.txt', destination: 'x/y/a2.txt', overwrite: true });
    assert.equal(text('x/y/a2.txt'), 'b');
    await ws.ok('move_file', { source: 'dir', destination: 'dir2' });
    assert.equal(text('dir2/c.txt'), 'c');
    assert.equal(await ws.code('move_file', { source: 'dir2', destination: 'dir2/sub' }), 'path_invalid');
    assert.equal(await ws.code('move_file', { source: 'dir2', destination: 'x', overwrite: true }), 'is_a_directory');
    const into = await ws.call('move_file', { source: 'dir2/c.txt', destination: 'x' });
    assert.match(
      into.ok ? '' : into.error.message,
      /`\/x` is a folder, which a move does not replace; to move into it give `\/x\/c\.txt`/,
    );
    assert.equal(await ws.code('move_file', { source: 'none', destination: 'y' }), 'not_found');
    assert.equal(await ws.code('move_file', { source: '/', destination: 'y' }), 'path_invalid');
    assert.equal(await ws.code('move_file', { source: 'dir2', destination: '../outside/d' }), 'path_outside');
  });

  it('moves a folder whole or not at all where policy protects something in it', async () => {
    ws.put({ 'dir/a.txt': 'a', 'dir/.env': 's' });
    assert.equal(
      await ws.code('move_file', { source: 'dir', destination: 'd2' }, { access: denying(/^dir\/\.env$/) }),
      'denied_by_policy',
    );
    assert.equal(
      await ws.code('move_file', { source: 'dir', destination: 'd2' }, { access: denying(/^d2\/\.env$/) }),
      'denied_by_policy',
    );
    assert.ok(existsSync(ws.at('dir/a.txt')) && !existsSync(ws.at('d2')));
  });
});

describe('delete_file', () => {
  it('moves to the trash, from where it can be got back, unless to_trash or the setting says otherwise', async () => {
    ws.put({ 'a b.txt': 'a', 'c.txt': 'c', 'd.txt': 'd' });
    assert.equal((await ws.ok('delete_file', { path: 'a b.txt' }))['to_trash'], true);
    const trash = path.join(ws.base, 'trash');
    assert.equal(readFileSync(path.join(trash, 'files', 'a b.txt'), 'utf8'), 'a');
    assert.match(
      readFileSync(path.join(trash, 'info', 'a b.txt.trashinfo'), 'utf8'),
      /^\[Trash Info\]\nPath=\/.*\/root\/a%20b\.txt\nDeletionDate=\d{4}-/,
    );
    ws.put({ 'a b.txt': 'again' });
    await ws.ok('delete_file', { path: 'a b.txt' });
    assert.equal(readFileSync(path.join(trash, 'files', 'a b.txt.2'), 'utf8'), 'again');
    const permanent = await ws.call('delete_file', { path: 'c.txt', to_trash: false });
    assert.deepEqual(permanent.ok && permanent.accesses, [{ effect: 'fs.delete', resource: 'c.txt', permanent: true }]);
    await ws.ok('delete_file', { path: 'd.txt' }, { settings: { 'fileSystem.deleteToTrash': false } });
    assert.deepEqual(readdirSync(path.join(trash, 'files')).sort(), ['a b.txt', 'a b.txt.2']);
  });

  it('keeps what policy protects, with the folders that hold it, and names it with the reason', async () => {
    const files = { 'p/a.txt': 'a', 'p/q/.env': 's', 'p/q/b.txt': 'b', 'p/r/c.txt': 'c' };
    for (const to_trash of [false, true]) {
      ws.put(files);
      const got = await ws.ok('delete_file', { path: 'p', recursive: true, to_trash }, { access: denying(/\.env$/) });
      assert.deepEqual(
        [got['deleted'], got['kept'], got['left_out']],
        [
          false,
          [{ path: '/p/q/.env', reason: 'protected by the test' }],
          [{ reason: 'protected by the test', count: 1 }],
        ],
      );
      assert.deepEqual([readdirSync(ws.at('p')), readdirSync(ws.at('p/q'))], [['q'], ['.env']]);
    }
    const denied = await ws.call('delete_file', { path: 'p', recursive: true }, { access: denying(/\.env$/) });
    assert.equal(
      denied.ok ? '' : `${denied.error.code}: ${denied.error.message}`,
      'denied_by_policy: nothing in `/p` was deleted, because of `/p/q/.env`: protected by the test',
    );
  });

  it('deletes a link and never what it leads to', async () => {
    ws.put({ 'real/a.txt': 'a' });
    require('node:fs').writeFileSync(path.join(ws.outside, 'secret.txt'), 'secret');
    symlinkSync(ws.at('real'), ws.at('in'));
    symlinkSync(ws.outside, ws.at('out'));
    symlinkSync('nowhere', ws.at('dangling'));
    for (const [name, permanent] of [
      ['in', true],
      ['out', false],
      ['dangling', true],
    ] as const) {
      await ws.ok('delete_file', { path: name, recursive: true, to_trash: !permanent });
      assert.equal(existsSync(ws.at(name)), false);
    }
    mkdirSync(ws.at('d'));
    symlinkSync(ws.outside, ws.at('d/out'));
    await ws.ok('delete_file', { path: 'd', recursive: true, to_trash: false });
    assert.deepEqual([text('real/a.txt'), readdirSync(ws.outside)], ['a', ['secret.txt']]);
  });
});

describe('stat_file', () => {
  it('tells what may be done with a path and why not, the hash on request, links and hard links', async () => {
    ws.put({ 'a.txt': 'abc', '.env': 's', 'ro.txt': 'fixed' });
    symlinkSync('a.txt', ws.at('link'));
    symlinkSync(ws.outside, ws.at('out'));
    linkSync(ws.at('a.txt'), ws.at('hard.txt'));
    symlinkSync('.env', ws.at('harmless.txt'));
    chmodSync(ws.at('ro.txt'), 0o444);
    const protectedByTest = {
      read: 'protected by the test',
      write: 'protected by the test',
      delete: 'protected by the test',
    };
    const note = 'its size, times and content are kept from you, because it may not be read';
    assert.deepEqual(await ws.ok('stat_file', { path: '.env', with_hash: true }, { access: denying(/\.env$/) }), {
      path: '/.env',
      name: '.env',
      exists: true,
      is_directory: false,
      permissions: protectedByTest,
      note,
    });
    // A link tells nothing of what it leads to, where that may not be read; it may be deleted itself.
    assert.deepEqual(
      await ws.ok('stat_file', { path: 'harmless.txt', with_hash: true }, { access: denying(/\.env$/) }),
      {
        path: '/harmless.txt',
        name: 'harmless.txt',
        exists: true,
        is_directory: false,
        permissions: { ...protectedByTest, delete: 'allowed' },
        note,
      },
    );
    const asked = await ws.ok(
      'stat_file',
      { path: 'ro.txt' },
      {
        access: async ({ effect }) =>
          effect === 'fs.delete' ? { allowed: false, reason: 'a rule', asks: true } : { allowed: true },
      },
    );
    assert.deepEqual(
      [asked['is_readonly'], asked['permissions']],
      [
        true,
        { read: 'allowed', write: 'the file is read-only', delete: 'only with a confirmation by the user: a rule' },
      ],
    );
    const link = await ws.ok('stat_file', { path: 'link', with_hash: true });
    assert.deepEqual(
      [link['is_symlink'], link['link_target'], link['size_bytes'], link['content_hash'], link['permissions'].read],
      [true, '/a.txt', 3, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'allowed'],
    );
    assert.equal((await ws.ok('stat_file', { path: 'hard.txt' }))['hard_links'], 2);
    const out = await ws.ok('stat_file', { path: 'out' });
    const astray = 'a link in the path leads out of the workspace, or nowhere';
    assert.deepEqual(
      [out['exists'], out['link_target'], out['permissions']],
      [true, 'outside the workspace, or nowhere', { read: astray, write: astray, delete: 'allowed' }],
    );
    assert.equal((await ws.ok('stat_file', { path: '/' }))['is_directory'], true);
  });
});

describe('links inside the workspace', () => {
  it('are judged by the name and by where they lead, so that a link opens nothing that policy closes', async () => {
    ws.put({ '.env': 'SECRET', 'dir/.env': 'S2' });
    symlinkSync('.env', ws.at('harmless.txt'));
    symlinkSync('dir', ws.at('d'));
    const call = await ws.call('read_file', { path: 'harmless.txt' });
    assert.deepEqual(call.ok && call.accesses.map((access) => access.resource), ['harmless.txt', '.env']);
    assert.equal(
      await ws.code('read_file', { path: 'harmless.txt' }, { access: denying(/\.env$/) }),
      'denied_by_policy',
    );
    assert.equal(
      await ws.code('write_file', { path: 'd/.env', content: '' }, { access: denying(/^dir\/\.env$/) }),
      'denied_by_policy',
    );
    const deleted = await ws.call('delete_file', { path: 'd/.env' }, { access: denying(/^dir\/\.env$/) });
    assert.equal(deleted.ok ? '' : deleted.error.code, 'denied_by_policy');
    await ws.ok('write_file', { path: 'harmless.txt', content: 'through' });
    assert.equal(text('.env'), 'through');
  });
});
