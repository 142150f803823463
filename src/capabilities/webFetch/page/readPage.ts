import { collapse } from '../html/collapse';
import { writeMarkdown } from '../html/markdown';
import { pageDefaults } from '../html/options';
import { parseHtml } from '../html/parse';
import { decodeText } from './charset';
import { isHtml, looksLikeHtml, parseContentType } from './contentType';
import { type PageMetadata, readMetadata } from './metadata';
import { cutPart } from './paginate';
import { writePlainText } from './plainText';

export type PageFormat = 'markdown' | 'text' | 'html' | 'raw';

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
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly words: number;
  readonly charset: string;
  readonly metadata: PageMetadata;
  /** Elements that a reader of the page does not see, left out. */
  readonly hidden: number;
  readonly warnings: readonly string[];
}

/** Decodes, converts and cuts a fetched body. Pure; runs in the worker. */
export function readPage(input: ReadPageInput): ReadPageOutput {
  const type = parseContentType(input.contentType);
  const declaredHtml = isHtml(type.essence);
  const { text, charset, warnings: charsetWarnings } = decodeText(input.body, type.charset, declaredHtml || type.essence === '');
  const html = declaredHtml || (type.essence === '' && looksLikeHtml(text));
  const warnings = [...charsetWarnings];
  let format: PageFormat = 'raw';
  let whole = text;
  let metadata: PageMetadata = {};
  let hidden = 0;
  if (html) {
    const page = parseHtml(text, { extended: true });
    metadata = readMetadata(page);
    if (page.flattened > 0) warnings.push(`${page.flattened} elements nested too deep were flattened`);
    if (input.format !== 'raw') {
      const removed = collapse(page.body, { preformattedCode: false, removeHidden: true, maxNoBreakRun: 64 });
      hidden = removed.hidden;
      format = input.format;
      const notes = /footnote|noteref|href=["']?#(?:fn|note|cite_note|endnote)/i.test(text);
      whole =
        input.format === 'text'
          ? writePlainText(page.body)
          : writeMarkdown(page.body, { ...pageDefaults, baseUrl: baseOf(input.url, metadata.base) }, notes);
    }
  }
  const part = cutPart(whole, input.start, input.maxLength, format === 'markdown');
  return {
    format,
    content: part.text,
    start: part.start,
    end: part.end,
    total: whole.length,
    words: countWords(whole),
    charset,
    metadata,
    hidden,
    warnings,
  };
}

/** The same as a task of the worker, whose input has lost its type on the way. */
export function readPageTask(input: unknown): ReadPageOutput {
  // Only the handler of this capability posts this task, with this type.
  return readPage(input as ReadPageInput);
}

function baseOf(url: string, base: string | undefined): string {
  try {
    return new URL(base ?? '', url).href;
  } catch {
    return url;
  }
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
