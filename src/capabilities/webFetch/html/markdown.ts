import { codeLanguage, codeSpan, fencedBlock } from './codeText';
import { cleanAttribute, escapeDestination, escapeText, escapeTitle, escapeTurndown } from './escape';
import { ExtendedRules, holdsPre } from './extendedRules';
import { flanking } from './flanking';
import { Footnotes } from './footnotes';
import { type LeanNode, TEXT, textOf } from './leanNode';
import { LinkBase } from './links';
import type { MarkdownOptions } from './options';
import { MarkdownPieces } from './markdownPieces';
import { Rule } from './tags';
import { trimBreaks, withoutHardBreak } from './contentWriter';
import { escapeEnds, joinAlike } from './neighbours';

/**
 * Lists and quotes deeper than this are written without a further indent: each level would copy all text below it once
 * more.
 */
const maxIndent = 24;

/** Writes a collapsed tree as markdown, by turndown's rules and, in extended mode, by ours where they say more. */
export function writeMarkdown(root: LeanNode, options: MarkdownOptions, notes = false): string {
  const writer = new MarkdownWriter(options, notes ? root : undefined);
  const out = new MarkdownPieces(false);
  writer.children(root, out, false);
  writer.append(out);
  return trimPage(out.end());
}

function trimPage(text: string): string {
  return text.replace(/^[\t\r\n]+/, '').trimEnd();
}

class MarkdownWriter {
  readonly options: MarkdownOptions;
  readonly links: LinkBase;
  readonly #extended: ExtendedRules | undefined;
  readonly #references: string[] = [];
  #indent = 0;

  constructor(options: MarkdownOptions, notesFrom?: LeanNode) {
    this.options = options;
    this.links = new LinkBase(options.extended ? options.baseUrl : undefined);
    this.#extended = options.extended ? new ExtendedRules(this, new Footnotes(notesFrom)) : undefined;
  }

  /** What stands at the end of the page: link references, footnotes. */
  append(out: MarkdownPieces): void {
    if (this.#references.length > 0) out.add(`\n\n${this.#references.join('\n')}\n\n`);
    this.#extended?.append(out);
  }

  children(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    for (let child = node.first; child; child = child.next) {
      if (child.type === TEXT) this.text(child, out, code);
      else this.element(child, out, code);
    }
  }

  /** The markdown of what is inside an element, with the breaks at its ends. */
  content(node: LeanNode, code: boolean, inline: boolean): string {
    const { first } = node;
    if (first && first === node.last && first.type === TEXT) {
      if (code) return first.data;
      return this.#extended ? escapeText(first.data, !inline) : escapeTurndown(first.data);
    }
    const out = new MarkdownPieces(inline);
    this.children(node, out, code);
    return out.end();
  }

  text(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    const { data } = node;
    if (data === ' ' || code) this.#add(data, out);
    else if (this.#extended) out.add(escapeEnds(node, escapeText(data, out.atLineStart())));
    else out.add(escapeTurndown(data));
  }

  element(node: LeanNode, out: MarkdownPieces, insideCode: boolean): void {
    const { tag } = node;
    const isBlank = !node.hasText && !node.hasKept && !tag.keepsBlank;
    // A block that holds nothing still keeps its neighbours apart.
    if (tag.block) return isBlank ? out.breaks(2) : this.#block(node, out, insideCode);
    const code = insideCode || tag.name === 'CODE';
    if (isBlank) {
      // Nothing but white space: that is kept, the element is not.
      const { leading, trailing } =
        this.options.preformattedCode && code
          ? { leading: '', trailing: '' }
          : flanking(node, this.options.preformattedCode, this.options.extended);
      out.add(leading + trailing);
      return;
    }
    if (tag.rule === Rule.Break) return this.#break(out, code);
    if (this.#extended) joinAlike(node);
    this.#inline(node, out, code);
  }

  /** Adds a part of a line. What stands between elements that show nothing would make code of a line's start. */
  #add(text: string, out: MarkdownPieces): void {
    out.add(this.#extended && out.atLineStart() ? text.replace(/^ +/, '') : text);
  }

  #break(out: MarkdownPieces, code: boolean): void {
    if (this.#extended) out.hardBreaks(1, code ? '' : this.options.br);
    else out.add(`${this.options.br}\n`);
  }

  #inline(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    const { tag } = node;
    const { preformattedCode } = this.options;
    if (tag.empty) return out.add(this.#inlineRule(node, '', code));
    const around = preformattedCode && code ? undefined : flanking(node, preformattedCode, this.options.extended);
    // White space at the edges of a block of code is its own.
    const bare = !around?.found || (this.#extended !== undefined && holdsPre(node));
    if (bare && tag.rule === Rule.Default) return this.children(node, out, code);
    const inner = new MarkdownPieces(tag.rule !== Rule.Default || out.isInline());
    this.children(node, inner, code);
    let content = inner.end();
    if (!bare) content = this.#extended && !code ? withoutHardBreak(content.trim()) : content.trim();
    const text = this.#inlineRule(node, content, code);
    const [before, after] = inner.outerBreaks();
    out.hardBreaks(before, this.options.br);
    this.#add(bare ? text : around.leading + text + around.trailing, out);
    out.hardBreaks(after, this.options.br);
  }

  #inlineRule(node: LeanNode, content: string, code: boolean): string {
    const { options } = this;
    switch (node.tag.rule) {
      case Rule.Emphasis:
        return content.trim() === '' ? '' : this.#mark(node, content, options.emDelimiter, code);
      case Rule.Strong:
        return content.trim() === '' ? '' : this.#mark(node, content, options.strongDelimiter, code);
      case Rule.Code:
        return this.#code(node, content);
      case Rule.Link:
        return this.#link(node, content, code);
      case Rule.Image:
        return this.#image(node);
      default:
        return this.#extended ? this.#extended.inline(node, content, code) : content;
    }
  }

  #mark(node: LeanNode, content: string, delimiter: string, code: boolean): string {
    return this.#extended ? this.#extended.mark(node, content, delimiter, code) : delimiter + content + delimiter;
  }

  #code(node: LeanNode, content: string): string {
    const alone = node.parent?.tag.name === 'PRE' && !node.prev && !node.next;
    if (alone || content === '') return content;
    return this.#extended ? this.#extended.code(node, content) : codeSpan(content);
  }

  #link(node: LeanNode, content: string, code: boolean): string {
    const href = node.attribute('href');
    if (!href) return content;
    // The code around writes its links itself.
    if (this.#extended) return code ? content : this.#extended.link(node, href, content);
    const target = escapeDestination(href);
    const title = escapeTitle(cleanAttribute(node.attribute('title')));
    const titlePart = title === '' ? '' : ` "${title}"`;
    if (this.options.linkStyle === 'inlined') return `[${content}](${target}${titlePart})`;
    const style = this.options.linkReferenceStyle;
    const id = style === 'full' ? this.#references.length + 1 : content;
    this.#references.push(`[${id}]: ${target}${titlePart}`);
    return { full: `[${content}][${id}]`, collapsed: `[${content}][]`, shortcut: `[${content}]` }[style];
  }

  #image(node: LeanNode): string {
    if (this.#extended) return this.#extended.image(node);
    const source = escapeDestination(node.attribute('src') ?? '');
    if (source === '') return '';
    const title = cleanAttribute(node.attribute('title'));
    return `![${escapeTurndown(cleanAttribute(node.attribute('alt')))}](${source}${title === '' ? '' : ` "${escapeTitle(title)}"`})`;
  }

  #block(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    switch (node.tag.rule) {
      case Rule.Heading:
        return this.#heading(node, out, code);
      case Rule.Quote:
        return this.#quote(node, out, code);
      case Rule.List:
        return this.#list(node, out, code);
      case Rule.Item:
        // One outside a list.
        return out.add(this.item(node, `${this.options.bulletListMarker}${this.#extended ? ' ' : '   '}`, code));
      case Rule.Pre:
        return this.#pre(node, out, code);
      case Rule.Line:
        // In an item three hyphens would read as another bullet and turn the item into a line.
        return out.add(`\n\n${this.#extended && this.#indent > 0 ? '***' : this.options.hr}\n\n`);
      default:
        if (!this.#extended?.block(node, out, code)) this.#flat(node, out, code);
    }
  }

  #heading(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    const level = Number(node.tag.name.charAt(1));
    const content = this.content(node, code, true);
    if (this.#extended) return this.#extended.heading(level, content, out);
    if (this.options.headingStyle === 'setext' && level < 3) {
      out.add(`\n\n${content}\n${(level === 1 ? '=' : '-').repeat(content.length)}\n\n`);
    } else {
      out.add(`\n\n${'#'.repeat(level)} ${content}\n\n`);
    }
  }

  #quote(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    if (!this.mayIndent()) return this.#flat(node, out, code);
    const content = trimBreaks(this.indented(() => this.content(node, code, false)));
    out.add(`\n\n${content.replace(/^/gm, '> ')}\n\n`);
  }

  #flat(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    out.breaks(2);
    this.children(node, out, code);
    out.breaks(2);
  }

  #list(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    const { parent } = node;
    const nested = parent !== null && parent.tag.rule === Rule.Item && lastElement(parent) === node;
    if (this.#extended) return this.#extended.list(node, out, code, nested);
    const inner = new MarkdownPieces(false);
    let index = Number(node.attribute('start') || 1);
    const ordered = node.tag.name === 'OL';
    for (let child = node.first; child; child = child.next) {
      if (child.type === TEXT) this.text(child, inner, code);
      else {
        if (child.tag.rule === Rule.Item && (child.hasText || child.hasKept)) {
          const prefix = ordered ? `${index}.  ` : `${this.options.bulletListMarker}   `;
          inner.add(this.indented(() => this.item(child, prefix, code)));
        } else this.element(child, inner, code);
        index++;
      }
    }
    out.add(nested ? `\n${inner.end()}` : `\n\n${inner.end()}\n\n`);
  }

  item(node: LeanNode, prefix: string, code: boolean): string {
    const content = this.content(node, code, false);
    const paragraph = content.endsWith('\n');
    let text = trimBreaks(content) + (paragraph ? '\n' : '');
    if (this.mayIndent()) text = text.replaceAll('\n', `\n${' '.repeat(prefix.length)}`);
    return prefix + text + (node.next ? '\n' : '');
  }

  /** Runs with one more level of indent; beyond the limit nothing is indented any more. */
  indented<T>(work: () => T): T {
    this.#indent++;
    try {
      return work();
    } finally {
      this.#indent--;
    }
  }

  mayIndent(): boolean {
    return this.#indent < maxIndent;
  }

  #pre(node: LeanNode, out: MarkdownPieces, code: boolean): void {
    const child = node.first;
    const inner = child && child.type !== TEXT && child.tag.name === 'CODE' ? child : null;
    if (this.#extended) return this.#extended.pre(node, inner, out);
    if (!inner) return this.#flat(node, out, code);
    const text = textOf(inner);
    if (this.options.codeBlockStyle === 'indented') out.add(`\n\n    ${text.replaceAll('\n', '\n    ')}\n\n`);
    else out.add(fencedBlock(text, codeLanguage(node, inner), this.options.fence));
  }
}

function lastElement(node: LeanNode): LeanNode | null {
  let child = node.last;
  while (child && child.type === TEXT) child = child.prev;
  return child;
}
