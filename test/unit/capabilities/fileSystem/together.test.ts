import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { changesInPlace } from '../../../../src/node/files/changesInPlace';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const many = Array.from({ length: 20 }, (_, index) => index);

for (const [name, options] of [
  ['through the thread pool', {}],
  ['on one thread', { changes: changesInPlace }],
] as const) {
  describe(`calls at the same time, ${name}`, () => {
    let ws: TestWorkspace;
    beforeEach(() => {
      ws = makeWorkspace(options);
    });
    afterEach(() => ws.dispose());

    it('that change the same file all take effect, none undoes another', async () => {
      ws.put({ 'a.txt': many.map((index) => `line ${index} old\n`).join('') });
      const edits = many.map((index) =>
        ws.ok('edit_file', {
          path: 'a.txt',
          edits: [{ old_text: `line ${index} old`, new_text: `line ${index} new` }],
        }),
      );
      const appended = many.map((index) =>
        ws.ok('write_file', { path: '/a.txt', mode: 'append', content: `more ${index}\n` }),
      );
      await Promise.all([...edits, ...appended]);
      const lines = readFileSync(ws.at('a.txt'), 'utf8').split('\n');
      const expected = [...many.map((index) => `line ${index} new`), ...many.map((index) => `more ${index}`), ''];
      assert.deepEqual(lines.sort(), expected.sort());
      assert.deepEqual(readdirSync(ws.root), ['a.txt']);
    });

    it('that want the same state to start from: one gets it, the others are told that it has changed', async () => {
      ws.put({ 'a.txt': 'start\n' });
      const { content_hash } = await ws.ok('read_file', { path: 'a.txt' });
      const codes = await Promise.all(
        many.map((index) =>
          ws.code('write_file', { path: 'a.txt', content: `${index}\n`, expected_hash: content_hash }),
        ),
      );
      const done = codes.findIndex((code) => code !== 'conflict');
      assert.deepEqual(codes.filter((code) => code === 'conflict').length, many.length - 1);
      assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), `${done}\n`);
    });

    it('of which one is cancelled while it waits leave that one out', async () => {
      ws.put({ 'a.txt': 'start\n' });
      const stop = new AbortController();
      const first = ws.ok('write_file', { path: 'a.txt', mode: 'append', content: 'first\n' });
      const second = ws.code(
        'write_file',
        { path: 'a.txt', mode: 'append', content: 'second\n' },
        { signal: stop.signal },
      );
      stop.abort();
      await first;
      assert.equal(await second, 'cancelled');
      assert.equal(readFileSync(ws.at('a.txt'), 'utf8'), 'start\nfirst\n');
    });

    it('that change session files share their turns, though each call opens the session anew', async () => {
      const settings = { 'fileSystem.root': 'session' } as const;
      await Promise.all(
        many.map((index) =>
          ws.ok('write_file', { path: 's.txt', mode: 'append', content: `${index}\n` }, { settings }),
        ),
      );
      assert.equal((await ws.ok('read_file', { path: 's.txt' }, { settings }))['total_lines'], many.length);
    });
  });
}
