import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { type Attributes, LeanNode } from './leanNode';
import { scriptEnd } from './rawText';
import { type Tag, TagTable } from './tags';
import { TreeBuilder } from './treeBuilder';

// Bounds that keep any input linear in time; what goes beyond is flattened or left out and reported.

/** Levels of elements; deeper elements are dissolved into their parent, their text stays. */
const maxDepth = 256;
/** Of one tag. */
const maxAttributes = 256;

export interface ParsedPage {
  readonly html: LeanNode;
  readonly head: LeanNode;
  readonly body: LeanNode;
  /** Elements that were dissolved because they lay too deep. */
  readonly flattened: number;
  readonly droppedAttributes: number;
  readonly elements: number;
}

interface ParseOptions {
  /** Treats what a reader sees as blocks as such, beyond turndown's list. */
  readonly extended?: boolean;
  /** Keeps white space inside `code` as it stands. */
  readonly preformattedCode?: boolean;
  /** Makes the nodes; the main-content extractor brings nodes with the methods of a document. */
  create?(type: number, tag: Tag, data: string): LeanNode;
}

const GT = 62;
const SLASH = 47;
const EQUALS = 61;

const isSpace = (code: number): boolean =>
  code === 32 || (code <= 13 && (code === 10 || code === 9 || code === 13 || code === 12));
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

const plainNode = (type: number, tag: Tag, data: string): LeanNode => new LeanNode(type, tag, data);

/**
 * Parses HTML into a lean document, following the parts of the HTML standard that decide where text ends up: void and
 * raw-text elements, implied end tags, table parts, head and body. One pass over the text; never throws, whatever
 * comes.
 */
export function parseHtml(source: string, options: ParseOptions = {}): ParsedPage {
  const html = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  const tags = new TagTable(options.extended ?? false, options.preformattedCode ?? false);
  const builder = new TreeBuilder(tags, options.create ?? plainNode, maxDepth);
  const length = html.length;
  let droppedAttributes = 0;
  let at = 0;
  let textStart = 0;

  const flush = (end: number): void => {
    if (end > textStart) text(textStart, end);
  };

  /**
   * White space between tags is by far the most frequent text: it is known by its first characters and kept as one
   * space.
   */
  const text = (start: number, end: number): void => {
    if (builder.preformatted === 0) {
      let scan = start;
      while (scan < end && isSpace(html.charCodeAt(scan))) scan++;
      if (scan === end) {
        builder.space();
        return;
      }
    }
    const slice = html.slice(start, end);
    builder.text(slice.includes('&') ? decodeHTML(slice) : slice);
  };

  while (at < length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    const code = html.charCodeAt(open + 1);
    if (isLetter(code)) {
      flush(open);
      at = textStart = startTag(open + 1);
    } else if (code === SLASH) {
      const after = html.charCodeAt(open + 2);
      if (isLetter(after)) {
        flush(open);
        at = textStart = endTag(open + 2);
      } else if (Number.isNaN(after)) {
        at = length;
      } else {
        flush(open);
        at = textStart = skipTo('>', open + 2);
      }
    } else if (code === 33 || code === 63) {
      flush(open);
      at = textStart = declaration(open, code);
      builder.separate();
    } else {
      at = open + 1;
    }
  }
  flush(length);
  return { ...builder.finish(), droppedAttributes };

  /** The title of a drawing is a label in it, not the page's title. */
  function tagNamed(name: string): Tag {
    const tag = tags.get(name);
    return builder.foreign > 0 && tag.name === 'TITLE' ? tags.get('svg-title') : tag;
  }

  function skipTo(end: string, from: number): number {
    const found = html.indexOf(end, from);
    return found < 0 ? length : found + end.length;
  }

  /** Comments, document types, CDATA sections and processing instructions hold no text of a page. */
  function declaration(open: number, code: number): number {
    if (code === 33 && html.startsWith('--', open + 2)) {
      if (html.charCodeAt(open + 4) === GT) return open + 5;
      if (html.startsWith('->', open + 4)) return open + 6;
      const end = html.indexOf('--', open + 4);
      if (end < 0) return length;
      const close = /--!?>/g;
      close.lastIndex = end;
      return close.test(html) ? close.lastIndex : length;
    }
    if (builder.foreign > 0 && html.startsWith('<![CDATA[', open)) {
      const end = html.indexOf(']]>', open);
      builder.text(html.slice(open + 9, end < 0 ? length : end));
      return end < 0 ? length : end + 3;
    }
    return skipTo('>', open + 2);
  }

  function endTag(nameStart: number): number {
    let scan = nameStart;
    let code = html.charCodeAt(scan);
    while (scan < length && code !== GT && code !== SLASH && !isSpace(code)) code = html.charCodeAt(++scan);
    const tag = tagNamed(html.slice(nameStart, scan));
    const end = code === GT ? scan + 1 : skipTo('>', scan);
    // A tag that the page's end cuts off is none.
    if (end < length || html.charCodeAt(length - 1) === GT) builder.close(tag);
    return end;
  }

  function startTag(nameStart: number): number {
    let scan = nameStart;
    let code = html.charCodeAt(scan);
    while (scan < length && code !== GT && code !== SLASH && !isSpace(code)) code = html.charCodeAt(++scan);
    const tag = tagNamed(html.slice(nameStart, scan));
    let attributes: Attributes | null = null;
    let selfClosing = false;
    while (scan < length) {
      code = html.charCodeAt(scan);
      if (isSpace(code)) {
        scan++;
        continue;
      }
      if (code === GT) break;
      if (code === SLASH) {
        selfClosing = html.charCodeAt(scan + 1) === GT;
        scan++;
        continue;
      }
      const start = scan++;
      code = html.charCodeAt(scan);
      while (scan < length && code !== EQUALS && code !== GT && code !== SLASH && !isSpace(code))
        code = html.charCodeAt(++scan);
      const nameEnd = scan;
      while (scan < length && isSpace(code)) code = html.charCodeAt(++scan);
      let value = '';
      if (code === EQUALS) {
        do code = html.charCodeAt(++scan);
        while (isSpace(code));
        if (code === 34 || code === 39) {
          const close = html.indexOf(code === 34 ? '"' : "'", scan + 1);
          if (close < 0) return length;
          value = html.slice(scan + 1, close);
          scan = close + 1;
        } else {
          const valueStart = scan;
          while (scan < length && code !== GT && !isSpace(code)) code = html.charCodeAt(++scan);
          value = html.slice(valueStart, scan);
        }
      }
      attributes ??= [];
      if (attributes.length < maxAttributes * 2) {
        attributes.push(lower(html.slice(start, nameEnd)), value.includes('&') ? decodeHTMLAttribute(value) : value);
      } else {
        droppedAttributes++;
      }
    }
    // A tag that the page's end cuts off is none.
    if (scan >= length) return length;
    const after = scan + 1;
    builder.open(tag, attributes, selfClosing);
    return tag.rawText === undefined || builder.foreign > 0 ? after : rawText(tag, after);
  }

  /** The text of a script, style, title and their like reaches to its own end tag, whatever stands in between. */
  function rawText(tag: Tag, start: number): number {
    let end: number;
    if (tag.name === 'SCRIPT') {
      end = scriptEnd(html, start);
    } else {
      const close = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi');
      close.lastIndex = start;
      end = close.exec(html)?.index ?? length;
    }
    if (end > start) {
      const slice = html.slice(start, end);
      builder.rawText(tag.rawText === 'decoded' && slice.includes('&') ? decodeHTML(slice) : slice);
    }
    builder.close(tag);
    return end >= length ? length : skipTo('>', end);
  }
}

const upperCase = /[A-Z]/;
const lower = (name: string): string => (upperCase.test(name) ? name.toLowerCase() : name);
