import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

describe('the file system capability as the seeds describe it', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
  });
  afterEach(() => ws.dispose());

  it('S3.file-system: writes a file with its parents, reads it back, and says whether it was created', async () => {
    const written = await ws.ok('write_file', { path: '/docs/a/readme.txt', content: 'hello\n' });
    assert.deepEqual(
      { path: written['path'], size_bytes: written['size_bytes'], created: written['created'] },
      { path: '/docs/a/readme.txt', size_bytes: 6, created: true },
    );
    const read = await ws.ok('read_file', { path: '/docs/a/readme.txt' });
    assert.deepEqual(
      { path: read['path'], content: read['content'], encoding: read['encoding'], size_bytes: read['size_bytes'] },
      { path: '/docs/a/readme.txt', content: 'hello\n', encoding: 'utf-8', size_bytes: 6 },
    );
    assert.equal((await ws.ok('write_file', { path: 'docs/a/readme.txt', content: 'x' }))['created'], false);
    assert.equal(readFileSync(ws.at('docs/a/readme.txt'), 'utf8'), 'x');
  });

  it('S3.file-system: writes bytes that come as base64 and reads them back as base64', async () => {
    const content = Buffer.from([0, 1, 2, 255, 254]).toString('base64');
    await ws.ok('write_file', { path: '/b.bin', content, encoding: 'base64' });
    assert.deepEqual([...readFileSync(ws.at('b.bin'))], [0, 1, 2, 255, 254]);
    const read = await ws.ok('read_file', { path: '/b.bin', encoding: 'base64' });
    assert.deepEqual([read['content'], read['encoding']], [content, 'base64']);
    assert.equal(await ws.code('write_file', { path: '/c.bin', content: '!!', encoding: 'base64' }), 'invalid_input');
  });

  it('S3.file-system: lists the root by default, with entries and their count', async () => {
    ws.put({ 'b.txt': 'b', 'a.txt': 'a', 'sub/c.txt': 'c' });
    const listed = await ws.ok('list_directory', {});
    assert.deepEqual(listed, {
      path: '/',
      entries: [
        { name: 'a.txt', path: '/a.txt', is_directory: false },
        { name: 'b.txt', path: '/b.txt', is_directory: false },
        { name: 'sub', path: '/sub', is_directory: true },
      ],
      count: 3,
    });
  });

  it('S3.file-system: searches by a regular expression, filtered by a path pattern', async () => {
    ws.put({ 'a.txt': 'one\ntwo 22\n', 'sub/b.txt': 'two 33\n', 'c.md': 'two 44\n' });
    const found = await ws.ok('grep_files', { pattern: 'two \\d+', path_pattern: '*.txt' });
    assert.deepEqual(found, {
      pattern: 'two \\d+',
      matches: [
        { path: '/a.txt', line: 2, column: 1, text: 'two 22' },
        { path: '/sub/b.txt', line: 1, column: 1, text: 'two 33' },
      ],
      match_count: 2,
      total_matches: 2,
      files_with_matches: 2,
    });
  });

  it('S3.file-system: deletes files, and directories only where recursive is true', async () => {
    ws.put({ 'a.txt': 'a', 'sub/b.txt': 'b', 'empty/': '' });
    const deleted = await ws.ok('delete_file', { path: '/a.txt' });
    assert.deepEqual([deleted['path'], deleted['deleted'], existsSync(ws.at('a.txt'))], ['/a.txt', true, false]);
    assert.equal(await ws.code('delete_file', { path: '/sub' }), 'not_empty');
    assert.equal((await ws.ok('delete_file', { path: '/empty' }))['deleted'], true);
    assert.equal((await ws.ok('delete_file', { path: '/sub', recursive: true, to_trash: false }))['deleted'], true);
    assert.equal(existsSync(ws.at('sub')), false);
    assert.equal(await ws.code('delete_file', { path: '/nothing' }), 'not_found');
    assert.equal(await ws.code('delete_file', { path: '/', recursive: true }), 'path_invalid');
  });

  it('S3.file-system: tells facts about a path, and that nothing is there', async () => {
    ws.put({ 'a.txt': 'abc' });
    const stat = await ws.ok('stat_file', { path: '/a.txt' });
    assert.deepEqual(
      [stat['path'], stat['name'], stat['exists'], stat['is_directory'], stat['is_readonly'], stat['size_bytes']],
      ['/a.txt', 'a.txt', true, false, false, 3],
    );
    assert.ok(Date.parse(stat['created_at']) > 0 && Date.parse(stat['modified_at']) > 0);
    assert.equal((await ws.ok('stat_file', { path: '/none' }))['exists'], false);
  });

  it('S0.file-read: reads with an encoding, and knows the name `file-read`', async () => {
    ws.put({ 'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]) });
    assert.equal((await ws.ok('read_file', { path: 'latin.txt', encoding: 'windows-1252' }))['content'], 'café');
    assert.equal(await ws.code('read_file', { path: 'latin.txt', encoding: 'no-such-thing' }), 'unsupported');
    assert.equal(await ws.code('read_file', { path: '../outside/x' }), 'path_outside');
  });

  it('S3.file-system: a session root is isolated from the workspace and from the session roots of other profiles', async () => {
    const isolated = { config: { root: 'session' } };
    await ws.ok('write_file', { path: '/note.txt', content: 'mine' }, { ...isolated, profileId: 'one' });
    assert.equal(
      (await ws.ok('read_file', { path: '/note.txt' }, { ...isolated, profileId: 'one' }))['content'],
      'mine',
    );
    assert.equal(await ws.code('read_file', { path: '/note.txt' }, { ...isolated, profileId: 'two' }), 'not_found');
    assert.equal(await ws.code('read_file', { path: '/note.txt' }), 'not_found');
    ws.put({ 'ws.txt': 'workspace' });
    assert.equal(await ws.code('read_file', { path: '/ws.txt' }, { ...isolated, profileId: 'one' }), 'not_found');
    assert.equal(await ws.code('read_file', { path: ws.at('ws.txt') }, { ...isolated, profileId: 'one' }), 'not_found');
    assert.equal(
      await ws.code(
        'read_file',
        { path: '/note.txt' },
        { settings: { 'fileSystem.root': 'session' }, profileId: 'two' },
      ),
      'not_found',
    );
    const call = await ws.call('read_file', { path: '/note.txt' }, { ...isolated, profileId: 'one' });
    assert.deepEqual(call.ok && call.accesses, [{ effect: 'fs.read', resource: 'session:/note.txt' }]);
  });
});
