import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { decodeText, encodeText } from '../../../../src/capabilities/fileSystem/shared/text';
import { runs } from '../../../support/counts';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string, big: boolean): Buffer =>
  big ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le');

describe('text in other encodings than UTF-8', () => {
  let ws: TestWorkspace;
  beforeEach(() => {
    ws = makeWorkspace();
  });
  afterEach(() => ws.dispose());
  const bytes = (name: string): Buffer => readFileSync(ws.at(name));

  it('says where bytes are no UTF-8, and shows them when the encoding is given', async () => {
    ws.put({ 'l1.txt': latin1('caf\xe9\n'), 'honest.txt': 'a real \ufffd\n' });
    const plain = await ws.ok('read_file', { path: 'l1.txt' });
    assert.equal(plain['content'], 'caf\ufffd\n');
    assert.match(plain['note'], /not UTF-8.*call again with the encoding of the file, such as windows-1252/);
    const named = await ws.ok('read_file', { path: 'l1.txt', encoding: 'latin1' });
    assert.deepEqual([named['content'], named['encoding'], named['note']], ['caf\xe9\n', 'windows-1252', undefined]);
    assert.equal((await ws.ok('read_file', { path: 'honest.txt' }))['note'], undefined);
    ws.put({ 'big.txt': Buffer.concat([latin1('caf\xe9\n'), Buffer.from('line\n'.repeat(4_000_000))]) });
    assert.match((await ws.ok('read_file', { path: 'big.txt', head: 1 }))['note'], /not UTF-8/);
  });

  it('names the 16-bit encoding that a file without a byte order mark looks like', async () => {
    for (const [encoding, big] of [
      ['utf-16le', false],
      ['utf-16be', true],
    ] as const) {
      ws.put({ 'w.txt': wide('hello world\r\nsecond\r\n', big) });
      const refused = await ws.call('read_file', { path: 'w.txt' });
      assert.match(
        refused.ok ? '' : `${refused.error.code} ${refused.error.message}`,
        new RegExp(`^not_text .*set encoding to ${encoding}`),
      );
      assert.equal((await ws.ok('read_file', { path: 'w.txt', encoding }))['content'], 'hello world\r\nsecond\r\n');
      const append = { path: 'w.txt', content: 'third\n', mode: 'append' };
      const added = await ws.call('write_file', append);
      assert.match(added.ok ? '' : added.error.message, new RegExp(`set encoding to ${encoding}`));
      await ws.ok('write_file', { ...append, encoding });
      await ws.ok('edit_file', {
        path: 'w.txt',
        encoding,
        edits: [{ old_text: 'hello world\nsecond', new_text: 'h\xe4llo' }],
      });
      assert.deepEqual(bytes('w.txt'), wide('h\xe4llo\r\nthird\r\n', big));
    }
  });

  it('edits and appends in the encoding that is given, and refuses what would damage the file', async () => {
    ws.put({ 'l1.txt': latin1('caf\xe9\r\nth\xe9\r\n') });
    const append = { path: 'l1.txt', content: 'gar\xe7on\n', mode: 'append' };
    assert.equal(await ws.code('write_file', append), 'not_text');
    assert.equal(
      await ws.code('edit_file', { path: 'l1.txt', edits: [{ old_text: 'caf', new_text: 'kaf' }] }),
      'not_text',
    );
    await ws.ok('write_file', { ...append, encoding: 'windows-1252' });
    const edited = await ws.ok('edit_file', {
      path: 'l1.txt',
      encoding: 'iso-8859-1',
      edits: [{ old_text: 'th\xe9\n', new_text: 'th\xe8\n' }],
    });
    assert.match(edited['diff'], /-th\xe9\r\n\+th\xe8/);
    assert.deepEqual(bytes('l1.txt'), latin1('caf\xe9\r\nth\xe8\r\ngar\xe7on\r\n'));
    const arrow = await ws.call('write_file', { path: 'l1.txt', content: 'a\n\u2192\n', encoding: 'windows-1252' });
    assert.match(arrow.ok ? '' : arrow.error.message, /`windows-1252` has no character `\u2192` \(line 2\)/);
    assert.equal(await ws.code('write_file', { path: 'l1.txt', content: 'a', encoding: 'shift_jis' }), 'unsupported');
    assert.equal(await ws.code('write_file', { path: 'l1.txt', content: 'a', encoding: 'nonsense' }), 'unsupported');
    assert.deepEqual(bytes('l1.txt'), latin1('caf\xe9\r\nth\xe8\r\ngar\xe7on\r\n'));
    // Plain ASCII fits everywhere.
    await ws.ok('write_file', { path: 'l1.txt', content: 'end\n', mode: 'append' });
    assert.deepEqual(bytes('l1.txt').subarray(-5), Buffer.from('end\r\n'));
  });

  it('keeps UTF-16 with its byte order mark, and writes a new file with one', async () => {
    for (const [encoding, big] of [
      ['utf-16le', false],
      ['utf-16be', true],
    ] as const) {
      ws.put({ 'w.txt': wide('\ufeffone\r\ntwo\r\n', big) });
      const read = await ws.ok('read_file', { path: 'w.txt', end_line: 1 });
      assert.deepEqual(
        [read['content'], read['encoding'], read['bom'], read['end_of_line']],
        ['one\r\n', encoding, true, 'crlf'],
      );
      await ws.ok('edit_file', { path: 'w.txt', edits: [{ old_text: 'one\ntwo', new_text: '\u4e00\nzwei' }] });
      await ws.ok('write_file', { path: 'w.txt', content: 'drei\n', mode: 'append' });
      assert.deepEqual(bytes('w.txt'), wide('\ufeff\u4e00\r\nzwei\r\ndrei\r\n', big));
      await ws.ok('write_file', { path: `new-${encoding}.txt`, content: 'a\n', encoding });
      assert.deepEqual(bytes(`new-${encoding}.txt`), wide('\ufeffa\n', big));
    }
  });

  it('adds and edits no text in another encoding than that of the file, whatever is named', async () => {
    const files = {
      marked: wide('\ufeffa\xe9\r\n', false),
      wide: wide('a\xe9 and more\r\n', false),
      odd: Buffer.concat([wide('\ufeffa\xe9', false), Buffer.of(0)]),
      utf8: Buffer.from('a\xe9\n'),
      utf8Marked: Buffer.from('\ufeffa\xe9\n'),
      latin1: latin1('caf\xe9s\n'),
      ascii: Buffer.from('abc\n'),
      bytes: Buffer.of(0, 1, 2, 3, 255, 9, 9, 9),
    };
    // What goes behind each, in the encodings that are named, where that is not refused.
    const added: Readonly<Record<keyof typeof files, Readonly<Record<string, Buffer>>>> = {
      marked: { none: wide('\xfc\r\n', false), 'utf-8': wide('\xfc\r\n', false), 'utf-16le': wide('\xfc\r\n', false) },
      wide: { 'utf-16le': wide('\xfc\r\n', false) },
      odd: {},
      utf8: { none: Buffer.from('\xfc\n'), 'utf-8': Buffer.from('\xfc\n') },
      utf8Marked: { none: Buffer.from('\xfc\n'), 'utf-8': Buffer.from('\xfc\n') },
      latin1: { 'windows-1252': latin1('\xfc\n') },
      ascii: { none: Buffer.from('\xfc\n'), 'utf-8': Buffer.from('\xfc\n'), 'windows-1252': latin1('\xfc\n') },
      bytes: { 'utf-16le': wide('\xfc\n', false), 'utf-16be': wide('\xfc\n', true) },
    };
    for (const [name, before] of Object.entries(files))
      for (const encoding of ['none', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])
        for (const end_of_line of ['keep', 'as_given']) {
          const said = encoding === 'none' ? {} : { encoding };
          ws.put({ 'f.txt': before });
          const result = await ws.call('write_file', {
            path: 'f.txt',
            content: '\xfc\n',
            mode: 'append',
            end_of_line,
            ...said,
          });
          const about = `${name} ${encoding} ${end_of_line}`;
          const wanted = added[name as keyof typeof files][encoding];
          assert.equal(result.ok ? 'done' : result.error.code, wanted ? 'done' : 'not_text', about);
          if (!result.ok) assert.match(result.error.message, /encoding/, about);
          const isGiven = end_of_line === 'as_given' && wanted?.includes('\r');
          const behind = isGiven ? wide('\xfc\n', false) : (wanted ?? Buffer.of());
          assert.deepEqual(bytes('f.txt'), Buffer.concat([before, behind]), about);
          const edited = { path: 'f.txt', edits: [{ old_text: 'a', new_text: '\xfc' }], ...said };
          if (!wanted && (await ws.call('edit_file', edited)).ok) assert.fail(`${about}: edited`);
        }
  });

  it('tells an edit that the file is in another encoding than the one that is named', async () => {
    ws.put({ 'f.txt': 'a\xe9\n' });
    const edits = [{ old_text: 'a', new_text: '\xfc' }];
    const refused = await ws.call('edit_file', { path: 'f.txt', encoding: 'windows-1252', edits });
    assert.match(refused.ok ? '' : refused.error.message, /`\/f.txt` is not WINDOWS-1252.*set encoding to utf-8$/);
    assert.deepEqual(bytes('f.txt'), Buffer.from('a\xe9\n'));
  });

  it('gives a file that comes to UTF-16 a byte order mark, and keeps how its lines end', async () => {
    for (const before of [
      Buffer.from('\xe9\r\n'),
      Buffer.from('a\r\n'),
      latin1('\xe9\r\n'),
      wide('\ufeffab\r\n', true),
    ]) {
      ws.put({ 'f.txt': before });
      await ws.ok('write_file', { path: 'f.txt', content: 'x\ny\n', encoding: 'utf-16le' });
      assert.deepEqual(bytes('f.txt'), wide('\ufeffx\r\ny\r\n', false));
      assert.equal((await ws.ok('read_file', { path: 'f.txt' }))['content'], 'x\r\ny\r\n');
    }
    ws.put({ 'f.txt': wide('abc\r\n', false) });
    await ws.ok('write_file', { path: 'f.txt', content: 'x\n', encoding: 'utf-16le' });
    assert.deepEqual(bytes('f.txt'), wide('x\r\n', false), 'as it was without a mark');
    ws.put({ 'f.txt': wide('abc\r\n', false) });
    await ws.ok('write_file', { path: 'f.txt', content: 'x\n', encoding: 'utf-8' });
    assert.deepEqual(bytes('f.txt'), Buffer.from('x\r\n'));
  });

  it('makes no second byte order mark of a text that begins with one', async () => {
    for (const [mark, plain] of [
      [Buffer.from('\ufeff'), (text: string) => Buffer.from(text)],
      [wide('\ufeff', false), (text: string) => wide(text, false)],
    ] as const) {
      ws.put({ 'f.txt': Buffer.concat([mark, plain('one\ntwo\n')]) });
      const edit = (old_text: string, new_text: string) =>
        ws.ok('edit_file', { path: 'f.txt', edits: [{ old_text, new_text }] });
      await edit('one', '\ufeffeins');
      assert.deepEqual(bytes('f.txt'), Buffer.concat([mark, plain('eins\ntwo\n')]));
      await edit('two', '\ufeffzwei');
      assert.deepEqual(bytes('f.txt'), Buffer.concat([mark, plain('eins\n\ufeffzwei\n')]));
    }
  });

  it('takes base64 in both alphabets, with and without padding and line ends, and nothing that only resembles it', async () => {
    const write = (content: string) => ws.code('write_file', { path: 'b.bin', content, encoding: 'base64' });
    for (const content of ['+/8=', '-_8=', '+/8', ' +/\n8=\n', '-/8']) {
      await ws.ok('write_file', { path: 'b.bin', content, encoding: 'base64' });
      assert.deepEqual([...bytes('b.bin')], [251, 255], content);
    }
    for (const content of [
      'QQ==QQ==',
      'Q=Q=',
      '=QQ',
      '====',
      '=',
      '==',
      'QQ=',
      'QQ===',
      'QUI==',
      'Q',
      'QUFBQ',
      'QR==',
      'QUJ=',
      'QR',
      'QQ==\nQ',
      'QUFB=',
    ])
      assert.equal(await write(content), 'invalid_input', content);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.boolean(), fc.nat(60), async (given, isUrl, at) => {
        const text = Buffer.from(given).toString(isUrl ? 'base64url' : 'base64');
        await ws.ok('write_file', { path: 'b.bin', content: text, encoding: 'base64' });
        assert.deepEqual([...bytes('b.bin')], [...given]);
        if (at >= text.replace(/=+$/, '').length) return;
        assert.equal(await write(`${text.slice(0, at)}=${text.slice(at)}`), 'invalid_input');
      }),
      { numRuns: runs(15, 500) },
    );
  });

  it('writes every text that an encoding of one byte has exactly as it was read, for each such encoding', () => {
    const names = [
      'windows-1250',
      'windows-1251',
      'windows-1252',
      'windows-1257',
      'windows-874',
      'iso-8859-2',
      'iso-8859-15',
      'koi8-r',
      'ibm866',
      'macintosh',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 300 }), (encoding, given) => {
        const decoded = decodeText(given, encoding);
        fc.pre(!decoded.text.includes('\ufffd') && !decoded.bom);
        assert.deepEqual([...encodeText(decoded.text, decoded)], [...given]);
      }),
      { numRuns: runs(25, 2000) },
    );
  });

  it('refuses an offset behind the end, and says where that is', async () => {
    ws.put({ 'a.txt': 'abc' });
    const past = await ws.call('read_file', { path: 'a.txt', offset: 4 });
    assert.match(past.ok ? '' : past.error.message, /\/offset must be at most 3, the size in bytes \(got 4\)/);
    assert.equal((await ws.ok('read_file', { path: 'a.txt', offset: 3 }))['content'], '');
  });
});
