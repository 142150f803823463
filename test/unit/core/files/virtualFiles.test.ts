import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { DocumentAwareFiles } from '../../../../src/core/files/documentAware';
import { RoutedFiles } from '../../../../src/core/files/routedFiles';
import { VirtualFiles } from '../../../../src/core/files/virtualFiles';
import type { OpenDocuments } from '../../../../src/core/ports/openDocuments';
import { RipgrepSearch } from '../../../../src/node/files/search/ripgrep';
import { MemoryFiles } from '../../../support/memoryFiles';
import { installedRipgrep } from '../../../support/ripgrep';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

describe('files behind the editor', () => {
  let ws: TestWorkspace;
  let memory: MemoryFiles;
  let files: RoutedFiles;
  const remote = { name: 'remote', path: '/repo', scheme: 'vscode-vfs' };
  beforeEach(() => {
    ws = makeWorkspace();
    memory = new MemoryFiles();
    const folders = () => [ws.folder(), remote];
    files = new RoutedFiles(ws.files, new VirtualFiles({ raw: memory, folders, excludes: () => ['**/dist'] }), folders);
  });
  afterEach(() => ws.dispose());

  it('are reached by every tool, beside folders of the machine in the same workspace', async () => {
    ws.put({ 'local.txt': 'needle here' });
    memory.put({
      'src/a.ts': 'one\nneedle\n',
      '.gitignore': 'skip\n',
      'skip/b.ts': 'needle',
      'dist/c.ts': 'needle',
      'b.bin': 'needle\0',
    });
    const ok = (tool: string, input: object): Promise<Record<string, any>> => ws.ok(tool, input, { files });
    assert.equal((await ok('read_file', { path: '/remote/src/a.ts', start_line: 2 }))['content'], 'needle\n');
    const found = await ok('grep_files', { pattern: 'needle' });
    assert.deepEqual(found['matches'].map((match: any) => match.path).sort(), ['/remote/src/a.ts', '/root/local.txt']);
    assert.deepEqual(found['left_out'], [{ reason: 'binary', count: 1 }]);
    assert.deepEqual((await ok('find_files', { pattern: '*.ts' }))['files'], ['/remote/src/a.ts']);
    assert.equal((await ok('write_file', { path: '/remote/new/deep/x.txt', content: 'x' }))['created'], true);
    await ok('write_file', { path: '/remote/new/deep/x.txt', content: 'y', mode: 'append' });
    assert.equal(memory.text('new/deep/x.txt'), 'xy');
    await ok('edit_file', { path: '/remote/src/a.ts', edits: [{ old_text: 'one', new_text: 'two' }] });
    assert.equal(memory.text('src/a.ts'), 'two\nneedle\n');
    await ok('move_file', { source: '/remote/src/a.ts', destination: '/remote/src/b.ts' });
    assert.deepEqual([memory.text('src/a.ts'), memory.text('src/b.ts')], [undefined, 'two\nneedle\n']);
    await ok('delete_file', { path: '/remote/src', recursive: true });
    assert.deepEqual(memory.trashed, ['src']);
    assert.equal((await ok('stat_file', { path: '/remote/new' }))['is_directory'], true);
    assert.equal(
      await ws.code('move_file', { source: '/root/local.txt', destination: '/remote/x.txt' }, { files }),
      'unsupported',
    );
    assert.equal(await ws.code('read_file', { path: '/remote/none' }, { files }), 'not_found');
    assert.equal(await ws.code('delete_file', { path: '/remote/new' }, { files }), 'not_empty');
  });

  it('leave out what is excluded with all that is in it, and keep every one of several changes at the same time', async () => {
    memory.put({ 'src/a.ts': 'needle', 'src/test/b.ts': 'needle', 'test/deep/c.ts': 'needle', 'log.txt': '' });
    const ok = (tool: string, input: object): Promise<Record<string, any>> => ws.ok(tool, input, { files });
    const exclude = ['test'];
    assert.deepEqual((await ok('find_files', { pattern: '*.ts', path: '/remote', exclude }))['files'], [
      '/remote/src/a.ts',
    ]);
    assert.equal((await ok('grep_files', { pattern: 'needle', path: '/remote', exclude }))['match_count'], 1);
    const drawn = await ok('list_directory', { path: '/remote', depth: 9, format: 'tree', exclude });
    assert.equal(drawn['tree'], 'log.txt\nsrc/\n  a.ts');
    const many = Array.from({ length: 10 }, (_, index) => `${index}\n`);
    await Promise.all(many.map((content) => ok('write_file', { path: '/remote/log.txt', mode: 'append', content })));
    assert.deepEqual(memory.text('log.txt')?.split('\n').filter(Boolean).length, 10);
  });

  it('D.undo: keep a file that is not what whoever deletes it takes it for', async () => {
    memory.put({ 'a.txt': 'person' });
    const held: string[] = [];
    const check = (current: Uint8Array | undefined): void => {
      held.push(Buffer.from(current ?? []).toString());
      if (held.length === 1) throw new Error('changed meanwhile');
    };
    const remove = (): Promise<void> =>
      files.delete({ folder: remote, path: 'a.txt' }, { recursive: false, toTrash: false, check });
    await assert.rejects(remove, { message: 'changed meanwhile' });
    assert.equal(memory.text('a.txt'), 'person');
    await remove();
    assert.deepEqual([memory.text('a.txt'), held], [undefined, ['person', 'person']]);
  });

  it('refuse links, read-only files and climbing', async () => {
    memory.put({ link: '->elsewhere', 'dir/x': '', 'fixed.ro': 'x' });
    for (const tool of ['read_file', 'list_directory', 'grep_files'])
      assert.equal(
        await ws.code(tool, { path: '/remote/link', ...(tool === 'grep_files' ? { pattern: 'x' } : {}) }, { files }),
        'path_outside',
      );
    assert.equal(await ws.code('write_file', { path: '/remote/link/x', content: '' }, { files }), 'path_outside');
    assert.equal(
      await ws.code('write_file', { path: '/remote/fixed.ro', content: '' }, { files }),
      'permission_denied',
    );
    assert.equal(await ws.code('read_file', { path: '/remote/../../x' }, { files }), 'path_outside');
  });
});

describe('a file that is open with unsaved changes', () => {
  it('is read and changed in its editor, never written under it, and not moved or deleted', async () => {
    const ws = makeWorkspace();
    ws.put({ 'a.txt': 'disk\n', 'dir/b.txt': 'b', 'c.txt': 'c' });
    const buffers = new Map([
      [ws.at('a.txt'), 'buffer\n'],
      [ws.at('dir/b.txt'), 'b2'],
    ]);
    const documents: OpenDocuments = {
      unsaved: ({ path }) => buffers.get(path),
      unsavedPaths: () => [...buffers.keys()],
      replace: async ({ path }, text) => (path === ws.at('dir/b.txt') ? false : (buffers.set(path, text), true)),
    };
    const files = new DocumentAwareFiles(ws.files, documents);
    const read = await ws.ok('read_file', { path: 'a.txt' }, { files });
    assert.deepEqual([read['content'], read['size_bytes']], ['buffer\n', 7]);
    const edited = await ws.ok(
      'edit_file',
      { path: 'a.txt', edits: [{ old_text: 'buffer', new_text: 'edited' }], expected_hash: read['content_hash'] },
      { files },
    );
    assert.match(edited['diff'], /-buffer\n\+edited/);
    await ws.ok('write_file', { path: 'a.txt', content: 'more\n', mode: 'append' }, { files });
    assert.deepEqual([buffers.get(ws.at('a.txt')), readFileSync(ws.at('a.txt'), 'utf8')], ['edited\nmore\n', 'disk\n']);
    assert.equal(
      await ws.code('write_file', { path: 'a.txt', content: '//8=', encoding: 'base64' }, { files }),
      'conflict',
    );
    assert.equal(await ws.code('write_file', { path: 'dir/b.txt', content: 'x' }, { files }), 'conflict');
    assert.equal(
      await ws.code('write_file', { path: 'a.txt', content: 'x', mode: 'create' }, { files }),
      'already_exists',
    );
    assert.equal(await ws.code('delete_file', { path: 'a.txt' }, { files }), 'conflict');
    assert.equal(await ws.code('delete_file', { path: 'dir', recursive: true }, { files }), 'conflict');
    assert.equal(await ws.code('move_file', { source: 'dir', destination: 'd2' }, { files }), 'conflict');
    assert.equal(
      await ws.code('move_file', { source: 'c.txt', destination: 'a.txt', overwrite: true }, { files }),
      'conflict',
    );
    await ws.ok('write_file', { path: 'c.txt', content: 'saved file' }, { files });
    assert.equal(readFileSync(ws.at('c.txt'), 'utf8'), 'saved file');
    ws.dispose();
  });

  it('is not deleted or moved under another spelling either, where names that differ in case are one', async () => {
    const ws = makeWorkspace();
    ws.put({ 'a.txt': 'disk\n', 'A.TXT': 'disk\n', 'Dir/b.txt': 'disk\n' });
    const unsaved = [ws.at('a.txt'), ws.at('dir/b.txt')];
    const documents: OpenDocuments = {
      unsaved: () => undefined,
      unsavedPaths: () => unsaved,
      replace: async () => false,
    };
    const below = new Proxy(ws.files, {
      get: (target, key) => {
        const value: unknown = key === 'caseInsensitive' || Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const files = new DocumentAwareFiles(below, documents);
    assert.equal(await ws.code('delete_file', { path: 'A.TXT' }, { files }), 'conflict');
    assert.equal(await ws.code('delete_file', { path: 'Dir', recursive: true }, { files }), 'conflict');
    assert.equal(await ws.code('move_file', { source: 'A.TXT', destination: 'c.txt' }, { files }), 'conflict');
    ws.dispose();
  });

  it('is text that has no encoding of its own, whatever encoding of the file on the disk a call names', async () => {
    const ws = makeWorkspace();
    ws.put({ 'a.txt': Buffer.from('caf\xe9\n', 'latin1') });
    const buffers = new Map([[ws.at('a.txt'), 'caf\xe9 \u2014 tea\nline\n']]);
    const documents: OpenDocuments = {
      unsaved: ({ path }) => buffers.get(path),
      unsavedPaths: () => [...buffers.keys()],
      replace: async ({ path }, text) => (buffers.set(path, text), true),
    };
    const files = new DocumentAwareFiles(ws.files, documents);
    for (const encoding of ['windows-1252', 'utf-16le', 'utf-16be', 'utf-8', undefined]) {
      const named = encoding === undefined ? {} : { encoding };
      const whole = await ws.ok('read_file', { path: 'a.txt', ...named }, { files });
      const range = await ws.ok('read_file', { path: 'a.txt', offset: 0, length: 5, ...named }, { files });
      assert.deepEqual(
        [whole['content'], whole['encoding'], range['content']],
        ['caf\xe9 \u2014 tea\nline\n', 'utf-8', 'caf\xe9'],
      );
      const edits = [{ old_text: '\xe9 \u2014', new_text: '\xe9 \u2014 black' }];
      const edited = await ws.ok('edit_file', { path: 'a.txt', edits, ...named }, { files });
      assert.match(edited['diff'], /\+caf\xe9 \u2014 black tea/);
      await ws.ok('write_file', { path: 'a.txt', content: '\u20ac\n', mode: 'append', ...named }, { files });
      assert.equal(buffers.get(ws.at('a.txt')), 'caf\xe9 \u2014 black tea\nline\n\u20ac\n');
      const text = 'caf\xe9 \u2014 tea\nline\n';
      await ws.ok('write_file', { path: 'a.txt', content: text, ...named }, { files });
      assert.equal(buffers.get(ws.at('a.txt')), text);
    }
    assert.equal(await ws.code('read_file', { path: 'a.txt', encoding: 'no-such' }, { files }), 'unsupported');
    assert.deepEqual(readFileSync(ws.at('a.txt')), Buffer.from('caf\xe9\n', 'latin1'));
    ws.dispose();
  });

  for (const engine of ['own engine', 'ripgrep'] as const) {
    const binary = installedRipgrep();
    const title = `is searched as its editor holds it, in its place in the order, by the rules for all files (${engine})`;
    if (engine === 'ripgrep' && binary === undefined) {
      it.skip(`${title} (skipped: no ripgrep 14 or newer)`);
      continue;
    }
    it(title, async () => {
      const ws = makeWorkspace(
        engine === 'ripgrep' ? { search: async () => new RipgrepSearch({ binary: binary ?? '', smallFolder: 0 }) } : {},
      );
      const disk = {
        'a.txt': 'needle\n',
        'b.txt': 'needle on disk\n',
        'c/d.txt': 'hay\n',
        'e.txt': 'needle\n',
        'f.txt': 'needle\n',
      };
      ws.put({ ...disk, '.env': 'x', 'out.log': 'x', '.gitignore': '*.log\n', 'g.bin': 'x' });
      const held: Record<string, string> = {
        'b.txt': 'first\nneedle in the editor\n',
        'c/d.txt': 'needle é\r\nneedle\r\n',
        'f.txt': 'gone\n',
        '.env': 'needle',
        'out.log': 'needle',
        'g.bin': 'needle\0',
      };
      const buffers = new Map(Object.entries(held).map(([name, text]) => [ws.at(name), text]));
      const documents: OpenDocuments = {
        unsaved: ({ path }) => buffers.get(path),
        unsavedPaths: () => [...buffers.keys(), '/elsewhere/x.txt'],
        replace: async () => false,
      };
      const files = new DocumentAwareFiles(ws.files, documents);
      const access = async ({ resource }: { resource: string }) =>
        resource === '.env' ? ({ allowed: false, reason: 'no secrets' } as const) : ({ allowed: true } as const);
      const grep = async (input: object): Promise<Record<string, any>> =>
        ws.ok('grep_files', { pattern: 'needle', ...input }, { files, access });
      const all = await grep({});
      assert.deepEqual(
        all['matches'].map((one: any) => `${one.path}:${one.line} ${one.text}`),
        [
          '/a.txt:1 needle',
          '/b.txt:2 needle in the editor',
          '/c/d.txt:1 needle é',
          '/c/d.txt:2 needle',
          '/e.txt:1 needle',
        ],
      );
      assert.deepEqual(
        all['left_out'].toSorted((x: any, y: any) => (x.reason < y.reason ? -1 : 1)),
        [
          { reason: 'binary', count: 1 },
          { reason: 'no secrets', count: 1 },
        ],
      );
      // Page by page the same, and one file by itself.
      const pages: string[] = [];
      for (let cursor: string | undefined, page = 0; page < 9; page++) {
        const one = await grep({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        pages.push(...one['matches'].map((match: any) => `${match.path}:${match.line}`));
        cursor = one['next_cursor'];
        if (cursor === undefined) break;
      }
      assert.deepEqual(pages, ['/a.txt:1', '/b.txt:2', '/c/d.txt:1', '/c/d.txt:2', '/e.txt:1']);
      assert.deepEqual((await grep({ path: 'c' }))['match_count'], 2);
      assert.deepEqual((await grep({ path: 'b.txt' }))['matches'][0].text, 'needle in the editor');
      assert.deepEqual((await grep({ path: 'f.txt' }))['match_count'], 0);
      assert.deepEqual((await grep({ path_pattern: '*.md' }))['match_count'], 0);
      ws.dispose();
    });
  }

  it('is not written when it becomes unsaved at the last moment', async () => {
    let typed: string | undefined;
    const ws = makeWorkspace({
      hooks: {
        at: (boundary) => {
          if (boundary === 'written') typed = 'typed';
        },
      },
    });
    ws.put({ 'a.txt': 'disk' });
    const files = new DocumentAwareFiles(ws.files, {
      unsaved: () => typed,
      unsavedPaths: () => [],
      replace: async () => true,
    });
    const code = await ws.code('write_file', { path: 'a.txt', content: 'x' }, { files });
    assert.deepEqual([code, readFileSync(ws.at('a.txt'), 'utf8')], ['conflict', 'disk']);
    ws.dispose();
  });
});
