import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

describe('what is no path here', () => {
  it('is refused by every tool with a path, and makes nothing in the workspace', async () => {
    ws.put({ 'a.txt': 'a' });
    const foreign = [
      `file://${ws.at('a.txt')}`,
      'FILE:///a.txt',
      'vscode-remote://ssh-remote+host/a.txt',
      'https://example.org/a.txt',
      ...(process.platform === 'win32'
        ? []
        : ['C:\\temp\\a.txt', 'c:/temp/a.txt', '\\\\server\\share\\a.txt', '\\\\?\\C:\\a.txt', '\\\\.\\NUL']),
    ];
    for (const one of foreign) {
      for (const [tool, input] of [
        ['read_file', { path: one }],
        ['write_file', { path: one, content: 'x' }],
        ['write_file', { path: `${one}/`, content: '' }],
        ['edit_file', { path: one, edits: [{ old_text: 'a', new_text: 'b' }] }],
        ['list_directory', { path: one }],
        ['find_files', { pattern: '*', path: one }],
        ['grep_files', { pattern: 'a', path: one }],
        ['stat_file', { path: one }],
        ['delete_file', { path: one }],
        ['move_file', { source: 'a.txt', destination: one }],
        ['move_file', { source: one, destination: 'b.txt' }],
      ] as const) {
        assert.equal(await ws.code(tool, input), 'path_invalid', `${tool} ${one}`);
      }
    }
    assert.deepEqual(readdirSync(ws.root), ['a.txt']);
    if (process.platform !== 'win32') {
      await ws.ok('write_file', { path: './c:/odd.txt', content: 'meant so' });
      assert.ok(existsSync(ws.at('c:/odd.txt')));
    }
  });
});

describe('a name that is as long as the file system allows', () => {
  it('goes to the trash like any other, and back to where it was by what the trash remembers', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'needs names that are any bytes');
    for (const name of ['n'.repeat(255), `${'ü'.repeat(127)}x`]) {
      for (let times = 0; times < 2; times++) {
        ws.put({ [name]: 'x' });
        await ws.ok('delete_file', { path: name });
      }
      assert.equal(existsSync(ws.at(name)), false);
    }
    const trash = path.join(ws.base, 'trash');
    const infos = readdirSync(path.join(trash, 'info')).sort();
    assert.deepEqual(
      readdirSync(path.join(trash, 'files')).sort(),
      infos.map((info) => info.replace(/\.trashinfo$/, '')),
    );
    assert.equal(infos.length, 4);
    for (const info of infos) {
      const [, remembered = ''] = /^Path=(.*)$/m.exec(readFileSync(path.join(trash, 'info', info), 'utf8')) ?? [];
      assert.equal(Buffer.byteLength(path.basename(decodeURIComponent(remembered))), 255);
    }
  });
});

describe('a name that is not UTF-8', () => {
  it('is named as what keeps a folder from being deleted for good, and the trash takes the folder whole', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'needs names that are any bytes');
    ws.put({ 'dir/sub/a.txt': 'a' });
    writeFileSync(Buffer.concat([Buffer.from(`${ws.at('dir/sub')}/caf`), Buffer.from([0xe9])]), 'x');
    const stat = await ws.call('read_file', { path: 'dir/sub/caf\ufffd' });
    assert.match(stat.ok ? '' : stat.error.message, /a name in it is not UTF-8; ask the user to rename it/);
    const call = await ws.call('delete_file', { path: 'dir', recursive: true, to_trash: false });
    assert.match(
      call.ok ? '' : `${call.error.code} ${call.error.message}`,
      /^unsupported .*`\/dir\/sub\/caf\ufffd` is not UTF-8.*to_trash true/,
    );
    await ws.ok('delete_file', { path: 'dir', recursive: true });
    assert.deepEqual(readdirSync(ws.root), []);
  });
});

describe('text that cannot be written as it is', () => {
  it('is refused: half of a surrogate pair in UTF-8, in new files, appended, and in edits', async () => {
    ws.put({ 'a.txt': 'one\n' });
    for (const [tool, input] of [
      ['write_file', { path: 'b.txt', content: 'a\n\ud83d!' }],
      ['write_file', { path: 'a.txt', content: 'a\n\ude00!', mode: 'append' }],
      ['edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: '\ud83d' }] }],
    ] as const) {
      const call = await ws.call(tool, input);
      assert.match(call.ok ? '' : call.error.message, /half of a surrogate pair \(`\\u(?:d83d|de00)`, line [12]\)/);
    }
    assert.deepEqual([readdirSync(ws.root), readFileSync(ws.at('a.txt'), 'utf8')], [['a.txt'], 'one\n']);
    await ws.ok('write_file', { path: 'w.txt', content: '\ud83d!', encoding: 'utf-16le' });
    assert.equal(readFileSync(ws.at('w.txt')).toString('utf16le'), '\ufeff\ud83d!');
  });

  it('puts no byte order mark into the middle of a file', async () => {
    ws.put({ 'a.txt': '\ufeffone\n', 'empty.txt': '' });
    await ws.ok('write_file', { path: 'a.txt', content: '\ufefftwo\n', mode: 'append' });
    await ws.ok('write_file', { path: 'empty.txt', content: '\ufefftwo\n', mode: 'append' });
    assert.deepEqual(
      [readFileSync(ws.at('a.txt'), 'utf8'), readFileSync(ws.at('empty.txt'), 'utf8')],
      ['\ufeffone\ntwo\n', '\ufefftwo\n'],
    );
  });
});
