import { strict as assert } from 'node:assert';
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileSystem } from '../../../../src/capabilities/fileSystem/fileSystem';
import { fakePorts } from '../../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { say } from '../../../../src/core/base/sentence';
import type { CallPreview } from '../../../../src/core/capability/tool';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const text = (name: string): string => readFileSync(ws.at(name), 'utf8');

/** What a person is shown before the call. */
async function previewOf(name: string, input: object): Promise<CallPreview | undefined> {
  const tool = fileSystem.tools.find((one) => one.definition.name === name);
  const handler = await tool?.load();
  const context = {
    ports: fakePorts({ files: ws.files }),
    config: {},
    actor: { type: 'agent' as const, id: 't' },
    profileId: 'default',
    signal: new AbortController().signal,
  };
  return handler?.preview?.(input, context);
}

describe('write_file', () => {
  it('refuses an existing file in mode create, adds in mode append, and keeps the file’s permissions', async () => {
    ws.put({ 'run.sh': 'one\n' });
    chmodSync(ws.at('run.sh'), 0o755);
    assert.equal(await ws.code('write_file', { path: 'run.sh', content: 'x', mode: 'create' }), 'already_exists');
    const added = await ws.ok('write_file', { path: 'run.sh', content: 'two\n', mode: 'append' });
    assert.deepEqual(
      [text('run.sh'), added['size_bytes'], added['lines_added'], added['lines_removed']],
      ['one\ntwo\n', 8, 1, 0],
    );
    await ws.ok('write_file', { path: 'run.sh', content: 'new\n', mode: 'overwrite' });
    assert.equal(statSync(ws.at('run.sh')).mode & 0o777, 0o755);
    await ws.ok('write_file', { path: 'new/log.txt', content: 'first\n', mode: 'append' });
    assert.equal(text('new/log.txt'), 'first\n');
    assert.deepEqual(readdirSync(ws.root).sort(), ['new', 'run.sh']);
  });

  it('compares expected_hash, and refuses where the file has changed since', async () => {
    ws.put({ 'a.txt': 'one\n' });
    const { content_hash } = await ws.ok('read_file', { path: 'a.txt' });
    const written = await ws.ok('write_file', { path: 'a.txt', content: 'two\n', expected_hash: content_hash });
    assert.equal(await ws.code('write_file', { path: 'a.txt', content: 'x', expected_hash: content_hash }), 'conflict');
    assert.equal(await ws.code('write_file', { path: 'b.txt', content: 'x', expected_hash: content_hash }), 'conflict');
    assert.equal(text('a.txt'), 'two\n');
    await ws.ok('write_file', { path: 'a.txt', content: 'three\n', expected_hash: written['content_hash'] });
  });

  it('does not lose what somebody else wrote between the reading and the writing', async () => {
    const meanwhile = makeWorkspace({
      hooks: {
        at: (boundary, file) => {
          if (boundary === 'written')
            require('node:fs').writeFileSync(path.join(path.dirname(file), 'a.txt'), 'theirs');
        },
      },
    });
    meanwhile.put({ 'a.txt': 'before' });
    assert.equal(await meanwhile.code('write_file', { path: 'a.txt', content: 'ours' }), 'conflict');
    assert.equal(readFileSync(meanwhile.at('a.txt'), 'utf8'), 'theirs');
    assert.deepEqual(readdirSync(meanwhile.root), ['a.txt']);
    meanwhile.dispose();
  });

  it('does not replace what somebody else put in the file’s place, or where nothing was', async () => {
    for (const before of ['before', undefined]) {
      for (const boundary of before === undefined ? ['written', 'checked'] : ['written']) {
        const meanwhile = makeWorkspace({
          hooks: {
            at: (reached, file) => {
              if (reached !== boundary) return;
              writeFileSync(`${path.dirname(file)}/theirs`, 'theirs');
              renameSync(`${path.dirname(file)}/theirs`, `${path.dirname(file)}/a.txt`);
            },
          },
        });
        if (before !== undefined) meanwhile.put({ 'a.txt': before });
        const code = await meanwhile.code('write_file', { path: 'a.txt', content: 'ours' });
        assert.ok(['conflict', 'already_exists'].includes(code), `${boundary}: ${code}`);
        assert.deepEqual(
          [readFileSync(meanwhile.at('a.txt'), 'utf8'), readdirSync(meanwhile.root)],
          ['theirs', ['a.txt']],
        );
        meanwhile.dispose();
      }
    }
  });

  it('keeps line ends and byte order mark of the file unless end_of_line says otherwise', async () => {
    ws.put({
      'crlf.txt': '\ufeffa\r\nb\r\n',
      'le.txt': Buffer.from('\ufeffa\r\n', 'utf16le'),
      'lf.txt': 'a\nb\n',
      'mixed.txt': 'a\r\nb\n',
    });
    await ws.ok('write_file', { path: 'crlf.txt', content: 'x\ny\n' });
    assert.equal(text('crlf.txt'), '\ufeffx\r\ny\r\n');
    await ws.ok('write_file', { path: 'crlf.txt', content: 'z\n', mode: 'append' });
    assert.equal(text('crlf.txt'), '\ufeffx\r\ny\r\nz\r\n');
    await ws.ok('write_file', { path: 'crlf.txt', content: 'x\ny\n', end_of_line: 'lf' });
    assert.equal(text('crlf.txt'), '\ufeffx\ny\n');
    await ws.ok('write_file', { path: 'crlf.txt', content: 'x\n', end_of_line: 'as_given' });
    assert.equal(text('crlf.txt'), 'x\n');
    await ws.ok('write_file', { path: 'le.txt', content: 'ä\n' });
    assert.equal(readFileSync(ws.at('le.txt')).toString('utf16le'), '\ufeffä\r\n');
    await ws.ok('write_file', { path: 'lf.txt', content: 'a\r\n', end_of_line: 'keep' });
    assert.equal(text('lf.txt'), 'a\r\n');
    await ws.ok('write_file', { path: 'mixed.txt', content: 'q\nr\n' });
    assert.equal(text('mixed.txt'), 'q\nr\n');
    await ws.ok('write_file', { path: 'win.txt', content: 'a\nb', end_of_line: 'crlf' });
    assert.equal(text('win.txt'), 'a\r\nb');
  });

  it('shows the change as a unified diff before the person who is asked, and in the result only counts its lines', async () => {
    ws.put({ 'a.ts': 'one\nconst port = 80\nthree\n' });
    const input = { path: 'a.ts', content: 'one\nconst port = 8080\nthree\n' };
    const preview = await previewOf('write_file', input);
    const diff = '--- /a.ts\n+++ /a.ts\n@@ -1,3 +1,3 @@\n one\n-const port = 80\n+const port = 8080\n three';
    assert.equal(preview?.diff, `${diff}\n`);
    assert.equal(text('a.ts'), 'one\nconst port = 80\nthree\n');
    const { lines_added, lines_removed, ...rest } = await ws.ok('write_file', input);
    assert.deepEqual([lines_added, lines_removed, 'diff' in rest], [1, 1, false]);
  });

  it('D.modal: the person who is asked gets the whole change, however long; the model the number of lines', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const content = `${lines.join('\n')}\n${'x'.repeat(20_000)}steal();  \n`;
    ws.put({ 'long.txt': '' });
    const preview = await previewOf('write_file', { path: 'long.txt', content });
    assert.deepEqual(
      preview?.diff?.split('\n').slice(3, -1),
      [...lines, `${'x'.repeat(20_000)}steal();  `].map((line) => `+${line}`),
    );
    assert.equal(preview?.isPartial, undefined);
    assert.equal((await ws.ok('write_file', { path: 'long.txt', content }))['lines_added'], 5001);
    ws.put({ 'bytes.bin': '\u0000\u0001' });
    const bytes = await previewOf('write_file', { path: 'bytes.bin', content: 'text' });
    assert.deepEqual([bytes?.diff, bytes?.isPartial], ['[not text]', true]);
  });

  it('D.modal: says how a delete can be undone: from the trash, or never', async () => {
    ws.put({ 'old.txt': 'x', 'folder/a': 'x' });
    assert.deepEqual(
      [
        await previewOf('delete_file', { path: 'old.txt' }),
        await previewOf('delete_file', { path: 'old.txt', to_trash: false }),
        await previewOf('delete_file', { path: 'folder', recursive: true }),
      ],
      [
        { lines: [say('preview_to_trash')], undo: 'from-trash' },
        { lines: [say('preview_not_to_trash')], undo: 'never' },
        { lines: [say('preview_folder_one', 'a'), say('preview_to_trash')], undo: 'from-trash' },
      ],
    );
  });

  it('refuses what is no file: a folder, a read-only file, a path through a file', async () => {
    ws.put({ 'dir/': '', 'ro.txt': 'x' });
    chmodSync(ws.at('ro.txt'), 0o444);
    assert.equal(await ws.code('write_file', { path: 'dir', content: '' }), 'is_a_directory');
    assert.equal(await ws.code('write_file', { path: '/', content: '' }), 'is_a_directory');
    assert.equal(await ws.code('write_file', { path: 'ro.txt', content: '' }), 'permission_denied');
    assert.equal(await ws.code('write_file', { path: 'ro.txt/x', content: '' }), 'not_a_directory');
    assert.equal(await ws.code('write_file', { path: 'x'.repeat(300), content: '' }), 'path_invalid');
    assert.equal(await ws.code('write_file', { path: 'folder/', content: 'x' }), 'path_invalid');
    assert.equal(await ws.code('write_file', { path: 'a\0b', content: '' }), 'path_invalid');
    assert.equal(await ws.code('write_file', { path: 'a\ud800', content: '' }), 'path_invalid');
  });
});

describe('edit_file', () => {
  it('makes several replacements or none, each exactly as often as expected', async () => {
    ws.put({ 'a.txt': 'one two one\nthree\n' });
    const edit = (edits: object[], more: object = {}): Promise<string> =>
      ws.code('edit_file', { path: 'a.txt', edits, ...more });
    assert.equal(
      await edit([
        { old_text: 'three', new_text: '3' },
        { old_text: 'one', new_text: '1' },
      ]),
      'no_match',
    );
    assert.equal(await edit([{ old_text: 'one', new_text: '1', expected_count: 3 }]), 'no_match');
    assert.equal(await edit([{ old_text: 'one', new_text: '1', replace_all: true, expected_count: 1 }]), 'no_match');
    assert.equal(text('a.txt'), 'one two one\nthree\n');
    const got = await ws.ok('edit_file', {
      path: 'a.txt',
      edits: [
        { old_text: 'one', new_text: '$1', replace_all: true },
        { old_text: '$1 two $1', new_text: 'done' },
      ],
    });
    assert.deepEqual([got['replacements'], text('a.txt')], [3, 'done\nthree\n']);
    assert.equal(
      (await ws.ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'e', new_text: 'E', expected_count: 3 }] }))[
        'replacements'
      ],
      3,
    );
  });

  it('shows the diff without writing where dry_run is set, and judges that as reading', async () => {
    ws.put({ 'a.txt': 'a\nb\n' });
    const call = await ws.call('edit_file', {
      path: 'a.txt',
      edits: [{ old_text: 'b', new_text: 'c' }],
      dry_run: true,
    });
    assert.ok(call.ok);
    assert.deepEqual(call.accesses, [{ effect: 'fs.read', resource: 'a.txt' }]);
    assert.match(String((call.outcome.payload as any).diff), /\n-b\n\+c$/);
    assert.equal(text('a.txt'), 'a\nb\n');
  });

  it('keeps CRLF and byte order mark, whichever line ends the texts have', async () => {
    ws.put({ 'a.txt': '\ufeffone\r\ntwo\r\nthree\r\n' });
    await ws.ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'one\ntwo', new_text: 'ONE\nTWO' }] });
    await ws.ok('edit_file', { path: 'a.txt', edits: [{ old_text: 'TWO\r\nthree', new_text: 'x\r\ny' }] });
    assert.equal(text('a.txt'), '\ufeffONE\r\nx\r\ny\r\n');
  });

  it('names the nearest place with the characters that differ, or that the edit seems done', async () => {
    ws.put({ 'a.ts': 'function add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n' });
    const miss = await ws.call('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'function sub(a, c) {\n  return a - c;\n}', new_text: 'x' }],
    });
    assert.ok(!miss.ok);
    assert.match(miss.error.message, /nearest place is line 5.*\n.*function sub\(a, \[-c-\]\{\+b\+\}\)/);
    const done = await ws.call('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'function plus', new_text: 'function add(a, b)' }],
    });
    assert.match(done.ok ? '' : done.error.message, /new_text is there already/);
    const ofCase = await ws.call('edit_file', {
      path: 'a.ts',
      edits: [{ old_text: 'Function Sub(a,  b) {', new_text: 'x' }],
    });
    assert.match(ofCase.ok ? '' : ofCase.error.message, /nearest place is line 5/);
    ws.put({ 'long.ts': `first\n${'const x = 1; '.repeat(20)}call(alpha, beta); ${'const y = 2; '.repeat(10)}\n` });
    const piece = await ws.call('edit_file', {
      path: 'long.ts',
      edits: [{ old_text: 'call(alpha, beto);', new_text: 'x' }],
    });
    assert.match(
      piece.ok ? '' : piece.error.message,
      /line 2, which differs so .*:\ncall\(alpha, bet\[-o-\]\{\+a\+\}\);$/,
    );
    const none = await ws.call('edit_file', { path: 'a.ts', edits: [{ old_text: '@@@@ 1234 @@@@', new_text: 'y' }] });
    assert.match(none.ok ? '' : none.error.message, /nothing like it/);
  });

  it('compares expected_hash and refuses what is not text', async () => {
    ws.put({ 'a.txt': 'a', 'b.bin': Buffer.from([0, 1, 2]), 'l.txt': Buffer.from([0x61, 0xe9]) });
    const edits = [{ old_text: 'a', new_text: 'b' }];
    assert.equal(await ws.code('edit_file', { path: 'a.txt', edits, expected_hash: '000000000000' }), 'conflict');
    assert.equal(await ws.code('edit_file', { path: 'b.bin', edits }), 'not_text');
    assert.equal(await ws.code('edit_file', { path: 'l.txt', edits }), 'not_text');
    assert.equal(await ws.code('edit_file', { path: 'c.txt', edits }), 'not_found');
  });
});
