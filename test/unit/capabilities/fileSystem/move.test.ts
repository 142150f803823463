import { strict as assert } from 'node:assert';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { checkReplaceable } from '../../../../src/node/files/atomicWrite';
import type { Folder } from '../../../../src/node/files/handles';
import { NodeFileSystem } from '../../../../src/node/nodeFileSystem';
import { handler } from '../../../../src/capabilities/fileSystem/change/moveFile';
import { fakePorts } from '../../../support/toolContext';
import { openSystem } from '../../../support/system';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

async function previewed(
  { files }: TestWorkspace,
  input: { source: string; destination: string; overwrite?: boolean },
) {
  return handler.preview?.(input, {
    ports: fakePorts({ files }),
    config: {},
    actor: { type: 'agent', id: 't' },
    profileId: 'default',
    signal: new AbortController().signal,
  });
}

const names = (): string[] => readdirSync(ws.root).sort();

describe('move_file, where it says that something was moved', () => {
  it('has moved it: between two names of the same content, the old name is gone', async () => {
    ws.put({ 'a.txt': 'one', 'b.txt': 'two' });
    linkSync(ws.at('a.txt'), ws.at('other.txt'));
    assert.equal(await ws.code('move_file', { source: 'a.txt', destination: 'other.txt' }), 'already_exists');
    assert.deepEqual(names(), ['a.txt', 'b.txt', 'other.txt']);
    await ws.ok('move_file', { source: 'a.txt', destination: 'other.txt', overwrite: true });
    assert.deepEqual([names(), readFileSync(ws.at('other.txt'), 'utf8')], [['b.txt', 'other.txt'], 'one']);
  });

  it('changes the case of a name, also beside another name of the same content', async () => {
    ws.put({ 'a.txt': 'one' });
    await ws.ok('move_file', { source: 'a.txt', destination: 'A.txt' });
    assert.deepEqual(names(), ['A.txt']);
    const sensitive = !existsSync(ws.at('a.txt'));
    if (!sensitive) return;
    linkSync(ws.at('A.txt'), ws.at('a.txt'));
    assert.equal(await ws.code('move_file', { source: 'A.txt', destination: 'a.txt' }), 'already_exists');
    await ws.ok('move_file', { source: 'A.txt', destination: 'a.txt', overwrite: true });
    assert.deepEqual(names(), ['a.txt']);
  });

  it('refuses what would move nothing, or make a file where a folder was meant, and says what to give', async () => {
    ws.put({ 'a.txt': 'one', 'dir/': '' });
    const message = async (destination: string): Promise<string> => {
      const call = await ws.call('move_file', { source: 'a.txt', destination });
      return call.ok ? 'moved' : call.error.message;
    };
    assert.match(await message('./a.txt'), /are the same place, so there is nothing to move$/);
    assert.match(await message('new/deep/'), /ends like a folder.*such as `\/new\/deep\/a\.txt`/);
    assert.match(await message('dir/'), /to move into it give `\/dir\/a\.txt`/);
    assert.match(await message('a.txt/b'), /^`\/a\.txt\/b`/);
    assert.deepEqual(names(), ['a.txt', 'dir']);
    await ws.ok('move_file', { source: 'dir', destination: 'folder/' });
    assert.deepEqual(names(), ['a.txt', 'folder']);
  });
});

describe('a folder of the workspace within another', () => {
  it('is neither moved nor deleted, by itself or with what holds it', async () => {
    ws.put({ 'mono/pkg/a.txt': 'a', 'mono/other/b.txt': 'b' });
    const folders = [
      { name: 'root', path: ws.root, scheme: 'file' },
      { name: 'pkg', path: ws.at('mono/pkg'), scheme: 'file' },
    ];
    const files = new NodeFileSystem({ folders: () => folders });
    for (const held of ['/root/mono', '/root/mono/pkg']) {
      assert.equal(
        await ws.code('move_file', { source: held, destination: '/root/elsewhere' }, { files }),
        'path_invalid',
      );
      assert.equal(
        await ws.code('delete_file', { path: held, recursive: true, to_trash: false }, { files }),
        'path_invalid',
      );
    }
    await ws.ok('delete_file', { path: '/root/mono/other', recursive: true, to_trash: false }, { files });
    await ws.ok('move_file', { source: '/pkg/a.txt', destination: '/root/mono/a.txt' }, { files });
    assert.deepEqual(readdirSync(ws.at('mono')).sort(), ['a.txt', 'pkg']);
  });
});

describe('move_file before a person', () => {
  it('asks nobody about a move that cannot be made, and says what is lost where a file is replaced', async () => {
    const system = await openSystem({ files: { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c' } });
    const asked = async (input: object): Promise<readonly [string, boolean]> => {
      const before = system.events.length;
      const result = await system.call('move_file', { source: 'a.txt', ...input });
      const types = system.events.slice(before).map((event) => event.type);
      return [result.success ? 'success' : result.error.code, types.includes('approval.asked')];
    };
    assert.deepEqual(await asked({ destination: 'b.txt' }), ['already_exists', false]);
    assert.deepEqual(await asked({ destination: 'dir' }), ['is_a_directory', false]);
    assert.deepEqual(await asked({ destination: 'a.txt' }), ['path_invalid', false]);
    assert.deepEqual(await asked({ source: 'none', destination: 'x' }), ['not_found', false]);
    assert.deepEqual(await asked({ destination: 'x.txt' }), ['approval_unavailable', true]);
    assert.deepEqual(await asked({ source: 'dir', destination: 'a.txt', overwrite: true }), ['not_a_directory', false]);
    assert.deepEqual(await asked({ source: '/', destination: 'x' }), ['path_invalid', false]);
    system.dispose();
    ws.put({ 'a.txt': 'a', 'b.txt': 'b' });
    const preview = await previewed(ws, { source: 'a.txt', destination: 'b.txt', overwrite: true });
    assert.equal(preview?.undo, 'never');
    assert.deepEqual(await previewed(ws, { source: 'a.txt', destination: 'c.txt' }), { action: 'move' });
  });

  it('says so too where the file has the same name in another workspace folder, or in another case', async () => {
    const several = makeWorkspace({ folders: ['one', 'two'] });
    writeFileSync(path.join(several.folder('one').path, 'a.txt'), 'one');
    writeFileSync(path.join(several.folder('two').path, 'a.txt'), 'two');
    const moves = [{ there: several, source: '/one/a.txt', destination: '/two/a.txt' }];
    ws.put({ 'README.md': 'upper' });
    if (!existsSync(ws.at('readme.md'))) {
      ws.put({ 'readme.md': 'lower' });
      moves.push({ there: ws, source: 'README.md', destination: 'readme.md' });
    }
    for (const { there, ...move } of moves) {
      const preview = await previewed(there, { ...move, overwrite: true });
      assert.equal(preview?.undo, 'never', move.source);
      await assert.rejects(previewed(there, move), /is there already; set overwrite/);
    }
    several.dispose();
  });
});

describe('a file that is written anew', () => {
  it('keeps its owner, its group and all its permissions', function () {
    if (process.getuid?.() !== 0) return skipBecause(this, 'needs root, who can give files away');
    return (async () => {
      ws.put({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
      for (const [name, mode] of [
        ['a.txt', 0o4750],
        ['b.txt', 0o664],
      ] as const) {
        chownSync(ws.at(name), 1234, 2345);
        chmodSync(ws.at(name), mode);
        await ws.ok('edit_file', { path: name, edits: [{ old_text: 'one', new_text: 'two' }] });
        await ws.ok('write_file', { path: name, content: 'three\n', mode: 'append' });
        const { uid, gid, mode: now } = statSync(ws.at(name));
        assert.deepEqual(
          [uid, gid, now & 0o7777, readFileSync(ws.at(name), 'utf8')],
          [1234, 2345, mode, 'two\nthree\n'],
        );
      }
    })();
  });

  it('goes to no other device, and leaves no folder there', async function () {
    const other = mkdtempSync(path.join(process.cwd(), '.build', 'device-'));
    try {
      if (statSync(other).dev === statSync(ws.root).dev)
        return skipBecause(this, 'needs temporary files on another device');
      const folders = [
        { name: 'one', path: ws.root, scheme: 'file' },
        { name: 'two', path: other, scheme: 'file' },
      ];
      const files = new NodeFileSystem({ folders: () => folders });
      ws.put({ 'a.txt': 'a' });
      mkdirSync(path.join(other, 'there'));
      const call = await ws.call('move_file', { source: '/one/a.txt', destination: '/two/new/deep/a.txt' }, { files });
      assert.match(
        call.ok ? '' : call.error.message,
        /another device; write a copy with write_file and delete the original/,
      );
      assert.deepEqual(readdirSync(other), ['there']);
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});

describe('a file that this user may not write to', () => {
  it('is not replaced, though its folder may be written to', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0)
      skipBecause(this, 'needs permissions that hold for this user');
    ws.put({ 'a.txt': 'theirs\n' });
    // Everybody but the owner may write.
    chmodSync(ws.at('a.txt'), 0o466);
    assert.equal(await ws.code('write_file', { path: 'a.txt', content: 'x' }), 'permission_denied');
    assert.equal(
      await ws.code('edit_file', { path: 'a.txt', edits: [{ old_text: 'theirs', new_text: 'mine' }] }),
      'permission_denied',
    );
    assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), 'theirs\n');
  });

  it('is told from others by what the system says, not by its permission bits alone', async () => {
    ws.put({ 'a.txt': 'x' });
    const asked: string[] = [];
    const folder = (writable: boolean): Folder => {
      const calls = { writable: (at: string) => asked.push(at) > 0 && writable };
      return { at: (name: string) => `/there/${name}`, way: { calls } } as unknown as Folder;
    };
    const there = statSync(ws.at('a.txt'));
    await checkReplaceable(folder(true), 'a.txt', there, '/a.txt', {});
    await assert.rejects(
      async () => checkReplaceable(folder(false), 'a.txt', there, '/a.txt', {}),
      /does not let this user write to `\/a\.txt`/,
    );
    assert.deepEqual(asked, ['/there/a.txt', '/there/a.txt']);
  });
});
