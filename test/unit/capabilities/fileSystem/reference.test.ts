import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

// What users of the reference MCP filesystem server (@modelcontextprotocol/server-filesystem 2026.8.31) rely on, tool
// by tool, as our tools do it. Where we differ on purpose the sentence says so.
describe('S3.file-system: what users of the reference MCP filesystem server rely on', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
  });
  afterEach(() => ws.dispose());
  const text = (name: string): string => readFileSync(ws.at(name), 'utf8');
  const edit = (old_text: string, new_text: string, more: object = {}): Promise<Record<string, any>> =>
    ws.ok('edit_file', { path: 'a.ts', edits: [{ old_text, new_text }], ...more });

  it('read_text_file: the whole file, its first or its last lines, and not both', async () => {
    ws.put({ 'a.txt': 'one\ntwo\nthree\n', 'empty.txt': '' });
    const read = async (input: object): Promise<string> =>
      (await ws.ok('read_file', { path: 'a.txt', ...input }))['content'];
    assert.deepEqual(
      [await read({}), await read({ head: 2 }), await read({ tail: 2 })],
      ['one\ntwo\nthree\n', 'one\ntwo\n', 'two\nthree\n'],
    );
    assert.equal(await ws.code('read_file', { path: 'a.txt', head: 1, tail: 1 }), 'invalid_input');
    assert.equal(await ws.code('read_file', { path: 'empty.txt', head: 0 }), 'invalid_input');
    assert.equal((await ws.ok('read_file', { path: 'empty.txt', tail: 5 }))['content'], '');
  });

  it('read_media_file: pictures as pictures with their type, other bytes as base64', async () => {
    const picture = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1');
    ws.put({ 'p.gif': picture, 'a.bin': Buffer.from([0, 1, 2, 255]) });
    const shown = await ws.call('read_file', { path: 'p.gif' });
    assert.deepEqual(shown.ok && shown.outcome.media, [{ mimeType: 'image/gif', data: picture.toString('base64') }]);
    assert.equal((await ws.ok('read_file', { path: 'a.bin', encoding: 'base64' }))['content'], 'AAEC/w==');
  });

  it('read_multiple_files: in order, and one that fails does not stop the others', async () => {
    ws.put({ 'a.txt': 'a', 'b.txt': 'b' });
    const got = await ws.ok('read_files', { paths: ['a.txt', 'none.txt', '/etc/passwd', 'b.txt'] });
    assert.deepEqual(
      got['files'].map((file: Record<string, any>) => file['content'] ?? file['error'].code),
      ['a', 'not_found', 'not_found', 'b'],
    );
  });

  it('write_file: makes, replaces, keeps the permissions, and never writes through a link that leads out', async () => {
    await ws.ok('write_file', { path: 'new.txt', content: '\u00fcber\n' });
    assert.equal(text('new.txt'), '\u00fcber\n');
    ws.put({ 'run.sh': 'old' });
    chmodSync(ws.at('run.sh'), 0o750);
    await ws.ok('write_file', { path: 'run.sh', content: 'new' });
    assert.deepEqual([text('run.sh'), statSync(ws.at('run.sh')).mode & 0o777], ['new', 0o750]);
    writeFileSync(path.join(ws.outside, 'x.txt'), 'outside');
    symlinkSync(path.join(ws.outside, 'x.txt'), ws.at('link.txt'));
    assert.equal(await ws.code('write_file', { path: 'link.txt', content: 'through' }), 'path_outside');
    assert.equal(readFileSync(path.join(ws.outside, 'x.txt'), 'utf8'), 'outside');
  });

  it('edit_file: exact replacements one after the other, a unified diff, and a dry run that changes nothing', async () => {
    ws.put({ 'a.ts': 'one\ntwo\nthree\n' });
    const dry = await edit('two', '2', { dry_run: true });
    assert.match(dry['diff'], /^--- .*\n\+\+\+ .*\n@@ .*@@\n one\n-two\n\+2\n three/);
    assert.equal(text('a.ts'), 'one\ntwo\nthree\n');
    await ws.ok('edit_file', {
      path: 'a.ts',
      edits: [
        { old_text: 'one\ntwo', new_text: 'first' },
        { old_text: 'first\nthree', new_text: '$& done' },
      ],
    });
    assert.equal(text('a.ts'), '$& done\n');
    assert.equal(await ws.code('edit_file', { path: 'a.ts', edits: [{ old_text: 'none', new_text: '' }] }), 'no_match');
  });

  it('edit_file: lines that differ in white space only, where that is asked for (there always), indented as the file is', async () => {
    ws.put({ 'a.ts': 'class A {\n    run() {\n        stop();   \n    }\n}\n' });
    const old = 'run() {\n  stop();\n}';
    assert.equal(await ws.code('edit_file', { path: 'a.ts', edits: [{ old_text: old, new_text: 'x' }] }), 'no_match');
    await edit(old, 'run() {\n    go();\n\n    stop();\n}', { match: 'whitespace' });
    assert.equal(text('a.ts'), 'class A {\n    run() {\n        go();\n\n        stop();\n    }\n}\n');
    await edit('  run() {\n  go();\n', '', { match: 'whitespace' });
    assert.equal(text('a.ts'), 'class A {\n\n        stop();\n    }\n}\n');
    ws.put({ 'a.ts': '  x\n x\n' });
    const twice = await ws.call('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'x ', new_text: 'y' }],
      match: 'whitespace',
    });
    assert.match(twice.ok ? '' : twice.error.message, /2 times, 1 expected \(lines 1, 2\)/);
    await ws.ok('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'x ', new_text: 'y', replace_all: true }],
      match: 'whitespace',
    });
    assert.equal(text('a.ts'), '  y\n y\n');
  });

  it('edit_file: finds text whatever its line ends are; we keep those of the file, which the reference turns into LF', async () => {
    ws.put({ 'a.ts': 'one\r\ntwo\r\n' });
    await edit('one\ntwo', '1\n2');
    assert.equal(text('a.ts'), '1\r\n2\r\n');
  });

  it('create_directory: with its parents, and without complaint where it is there; here by write_file and a path that ends in /', async () => {
    for (const created of [true, false]) {
      assert.deepEqual(await ws.ok('write_file', { path: 'x/y/z/', content: '' }), {
        path: '/x/y/z',
        size_bytes: 0,
        created,
        is_directory: true,
      });
    }
    assert.ok(statSync(ws.at('x/y/z')).isDirectory());
    ws.put({ 'file.txt': '' });
    assert.equal(await ws.code('write_file', { path: 'file.txt/', content: '' }), 'already_exists');
    assert.equal(await ws.code('write_file', { path: 'x/y/', content: 'text' }), 'is_a_directory');
    assert.equal(await ws.code('write_file', { path: 'new/', content: 'text' }), 'path_invalid');
    assert.equal(await ws.code('write_file', { path: '../outside/new/', content: '' }), 'path_outside');
  });

  it('list_directory and list_directory_with_sizes: files told from folders, sizes, by name or by size', async () => {
    ws.put({ 'b.txt': '22', 'a.txt': '1', 'dir/c.txt': '' });
    const plain = await ws.ok('list_directory', { path: '/' });
    assert.deepEqual(
      plain['entries'].map((entry: Record<string, unknown>) => [entry['name'], entry['is_directory']]),
      [
        ['a.txt', false],
        ['b.txt', false],
        ['dir', true],
      ],
    );
    const sized = await ws.ok('list_directory', { path: '/', with_sizes: true, sort: 'size' });
    assert.deepEqual(
      sized['entries'].map((entry: Record<string, unknown>) => [entry['name'], entry['size_bytes']]),
      [
        ['b.txt', 2],
        ['a.txt', 1],
        ['dir', undefined],
      ],
    );
    assert.equal(sized['total_size_bytes'], 3);
    assert.equal(await ws.code('list_directory', { path: 'none' }), 'not_found');
    assert.equal(await ws.code('list_directory', { path: 'a.txt' }), 'not_a_directory');
  });

  it('directory_tree: everything below, without what the patterns exclude', async () => {
    ws.put({ 'src/a.ts': '', 'src/deep/b.ts': '', 'node_modules/x/index.js': '', 'empty/': '' });
    const tree = await ws.ok('list_directory', { path: '/', depth: 10, format: 'tree', exclude: ['node_modules'] });
    assert.equal(tree['tree'], 'empty/\nsrc/\n  a.ts\n  deep/\n    b.ts');
  });

  it('move_file: renames files and folders, and never replaces what is at the destination', async () => {
    ws.put({ 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c' });
    await ws.ok('move_file', { source: 'a.txt', destination: 'dir/a.txt' });
    await ws.ok('move_file', { source: 'dir', destination: 'renamed' });
    assert.deepEqual([text('renamed/a.txt'), text('renamed/c.txt')], ['a', 'c']);
    assert.equal(await ws.code('move_file', { source: 'b.txt', destination: 'renamed/a.txt' }), 'already_exists');
    symlinkSync('nowhere', ws.at('dangling'));
    assert.equal(await ws.code('move_file', { source: 'b.txt', destination: 'dangling' }), 'already_exists');
    assert.deepEqual([text('b.txt'), text('renamed/a.txt')], ['b', 'a']);
  });

  it('search_files: files and folders by a glob at any depth, without what the patterns exclude', async () => {
    ws.put({
      'a.test.ts': '',
      'src/b.test.ts': '',
      'src/.hidden.test.ts': '',
      'node_modules/c.test.ts': '',
      'src/d.ts': '',
    });
    const found = async (input: object): Promise<string[]> => (await ws.ok('find_files', input))['files'];
    assert.deepEqual(await found({ pattern: '**/*.test.ts', exclude: ['**/node_modules/**'] }), [
      '/a.test.ts',
      '/src/.hidden.test.ts',
      '/src/b.test.ts',
    ]);
    assert.deepEqual(await found({ pattern: '*.test.ts', path: 'src' }), ['/src/.hidden.test.ts', '/src/b.test.ts']);
    assert.deepEqual(await found({ pattern: 's*', type: 'directory' }), ['/src']);
    assert.deepEqual(await found({ pattern: '*.nothing' }), []);
  });

  it('get_file_info: size, times, kind and permission bits', async () => {
    ws.put({ 'a.txt': 'abc' });
    chmodSync(ws.at('a.txt'), 0o640);
    const { mtime, atime } = statSync(ws.at('a.txt'));
    const info = await ws.ok('stat_file', { path: 'a.txt' });
    assert.deepEqual(
      [info['size_bytes'], info['is_directory'], info['type'], info['mode'], info['modified_at'], info['accessed_at']],
      [3, false, 'file', '0640', mtime.toISOString(), atime.toISOString()],
    );
    assert.ok(Math.abs(Date.parse(info['created_at']) - Date.now()) < 60_000);
  });

  it('list_allowed_directories: the roots are what list_directory shows at /', async () => {
    const both = makeWorkspace({ folders: ['app', 'lib'] });
    assert.deepEqual(
      (await both.ok('list_directory', {}))['entries'].map((entry: Record<string, unknown>) => entry['path']),
      ['/app', '/lib'],
    );
    both.dispose();
  });

  it('allowed directories: no way to a sibling whose name begins alike, to the parent, the home folder or through links', async () => {
    mkdirSync(`${ws.root}-sibling`);
    writeFileSync(`${ws.root}-sibling/x.txt`, 'outside');
    symlinkSync(`${ws.root}-sibling`, ws.at('link'));
    for (const one of [
      `${ws.root}-sibling/x.txt`,
      `${ws.root}/../root-sibling/x.txt`,
      '../root-sibling/x.txt',
      '~/x.txt',
      'link/x.txt',
      'a\0b',
    ]) {
      const code = await ws.code('read_file', { path: one });
      assert.match(code, /^path_|^not_found$/, one);
      assert.match(
        await ws.code('write_file', { path: one, content: 'changed', mode: 'create' }),
        /^path_|^no error/,
        one,
      );
    }
    assert.equal(readFileSync(`${ws.root}-sibling/x.txt`, 'utf8'), 'outside');
  });
});
