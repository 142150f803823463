// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../../../support/cli';
import { served, until } from '../../../support/mcp/harness';

const writer = path.resolve('test/support/mcp/writer.mjs');

/** `serve` with a server that writes files, and the commands that see what it did. */
async function place(files: Readonly<Record<string, string>>, set: Readonly<Record<string, unknown>> = {}) {
  const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
  const s = await served({
    files,
    servers: { files: { command: process.execPath, args: [writer, '${workspaceFolder}'], protocol: '2025-11-25' } },
    set: { 'changes.checkpoints': true, ...set },
    args: ['--yes', '--state-dir', state],
  });
  const at = (name: string): string => path.join(s.folder, name);
  const own = ['--workspace', s.folder, '--state-dir', state];
  return {
    ...s,
    at,
    text: (name: string): string | undefined => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined),
    ok: async (tool: string, input: Record<string, unknown>): Promise<void> => {
      const result = await s.call(`files_${tool}`, input);
      assert.ok(result.isError !== true, JSON.stringify(result));
    },
    changes: (...words: string[]) => runCli(['changes', ...words, ...own]),
    rows: async (): Promise<any[]> =>
      (await runCli(['changes', 'list', '--json', ...own]))
        .json()
        .bursts.flatMap(({ files: rows }: any) => rows.map((one: any) => [one.path, one.action, one.state])),
    async close() {
      await s.close();
      rmSync(state, { recursive: true });
    },
  };
}

describe('what the process of an MCP server changes', () => {
  it('D.undo: is listed by another process, taken back with what a person changed since, and made again', async () => {
    const s = await place({ 'a.txt': 'one\ntwo\nthree\nfour\n', 'gone.txt': 'gone', 'moved.txt': 'moved' });
    await s.ok('put', { path: 'a.txt', text: 'ONE\ntwo\nthree\nfour\n' });
    await s.ok('put', { path: 'made/deep/b.txt', text: 'new' });
    await s.ok('move', { path: 'moved.txt', to: 'made/moved.txt' });
    await s.ok('drop', { path: 'gone.txt' });
    writeFileSync(s.at('a.txt'), 'ONE\ntwo\nthree\nfour by a person\n');
    assert.deepEqual(await s.rows(), [
      ['a.txt', 'write', 'changed_since'],
      ['made', 'make_folder', 'as_left'],
      ['made/deep', 'make_folder', 'as_left'],
      ['made/deep/b.txt', 'create', 'as_left'],
      ['made/moved.txt', 'move', 'as_left'],
      ['gone.txt', 'delete', 'as_left'],
    ]);
    assert.match((await s.changes('undo', '--all')).text, /^6 changes taken back/);
    assert.deepEqual(
      ['a.txt', 'gone.txt', 'moved.txt', 'made'].map((one) => (one === 'made' ? existsSync(s.at(one)) : s.text(one))),
      ['one\ntwo\nthree\nfour by a person\n', 'gone', 'moved', false],
    );
    assert.match((await s.changes('redo', '--all')).text, /^6 changes made again/);
    assert.deepEqual(['a.txt', 'gone.txt', 'made/moved.txt', 'made/deep/b.txt'].map(s.text), [
      'ONE\ntwo\nthree\nfour by a person\n',
      undefined,
      'moved',
      'new',
    ]);
    await s.close();
  });

  it('D.undo: by two calls at once is recorded once, and each change names the call that may as well have made it', async () => {
    const s = await place({ 'a.txt': 'a', 'b.txt': 'b' });
    const first = s.ok('slow', { path: 'a.txt', text: 'A', ms: 2500 });
    await until(() => s.text('begun.txt') !== undefined);
    await Promise.all([first, s.ok('slow', { path: 'b.txt', text: 'B', ms: 2500 })]);
    assert.equal(s.text('begun.txt'), 'A\nB\n');
    const listed = (await s.changes('list', '--json')).json().bursts.flatMap(({ files }: any) => files);
    const changes = listed.flatMap((row: any) => row.changes.map((one: any) => ({ path: row.path, ...one })));
    assert.deepEqual(new Set(listed.map(({ path: name }: any) => name)), new Set(['a.txt', 'b.txt', 'begun.txt']));
    const calls = new Set(changes.map(({ call }: any) => call));
    // What the first one did before the second began is its own.
    const alone = changes.filter((one: any) => one.or_by_calls === undefined);
    assert.deepEqual(
      alone.map((one: any) => one.path),
      ['begun.txt'],
    );
    for (const one of changes.filter((each: any) => each.or_by_calls !== undefined)) {
      assert.equal(one.or_by_calls.length, 1, JSON.stringify(one));
      assert.ok(!one.or_by_calls.includes(one.call));
    }
    assert.ok(calls.size <= 2);
    const told = await s.changes('undo', '--all');
    assert.match(told.text, /^4 changes taken back$/);
    assert.deepEqual(['a.txt', 'b.txt', 'begun.txt'].map(s.text), ['a', 'b', undefined]);
    await s.close();
  });

  it('D.undo: after it answered is nobody’s: it is not listed, is not the next call’s, and stays when the calls are taken back', async () => {
    const s = await place({ 'a.txt': 'first\n\n\n\n' });
    await s.ok('later', { path: 'a.txt', text: 'FIRST\n\n\n\n', to: 'go-on' });
    assert.deepEqual(await s.rows(), [['a.txt', 'write', 'as_left']]);
    writeFileSync(s.at('go-on'), '');
    await until(() => s.text('a.txt.late') === 'afterwards');
    await s.ok('put', { path: 'b.txt', text: 'next' });
    assert.deepEqual(await s.rows(), [
      ['a.txt', 'write', 'changed_since'],
      ['b.txt', 'create', 'as_left'],
    ]);
    await s.changes('undo', '--all');
    assert.deepEqual(['a.txt', 'a.txt.late', 'b.txt'].map(s.text), [
      'first\n\n\n\nafterwards\n',
      'afterwards',
      undefined,
    ]);
    await s.close();
  });
});
