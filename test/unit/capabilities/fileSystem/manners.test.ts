import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../../../src/node/system';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

/** Counts how often others had their turn while a call ran. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return turns;
}

describe('a long call', () => {
  it('lets others have their turn: many edits of a large file, and the sizes of many files', async () => {
    const text = Array.from({ length: 80_000 }, (_, index) => `line ${index} of a text\n`).join('');
    ws.put({
      'big.txt': text,
      ...Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`many/f${index}.txt`, 'x'])),
    });
    const edits = Array.from({ length: 200 }, (_, index) => ({
      old_text: `line ${index + 79_000} of`,
      new_text: 'changed in',
    }));
    assert.ok((await turnsDuring(() => ws.ok('edit_file', { path: 'big.txt', edits }, { clock: systemClock }))) > 3);
    assert.equal(readFileSync(ws.at('big.txt'), 'utf8').split('changed in').length, 201);
    const sizes = { path: 'many', depth: 2, sort: 'size' };
    assert.ok((await turnsDuring(() => ws.ok('list_directory', sizes, { clock: systemClock }))) > 1);
  });

  it('ends between two edits where it is cancelled, and changes nothing', async () => {
    const text = Array.from({ length: 80_000 }, (_, index) => `line ${index} of a text\n`).join('');
    ws.put({ 'big.txt': text });
    const edits = Array.from({ length: 200 }, (_, index) => ({
      old_text: `line ${index + 79_000} of`,
      new_text: 'changed in',
    }));
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 1);
    const code = await ws.code('edit_file', { path: 'big.txt', edits }, { clock: systemClock, signal: stop.signal });
    clearTimeout(timer);
    assert.deepEqual([code, readFileSync(ws.at('big.txt'), 'utf8') === text], ['cancelled', true]);
  });
});

describe('a call that goes through a large file', () => {
  it('says how far it is, lets others have their turn, and hashes a file of any size', async () => {
    const bytes = Buffer.alloc(40_000_000, 'some text of a line\n');
    ws.put({ 'big.txt': bytes });
    const said: string[] = [];
    const options = { clock: systemClock, report: ({ message }: { message: string }) => said.push(message) };
    const stat: Record<string, unknown>[] = [];
    const turns = await turnsDuring(async () =>
      stat.push(await ws.ok('stat_file', { path: 'big.txt', with_hash: true }, options)),
    );
    assert.equal(stat[0]?.['content_hash'], createHash('sha256').update(bytes).digest('hex'));
    assert.ok(turns > 0);
    assert.match(said.at(-1) ?? '', /^[\d,]+ of 40,000,000 bytes hashed$/);
    await ws.ok('read_file', { path: 'big.txt', start_line: 1_900_000 }, options);
    assert.match(said.at(-1) ?? '', /^[\d,]+ of 40,000,000 bytes passed over$/);
    const stop = new AbortController();
    const hashing = ws.code(
      'stat_file',
      { path: 'big.txt', with_hash: true },
      { clock: systemClock, signal: stop.signal },
    );
    setImmediate(() => stop.abort());
    assert.equal(await hashing, 'cancelled');
  });
});

describe('read_files', () => {
  it('keeps ten files under 8,000 bytes, and gives what small files do not need to large ones', async () => {
    const line = 'some "quoted" text\n';
    ws.put(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}.txt`, line.repeat(100)])));
    const paths = Array.from({ length: 10 }, (_, index) => `f${index}.txt`);
    const ten = await ws.ok('read_files', { paths });
    assert.ok(Buffer.byteLength(JSON.stringify(ten)) < 8000, String(JSON.stringify(ten).length));
    for (const file of ten['files'])
      assert.match(file.content, /\n\[cut: lines 1-\d+ of 100 shown; call again with start_line=\d+\]$/);
    ws.put({ 'small.txt': 'a\n', 'large.txt': line.repeat(250) });
    const mixed = await ws.ok('read_files', { paths: ['small.txt', 'large.txt', 'small.txt', 'nothing'] });
    assert.deepEqual(
      mixed['files'].map((file: { content?: string; truncated?: true }) => [file.content?.length, file.truncated]),
      [
        [2, undefined],
        [line.length * 250, undefined],
        [2, undefined],
        [undefined, undefined],
      ],
    );
  });
});
