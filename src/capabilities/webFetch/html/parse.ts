import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { type Attributes, LeanNode } from './leanNode';
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
  /** Keeps white space between tags as it stands: the main-content extractor counts characters. */
  readonly exactSpace?: boolean;
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
  return new HtmlReader(source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source, options).read();
}

/** Reads tag by tag; `#at` is the place up to which the page is read. */
class HtmlReader {
  readonly #html: string;
  readonly #length: number;
  readonly #tags: TagTable;
  readonly #builder: TreeBuilder;
  readonly #exactSpace: boolean;
  #droppedAttributes = 0;
  #at = 0;

  constructor(html: string, options: ParseOptions) {
    this.#html = html;
    this.#length = html.length;
    this.#tags = new TagTable(options.extended ?? false, options.preformattedCode ?? false);
    this.#builder = new TreeBuilder(this.#tags, options.create ?? plainNode, maxDepth);
    this.#exactSpace = options.exactSpace ?? false;
  }

  read(): ParsedPage {
    let textStart = 0;
    for (let open = this.#html.indexOf('<'); open >= 0; open = this.#html.indexOf('<', this.#at)) {
      this.#at = open + 1;
      const kind = this.#markupAt(open);
      if (kind === 'text') continue;
      if (open > textStart) this.#text(textStart, open);
      if (kind === 'start') this.#startTag();
      else if (kind === 'end') this.#endTag();
      else if (kind === 'declaration') this.#declaration(open);
      else this.#skipTo('>', open + 2);
      textStart = this.#at;
    }
    if (this.#length > textStart) this.#text(textStart, this.#length);
    return { ...this.#builder.finish(), droppedAttributes: this.#droppedAttributes };
  }

  #markupAt(open: number): 'start' | 'end' | 'declaration' | 'nonsense' | 'text' {
    const code = this.#html.charCodeAt(open + 1);
    if (isLetter(code)) return 'start';
    if (code === 33 || code === 63) return 'declaration';
    if (code !== SLASH || open + 2 >= this.#length) return 'text';
    return isLetter(this.#html.charCodeAt(open + 2)) ? 'end' : 'nonsense';
  }

  /**
   * White space between tags is by far the most frequent text: it is known by its first characters and kept as one
   * space.
   */
  #text(start: number, end: number): void {
    const builder = this.#builder;
    if (builder.preformatted === 0) {
      let scan = start;
      while (scan < end && isSpace(this.#html.charCodeAt(scan))) scan++;
      if (scan === end) return builder.space(this.#exactSpace ? this.#html.slice(start, end) : ' ');
    }
    const slice = this.#html.slice(start, end);
    builder.text(slice.includes('&') ? decodeHTML(slice) : slice);
  }

  #skipTo(end: string, from: number): void {
    const found = this.#html.indexOf(end, from);
    this.#at = found < 0 ? this.#length : found + end.length;
  }

  /** Comments, document types, CDATA sections and processing instructions hold no text of a page. */
  #declaration(open: number): void {
    const html = this.#html;
    if (html.startsWith('<!--', open)) this.#comment(open + 4);
    else if (this.#builder.foreign && html.startsWith('<![CDATA[', open)) {
      const end = html.indexOf(']]>', open);
      this.#builder.text(html.slice(open + 9, end < 0 ? this.#length : end));
      this.#at = end < 0 ? this.#length : end + 3;
    } else this.#skipTo('>', open + 2);
    this.#builder.separate();
  }

  #comment(start: number): void {
    const html = this.#html;
    if (html.charCodeAt(start) === GT) this.#at = start + 1;
    else if (html.startsWith('->', start)) this.#at = start + 2;
    else {
      const end = html.indexOf('--', start);
      const close = /--!?>/g;
      close.lastIndex = end;
      this.#at = end >= 0 && close.test(html) ? close.lastIndex : this.#length;
    }
  }

  #tag(): Tag {
    const start = this.#at;
    this.#skipWord(start);
    const tag = this.#tags.get(this.#html.slice(start, this.#at));
    // The title of a drawing is a label in it, not the page's title.
    return this.#builder.drawings > 0 && tag.name === 'TITLE' ? this.#tags.get('svg-title') : tag;
  }

  /** A name ends before white space, `>` and `/`; that of an attribute before `=` too. */
  #skipWord(from: number, also = GT): void {
    let scan = from;
    let code = this.#html.charCodeAt(scan);
    while (scan < this.#length && code !== GT && code !== SLASH && code !== also && !isSpace(code))
      code = this.#html.charCodeAt(++scan);
    this.#at = scan;
  }

  #endTag(): void {
    this.#at++;
    const tag = this.#tag();
    this.#skipTo('>', this.#at);
    // A tag that the page's end cuts off is none.
    if (this.#at < this.#length || this.#html.charCodeAt(this.#length - 1) === GT) this.#builder.close(tag);
  }

  #startTag(): void {
    const tag = this.#tag();
    let attributes: Attributes | null = null;
    let selfClosing = false;
    for (let code; (code = this.#html.charCodeAt(this.#at)) !== GT;) {
      // A tag that the page's end cuts off is none.
      if (this.#at >= this.#length) return;
      if (isSpace(code)) this.#at++;
      else if (code === SLASH) selfClosing = this.#html.charCodeAt(++this.#at) === GT;
      else this.#attribute((attributes ??= []));
    }
    this.#at++;
    this.#builder.open(tag, attributes, selfClosing);
    if (tag.rawText !== undefined && !this.#builder.foreign) this.#rawText(tag);
  }

  #attribute(into: Attributes): void {
    const start = this.#at;
    this.#skipWord(start + 1, EQUALS);
    const name = this.#html.slice(start, this.#at);
    this.#skipSpace();
    const value = this.#html.charCodeAt(this.#at) === EQUALS ? this.#attributeValue() : '';
    if (into.length >= maxAttributes * 2) this.#droppedAttributes++;
    else into.push(lower(name), value.includes('&') ? decodeHTMLAttribute(value) : value);
  }

  #attributeValue(): string {
    this.#at++;
    this.#skipSpace();
    const html = this.#html;
    const start = this.#at;
    let code = html.charCodeAt(start);
    if (code === 34 || code === 39) {
      this.#skipTo(code === 34 ? '"' : "'", start + 1);
      return html.slice(start + 1, this.#at - 1);
    }
    let scan = start;
    while (scan < this.#length && code !== GT && !isSpace(code)) code = html.charCodeAt(++scan);
    this.#at = scan;
    return html.slice(start, scan);
  }

  #skipSpace(): void {
    while (isSpace(this.#html.charCodeAt(this.#at))) this.#at++;
  }

  /** The text of a script, style, title and their like reaches to its own end tag, whatever stands in between. */
  #rawText(tag: Tag): void {
    const start = this.#at;
    const end = this.#rawTextEnd(tag, start);
    if (end > start) {
      const slice = this.#html.slice(start, end);
      this.#builder.rawText(tag.rawText === 'decoded' && slice.includes('&') ? decodeHTML(slice) : slice);
    }
    this.#builder.close(tag);
    this.#skipTo('>', end);
  }

  #rawTextEnd(tag: Tag, start: number): number {
    if (tag.name === 'SCRIPT') return scriptEnd(this.#html, start);
    const close = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi');
    close.lastIndex = start;
    return close.exec(this.#html)?.index ?? this.#length;
  }
}

const upperCase = /[A-Z]/;
const lower = (name: string): string => (upperCase.test(name) ? name.toLowerCase() : name);

/**
 * Finds where a script's text ends. Inside `<!-- … -->` a nested `<script>…</script>` pair belongs to the text
 * (HTML standard, "script data double escaped state"); where no end is found that way, the first end tag counts.
 */
function scriptEnd(html: string, start: number): number {
  const close = /<\/script(?=[\s/>])/gi;
  close.lastIndex = start;
  const first = close.exec(html)?.index ?? html.length;
  const comment = html.indexOf('<!--', start);
  if (comment < 0 || comment > first) return first;
  const marks = /<!--|-->|<(\/?)script(?=[\s/>])/gi;
  marks.lastIndex = comment;
  let escaped = false;
  let nested = false;
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    if (mark[0] === '<!--') escaped = true;
    else if (mark[0] === '-->') escaped = nested = false;
    else if (mark[1] === '') nested = escaped;
    else if (nested) nested = false;
    else return mark.index;
  }
  return first;
}
