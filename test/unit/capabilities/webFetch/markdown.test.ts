import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { marked } from 'marked';
import TurndownService from 'turndown';
import { htmlToMarkdown } from '../../../support/htmlToMarkdown';
import { pageDefaults } from '../../../../src/capabilities/webFetch/html/options';
import { readPage } from '../../../../src/capabilities/webFetch/page/readPage';
import { runs } from '../../../support/counts';
import { pageInput } from '../../../support/pageInput';
import { workedMs } from '../../../support/processorTime';

const page = (html: string, baseUrl?: string): string =>
  htmlToMarkdown(html, baseUrl === undefined ? pageDefaults : { ...pageDefaults, baseUrl });

/** As the tool converts, with footnotes looked for. */
const convert = (html: string): string => readPage(pageInput(html)).content;

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

  it('keeps the words of text apart that stands in a list or table where none belongs', () => {
    assert.deepEqual(
      [
        '<ul>in <b>line</b> and <i>out</i> &lt;p&gt;<br>next<li>a</li></ul>',
        '<ul><li>a</li> and <a href="/x">b</a> or <code>c</code> </ul>',
        '<ol><b>a</b> <i>b</i><li>c</li></ol>',
        '<table>in <b>line</b> &lt;p&gt; <i>out</i><tr><td>a<td>b<tr><td>c<td>d</table>',
        '<table><tr>in <b>a</b> <i>row</i><td>a<td>b<tr><td>c<td>d</table>',
      ].map((html) => page(html)),
      [
        'in **line** and _out_ \\<p>\\\nnext\n- a',
        '- a\nand [b](/x) or `c`',
        '**a** _b_\n1. c',
        'in **line** \\<p> _out_\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
        'in **a** _row_\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
      ],
    );
  });

  it('begins no line with the white space between elements that show nothing, or it would be code', () => {
    const picture = '<picture> <source srcset="a"> <source srcset="b"> <wbr> <img src="/i.png"> </picture>';
    assert.deepEqual(
      [
        picture,
        `<p><a href="/x"> ${picture} t</a></p>`,
        `<ul><li>${picture}<li><b> ${picture} u</b></ul>`,
        `<blockquote><span> ${picture}</span></blockquote>`,
        `<p>a<br>${picture}</p>`,
        `a <i> ${picture} b</i>`,
      ].map((html) => page(html).replaceAll(/ +(?=[^ ])/g, (run) => (run.length > 3 ? run : ' '))),
      [
        '![](/i.png)',
        '[![](/i.png) t](/x)',
        '- ![](/i.png)\n- **![](/i.png) u**',
        '> ![](/i.png)',
        'a\\\n![](/i.png)',
        'a _![](/i.png) b_',
      ],
    );
  });

  it('leaves out what stands in a frame: no browser shows it', () => {
    assert.equal(
      convert('<p>a <iframe src="/x">Obey <b>me</b>.</iframe> b</p><noembed>Me <i>too</i>.</noembed><p>c</p>'),
      'a b\n\nc',
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

  it('breaks lines where a browser does: not at the ends of a block, and outside of the markers around', () => {
    assert.deepEqual(
      [
        '<p>foo<br></p><p><br></p><p><br>bar</p>',
        '<p><b>Note:<br></b>text</p>',
        '<p>a <b><i><br>b</i></b></p>',
        '<p><a href="/x">t<br></a>u</p>',
        '<p>a<br><br>b<br><div>c</div>',
        '<p>a<br><img src="p.gif" width=1 height=1></p>',
        '<p>a\\<br>b</p>',
        '<p><code>npm i<br>C:\\<br></code>then</p>',
      ].map((html) => page(html)),
      [
        'foo\n\nbar',
        '**Note:**\\\ntext',
        'a\\\n**_b_**',
        '[t](/x)\\\nu',
        'a\\\n\\\nb\n\nc',
        'a',
        'a\\\\\\\nb',
        '`npm i`\\\n`C:\\`\\\nthen',
      ],
    );
  });

  it('ends a heading at the end tag of any heading, as browsers do', () => {
    assert.equal(page('<h1>Title</h2><p>One.</p><h2>Two</h4>three'), '# Title\n\nOne.\n\n## Two\n\nthree');
    assert.equal(page('<h2>a<table><tr><th>b</h2></th><th>c</th></tr></table>d</h2>e').endsWith('\n\ne'), true);
  });

  it('leaves no fence without its end', () => {
    for (const html of [
      '<dl><dt>f()<dd><pre>code</pre><p>about</dl>',
      '<dl><dd><dl><dd><pre>code</pre></dl></dl>',
      '<p><del>~5</del> now 4</p>',
      '<p>~<del>5</del>~</p>',
      '<p><del><s>x</s></del></p>',
      '<p><code><pre>a\nb</pre></code></p>',
      '<dl><dt><pre>x</pre><dd>y</dl>',
      '<ul><li><pre>x</pre></ul>',
    ]) {
      const rendered = marked.parse(page(`${html}<h2>Next</h2>`), { async: false });
      assert.match(rendered, /<h2>Next<\/h2>/, html);
      const query = readPage({
        ...pageInput(`<h1>Top</h1>${html}<h2>Use</h2><p>Run the walrus.`),
        query: 'walrus',
      });
      assert.match(query.content, /Top > Use\]\n\n## Use\n\nRun the walrus\.$/, html);
    }
  });

  it('gives every cell of a table back as one, and each line of code in it as code', () => {
    assert.equal(
      page(
        '<table><tr><th>a</th><th>b</th></tr><tr><td><pre>def f():\n    return *x* | y</pre></td><td>z</td></tr></table>',
      ),
      '| a | b |\n| --- | --- |\n| `def f():`<br>`    return *x* \\| y` | z |',
    );
    assert.equal(
      page('<table><tr><th>a<th>b<tr><td rowspan=0>r<td>1<tr><td>2<tr><td>3</table>'),
      '| a | b |\n| --- | --- |\n| r | 1 |\n|  | 2 |\n|  | 3 |',
    );
    const cell = fc.array(fc.constantFrom('|', '\\', 'word', ' ', '<br>', '<code>a|b</code>', '<code>\\</code>'));
    fc.assert(
      fc.property(cell, (parts) => {
        const html = `<table><tr><th>a<th>b<tr><td>${parts.join('')}<td>end</table>`;
        const cells = marked.parse(page(html), { async: false }).match(/<td>[^]*?<\/td>/g) ?? [];
        assert.deepEqual([cells.length, cells[1]], [2, '<td>end</td>'], page(html));
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  it('shows the text of a paragraph as a browser does, whatever stands beside whatever', () => {
    const text = fc.constantFrom('word', ' ', 'Hi!', '!', '~~', '[a]', '*', '_', '\\', '<br>', '2', '|');
    // Emphasis of a sign inside a word cannot be written in markdown.
    const element = fc
      .tuple(fc.constantFrom('i', 'b', 'code', 'span', 'del'), fc.array(text, { maxLength: 3 }))
      .map(([tag, parts]) => [tag === 'span' ? '' : ' ', `<${tag}>${parts.join('')}</${tag}>`])
      .map(([gap = '', html = '']) => gap + html + gap);
    const link = fc.constantFrom('<a href="/x">link</a>', '<a href="/x" title="a\\">l</a>', ' <del>~5~</del> ');
    const piece = fc.array(fc.oneof(text, element, link), { maxLength: 5 }).map((parts) => parts.join(''));
    const shown = (html: string): string =>
      html
        .replace(/<br>|<\/?p>/g, ' ')
        .replace(/<[^>]*>/g, '')
        .replace(/&#39;/g, "'")
        .replace(/\s+/g, ' ')
        .trim();
    fc.assert(
      fc.property(piece, (html) => {
        assert.equal(
          shown(marked.parse(page(`<p>${html}</p>`), { async: false })),
          shown(html),
          page(`<p>${html}</p>`),
        );
      }),
      { numRuns: runs(60, 3_000) },
    );
  });

  it('writes apart what markers beside each other would mix up', () => {
    assert.deepEqual(
      [
        '<p>Hi!<a href="/x">b</a> <span>Hi!</span><a href="/x">b</a></p>',
        '<p><code>x</code><code>y</code> <i>a</i><em>b</em> <b>c</b><b>d</b> <del>e</del><s>f</s></p>',
        '<p>~~a~~</p>',
        '<b>a<hr>b</b>',
        '<p><a href="/x" title="a\\">l</a></p>',
        '<ol><li value=5>a<li>b<li value=9>c</ol>',
        '<p><a href="/x">§</a> 5, <a href="#s6">§</a> 6</p><h2>T <a href="#t">¶</a></h2>',
        '<pre><img src="/i.png" alt="z"></pre>',
        '<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>',
      ].map((html) => page(html)),
      [
        'Hi\\![b](/x) Hi\\![b](/x)',
        '`xy` _ab_ **cd** ~~ef~~',
        '\\~\\~a\\~\\~',
        '**a**\n\n---\n\n**b**',
        '[l](/x "a\\\\")',
        '5. a\n6. b\n9. c',
        '[§](/x) 5, [§](#s6) 6\n\n## T',
        '![z](/i.png)',
        '- a\n\n* b\n\n- c',
      ],
    );
  });

  it('writes any number of lists one after the other in linear time', () => {
    const started = workedMs();
    page('<ul><li>a</ul>'.repeat(20_000));
    assert.ok(workedMs() - started < 2_000);
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
