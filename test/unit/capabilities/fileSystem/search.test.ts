import { strict as assert } from 'node:assert';
import { symlinkSync, utimesSync } from 'node:fs';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { workedMs } from '../../../support/processorTime';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const secrets = async (access: { resource: string }) =>
  access.resource.endsWith('.env') ? ({ allowed: false, reason: 'no secrets' } as const) : ({ allowed: true } as const);
const paths = (entries: readonly Record<string, unknown>[]): unknown[] => entries.map((entry) => entry['path']);

describe('list_directory', () => {
  it('goes as deep as depth says, and does not enter what is ignored unless include_ignored', async () => {
    ws.put({
      '.gitignore': 'out/\n*.log\n',
      'out/a.js': '',
      'src/x/y.ts': '',
      'src/z.log': '',
      'a.log': '',
      '.git/config': '',
    });
    const list = async (input: object): Promise<unknown[]> => paths((await ws.ok('list_directory', input))['entries']);
    assert.deepEqual(await list({}), ['/.git', '/.gitignore', '/a.log', '/out', '/src']);
    assert.deepEqual(await list({ depth: 3 }), [
      '/.git',
      '/.gitignore',
      '/a.log',
      '/out',
      '/src',
      '/src/x',
      '/src/x/y.ts',
    ]);
    assert.deepEqual(await list({ depth: 2, include_ignored: true, exclude: ['.git'] }), [
      '/.gitignore',
      '/a.log',
      '/out',
      '/out/a.js',
      '/src',
      '/src/x',
      '/src/z.log',
    ]);
    assert.deepEqual(await list({ path: 'src', exclude: ['*.log'] }), ['/src/x']);
    const marked = await ws.ok('list_directory', {});
    assert.deepEqual(
      marked['entries'].filter((entry: any) => entry.ignored).map((entry: any) => entry.name),
      ['.git', 'a.log', 'out'],
    );
    assert.deepEqual(
      paths(
        (await ws.ok('list_directory', { depth: 2 }, { settings: { 'fileSystem.respectIgnoreFiles': false } }))[
          'entries'
        ],
      ).includes('/out/a.js'),
      true,
    );
  });

  it('sorts by size and time, shows sizes, draws a tree, and pages with limit and cursor', async () => {
    ws.put({ 'a.txt': 'aaa', 'b.txt': 'b', 'd/c.txt': 'cc' });
    utimesSync(ws.at('b.txt'), 2_000_000_000, 2_000_000_000);
    const sized = await ws.ok('list_directory', { sort: 'size', with_sizes: true, depth: 2 });
    assert.deepEqual(
      sized['entries'].map((entry: any) => [entry.path, entry.size_bytes]),
      [
        ['/a.txt', 3],
        ['/d/c.txt', 2],
        ['/b.txt', 1],
        ['/d', undefined],
      ],
    );
    assert.equal((await ws.ok('list_directory', { sort: 'modified' }))['entries'][0].path, '/b.txt');
    assert.equal((await ws.ok('list_directory', { depth: 2, format: 'tree' }))['tree'], 'a.txt\nb.txt\nd/\n  c.txt');
    const first = await ws.ok('list_directory', { limit: 2 });
    const second = await ws.ok('list_directory', { limit: 2, cursor: first['next_cursor'] });
    assert.deepEqual(
      [paths(first['entries']), paths(second['entries']), second['next_cursor'], first['total']],
      [['/a.txt', '/b.txt'], ['/d'], undefined, 3],
    );
    assert.equal(await ws.code('list_directory', { depth: 2, cursor: first['next_cursor'] }), 'invalid_input');
  });

  it('leaves out what policy hides and counts it, never follows links, and refuses files', async () => {
    ws.put({ '.env': 's', 'a.txt': 'a' });
    symlinkSync(ws.outside, ws.at('out'));
    const got = await ws.ok('list_directory', { depth: 5 }, { access: secrets });
    assert.deepEqual(got['entries'], [
      { name: 'a.txt', path: '/a.txt', is_directory: false },
      { name: 'out', path: '/out', is_directory: false, type: 'symlink' },
    ]);
    assert.deepEqual(got['left_out'], [{ reason: 'no secrets', count: 1 }]);
    assert.equal(await ws.code('list_directory', { path: 'a.txt' }), 'not_a_directory');
    assert.equal(await ws.code('list_directory', { path: 'out' }), 'path_outside');
    assert.equal(await ws.code('list_directory', { path: 'none' }), 'not_found');
  });

  it('keeps a large folder’s answer under 8,000 bytes', async () => {
    ws.put(
      Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [`a-rather-long-file-name-number-${index}.txt`, '']),
      ),
    );
    for (const input of [{}, { format: 'tree' }, { with_sizes: true }]) {
      const got = await ws.ok('list_directory', input);
      assert.ok(JSON.stringify(got).length < 8000 && got['truncated'] && got['total'] === 500, JSON.stringify(input));
    }
    const found = await ws.ok('find_files', { pattern: '*' });
    assert.ok(JSON.stringify(found).length < 8000 && found['truncated'] && found['total'] === 500);
  });
});

describe('find_files', () => {
  it('finds by glob, with braces, types, exclusions, ignore rules and pages', async () => {
    ws.put({
      '.gitignore': 'build\n',
      'a.ts': '',
      'src/b.ts': '',
      'src/c.tsx': '',
      'src/.hidden.ts': '',
      'build/d.ts': '',
      'test/e.ts': '',
    });
    const find = async (input: object): Promise<unknown> => (await ws.ok('find_files', input))['files'];
    assert.deepEqual(await find({ pattern: '*.ts' }), ['/a.ts', '/src/.hidden.ts', '/src/b.ts', '/test/e.ts']);
    assert.deepEqual(await find({ pattern: '/*.ts' }), ['/a.ts']);
    assert.deepEqual(await find({ pattern: 'src/*.{ts,tsx}' }), ['/src/.hidden.ts', '/src/b.ts', '/src/c.tsx']);
    assert.deepEqual(await find({ pattern: '*.ts', path: 'src', exclude: ['.*'] }), ['/src/b.ts']);
    assert.deepEqual(await find({ pattern: '**', type: 'directory' }), ['/src', '/test']);
    assert.deepEqual(await find({ pattern: 's*', type: 'any' }), ['/src']);
    assert.deepEqual(await find({ pattern: 'd.ts', include_ignored: true }), ['/build/d.ts']);
    const first = await ws.ok('find_files', { pattern: '*.ts', limit: 3 });
    assert.deepEqual(await find({ pattern: '*.ts', limit: 3, cursor: first['next_cursor'] }), ['/test/e.ts']);
    const hidden = await ws.ok(
      'find_files',
      { pattern: '*' },
      { access: async (access) => ({ allowed: !access.resource.endsWith('.tsx'), reason: 'no' }) },
    );
    assert.deepEqual(hidden['left_out'], [{ reason: 'no', count: 1 }]);
  });

  it('looks in the folder itself alone for a glob that begins with ./ or /, and at any depth without', async () => {
    ws.put({ 'a.ts': 'needle', 'sub/a.ts': 'needle', 'sub/deep/a.ts': 'needle' });
    const found = async (input: object): Promise<readonly string[]> => (await ws.ok('find_files', input))['files'];
    for (const pattern of ['./a.ts', '/a.ts', './/a.ts', './*.ts'])
      assert.deepEqual(await found({ pattern }), ['/a.ts'], pattern);
    assert.deepEqual(await found({ pattern: './a.ts', path: 'sub' }), ['/sub/a.ts']);
    assert.deepEqual(await found({ pattern: '*.ts', exclude: ['./a.ts'] }), ['/sub/a.ts', '/sub/deep/a.ts']);
    assert.equal((await found({ pattern: 'a.ts' })).length, 3);
    assert.equal((await ws.ok('grep_files', { pattern: 'needle', path_pattern: './*.ts' }))['match_count'], 1);
  });

  it('refuses globs that could never match or take too long, with an error', async () => {
    for (const pattern of ['!a', '{a,b}'.repeat(20), '{1..100000}', `${'a'.repeat(1001)}`]) {
      assert.match(await ws.code('find_files', { pattern }), /invalid_pattern|invalid_input/, pattern.slice(0, 20));
    }
    ws.put({ [`${'a'.repeat(200)}.txt`]: '' });
    const started = workedMs();
    for (const pattern of [`${'*a'.repeat(25)}b`, `${'**/a/'.repeat(15)}b`, '+(a|aa)+(a|aa)b'])
      await ws.ok('find_files', { pattern });
    assert.ok(workedMs() - started < 2000);
  });
});

describe('grep_files', () => {
  it('takes literal text, case, words, context, and limits per file and in all, with a cursor', async () => {
    ws.put({ 'a.txt': 'Foo(1)\nfoo(1)\nfoobar\nend\n', 'b.txt': 'x\nfoo\ny\nfoo\nz\n' });
    const grep = async (input: object): Promise<unknown[]> =>
      (await ws.ok('grep_files', input))['matches'].map((match: any) => `${match.path}:${match.line}:${match.column}`);
    assert.deepEqual(await grep({ pattern: 'foo(1)', literal: true }), ['/a.txt:2:1']);
    assert.deepEqual(await grep({ pattern: 'foo(1)', literal: true, ignore_case: true }), ['/a.txt:1:1', '/a.txt:2:1']);
    assert.deepEqual(await grep({ pattern: 'foo', whole_word: true }), ['/a.txt:2:1', '/b.txt:2:1', '/b.txt:4:1']);
    assert.deepEqual(await grep({ pattern: '^.oo', path: 'b.txt' }), ['/b.txt:2:1', '/b.txt:4:1']);
    assert.deepEqual(await grep({ pattern: 'foo', exclude: ['a.*'], max_per_file: 1 }), ['/b.txt:2:1']);
    const one = await ws.ok('grep_files', { pattern: 'foo', path_pattern: 'b.*', context_lines: 1 });
    assert.deepEqual(one['matches'], [
      { path: '/b.txt', line: 2, column: 1, text: 'foo', before: ['x'], after: ['y'] },
      { path: '/b.txt', line: 4, column: 1, text: 'foo', before: ['y'], after: ['z'] },
    ]);
    const pages: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await ws.ok('grep_files', { pattern: 'foo', limit: 1, ...(cursor ? { cursor } : {}) });
      pages.push(...page['matches'].map((match: any) => `${match.path}:${match.line}`));
      cursor = page['next_cursor'];
    } while (cursor);
    assert.deepEqual(pages, ['/a.txt:2', '/a.txt:3', '/b.txt:2', '/b.txt:4']);
    const counted = await ws.ok('grep_files', { pattern: 'foo', max_per_file: 1 });
    assert.deepEqual(counted['left_out'], [{ reason: 'matches beyond max_per_file', count: 2 }]);
  });

  it('leaves out ignored, binary and forbidden files, and counts without telling whether they would match', async () => {
    ws.put({
      '.gitignore': 'dist',
      'dist/a.js': 'needle',
      'b.bin': Buffer.from('needle\0'),
      '.env': 'needle',
      'c.txt': 'needle',
    });
    const hit = await ws.ok('grep_files', { pattern: 'needle' }, { access: secrets });
    assert.deepEqual(paths(hit['matches']), ['/c.txt']);
    const miss = await ws.ok('grep_files', { pattern: 'absent' }, { access: secrets });
    assert.deepEqual(miss['left_out'], hit['left_out']);
    assert.ok(hit['left_out'].some((one: any) => one.reason === 'no secrets' && one.count === 1));
    assert.deepEqual(
      paths((await ws.ok('grep_files', { pattern: 'needle', include_ignored: true, path: 'dist' }))['matches']),
      ['/dist/a.js'],
    );
  });

  it('refuses what is no expression, and says how to search for the text itself', async () => {
    for (const pattern of ['(', '(?=a)', '(a)\\1', 'a{2000}', '[z-a]', 'a\nb', 'a\\nb', 'a\\r?\\n', '\\x0a+'])
      assert.equal(await ws.code('grep_files', { pattern }), 'invalid_pattern', pattern);
    for (const pattern of ['[^\\n]+', 'a\\n?', 'a(\\n|$)', '\\\\n', '\\Q\\n\\E'])
      assert.equal((await ws.call('grep_files', { pattern })).ok, true, pattern);
    assert.equal(await ws.code('grep_files', { pattern: 'a', path: 'none' }), 'not_found');
  });

  it('cuts long lines around the match', async () => {
    ws.put({ 'min.js': `${'x'.repeat(50_000)}needle${'y'.repeat(50_000)}\n` });
    const [match] = (await ws.ok('grep_files', { pattern: 'needle' }))['matches'];
    assert.ok(match.text.includes('needle') && match.text.length < 300 && match.column === 50_001);
  });
});
