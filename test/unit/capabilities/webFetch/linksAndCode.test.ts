import { strict as assert } from 'node:assert';
import { htmlToMarkdown } from '../../../support/htmlToMarkdown';
import { pageDefaults } from '../../../../src/capabilities/webFetch/html/options';
import { readPage } from '../../../../src/capabilities/webFetch/page/readPage';
import { pageInput } from '../../../support/pageInput';

const page = (html: string, baseUrl?: string): string =>
  htmlToMarkdown(html, baseUrl === undefined ? pageDefaults : { ...pageDefaults, baseUrl });

/** As the tool converts, with footnotes looked for. */
const convert = (html: string): string => readPage(pageInput(html)).content;

describe('links, code and notes of a page in markdown', () => {
  it('keeps the links in code, each around a code span of its own', () => {
    assert.deepEqual(
      [
        '<code>List <a href="/Nat">Nat</a></code>',
        'a <code>fn(<a href="/B"><span>B</span></a>) -&gt; <i><a href="/C">C`</a></i> </code>b',
        '<code><a href="/x">x</a></code>, <a href="/y"><code>y</code></a>',
        '<code>a <code>b</code> c</code>',
        '<code><a href="javascript:x()">f</a>(<a>y</a>)</code>',
        '<table><tr><th>t<tr><td><code>a|<a href="/b">b</a></code></table>',
        '<code>a <a href="/b">b</a><br>c</code>',
      ].map((html) => page(html)),
      [
        '`List` [`Nat`](/Nat)',
        'a `fn(`[`B`](/B)`) ->` [`` C` ``](/C) b',
        '[`x`](/x), [`y`](/y)',
        '`a b c`',
        '`f(y)`',
        '| t |\n| --- |\n| `a\\|`[`b`](/b) |',
        '`a` [`b`](/b)\\\n`c`',
      ],
    );
  });

  it('keeps the links of code in several lines, and the pictures beside and in them', () => {
    const rows: readonly (readonly [html: string, markdown: string])[] = [
      ['<code><a href="/a">a</a>: b<br>x <a href="/c">c</a></code>', '[`a`](/a)`: b`\\\n`x` [`c`](/c)'],
      ['<code>a<br><br><a href="/c">c</a></code>', '`a`\\\n[`c`](/c)'],
      ['<code>a<br>b</code>', '`a`\\\n`b`'],
      ['<code><img src="/i" alt="I"> <a href="/a">a</a></code>', '![I](/i) [`a`](/a)'],
      ['<code>x <a href="/a"><img src="/i" alt="I"></a></code>', '`x` [![I](/i)](/a)'],
    ];
    for (const [html, markdown] of rows) assert.equal(page(`<p>${html}</p>`).trim(), markdown, html);
  });

  it('takes raised numbers for footnotes where they lead to a block of the same number, and leaves other links', () => {
    for (const [id, back] of [['1', 'r1'], ['_ftn1', '_ftnref1'], ['ref-01', 'x'], ['n1', 'a']] as const)
      for (const reference of [`<sup id="${back}"><a href="#${id}">1</a></sup>`, `<a name="${back}" href="#${id}"><sup>[1]</sup></a>`]) {
        const note = `<p id="${id}">The note. <a href="#${back}">↑</a></p>`;
        assert.equal(convert(`<p>Text${reference}.</p>${note}`), 'Text[^1].\n\n[^1]: The note.', reference);
      }
    for (const [reference, target] of [
      ['<sup><a href="#n2">2</a></sup>', '<h2 id="n2">Chapter</h2>'],
      ['<sup><a href="#n3">2</a></sup>', '<p id="n3">Other</p>'],
      ['<sup><a href="#n12">2</a></sup>', '<p id="n12">Other</p>'],
      ['<a href="#n2">2</a>', '<p id="n2">Other</p>'],
      ['<sup><a href="#n2">2</a></sup>', '<p id="n4">Other</p>'],
    ])
      assert.doesNotMatch(convert(`<p>x${reference}</p>${target}`), /\[\^/, reference);
  }); // prettier-ignore

  it('leaves code and tables what they are in a link around several blocks, with the address behind', () => {
    assert.equal(page('<a href="https://e.example/x"><pre>a\nb</pre><p>c</p></a>').trim(), '```\na\nb\n```\n\nc\n\n<https://e.example/x>');
    assert.equal(page('<a href="/x"><table><tr><th>a</th></tr><tr><td>b</td></tr></table></a>').trim(), '| a |\n| --- |\n| b |\n\n[link](/x)');
    assert.equal(page('<a href="/x"><p>a</p><p>b</p></a>').trim(), '[a b](/x)');
  }); // prettier-ignore

  it('writes a link around an item of a list into the item', () => {
    assert.equal(
      page('<ul><a href="/a"><li>a</li></a> <li>b</li><a href="/c"><li><b>c</b> d</li></a></ul>'),
      '- [a](/a)\n- b\n- [**c** d](/c)',
    );
  });

  it('fences code inside of an inline element, whatever white space it ends with', () => {
    for (const tag of ['code', 'span', 'font', 'b'])
      assert.match(
        page(`before <${tag}><pre>\n\none\ntwo\n</pre></${tag}> after`),
        /^before\n\n```\n\none\ntwo\n```\n\nafter$/,
        tag,
      );
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

  it('makes no link of a script, in whatever way its scheme is spelled', () => {
    for (const href of [
      'java\nscript:x',
      '\tjavascript:x',
      '&#1;javascript:x',
      'JAVA&Tab;SCRIPT:x',
      ' d\rata:text/html,x',
    ])
      for (const base of [undefined, 'https://e.example/'])
        assert.equal(page(`<a href="${href}">j</a>`, base), 'j', href);
    assert.equal(convert('<base href="javascript://h/"><a href="/x">t</a>'), '[t](https://e.example/x)');
  });

  it('keeps the marker of the one block that a link goes around', () => {
    assert.deepEqual(
      [
        'before<a href="/x"><h2>t</h2></a>after',
        '<a href="/x"><div>a</div></a><a href="/y"><p>1. b</p></a>',
        '<a href="/x"><ul><li>a</li></ul></a>',
        '<h2><a href="/x"><div>t</div></a></h2>',
        '<ul><li><a href="/x"><h3>t</h3></a></li><li>b</li></ul>',
        'before<a href="/x"><h3>Title</h3><p>Teaser</p></a>after',
      ].map((html) => page(html)),
      [
        'before\n\n## [t](/x)\n\nafter',
        '[a](/x)\n\n[1\\. b](/y)',
        '- [a](/x)',
        '## [t](/x)',
        '- ### [t](/x)\n- b',
        'before\n\n[Title Teaser](/x)\n\nafter',
      ],
    );
  });
});
