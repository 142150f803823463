import { wordSet } from '../../../core/base/wordSet';
import { counted } from '../../../core/base/figures';
import { collapse } from '../html/collapse';
import { type Removed, removeHidden } from '../html/hidden';
import type { LeanNode } from '../html/leanNode';
import { LinkBase } from '../html/links';
import { findMainContent, maxReaderElements } from '../html/mainContent';
import { writeMarkdown } from '../html/markdown';
import { pageDefaults } from '../html/options';
import { parseHtml } from '../html/parse';
import { serialize } from '../html/serialize';
import { decodeText } from './charset';
import { isHtml, isXml, looksLikeHtml, parseContentType } from './contentType';
import { selectFragment } from './fragment';
import { type PageMetadata, readMetadata } from './metadata';
import type { PageFormat } from './pageFormat';
import { cutPart } from './paginate';
import { writePlainText } from './plainText';
import { judgeQuality, type Quality } from './quality';
import { mostRelevant } from './relevance';

/** What the worker is given: the body as it came and what the caller wants of it. */
export interface ReadPageInput {
  readonly body: Uint8Array;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly format: PageFormat;
  readonly focus: 'full' | 'main';
  readonly query: string | undefined;
  readonly fragment: string | undefined;
  readonly start: number;
  readonly maxLength: number;
}

/** What the worker gives back: one part of the text and facts about the whole. */
export interface ReadPageOutput {
  readonly format: PageFormat;
  readonly content: string;
  /** A stretch of the whole with the part in it, for what begins or ends outside of it; left out where all is given. */
  readonly around?: string;
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly words: number;
  readonly charset: string;
  readonly metadata: PageMetadata;
  readonly quality?: Quality;
  /** Elements that a reader of the page does not see, left out, and their characters. */
  readonly removed: Removed;
  /** Which focus was really used: `main` falls back to `full`. */
  readonly focus: 'full' | 'main';
  readonly sections?: { readonly shown: number; readonly total: number };
  readonly warnings: readonly string[];
}

/** No private key is longer. In characters. */
const margin = 30_000;

/** Decodes, converts, selects and cuts a fetched body. Pure; runs in the worker. */
export function readPage(input: ReadPageInput): ReadPageOutput {
  const type = parseContentType(input.contentType);
  const declaredHtml = isHtml(type.essence);
  const says = declaredHtml || type.essence === '' ? 'html' : isXml(type.essence) ? 'xml' : 'no';
  const decoded = decodeText(input.body, type.charset, says);
  const warnings = [...decoded.warnings];
  const html = declaredHtml || (type.essence === '' && looksLikeHtml(decoded.text));
  const converted = html ? readHtml(decoded.text, input, warnings) : plain(decoded.text);
  const isMarkdown = converted.format === 'markdown' || type.essence === 'text/markdown';
  let whole = converted.text;
  let sections: ReadPageOutput['sections'];
  if (input.query !== undefined) {
    const relevant = mostRelevant(whole, input.query);
    if (relevant) {
      whole = relevant.text;
      sections = { shown: relevant.shown, total: relevant.total };
    } else warnings.push('no section holds words of the query; the whole text is given');
  }
  const part = cutPart(whole, input.start, input.maxLength, isMarkdown);
  return {
    ...converted.facts,
    format: converted.format,
    content: part.text,
    ...(part.text.length < whole.length
      ? { around: whole.slice(Math.max(0, part.start - margin), part.end + margin) }
      : {}),
    start: part.start,
    end: part.end,
    total: whole.length,
    words: countWords(whole),
    charset: decoded.charset,
    ...(sections ? { sections } : {}),
    warnings,
  };
}

/** The same as a task of the worker, whose input has lost its type on the way. */
export function readPageTask(input: unknown): ReadPageOutput {
  // Only the handler of this capability posts this task, with this type.
  return readPage(input as ReadPageInput);
}

interface Converted {
  readonly format: PageFormat;
  readonly text: string;
  readonly facts: Pick<ReadPageOutput, 'metadata' | 'removed' | 'focus'> & { readonly quality?: Quality };
}

const nothingRemoved: Removed = { hidden: 0, hiddenCharacters: 0 };

const plain = (text: string): Converted => ({
  format: 'raw',
  text,
  facts: { metadata: {}, removed: nothingRemoved, focus: 'full' },
});

function readHtml(source: string, input: ReadPageInput, warnings: string[]): Converted {
  const page = parseHtml(source, { extended: true });
  const metadata = readMetadata(page);
  if (page.flattened > 0) warnings.push(`flattened, because nested too deep: ${counted(page.flattened, 'element')}`);
  if (page.droppedAttributes > 0)
    warnings.push(`left out, beyond the limit of a tag: ${counted(page.droppedAttributes, 'attribute')}`);
  if (input.format === 'raw')
    return { format: 'raw', text: source, facts: { metadata, removed: nothingRemoved, focus: 'full' } };
  const baseUrl = baseOf(input.url, metadata.base);
  let root: LeanNode = page.body;
  let focus: 'full' | 'main' = 'full';
  let removed: Removed | undefined;
  if (input.focus === 'main' && input.fragment === undefined) {
    const main = page.elements > maxReaderElements ? undefined : findMainContent(source, baseUrl);
    if (main) {
      root = main.content;
      removed = main.removed;
      focus = 'main';
    } else warnings.push('no main content stands out; the full page is given');
  }
  if (input.fragment !== undefined) {
    const selected = selectFragment(root, input.fragment);
    if (!selected.found)
      warnings.push(`the page has no \`${input.fragment}\`; its headings are: ${selected.headings.join(' | ')}`);
  }
  removed ??= removeHidden(root);
  collapse(root, { preformattedCode: false, maxNoBreakRun: 64 });
  const text = write(root, source, input.format, baseUrl);
  const quality = judgeQuality({
    source,
    text: input.format === 'text' ? text : text.slice(0, 50_000),
    words: countWords(text),
    title: metadata.title ?? '',
  });
  return { format: input.format, text, facts: { metadata, removed, focus, quality } };
}

function write(root: LeanNode, source: string, format: PageFormat, baseUrl: string): string {
  if (format === 'text') return writePlainText(root);
  if (format === 'html') return writeHtml(root, baseUrl);
  const notes = /footnote|noteref|href=["']?#(?:fn|note|cite_note|endnote|[\w.-]{0,20}\d)/i.test(source);
  return writeMarkdown(root, { ...pageDefaults, baseUrl }, notes);
}

const keptAttributes = wordSet('href src alt title colspan rowspan id lang dir start align datetime open cite');

/**
 * The cleaned page as HTML: no scripts, styles, hidden parts or attributes that only serve the look; references
 * absolute.
 */
function writeHtml(root: LeanNode, baseUrl: string): string {
  const links = new LinkBase(baseUrl);
  let html = '';
  for (let child = root.first; child; child = child.next) {
    html += serialize(child, (name, value) => {
      if (!keptAttributes.has(name)) return undefined;
      if (name !== 'href' && name !== 'src' && name !== 'cite') return value;
      return links.isDead(value) ? undefined : links.absolute(value);
    });
  }
  return html.trim();
}

/** What the page's links are relative to; a base of another scheme would make scripts of them. */
function baseOf(url: string, base = ''): string {
  const found = URL.canParse(base, url) ? new URL(base, url) : undefined;
  return found && /^https?:$/.test(found.protocol) ? found.href : url;
}

function countWords(text: string): number {
  let words = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const space = text.charCodeAt(at) <= 32;
    if (!space && !inside) words++;
    inside = !space;
  }
  return words;
}
