import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { marked } from 'marked';
import TurndownService from 'turndown';
import { htmlToMarkdown } from '../../../support/htmlToMarkdown';
import { pageDefaults } from '../../../../src/capabilities/webFetch/html/options';
import { readPage } from '../../../../src/capabilities/webFetch/page/readPage';
import { runs } from '../../../support/counts';

const page = (html: string, baseUrl?: string): string =>
  htmlToMarkdown(html, baseUrl === undefined ? pageDefaults : { ...pageDefaults, baseUrl });

/** As the tool converts, with footnotes looked for. */
const convert = (html: string): string =>
  readPage({
    body: new TextEncoder().encode(html),
    url: 'https://e.example/',
    contentType: 'text/html;charset=utf-8',
    format: 'markdown',
    focus: 'full',
    query: undefined,
    fragment: undefined,
    start: 0,
    maxLength: 100_000,
  }).content;

/**
 * HTML as people write it: nested inline and block elements around words, spaces and characters that mean something in
 * markdown.
 */
const inline = fc.letrec<{ piece: string; many: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      'word',
      'two words',
      ' ',
      '\n ',
      '*',
      '_',
      '# x',
      '1. y',
      '- z',
      '[a]',
      '`',
      '\\',
      '>',
      '&nbsp;',
      '&amp;',
      '+ a',
      '===',
      '~~~',
      '<br>',
      '<img src="i.png" alt="al_t">',
      '<!-- c -->',
    ),
    fc
      .tuple(fc.constantFrom('b', 'em', 'span', 'code', 'i', 'strong'), tie('many'))
      .map(([tag, text]) => `<${tag}>${text}</${tag}>`),
    tie('many').map((text) => `<a href="/x(y)" title="t">${text.replace(/<\/?a\b[^>]*>/g, '')}</a>`),
  ),
  many: fc.array(tie('piece'), { maxLength: 4 }).map((parts) => parts.join('')),
})).many;
const block = fc.letrec<{ piece: string; many: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(fc.constantFrom('p', 'h1', 'h3'), inline).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
    fc
      .tuple(fc.constantFrom('div', 'blockquote', 'section'), tie('many'))
      .map(([tag, text]) => `<${tag}>${text}</${tag}>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol', 'ol start="7"'), fc.array(fc.oneof(inline, tie('many')), { maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('\n')}</${tag.split(' ')[0]}>`),
    fc.constantFrom('<hr>', '<pre><code class="language-js">a\n  b</code></pre>', '\n', 'loose text', '<div></div>'),
  ),
  many: fc.array(tie('piece'), { maxLength: 4 }).map((parts) => parts.join('')),
})).many;

describe('HTML to markdown', () => {
  it('writes what turndown writes, with its defaults and with other options, for whatever people write', () => {
    const options = fc.record(
      {
        headingStyle: fc.constantFrom('setext' as const, 'atx' as const),
        codeBlockStyle: fc.constantFrom('indented' as const, 'fenced' as const),
        bulletListMarker: fc.constantFrom('*' as const, '-' as const),
        linkStyle: fc.constantFrom('inlined' as const, 'referenced' as const),
        preformattedCode: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(block, options, (html, chosen) => {
        assert.equal(htmlToMarkdown(html, chosen), new TurndownService(chosen).turndown(html));
      }),
      { numRuns: runs(20, 800, 3000) },
    );
  });

  it('writes tables with alignment, bars, several lines, spans and without a head', () => {
    const table = page(
      '<table><thead><tr><th align="left">A</th><th style="text-align: right">B | C</th></tr></thead><tbody><tr><td>1<br>2</td><td><code>x|y</code></td></tr><tr><td colspan="2"><p>wide</p><p>cell</p></td></tr></tbody></table>',
    );
    assert.equal(table, '| A | B \\| C |\n| :--- | ---: |\n| 1<br>2 | `x\\|y` |\n| wide<br>cell |  |');
    assert.equal(
      page('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>'),
      '|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
    );
    assert.equal(
      page(
        '<table><caption>Cap</caption><tr><th>H</th><th>I</th></tr><tr><td rowspan=2>r</td><td>1</td></tr><tr><td>2</td></tr></table>',
      ),
      'Cap\n\n| H | I |\n| --- | --- |\n| r | 1 |\n|  | 2 |',
    );
    assert.match(
      marked.parse(table, { async: false }),
      /<td align="left">1<br>2<\/td>\s*<td align="right"><code>x\|y<\/code><\/td>/,
    );
  });

  it('keeps tables in tables, and shows the cells of layout tables one after the other', () => {
    const nested = page(
      '<table><tr><td><h2>Left</h2></td><td>before<table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>after</td></tr></table>',
    );
    assert.equal(nested, '## Left\n\nbefore\n\n| k | v |\n| --- | --- |\n| 1 | 2 |\n\nafter');
    assert.equal(
      page('<table role="presentation"><tr><td>one</td><td>two</td></tr><tr><td>three</td><td>four</td></tr></table>'),
      'one\n\ntwo\n\nthree\n\nfour',
    );
  });

  it('writes lists: nested, tight and loose, numbered from a start, with tasks, one after the other', () => {
    assert.equal(
      page('<ul><li>a<ul><li>b<ol start="3"><li>c</li><li>d</li></ol></li></ul></li><li>e</li></ul>'),
      '- a\n  - b\n    3. c\n    4. d\n- e',
    );
    assert.equal(page('<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>'), '- a\n\n  b\n\n- c');
    assert.equal(page('<ul><li>a</li></ul><ul><li>b</li></ul>'), '- a\n\n* b');
    assert.equal(
      page('<ul><li><input type="checkbox" checked> done</li><li><input type=checkbox>open</li></ul>'),
      '- [x] done\n- [ ] open',
    );
    assert.equal(page('<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>'), '- a\n  - b\n- c');
    assert.equal(page('<ol><li><pre>x\n\ny</pre></li></ol>'), '1. ```\n   x\n\n   y\n   ```');
  });

  it('fences every pre, with its language and a fence that is long enough', () => {
    assert.equal(page('<pre>plain\n  code</pre>'), '```\nplain\n  code\n```');
    assert.equal(page('<div class="highlight-source-rust"><pre>fn</pre></div>'), '```rust\nfn\n```');
    assert.equal(page('<pre><code class="hljs lang-ts">a</code></pre>'), '```ts\na\n```');
    assert.equal(page('<pre data-lang="go"><span>a</span><br><span>b</span></pre>'), '```go\na\nb\n```');
    assert.equal(page('<pre><code>```\nx\n```</code></pre>'), '````\n```\nx\n```\n````');
  });

  it('writes footnotes, definition lists, details and figures', () => {
    const notes =
      '<p>Text<sup><a href="#fn1">1</a></sup>.</p><ol><li id="fn1">The note. <a href="#fnref1" class="footnote-backref">↩</a></li></ol>';
    assert.equal(convert(notes), 'Text[^1].\n\n[^1]: The note.');
    // A link to a part of the page that is no note stays a link.
    assert.equal(convert('<p><a href="#fn9">see below</a></p>'), '[see below](#fn9)');
    assert.equal(
      page('<dl><dt>Term</dt><dd>First</dd><dd>Second</dd><dt>Other</dt><dd>Third</dd></dl>'),
      'Term\n: First\n: Second\n\nOther\n: Third',
    );
    assert.equal(page('<details><summary>More</summary><p>Inside</p></details>'), '**More**\n\nInside');
    assert.equal(
      page('<figure><img src="/i.png" alt="A"><figcaption>Caption</figcaption></figure>', 'https://e.example/'),
      '![A](https://e.example/i.png)\n\nCaption',
    );
  });

  it('makes links and images absolute, keeps those that lead somewhere, and finds the picture behind a placeholder', () => {
    const base = 'https://e.example/a/b';
    assert.equal(
      page('<a href="../c?x=1">t</a> <a href="#part">p</a> <a href="javascript:x()">j</a> <a href="/d"></a>', base),
      '[t](https://e.example/c?x=1) [p](#part) j',
    );
    assert.equal(page('<a href="https://e.example/">https://e.example/</a>'), '<https://e.example/>');
    assert.equal(
      page('<img src="data:image/gif;base64,R0" data-src="real.png" alt="x"><img src="p.gif" width=1 height=1>', base),
      '![x](https://e.example/a/real.png)',
    );
    assert.equal(
      page('<a href="/x"><div><h3>Title</h3><p>Teaser</p></div></a>', base),
      '[Title Teaser](https://e.example/x)',
    );
  });

  it('escapes what would turn into markup and nothing else', () => {
    assert.equal(
      page('<p>snake_case and 2*3 &lt;div&gt; a &lt; b AT&amp;T &amp;amp; [x]</p>'),
      'snake_case and 2\\*3 \\<div> a < b AT&T \\&amp; \\[x\\]',
    );
    assert.equal(
      page('<p>- no list</p><p>1. no list</p><p># no heading</p><p>-5 degrees</p>'),
      '\\- no list\n\n1\\. no list\n\n\\# no heading\n\n-5 degrees',
    );
  });

  it('never throws and never loses a plain word, whatever the markup', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              '<p>',
              '</p>',
              '<b>',
              '</b>',
              '<table>',
              '<tr>',
              '<td>',
              '</table>',
              '<ul>',
              '<li>',
              '</ul>',
              '<a href="x">',
              '</a>',
              '<div>',
              '</div>',
              '<pre>',
              '</pre>',
              '<br>',
              '<',
              '</',
              '<dl>',
              '<dt>',
              '<dd>',
              '<blockquote>',
              '<h2>',
              '</h2>',
              '&',
              '"',
            ),
            fc.constantFrom(...'alpha beta gamma delta'.split(' ')).map((word) => ` ${word} `),
          ),
          { maxLength: 40 },
        ),
        (parts) => {
          const html = parts.join('');
          const count = (text: string): number => text.match(/alpha|beta|gamma|delta/g)?.length ?? 0;
          // A word inside an unfinished tag belongs to the tag.
          if (!/<\/?\s|<[a-z"][^>]*$|<\/?[^a-z/>\s]|<\/?</.test(html))
            assert.equal(count(page(html)), count(html), html);
          else page(html);
        },
      ),
      { numRuns: runs(25, 3000) },
    );
  });
});
