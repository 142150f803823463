import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import TurndownService from 'turndown';
import { removeHidden } from '../../src/capabilities/webFetch/html/hidden';
import { ELEMENT, LeanNode, textOf } from '../../src/capabilities/webFetch/html/leanNode';
import { findMainContent } from '../../src/capabilities/webFetch/html/mainContent';
import { parseHtml } from '../../src/capabilities/webFetch/html/parse';
import { TagTable } from '../../src/capabilities/webFetch/html/tags';
import { readPage } from '../../src/capabilities/webFetch/page/readPage';
import { full } from '../support/counts';
import { pageInput } from '../support/pageInput';
import { itWithShared } from '../support/shared';
import { skipBecause } from '../support/skip';

interface Page {
  readonly name: string;
  readonly source: string;
  readonly expected: string;
}

const pagesIn = (folder: string): Page[] =>
  readdirSync(folder).map((name) => ({
    name,
    source: readFileSync(path.join(folder, name, 'source.html'), 'utf8'),
    expected: readFileSync(path.join(folder, name, 'expected.html'), 'utf8'),
  }));

/** The words of markdown, without link targets and escapes. */
const words = (markdown: string): string[] =>
  markdown
    .replace(/\]\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g, '] ')
    .replace(/<br>/g, ' ')
    .replace(/\\/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** How much of two bags of words is the same, from 0 to 1. */
function f1(ours: readonly string[], theirs: readonly string[]): number {
  if (ours.length + theirs.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of ours) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return (2 * common) / (ours.length + theirs.length);
}

/** turndown, with the elements removed that we remove and the pictures kept that a script would load. */
function peer(): TurndownService {
  const tags = new TagTable(true);
  const service = new TurndownService();
  service.addRule('removed', {
    filter: (node) => {
      if (/^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD|TITLE|META|LINK|BASE)$/.test(node.nodeName)) return true;
      const lean = new LeanNode(ELEMENT, tags.get(node.nodeName), '');
      lean.attrs = (Array.from(node.attributes) as { name: string; value: string }[]).flatMap(({ name, value }) => [
        name,
        value,
      ]);
      const parent = new LeanNode(ELEMENT, tags.get('div'), '');
      parent.append(lean);
      return removeHidden(parent).hidden > 0;
    },
    replacement: () => '',
  });
  service.addRule('lazy pictures', {
    filter: (node) => {
      const lazy = ['data-src', 'data-original', 'data-lazy-src', 'srcset', 'data-srcset'];
      const source = lazy.map((name) => node.getAttribute(name)).find((value) => value);
      if (node.nodeName === 'IMG' && source && !node.getAttribute('src')) node.setAttribute('src', source);
      return false;
    },
    replacement: () => '',
  });
  return service;
}

const read = (source: string): string => readPage(pageInput(source)).content;

const meanF1 = (pages: readonly Page[]): number => {
  const service = peer();
  return (
    pages.reduce((sum, { source }) => sum + f1(words(read(source)), words(service.turndown(source))), 0) / pages.length
  );
};

const sameMainText = ({ source, expected }: Page): boolean => {
  const main = findMainContent(source, 'http://fakehost/test/page.html')?.content;
  const text = (node: LeanNode): string => textOf(node).replace(/\s+/g, '');
  return main !== undefined && text(main) === text(parseHtml(expected).body);
};

const own: readonly Page[] = [
  {
    name: 'own article',
    source: `<!doctype html><html><head><title>News</title><style>p{}</style></head><body><header><nav><a href="/">Home</a></nav></header><div class="content"><article>${'<p>A paragraph with <b>bold</b>, a <a href="/x">link</a>, commas, and enough words to count as prose. It goes on, and on, for a while.</p>'.repeat(12)}</article></div><div class="sidebar">Buy this</div><script>var x = "<p>no</p>";</script></body></html>`,
    expected:
      '<p>A paragraph with bold, a link, commas, and enough words to count as prose. It goes on, and on, for a while.</p>'.repeat(
        12,
      ),
  },
];

describe('real pages', () => {
  it('S3.web-fetch: keep their words and give their main content, on a page of our own', () => {
    assert.ok(meanF1(own) > 0.998);
    assert.deepEqual(own.map(sameMainText), [true]);
  });

  itWithShared(
    'corpora/pages',
    'S3.web-fetch: keep their words: F1 of at least 0.998 against turndown',
    function (folder) {
      if (!full) skipBecause(this, 'left to the whole run');
      const mean = meanF1(pagesIn(folder));
      assert.ok(mean >= 0.998, `F1 is ${mean}`);
    },
  );

  itWithShared('corpora/pages', 'S3.web-fetch: give the main content that Readability expects', (folder) => {
    const pages = pagesIn(folder);
    assert.ok(pages.length > 0);
    assert.deepEqual(
      pages.filter((page) => !sameMainText(page)).map(({ name }) => name),
      [],
    );
  });
});
