import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { filenameOf } from '../../../../src/capabilities/webFetch/fetch/filename';
import { isAllowedByRobots, parseRobots } from '../../../../src/capabilities/webFetch/fetch/robots';
import { decodeText } from '../../../../src/capabilities/webFetch/page/charset';
import {
  kindOfType,
  looksLikeHtml,
  parseContentType,
  sniffBinary,
} from '../../../../src/capabilities/webFetch/page/contentType';
import { cutPart } from '../../../../src/capabilities/webFetch/page/paginate';
import { mostRelevant } from '../../../../src/capabilities/webFetch/page/relevance';
import { runs } from '../../../support/counts';
import { workedMs } from '../../../support/processorTime';

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

describe('parts of a page', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'word ',
      '[a link](https://e.example/x_(y)) ',
      '![pic](i.png) ',
      '[![in](a.png)](b) ',
      '<https://e.example/> ',
      '\n\n',
      '\n```js\ncode [x](y)\n```\n',
      '😀',
      'é',
      '[',
      '![',
      '](',
      '\\[',
      '- item\n',
    ),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));

  it('join to the whole, make progress and never cut a code point', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), fc.boolean(), (whole, size, markdown) => {
        let at = 0;
        let joined = '';
        while (at < whole.length) {
          const part = cutPart(whole, at, size, markdown);
          assert.ok(part.start === at && part.end > at);
          const code = whole.charCodeAt(part.end);
          const before = whole.charCodeAt(part.end - 1);
          assert.ok(!(code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff));
          joined += part.text;
          at = part.end;
        }
        assert.equal(joined, whole);
      }),
      { numRuns: runs(38, 5000) },
    );
  });

  it('never end inside a link, an image or a fence, where a part can hold it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'word ',
            '[a link](https://e.example/x_(y)) ',
            '![pic](i.png) ',
            '[![in](a.png)](b) ',
            '<https://e.example/> ',
            '\n\n',
            '\n```js\ncode [x](y)\n```\n',
          ),
          { maxLength: 40 },
        ),
        fc.integer({ min: 60, max: 120 }),
        (parts, size) => {
          const whole = parts.join('');
          const units = new Set([0]);
          let offset = 0;
          for (const one of parts) {
            for (let inside = 0; inside <= one.length; inside++)
              if (
                !/[[<`]/.test(one) ||
                inside === 0 ||
                inside === one.length ||
                /^\s*$/.test(one.slice(inside)) ||
                /^\s*$/.test(one.slice(0, inside))
              )
                units.add(offset + inside);
            offset += one.length;
          }
          for (let at = 0; at < whole.length;) {
            const { end } = cutPart(whole, at, size, true);
            assert.ok(units.has(end), JSON.stringify([whole.slice(at, end), whole.slice(end, end + 20)]));
            at = end;
          }
        },
      ),
      { numRuns: runs(25, 3000) },
    );
  });

  it('are cut in linear time, whatever stands around the cut', () => {
    const started = workedMs();
    for (const part of ['![a]', '![a](x)', '[', '[a', '](', '<a:', '```\n'])
      cutPart(part.repeat(20_000), 0, 12_345, true);
    // What looks like the fence of a block, and is a code span at last.
    const spans = ['`'.repeat(100_000), `${'`'.repeat(50_000)}${'a'.repeat(50_000)}`, '```a`\u2028'.repeat(20_000)];
    for (const span of spans) {
      cutPart(`${span} \`\nmore`, 0, 90_000, true);
      mostRelevant(`${span} \`\n# more`, 'more');
    }
    assert.ok(workedMs() - started < 2_000);
  });

  it('may start anywhere: past the end there is nothing, inside a code point it begins before it', () => {
    assert.deepEqual(cutPart('abc', 10, 5, false), { text: '', start: 3, end: 3 });
    assert.deepEqual(cutPart('a😀b', 2, 5, false), { text: '😀b', start: 1, end: 4 });
  });
});

describe('the text of a body', () => {
  it('is decoded by byte order mark, header, page, and then by what the bytes are', () => {
    const utf8 = new TextEncoder().encode('é');
    assert.deepEqual(decodeText(bytes(0xff, 0xfe, 0xe9, 0), 'utf-8', 'no'), {
      text: 'é',
      charset: 'utf-16le',
      warnings: [],
    });
    assert.deepEqual(decodeText(bytes(0xe9), 'ISO-8859-1', 'no'), {
      text: 'é',
      charset: 'windows-1252',
      warnings: [],
    });
    const page = new Uint8Array([...new TextEncoder().encode('<meta charset="windows-1251">'), 0xe9]);
    assert.equal(decodeText(page, undefined, 'html').text.at(-1), 'й');
    assert.deepEqual(
      [decodeText(utf8, undefined, 'no').charset, decodeText(bytes(0xe9), undefined, 'no').charset],
      ['utf-8', 'windows-1252'],
    );
    assert.deepEqual(decodeText(utf8, 'klingon', 'no').warnings, ['the header names the unknown charset `klingon`']);
    assert.deepEqual(decodeText(bytes(0xe9), 'utf-8', 'no').warnings, [
      'the header says utf-8, but some bytes are not',
    ]);
  });

  it('is read by the encoding that it names itself, and by no other words of it', () => {
    const charset = (start: string, says: 'html' | 'xml' | 'no'): string =>
      decodeText(Uint8Array.from([...new TextEncoder().encode(start), 0xe9]), undefined, says).charset;
    const declaration = '<?xml version="1.0" encoding="windows-1251"?><rss>';
    assert.deepEqual(
      (['xml', 'html', 'no'] as const).map((says) => charset(declaration, says)),
      ['windows-1251', 'windows-1251', 'windows-1252'],
    );
    const real = '<meta charset="windows-1251">';
    for (const before of [
      '<meta name="description" content="how charset=utf-7 is set">',
      '<script>x = "<meta charset=koi8-r>"</script>',
      '<!-- <meta charset=koi8-r> -->',
    ])
      assert.equal(charset(before + real, 'html'), 'windows-1251', before);
    assert.equal(charset('<meta http-equiv=Content-Type content="text/html; charset=koi8-r">', 'html'), 'koi8-r');
    assert.equal(charset('<meta charset=x-user-defined>', 'html'), 'windows-1252');
    assert.equal(charset(real, 'xml'), 'windows-1252');
  });

  it('is text in spite of a stray byte or the letters of a signature, where its type says so', () => {
    const kind = (text: string, type: 'text' | 'unknown', charset?: string): string | undefined =>
      sniffBinary(
        Uint8Array.from(text, (char) => char.charCodeAt(0)),
        type,
        charset,
      );
    for (const start of ['ID3 is a decision tree', 'RIFF', 'GIF89a', 'OggS', '%PDF-', 'MZ'])
      assert.equal(kind(start, 'text'), undefined, start);
    assert.equal(kind(`${'a page '.repeat(40)}\0`, 'text'), undefined);
    assert.equal(kind(`${'a page '.repeat(40)}\0`, 'unknown'), 'application/octet-stream');
    assert.equal(kind('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'text'), 'image/png');
    assert.equal(kind('\x01\x02\0\x03abc', 'text'), 'application/octet-stream');
    assert.equal(kind('h\0i\0', 'text', 'UTF-16LE'), undefined);
    for (const name of 'jsonl csv json5 x-python sql yaml x-ndjson toml graphql'.split(' '))
      assert.equal(kindOfType(`application/${name}`), 'unknown', name);
    for (const name of [
      'zip',
      'vnd.ms-excel',
      'vnd.openxmlformats-officedocument.wordprocessingml.document',
      'epub+zip',
    ])
      assert.equal(kindOfType(`application/${name}`), 'binary', name);
  });

  it('is told from binary content by its type, then by its first bytes', () => {
    assert.deepEqual(parseContentType('Text/HTML; Charset="UTF-8"'), { essence: 'text/html', charset: 'UTF-8' });
    assert.deepEqual(parseContentType('nonsense'), { essence: '', charset: undefined });
    assert.deepEqual(
      [
        'text/x-any',
        'application/json',
        'application/vnd.api+json',
        'image/svg+xml',
        'image/png',
        'application/pdf',
        'application/octet-stream',
        '',
      ].map(kindOfType),
      ['text', 'text', 'text', 'text', 'binary', 'binary', 'unknown', 'unknown'],
    );
    assert.equal(sniffBinary(new TextEncoder().encode('%PDF-1.7'), 'unknown'), 'application/pdf');
    assert.equal(sniffBinary(bytes(1, 0, 2), 'unknown'), 'application/octet-stream');
    assert.equal(sniffBinary(new TextEncoder().encode('plain'), 'unknown'), undefined);
    assert.equal(sniffBinary(bytes(0xff, 0xfe, 0x41, 0), 'unknown'), undefined);
    assert.deepEqual(['<!-- c --><!DOCTYPE html>', ' <html>', '{"a":"<p>"}', 'a < b'].map(looksLikeHtml), [
      true,
      true,
      false,
      false,
    ]);
  });

  it('has a name that is safe to show', () => {
    const name = (header: string | undefined, url = 'https://e.example/a/b%20c.txt?x'): string | undefined =>
      filenameOf(header, url);
    assert.deepEqual(
      [
        name(undefined),
        name('attachment; filename="../../x\\"y.txt"'),
        name("attachment; filename=a.txt; filename*=UTF-8''%e2%82%ac.txt"),
        name("attachment; filename*=UTF-8''%zz"),
        name(undefined, 'https://e.example/'),
        // As the client hands over bytes of UTF-8, and of latin1.
        name('attachment; filename="caf\u00c3\u00a9.txt"'),
        name('attachment; filename="caf\u00e9.txt"'),
      ],
      ['b c.txt', 'x"y.txt', '€.txt', 'b c.txt', undefined, 'café.txt', 'café.txt'],
    );
  });
});

describe('robots.txt', () => {
  const allowed = (text: string, path: string): boolean =>
    isAllowedByRobots(parseRobots(text, 'AgentCapabilities'), path);

  it('is read as RFC 9309 says: own group first, longest rule, allowing rule where two are equal', () => {
    const text =
      'User-agent: other\nUser-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.gif$\n\nUser-agent: agentcapabilities/1.0\nDisallow: /mine\n# Disallow: /comment\nDisallow:\n';
    assert.deepEqual([allowed(text, '/mine/x'), allowed(text, '/a')], [false, true]);
    const star = text.replace('agentcapabilities/1.0', 'someone');
    assert.deepEqual(
      ['/a', '/a/b/c', '/x', '/pic.gif', '/pic.gif?x', '/robots'].map((path) => allowed(star, path)),
      [false, true, true, false, true, true],
    );
    assert.equal(allowed('User-agent: *\nDisallow: /a\nAllow: /a', '/a'), true);
    assert.equal(allowed('', '/'), true);
    assert.equal(allowed('User-agent: *\nDisallow: /caf%C3%A9', '/café'), false);
  });

  it('takes no longer for a hostile pattern', () => {
    const started = workedMs();
    allowed(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`, `/${'a'.repeat(20_000)}b`);
    assert.ok(workedMs() - started < 1_000);
  });
});

describe('the most relevant sections', () => {
  it('are found by words in any script, also in headings, and never split a fence', () => {
    const text =
      '# Top\n\nIntro.\n\n## Installing\n\nRun it.\n\n```sh\n# not a heading\nnpm i\n```\n\n## 東京の天気\n\n今日は晴れです。\n';
    assert.match(
      mostRelevant(text, 'installing')?.text ?? '',
      /^\[section 2 of 3: Top > Installing\][^]*# not a heading\nnpm i\n```$/,
    );
    assert.match(mostRelevant(text, '天気')?.text ?? '', /今日は晴れです/);
    assert.equal(mostRelevant(text, 'zebra'), undefined);
  });
});
