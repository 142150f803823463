import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readSettingGlobs, type SettingGlob } from '../../../../src/core/files/globs';
import type { FileSystem } from '../../../../src/core/ports/files';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

let ws: TestWorkspace;
let excludes: readonly SettingGlob[] = [];
beforeEach(() => {
  excludes = [];
  ws = makeWorkspace({ excludes: () => excludes });
});
afterEach(() => ws.dispose());

const found = async (input: object): Promise<string[]> =>
  (await ws.ok('find_files', { pattern: '**', ...input }))['files'];
const tree = async (input: object): Promise<string> =>
  (await ws.ok('list_directory', { depth: 9, format: 'tree', ...input }))['tree'];

describe('exclude', () => {
  it('takes with a folder all that is in it, in listings, finds and searches alike', async () => {
    ws.put({ 'src/a.ts': 'x', 'src/test/b.ts': 'x', 'src/test/deep/c.ts': 'x', 'test/d.ts': 'x', 'x.test/e.ts': 'x' });
    const grepped = async (exclude: readonly string[]): Promise<string[]> =>
      (await ws.ok('grep_files', { pattern: 'x', exclude }))['matches'].map((match: { path: string }) => match.path);
    for (const [exclude, expected] of [
      [['test'], ['/src/a.ts', '/x.test/e.ts']],
      [['/test'], ['/src/a.ts', '/src/test/b.ts', '/src/test/deep/c.ts', '/x.test/e.ts']],
      [['src/test'], ['/src/a.ts', '/test/d.ts', '/x.test/e.ts']],
      [
        ['*.test', '**/deep'],
        ['/src/a.ts', '/src/test/b.ts', '/test/d.ts'],
      ],
      [['**/test/**'], ['/src/a.ts', '/x.test/e.ts']],
    ] as const) {
      assert.deepEqual([await found({ exclude }), await grepped(exclude)], [expected, expected], exclude.join());
    }
    assert.equal(await tree({ exclude: ['test'] }), 'src/\n  a.ts\nx.test/\n  e.ts');
  });
});

describe('what git ignores', () => {
  it('is left out as git does, by the repository’s own rules too, where the nearer rule wins', async () => {
    ws.put({
      '.git/info/exclude': '*.local\nmine/\n/top.txt\n',
      '.gitignore': '!kept.local\n*.log\n',
      'a.local': '',
      'kept.local': '',
      'mine/b.txt': '',
      'top.txt': '',
      'sub/top.txt': '',
      'sub/.gitignore': '!*.log\n',
      'sub/c.local': '',
      'sub/d.log': '',
    });
    const files = ['/.gitignore', '/kept.local', '/sub/.gitignore', '/sub/d.log', '/sub/top.txt'];
    assert.deepEqual(await found({}), files);
    assert.deepEqual(await found({ path: 'sub' }), files.slice(2));
    const listed = await ws.ok('list_directory', {});
    assert.deepEqual(
      listed['entries']
        .filter((entry: { ignored?: true }) => entry.ignored)
        .map((entry: { name: string }) => entry.name),
      ['.git', 'a.local', 'mine', 'top.txt'],
    );
  });

  it('is not learned from places that links lead to', async () => {
    ws.put({ 'a.txt': '' });
    mkdirSync(`${ws.outside}/info`);
    writeFileSync(`${ws.outside}/info/exclude`, 'a.txt\n');
    symlinkSync(ws.outside, ws.at('.git'));
    assert.deepEqual(await found({}), ['/a.txt']);
    rmSync(ws.at('.git'));
    mkdirSync(ws.at('.git'));
    symlinkSync(`${ws.outside}/info`, ws.at('.git/info'));
    assert.deepEqual(await found({}), ['/a.txt']);
  });
});

describe('a tree', () => {
  it('keeps every entry below its folder, in any order, and names the folders of the workspace', async () => {
    ws.put({ 'a/big.txt': 'x'.repeat(100), 'b/small.txt': 'x', 'c.txt': 'xx', 'a/sub/deep.txt': 'xxxxx' });
    assert.equal(
      await tree({ sort: 'size', with_sizes: true }),
      'c.txt  2\na/\n  big.txt  100\n  sub/\n    deep.txt  5\nb/\n  small.txt  1',
    );
    const several = makeWorkspace({ folders: ['one', 'two'] });
    writeFileSync(`${several.folder('one').path}/a.txt`, '');
    writeFileSync(`${several.folder('two').path}/a.txt`, '');
    const both = await several.ok('list_directory', { depth: 2, format: 'tree' });
    assert.equal(both['tree'], 'one/\n  a.txt\ntwo/\n  a.txt');
    const list = await several.ok('list_directory', { depth: 2 });
    assert.deepEqual(
      list['entries'].map((entry: { path: string }) => entry.path),
      ['/one', '/one/a.txt', '/two', '/two/a.txt'],
    );
    several.dispose();
  });

  it('shows what lacks its folder with its path from the nearest one, and a name with a line end on one line', async () => {
    ws.put({ 'open/closed/a.txt': '', 'open/b\nc.txt': '' });
    const access = async ({ resource }: { resource: string }) =>
      resource === 'open/closed' ? ({ allowed: false, reason: 'closed' } as const) : ({ allowed: true } as const);
    const drawn = await ws.ok('list_directory', { depth: 5, format: 'tree' }, { access });
    assert.equal(drawn['tree'], 'open/\n  b⟨U+000A⟩c.txt\n  closed/a.txt');
  });
});

describe('a folder with more entries than a listing looks at', () => {
  it('is said to be one, so that nobody takes the part for the whole', async () => {
    const list: FileSystem['list'] = async (_query, sink) => {
      for (let at = 0; ; at += 1000) {
        const batch = Array.from({ length: 1000 }, (_, index) => ({ path: `f${at + index}`, type: 'file' as const }));
        if (!(await sink(batch))) return;
      }
    };
    const files = new Proxy<FileSystem>(ws.files, {
      get: (target, key) => {
        if (key === 'list') return list;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const part = await ws.ok('list_directory', {}, { files });
    assert.deepEqual([part['total'], /list a smaller folder/.test(part['note'])], [200_000, true]);
    assert.equal((await ws.ok('list_directory', {}))['note'], undefined);
  });
});

describe('what finds nothing', () => {
  it('says how to go on: names with brackets, ignored places, and what cannot match', async () => {
    ws.put({ 'app/[id]/page.tsx': 'needle', 'node_modules/m/index.js': 'needle' });
    const { files, note } = await ws.ok('find_files', { pattern: 'app/[id]/*.tsx' });
    assert.deepEqual([files, /give (\S+)$/.exec(note)?.[1]], [[], 'app/\\[id\\]/*.tsx']);
    assert.deepEqual(await found({ pattern: 'app/\\[id\\]/*.tsx' }), ['/app/[id]/page.tsx']);
    const grep = await ws.ok('grep_files', { pattern: 'needle', path_pattern: 'app/[id]/*' });
    assert.match(grep['note'], /give app\/\\\[id\\\]\/\*$/);
    excludes = ['**/node_modules', 'node_modules/**'];
    assert.match((await ws.ok('find_files', { pattern: '*', path: 'node_modules/m' }))['note'], /include_ignored true/);
    assert.deepEqual(await found({ path: 'node_modules/m', include_ignored: true }), ['/node_modules/m/index.js']);
    for (const [tool, input, code] of [
      ['find_files', { pattern: '../*.ts' }, 'invalid_pattern'],
      ['find_files', { pattern: '*', path: 'app/[id]/page.tsx' }, 'not_a_directory'],
      ['find_files', { pattern: '*', path: 'nope' }, 'not_found'],
      ['grep_files', { pattern: 'a', path: 'nope' }, 'not_found'],
    ] as const) {
      assert.equal(await ws.code(tool, input), code, JSON.stringify(input));
    }
  });

  it('does so for no glob of the editor’s settings that cannot be used', async () => {
    ws.put({ 'a.txt': 'x', 'b/c.txt': 'x' });
    excludes = ['!**/a.txt', '../up', '{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}', '', '**/c.txt'];
    assert.deepEqual(await found({}), ['/a.txt']);
    assert.equal((await ws.ok('grep_files', { pattern: 'x' }))['match_count'], 1);
  });
});

describe('what the editor’s settings leave out', () => {
  it('is what their globs mean there: without a slash in the folder itself only, with `when` only beside another file', async () => {
    ws.put({
      'a.js': 'x',
      'a.ts': 'x',
      'b.js': 'x',
      'notes.txt': 'x',
      'sub/c.js': 'x',
      'sub/c.ts': 'x',
      'sub/notes.txt': 'x',
      'off/d.ts': 'x',
    });
    excludes = readSettingGlobs({
      '**/*.js': { when: '$(basename).ts' },
      'notes.txt': true,
      '**/off': false,
      '**/c.ts': 'yes',
    });
    const expected = ['/a.ts', '/b.js', '/off/d.ts', '/sub/c.ts', '/sub/notes.txt'];
    const grepped = (await ws.ok('grep_files', { pattern: 'x' }))['matches'].map(
      (match: { path: string }) => match.path,
    );
    assert.deepEqual([await found({}), grepped], [expected, expected]);
  });
});

describe('a glob that begins as paths do', () => {
  it('is meant from the folder that it names: of the machine, or of the workspace', async () => {
    ws.put({ 'src/a.ts': 'x', 'src/deep/b.ts': 'x', 'c.ts': 'x' });
    assert.deepEqual(await found({ pattern: `${ws.root}/src/*.ts` }), ['/src/a.ts']);
    assert.deepEqual(await found({ pattern: `${ws.root}/*.ts` }), ['/c.ts']);
    assert.deepEqual(await found({ pattern: `${ws.root}/src/deep/*`, path: 'src' }), ['/src/deep/b.ts']);
    assert.equal((await ws.ok('grep_files', { pattern: 'x', path_pattern: `${ws.root}/src/**` }))['match_count'], 2);
    const several = makeWorkspace({ folders: ['one', 'two'] });
    for (const folder of ['one', 'two']) writeFileSync(`${several.folder(folder).path}/a.ts`, 'x');
    for (const [pattern, expected] of [
      ['/one/*.ts', ['/one/a.ts']],
      ['/two/**', ['/two/a.ts']],
      ['*.ts', ['/one/a.ts', '/two/a.ts']],
      [`${several.folder('two').path}/*.ts`, ['/two/a.ts']],
    ] as const) {
      const find = await several.ok('find_files', { pattern });
      const grep = await several.ok('grep_files', { pattern: 'x', path_pattern: pattern });
      assert.deepEqual(
        [find['files'], grep['matches'].map((match: { path: string }) => match.path)],
        [expected, expected],
        pattern,
      );
    }
    several.dispose();
  });
});
