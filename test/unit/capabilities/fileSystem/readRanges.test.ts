import { strict as assert } from 'node:assert';
import { truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { runs } from '../../../support/counts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import { skipBecause } from '../../../support/skip';
import { anyCharacter } from '../../../support/anyCharacter';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const big = 17_000_000;

/** Reads a file from a place in it to its end, page by page, as the answers say. */
async function pages(path: string, input: object = {}): Promise<string> {
  let joined = '';
  let next: object | undefined = input;
  for (let page = 0; next !== undefined && page < 1000; page++) {
    const got: Record<string, any> = await ws.ok('read_file', { path, max_bytes: 100, ...next });
    joined += got['truncated'] ? got['content'].replace(/\n\[cut:[^\]]*\]$/, '') : got['content'];
    next = got['next_offset'] === undefined ? undefined : { ...input, offset: got['next_offset'] };
  }
  return joined;
}

describe('a range of bytes', () => {
  it('is text in the encoding that the start of the file tells, wherever it lies', async () => {
    const text = 'häß €uro 😀 line\nanother ｌｉｎｅ\n';
    for (const [name, encoding, bytes] of [
      ['le.txt', 'utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['be.txt', 'utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
      ['u8.txt', 'utf-8', Buffer.from(`\ufeff${text}`)],
    ] as const) {
      ws.put({ [name]: bytes });
      for (let offset = 0; offset < bytes.length - 2; offset++) {
        const got = await ws.ok('read_file', { path: name, offset, length: 12 });
        assert.equal(got['encoding'], encoding);
        assert.ok(text.includes(got['content']), `${name} at ${offset}: ${JSON.stringify(got['content'])}`);
      }
      assert.equal(await pages(name, { offset: 0 }), text);
    }
  });

  it('begins and ends with whole characters in every encoding, so that the pieces join to the whole', async () => {
    const shiftJis = Buffer.from('8365835883672083658358836741428365', 'hex');
    ws.put({
      's.txt': Buffer.concat(Array.from({ length: 30 }, () => shiftJis)),
      'w.txt': Buffer.from('café'.repeat(60), 'latin1'),
    });
    assert.equal(await pages('s.txt', { offset: 0, encoding: 'shift_jis' }), 'テスト テストABテ'.repeat(30));
    assert.equal(await pages('w.txt', { offset: 0, encoding: 'windows-1252' }), 'café'.repeat(60));
    assert.equal(
      (await ws.ok('read_file', { path: 'w.txt', offset: 2, length: 2, encoding: 'windows-1252' }))['content'],
      'fé',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: anyCharacter, maxLength: 60 }),
        fc.nat(80),
        fc.integer({ min: 7, max: 30 }),
        async (text, at, length) => {
          // What begins like a mark or holds a NUL is something else; every range holds a whole character.
          const bytes = Buffer.from(`x${text.replace(/\0/g, '')}end`);
          ws.put({ 'p.txt': bytes });
          const offset = Math.min(at, bytes.length - 3);
          const got = await ws.ok('read_file', { path: 'p.txt', offset, length });
          const start = got['offset'] ?? offset;
          const end = start + Buffer.byteLength(got['content']);
          assert.equal(got['content'], bytes.subarray(start, end).toString());
          assert.ok(start - offset < 4 && Math.min(offset + length, bytes.length) - end < 4);
          assert.equal(got['next_offset'], end < bytes.length ? end : undefined);
        },
      ),
      { numRuns: runs(20, 500) },
    );
  });

  it('says where its first whole character starts, and shows a broken one where there is nothing else', async () => {
    ws.put({ 'u.txt': 'aä€😀z' });
    const at = async (offset: number, length: number): Promise<unknown[]> => {
      const got = await ws.ok('read_file', { path: 'u.txt', offset, length });
      return [got['content'], got['offset'], got['next_offset']];
    };
    assert.deepEqual(await at(4, 6), ['😀', 6, 10]);
    assert.deepEqual(await at(7, 99), ['z', 10, undefined]);
    assert.deepEqual(await at(7, 1), ['\ufffd', undefined, 8]);
  });

  it('is refused where it is no text, or where the call asks for lines or numbers too', async () => {
    ws.put({ 'a.bin': Buffer.from([1, 2, 0, 3, 0, 0]), 'a.txt': 'one\ntwo\n' });
    assert.equal(await ws.code('read_file', { path: 'a.bin', offset: 1 }), 'not_text');
    for (const input of [
      { encoding: 'base64', head: 1 },
      { encoding: 'base64', line_numbers: true },
      { offset: 1, line_numbers: true },
    ])
      assert.equal(await ws.code('read_file', { path: 'a.txt', ...input }), 'invalid_input', JSON.stringify(input));
  });
});

describe('a line that is longer than an answer', () => {
  it('is read to its end by the offsets that the answers give, in a file of any size', async () => {
    for (const [name, size] of [
      ['small.txt', 400],
      ['large.txt', big],
    ] as const) {
      writeFileSync(ws.at(name), `${'first\n'.repeat(3)}${'é'.repeat(size / 2)}`);
      const got = await ws.ok('read_file', { path: name, start_line: 4, max_bytes: 201, line_numbers: true });
      assert.match(
        got['content'],
        /^ {4}4\té{97}\n\[cut: a part of line 4(?: of 4)? shown; line 4 has [\w ,]+ characters; call again with offset=212/,
      );
      assert.deepEqual([got['next_offset'], 'note' in got], [18 + 2 * 97, false]);
      const rest = await ws.ok('read_file', { path: name, offset: got['next_offset'], max_bytes: 100 });
      assert.match(rest['content'], /^é{50}\n/);
    }
  });
});

describe('a file that is too large to be held', () => {
  it('tells the numbers of its last lines only where they are counted, and how to go on', async () => {
    const lines = Array.from({ length: 400_000 }, (_, index) => `${index + 1} ${'y'.repeat(40)}\n`);
    ws.put({ 'big.txt': lines.join('') });
    const cut = await ws.ok('read_file', { path: 'big.txt', tail: 100, max_bytes: 500 });
    const shown = cut['content'].split('\n');
    assert.match(
      shown.at(-1),
      /^\[cut: 10 of the last 100 lines shown; call again with a smaller tail, or with offset=\d+ for what follows\]$/,
    );
    const next = await ws.ok('read_file', { path: 'big.txt', offset: cut['next_offset'], length: 20 });
    assert.match(next['content'], /^399911 /);
    assert.deepEqual(['first_line' in cut, 'next_line' in cut], [false, false]);
    const numbered = await ws.ok('read_file', { path: 'big.txt', tail: 2, line_numbers: true });
    assert.match(numbered['content'], /^399999\t399999 y+\n400000\t400000 y+\n$/);
    assert.deepEqual([numbered['first_line'], numbered['total_lines']], [399_999, 400_000]);
    assert.equal(await ws.code('read_file', { path: 'big.txt', start_line: 400_001 }), 'invalid_input');
  });

  it('is decoded by the encoding that the call names, where a line feed is two bytes too', async () => {
    const line = 'ਊĊ text of a line ✓\n';
    writeFileSync(ws.at('w.txt'), Buffer.from(line.repeat(big / line.length / 2 + 1000), 'utf16le'));
    const got = await ws.ok('read_file', {
      path: 'w.txt',
      encoding: 'utf-16le',
      start_line: 300_000,
      end_line: 300_001,
    });
    assert.deepEqual([got['content'], got['first_line']], [line.repeat(2), 300_000]);
    assert.equal((await ws.ok('read_file', { path: 'w.txt', encoding: 'utf-16le', tail: 1 }))['content'], line);
  });

  it('is refused with its size where it would have to be held, and never an internal error', async function () {
    writeFileSync(ws.at('sparse'), 'hello\n');
    try {
      truncateSync(ws.at('sparse'), 3 * 2 ** 30);
    } catch {
      skipBecause(this, 'needs a file system with sparse files');
    }
    assert.equal(
      await ws.code('edit_file', { path: 'sparse', edits: [{ old_text: 'a', new_text: 'b' }] }),
      'too_large',
    );
    assert.equal(await ws.code('write_file', { path: 'sparse', content: 'x' }), 'too_large');
    assert.equal(await ws.code('write_file', { path: 'sparse', content: 'x', mode: 'append' }), 'too_large');
    assert.equal(await ws.code('read_file', { path: 'sparse', encoding: 'utf-16le' }), 'too_large');
    assert.equal(
      (await ws.ok('read_file', { path: 'sparse', encoding: 'windows-1252', head: 1 }))['content'],
      'hello\n',
    );
  });
});
