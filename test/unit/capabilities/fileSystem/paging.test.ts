import { strict as assert } from 'node:assert';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
  ws.put(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}.txt`, `hit ${index}\nhit again\n`])));
});
afterEach(() => ws.dispose());

type Page = Record<string, any>;

/** What a page shows, as short names. */
const shown = (page: Page): string[] =>
  (page['files'] ?? page['matches'] ?? page['entries']).map((one: any) => {
    const path: string = typeof one === 'string' ? one : one.path;
    return one.line === undefined ? path.slice(1) : `${path.slice(1)}:${one.line}`;
  });

describe('the next page', () => {
  for (const [tool, input, last] of [
    ['find_files', { pattern: '*.txt' }, 'f2.txt'],
    ['list_directory', {}, 'f2.txt'],
    ['list_directory', { format: 'tree' }, 'f2.txt'],
    ['grep_files', { pattern: 'hit' }, 'f1.txt:1'],
  ] as const) {
    const lines = (page: Page): string[] => (page['tree'] === undefined ? shown(page) : page['tree'].split('\n'));

    it(`of ${tool} ${JSON.stringify(input)} starts after the last entry, whatever came or went before it`, async () => {
      const first = await ws.ok(tool, { ...input, limit: 3 });
      assert.equal(lines(first).at(-1), last);
      const rest = lines(await ws.ok(tool, { ...input, cursor: first['next_cursor'] }));
      rmSync(ws.at('f0.txt'));
      assert.deepEqual(lines(await ws.ok(tool, { ...input, cursor: first['next_cursor'] })), rest);
      ws.put({ 'a1.txt': 'hit\n', 'a2.txt': 'hit\nhit\nhit\nhit\nhit\nhit\nhit\n' });
      assert.deepEqual(lines(await ws.ok(tool, { ...input, cursor: first['next_cursor'] })), rest);
      const third = await ws.ok(tool, { ...input, limit: 2, cursor: first['next_cursor'] });
      assert.deepEqual(lines(third), rest.slice(0, 2));
      assert.deepEqual(lines(await ws.ok(tool, { ...input, cursor: third['next_cursor'] })), rest.slice(2));
    });

    it(`of ${tool} ${JSON.stringify(input)} leaves nothing out where all that was shown has been deleted`, async () => {
      const first = await ws.ok(tool, { ...input, limit: 4 });
      const rest = lines(await ws.ok(tool, { ...input, cursor: first['next_cursor'] }));
      for (const one of lines(first)) rmSync(ws.at(one.replace(/:\d+$/, '')), { force: true });
      assert.deepEqual(lines(await ws.ok(tool, { ...input, cursor: first['next_cursor'] })), rest);
    });
  }

  it('of a listing by size or time starts after the last entry too', async () => {
    for (const [index, seconds] of [5, 1, 7, 3].entries()) {
      writeFileSync(ws.at(`f${index}.txt`), 'x'.repeat(100 - seconds));
      utimesSync(ws.at(`f${index}.txt`), 2_000_000_000 - seconds, 2_000_000_000 - seconds);
    }
    for (const sort of ['size', 'modified']) {
      const first = await ws.ok('list_directory', { sort, limit: 2 });
      assert.deepEqual(shown(first), ['f1.txt', 'f3.txt']);
      const rest = shown(await ws.ok('list_directory', { sort, cursor: first['next_cursor'] }));
      ws.put({ 'new.txt': 'y'.repeat(200) });
      utimesSync(ws.at('new.txt'), 2_100_000_000, 2_100_000_000);
      assert.deepEqual(shown(await ws.ok('list_directory', { sort, cursor: first['next_cursor'] })), rest);
      rmSync(ws.at('new.txt'));
    }
  });

  it('of several folders goes on in the folder where the page ended', async () => {
    const several = makeWorkspace({ folders: ['zeta', 'alpha'] });
    for (const folder of ['zeta', 'alpha'])
      for (const name of ['a', 'b']) writeFileSync(`${several.folder(folder).path}/${name}.txt`, 'hit\nhit\n');
    for (const tool of ['find_files', 'grep_files']) {
      const all = shown(await several.ok(tool, { pattern: tool === 'find_files' ? '*' : 'hit' }));
      const joined: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Page = await several.ok(tool, {
          pattern: tool === 'find_files' ? '*' : 'hit',
          limit: 1,
          ...(cursor ? { cursor } : {}),
        });
        joined.push(...shown(page));
        cursor = page['next_cursor'];
      } while (cursor);
      assert.deepEqual([joined, joined.length], [all, tool === 'find_files' ? 4 : 8]);
    }
    several.dispose();
  });

  it('is asked for by the same parameters in any order, with or without what is the default, and by no others', async () => {
    const { next_cursor: cursor } = await ws.ok('find_files', { pattern: '*.txt', path: '/', limit: 3 });
    for (const same of [
      { path: '/', pattern: '*.txt' },
      { pattern: '*.txt', type: 'file', include_ignored: false },
    ]) {
      assert.equal((await ws.ok('find_files', { cursor, ...same }))['count'], 6);
    }
    for (const other of [
      { pattern: '*.md' },
      { pattern: '*.txt', include_ignored: true },
      { pattern: '*.txt', cursor: 'abc' },
    ]) {
      const call = await ws.call('find_files', { cursor, ...other });
      assert.match(call.ok ? '' : call.error.message, /next_cursor of the same call.*leave it out to start again/);
    }
    assert.equal(await ws.code('list_directory', { cursor }), 'invalid_input');
  });
});
