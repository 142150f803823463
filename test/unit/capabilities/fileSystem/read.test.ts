import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

describe('read_file', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
  });
  afterEach(() => ws.dispose());

  it('shows the lines that start_line and end_line, head or tail choose, and where the next one is', async () => {
    ws.put({ 'a.txt': lines(1, 50) });
    const pick = async (input: object): Promise<unknown[]> => {
      const got = await ws.ok('read_file', { path: 'a.txt', ...input });
      return [got['content'], got['first_line'], got['last_line'], got['next_line'], got['total_lines']];
    };
    assert.deepEqual(await pick({ start_line: 3, end_line: 4 }), ['line 3\nline 4\n', 3, 4, 5, 50]);
    assert.deepEqual(await pick({ start_line: 49 }), ['line 49\nline 50\n', 49, 50, undefined, 50]);
    assert.deepEqual(await pick({ head: 2 }), ['line 1\nline 2\n', 1, 2, 3, 50]);
    assert.deepEqual(await pick({ tail: 1 }), ['line 50\n', 50, 50, undefined, 50]);
    assert.deepEqual(await pick({ tail: 500 }), [lines(1, 50), 1, 50, undefined, 50]);
    assert.deepEqual(await pick({ end_line: 1, line_numbers: true }), ['    1\tline 1\n', 1, 1, 2, 50]);
  });

  it('refuses ranges that cannot be meant, and says what to give', async () => {
    ws.put({ 'a.txt': 'one\ntwo\n', 'big.txt': `${'x'.repeat(1023)}\n`.repeat(20_000) });
    assert.equal(await ws.code('read_file', { path: 'a.txt', head: 1, tail: 1 }), 'invalid_input');
    assert.equal(await ws.code('read_file', { path: 'a.txt', start_line: 1, offset: 0 }), 'invalid_input');
    assert.equal(await ws.code('read_file', { path: 'a.txt', start_line: 5, end_line: 2 }), 'invalid_input');
    assert.equal(await ws.code('read_file', { path: 'a.txt', start_line: 3 }), 'invalid_input');
    assert.equal(await ws.code('read_file', { path: 'a.txt', start_line: 0 }), 'invalid_input');
    const past = await ws.call('read_file', { path: 'big.txt', start_line: 30_000 });
    assert.match(past.ok ? '' : past.error.message, /at most 20,000, the number of lines/);
  });

  it('cuts long text at a line, names the parameter to go on with in the last line, and the pieces join to the whole', async () => {
    const text = lines(1, 2131);
    ws.put({ 'a.txt': text });
    const first = await ws.ok('read_file', { path: 'a.txt' });
    assert.match(first['content'], /\n\[cut: lines 1-\d+ of 2,131 shown; call again with start_line=\d+\]$/);
    const { content, ...head } = first;
    assert.ok(Buffer.byteLength(JSON.stringify(head)) + Buffer.byteLength(content) < 8000);
    let joined = '';
    let next: number | undefined = 1;
    while (next !== undefined) {
      const part: Record<string, any> = await ws.ok('read_file', { path: 'a.txt', start_line: next });
      joined += part['truncated'] ? part['content'].replace(/\[cut:[^\]]*\]$/, '') : part['content'];
      next = part['next_line'];
    }
    assert.equal(joined, text);
    assert.equal((await ws.ok('read_file', { path: 'a.txt', max_bytes: 100_000 }))['content'], text);
  });

  it('shows a part of a line that is too long for the answer, and how to get on', async () => {
    ws.put({ 'min.js': `${'x'.repeat(100_000)}\nsecond\n` });
    const got = await ws.ok('read_file', { path: 'min.js' });
    assert.match(
      got['content'],
      /^x+\n\[cut: a part of line 1 of 2 shown; line 1 has 100,001 characters; call again with offset=7000 for what follows in it, or with start_line=2\]$/,
    );
    assert.deepEqual([got['next_line'], got['next_offset']], [2, 7000]);
    const { content, ...head } = got;
    assert.ok(Buffer.byteLength(JSON.stringify(head)) + Buffer.byteLength(content) < 8000);
  });

  it('reads bytes by offset and length, as text without broken characters, and as base64', async () => {
    ws.put({ 'u.txt': 'aä€😀z' });
    const at = async (offset: number, length: number): Promise<unknown> =>
      (await ws.ok('read_file', { path: 'u.txt', offset, length }))['content'];
    assert.deepEqual(
      [await at(0, 1), await at(0, 2), await at(1, 2), await at(3, 4), await at(6, 99)],
      ['a', 'a', 'ä', '€', '😀z'],
    );
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    ws.put({ 'all.bin': bytes });
    const joined: number[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part: Record<string, any> = await ws.ok('read_file', {
        path: 'all.bin',
        encoding: 'base64',
        offset,
        max_bytes: 100,
      });
      joined.push(...Buffer.from(part['content'], 'base64'));
      offset = part['next_offset'];
    }
    assert.deepEqual(joined, [...bytes]);
  });

  it('tells hash, line end style and byte order mark, and decodes by the mark', async () => {
    ws.put({
      'crlf.txt': 'a\r\nb\r\n',
      'mixed.txt': 'a\r\nb\n',
      'none.txt': 'a',
      'bom.txt': '\ufeffa\n',
      'le.txt': Buffer.from('\ufeffhä\n', 'utf16le'),
      'empty.txt': '',
    });
    const facts = async (path: string): Promise<unknown[]> => {
      const got = await ws.ok('read_file', { path });
      return [got['content'], got['end_of_line'], got['bom'] ?? false, got['encoding'], got['total_lines']];
    };
    assert.deepEqual(await facts('crlf.txt'), ['a\r\nb\r\n', 'crlf', false, 'utf-8', 2]);
    assert.deepEqual(await facts('mixed.txt'), ['a\r\nb\n', 'mixed', false, 'utf-8', 2]);
    assert.deepEqual(await facts('none.txt'), ['a', 'none', false, 'utf-8', 1]);
    assert.deepEqual(await facts('bom.txt'), ['a\n', 'lf', true, 'utf-8', 1]);
    assert.deepEqual(await facts('le.txt'), ['hä\n', 'lf', true, 'utf-16le', 1]);
    assert.deepEqual(await facts('empty.txt'), ['', 'none', false, 'utf-8', 0]);
    assert.match((await ws.ok('read_file', { path: 'none.txt' }))['content_hash'], /^ca978112ca1bbdca$/);
  });

  it('gives pictures as pictures, and refuses other binary files with what they are', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    ws.put({ 'p.png': png, 'a.zip': Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]) });
    const picture = await ws.call('read_file', { path: 'p.png' });
    assert.deepEqual(picture.ok && picture.outcome.media, [{ mimeType: 'image/png', data: png.toString('base64') }]);
    const zip = await ws.call('read_file', { path: 'a.zip' });
    assert.match(
      zip.ok ? '' : `${zip.error.code} ${zip.error.message}`,
      /^not_text .*application\/zip, 8 bytes.*base64/,
    );
  });

  it('reads lines far into a large file, and its end, without holding it', async () => {
    const total = 400_000;
    ws.put({ 'big.txt': Array.from({ length: total }, (_, index) => `${index + 1} ${'y'.repeat(60)}\n`).join('') });
    const got = await ws.ok('read_file', { path: 'big.txt', start_line: 399_998 });
    assert.deepEqual(
      [got['content'].split('\n').map((line: string) => line.split(' ')[0]), got['total_lines']],
      [['399998', '399999', '400000', ''], total],
    );
    const middle = await ws.ok('read_file', { path: 'big.txt', start_line: 200_000, end_line: 200_001 });
    assert.deepEqual([middle['content'].split('\n')[1].slice(0, 6), middle['next_line']], ['200001', 200_002]);
    const tail = await ws.ok('read_file', { path: 'big.txt', tail: 2 });
    assert.deepEqual(
      tail['content'].split('\n').map((line: string) => line.split(' ')[0]),
      ['399999', '400000', ''],
    );
    const open = await ws.ok('read_file', { path: 'big.txt', start_line: 10 });
    assert.match(open['content'], /\[cut: lines 10-\d+ shown; call again with start_line=\d+\]$/);
    const cancelled = new AbortController();
    cancelled.abort();
    assert.equal(
      await ws.code('read_file', { path: 'big.txt', start_line: 399_998 }, { signal: cancelled.signal }),
      'cancelled',
    );
  });

  it('reads absolute paths inside the workspace, refuses folders, and says where to look for what is missing', async () => {
    ws.put({ 'src/a.ts': 'a' });
    assert.equal((await ws.ok('read_file', { path: ws.at('src/a.ts') }))['path'], '/src/a.ts');
    assert.equal(await ws.code('read_file', { path: 'src' }), 'is_a_directory');
    assert.equal(await ws.code('read_file', { path: 'src/b.ts' }), 'not_found');
    assert.equal(await ws.code('read_file', { path: 'src/a.ts/x' }), 'not_a_directory');
  });
});

describe('read_files', () => {
  it('reads in order, reports each failure by itself, shares out max_bytes and obeys head and line_numbers', async () => {
    const ws = makeWorkspace();
    ws.put({ 'a.txt': lines(1, 500), 'b.txt': 'b\nc\n', '.env': 'SECRET=1' });
    const got = await ws.ok(
      'read_files',
      { paths: ['b.txt', 'nothing', '.env', '../x', 'a.txt'], head: 1, line_numbers: true },
      {
        access: async (access) =>
          access.resource === '.env' ? { allowed: false, reason: 'no secrets' } : { allowed: true },
      },
    );
    assert.deepEqual(
      got['files'].map((file: Record<string, any>) => file['content'] ?? file['error'].code),
      ['    1\tb\n', 'not_found', 'denied_by_policy', 'path_outside', '    1\tline 1\n'],
    );
    assert.deepEqual([got['count'], got['failed']], [2, 3]);
    const shared = await ws.ok('read_files', { paths: ['a.txt', 'a.txt'], max_bytes: 1000 });
    for (const file of shared['files']) assert.ok(file['content'].length < 700 && file['truncated']);
    ws.dispose();
  });
});

describe('paths with several folders', () => {
  it('names both candidates of an ambiguous relative path, and takes the folder’s name or the one that exists', async () => {
    const ws = makeWorkspace({ folders: ['app', 'lib'] });
    const write = (folder: string, name: string): void => {
      mkdirSync(path.join(ws.base, folder), { recursive: true });
      writeFileSync(path.join(ws.base, folder, name), folder);
    };
    write('app', 'both.txt');
    write('lib', 'both.txt');
    write('lib', 'one.txt');
    const both = await ws.call('read_file', { path: 'both.txt' });
    assert.ok(!both.ok && both.error.code === 'path_ambiguous');
    assert.match(both.error.message, /`\/app\/both.txt` or `\/lib\/both.txt`/);
    assert.equal((await ws.ok('read_file', { path: '/lib/both.txt' }))['content'], 'lib');
    assert.equal((await ws.ok('read_file', { path: 'app/both.txt' }))['content'], 'app');
    const one = await ws.call('read_file', { path: 'one.txt' });
    assert.deepEqual(one.ok && [one.outcome.payload, one.accesses].length, 2);
    assert.deepEqual(one.ok && one.accesses, [{ effect: 'fs.read', resource: 'lib/one.txt' }]);
    assert.equal(await ws.code('write_file', { path: 'new.txt', content: '' }), 'path_ambiguous');
    assert.equal((await ws.ok('write_file', { path: 'app/new.txt', content: '' }))['path'], '/app/new.txt');
    assert.equal(await ws.code('write_file', { path: '/new.txt', content: '' }), 'path_invalid');
    assert.deepEqual(
      (await ws.ok('list_directory', {}))['entries'].map((entry: Record<string, unknown>) => entry['path']),
      ['/app', '/lib'],
    );
    assert.deepEqual((await ws.ok('find_files', { pattern: 'both.txt' }))['files'], ['/app/both.txt', '/lib/both.txt']);
    assert.equal((await ws.ok('grep_files', { pattern: 'lib' }))['match_count'], 2);
    ws.dispose();
  });
});
