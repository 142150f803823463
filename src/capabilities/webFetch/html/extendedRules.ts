import { codeLanguage, codeSpan, fencedBlock } from './codeText';
import { cleanAttribute, escapeText, escapeWholeTitle } from './escape';
import { addressed, destinationOf } from './addressed';
import type { Footnotes } from './footnotes';
import { type LeanNode, TEXT, textOf } from './leanNode';
import { linkedCode } from './linkedCode';
import { MarkdownPieces } from './markdownPieces';
import { writeTable } from './table';
import { Rule } from './tags';
import { type ContentWriter, oneLine, trimBreaks } from './contentWriter';

/** The rules that go beyond turndown's: what a model needs from a real page and plain markdown rules lose. */
export class ExtendedRules {
  readonly #writer: ContentWriter;
  readonly #footnotes: Footnotes;
  /** Lists with the other marker, because one of their kind stands right before. */
  readonly #others = new Set<LeanNode>();

  constructor(writer: ContentWriter, footnotes: Footnotes) {
    this.#writer = writer;
    this.#footnotes = footnotes;
  }

  heading(level: number, content: string, out: MarkdownPieces): void {
    const line = oneLine(content);
    out.breaks(2);
    if (line !== '') out.add(`${'#'.repeat(level)} ${escapeClosingSigns(line)}`);
    out.breaks(2);
  }

  /** Emphasis holds within one paragraph and does not nest in itself. */
  mark(node: LeanNode, content: string, delimiter: string, code: boolean): string {
    if (code) return content;
    const mark = delimiterFor(node, delimiter);
    if (mark === '') return content;
    if (!content.includes('\n\n')) return mark + content + mark;
    // The empty lines may be the code's own.
    if (holdsPre(node)) return content;
    return content
      .split(/\n{2,}/)
      .map((part) =>
        part.trim() === '' || /^\s*(?:#|>|\||```|~~~|[-*+] |\d+[.)] |(?:---|\*\*\*)$)/.test(part)
          ? part
          : mark + part.trim() + mark,
      )
      .join('\n\n');
  }

  inline(node: LeanNode, content: string, code: boolean): string {
    switch (node.tag.rule) {
      case Rule.Strike:
        return content.trim() === '' || code || isStruck(node) || holdsPre(node)
          ? content
          : `~~${escapeTildes(content)}~~`;
      case Rule.Checkbox: {
        if (node.attribute('type')?.toLowerCase() !== 'checkbox') return '';
        const space = node.next?.type === TEXT && node.next.data.startsWith(' ') ? '' : ' ';
        return insideItem(node) ? `[${node.attribute('checked') === undefined ? ' ' : 'x'}]${space}` : '';
      }
      default:
        return content;
    }
  }

  link(node: LeanNode, href: string, content: string): string {
    const note = this.#footnotes.reference(node);
    if (note !== undefined) return note;
    const { links } = this.#writer;
    const trimmed = content.trim();
    if (trimmed === '' || (/^(?:\\?#|¶|§|🔗)$/u.test(trimmed) && isPermanentLink(node, href))) return '';
    if (links.isDead(href)) return content;
    const target = links.absolute(href);
    if (target === '') return content;
    if (/^(?:https?|ftp|mailto):[^\s<>]+$/.test(target) && textOf(node).trim() === target) return `<${target}>`;
    const title = escapeWholeTitle(cleanAttribute(node.attribute('title')));
    const titlePart = title === '' ? '' : ` "${title}"`;
    const destination = `(${destinationOf(target)}${titlePart})`;
    if (!content.includes('\n')) return `[${content}]${destination}`;
    return linkAroundLines(node, content, destination, target);
  }

  /** A code span for each line; a block of code inside is one already, and so is code around. */
  code(node: LeanNode, content: string): string {
    if (isInCode(node)) return content;
    const isBlock = holdsPre(node);
    const linked = isBlock
      ? undefined
      : linkedCode(
          node,
          {
            link: (link, span) => {
              const href = link.attribute('href');
              return href ? this.link(link, href, span) : span;
            },
            image: (image) => this.image(image),
          },
          this.#writer.options.br,
        );
    if (linked !== undefined) return linked;
    if (!content.includes('\n')) return codeSpan(content);
    if (isBlock) return content;
    const lines = content.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => codeSpan(line.trim())).join(`${this.#writer.options.br}\n`);
  }

  image(node: LeanNode): string {
    const { links } = this.#writer;
    const plain = node.attribute('src')?.trim() ?? '';
    const lazy =
      node.attribute('data-src') ??
      node.attribute('data-original') ??
      node.attribute('data-lazy-src') ??
      firstOfSet(node);
    const source = (plain === '' || plain.startsWith('data:')) && lazy !== undefined ? lazy : plain;
    const pixel = node.attribute('width') === '1' && node.attribute('height') === '1';
    if (source === '' || (pixel && !node.attribute('alt')?.trim())) return '';
    const alt = escapeText(oneLine(cleanAttribute(node.attribute('alt'))), false);
    if (links.isDead(source)) return alt === '' ? '' : `![${alt}]()`;
    const title = cleanAttribute(node.attribute('title'));
    return `![${alt}](${destinationOf(links.absolute(source))}${title === '' ? '' : ` "${escapeWholeTitle(title)}"`})`;
  }

  /** Handles the blocks that turndown treats as plain containers; false where it is one. */
  block(node: LeanNode, out: MarkdownPieces, code: boolean): boolean {
    switch (node.tag.rule) {
      case Rule.Table:
        writeTable(node, out, this.#writer, code);
        return true;
      case Rule.Term: {
        out.breaks(2);
        out.add(oneLine(this.#writer.content(node, code, false)));
        out.breaks(1);
        return true;
      }
      case Rule.Definition: {
        const text = trimBreaks(this.#writer.indented(() => this.#writer.content(node, code, false)));
        out.breaks(1);
        // A fence has to begin its line, or its end would begin another.
        out.add(
          /^(?:`{3,}[^`\n]*\n|~~~)/.test(text) ? `:\n\n  ${this.#indent(text, 2)}` : `: ${this.#indent(text, 2)}`,
        );
        out.breaks(1);
        return true;
      }
      case Rule.Summary: {
        const text = oneLine(this.#writer.content(node, code, true));
        out.breaks(2);
        if (text !== '') out.add(/^[#*_]/.test(text) ? text : `**${text}**`);
        out.breaks(2);
        return true;
      }
      default:
        return this.#footnotes.definition(node, () => this.#writer.content(node, code, false));
    }
  }

  list(node: LeanNode, out: MarkdownPieces, code: boolean, nested: boolean): void {
    const writer = this.#writer;
    const ordered = node.tag.name === 'OL';
    const inner = new MarkdownPieces(false);
    const before = elementBefore(node);
    const other = before !== null && before.tag === node.tag && !this.#others.has(before);
    if (other) this.#others.add(node);
    let number = itemNumber(node.attribute('start')) ?? 1;
    for (let child = node.first; child; child = child.next) {
      if (child.tag.rule === Rule.Link) child = itemOutside(child);
      if (child.type === TEXT) {
        writer.text(child, inner, code);
        continue;
      }
      if (child.tag.rule !== Rule.Item) {
        if (child.tag.rule === Rule.List && writer.mayIndent())
          this.#listInList(child, inner, code, ordered ? '   ' : '  ');
        else writer.element(child, inner, code);
        continue;
      }
      if (this.#footnotes.definition(child, () => writer.content(child, code, false))) continue;
      number = itemNumber(child.attribute('value')) ?? number;
      const marker = ordered ? `${number}${other ? ')' : '.'} ` : `${bullet(writer.options.bulletListMarker, other)} `;
      inner.breaks(1);
      inner.add(this.#item(child, marker, code));
      inner.breaks(looseAfter(child) ? 2 : 1);
      number++;
    }
    const text = trimBreaks(inner.end());
    if (text === '') return;
    out.breaks(nested ? 1 : 2);
    out.add(text);
    out.breaks(nested ? 1 : 2);
  }

  /** A list directly inside a list belongs to the item before it. */
  #listInList(node: LeanNode, out: MarkdownPieces, code: boolean, indent: string): void {
    const text = this.#writer.indented(() => {
      const deeper = new MarkdownPieces(false);
      this.#writer.element(node, deeper, code);
      return trimBreaks(deeper.end());
    });
    out.breaks(1);
    out.add(text.replace(/^(?=.)/gm, indent));
    out.breaks(1);
  }

  #item(node: LeanNode, marker: string, code: boolean): string {
    const writer = this.#writer;
    const content = trimBreaks(writer.indented(() => writer.content(node, code, false)));
    if (content === '') return marker.trimEnd();
    return writer.mayIndent() ? marker + this.#indent(content, marker.length) : marker + content;
  }

  #indent(text: string, width: number): string {
    if (!text.includes('\n') || !this.#writer.mayIndent()) return text;
    return text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
  }

  pre(node: LeanNode, inner: LeanNode | null, out: MarkdownPieces): void {
    const whole = inner && onlyChild(node, inner) ? inner : node;
    const text = preText(whole);
    if (text.trim() === '') {
      // A picture, perhaps.
      out.breaks(2);
      this.#writer.children(node, out, false);
      return out.breaks(2);
    }
    out.add(fencedBlock(text, codeLanguage(node, inner), this.#writer.options.fence));
  }

  /** Footnotes stand at the end of the page. */
  append(out: MarkdownPieces): void {
    const text = this.#footnotes.write((content) => this.#indent(content, 4));
    if (text !== '') out.add(`\n\n${text}\n\n`);
  }
}

/** A link around one block or several. Its brackets have to stand within one line, with no marker of a block inside. */
function linkAroundLines(node: LeanNode, content: string, destination: string, target: string): string {
  const trimmed = content.trim();
  const [start, end] = [content.startsWith('\n') ? '\n\n' : '', content.endsWith('\n') ? '\n\n' : ''];
  if (!trimmed.includes('\n')) {
    // A link around one block: the block's marker stands before it.
    const marker = start === '' ? '' : (/^(?:#{1,6}|>|[-*+]|\d+[.)]) +/.exec(trimmed)?.[0] ?? '');
    return `${start}${marker}[${trimmed.slice(marker.length)}]${destination}${end}`;
  }
  // Code and tables would be none in a link's line: the address stands behind them.
  if (holdsPre(node) || holds(node, Rule.Table)) return `\n\n${trimmed}\n\n${addressed(target, '', 'link')}\n\n`;
  // A link around several: the first heading inside stays a heading, the rest becomes one line of text.
  const heading = /^(#{1,6}) +(.+)$/m.exec(trimmed);
  const text = oneLine(trimmed.replace(/^(?:#{1,6}|>|[-*+]|\d+[.)]) +/gm, ''));
  return heading && heading.index === 0 && heading[2] !== undefined && text.length > heading[2].length * 3
    ? `\n\n${heading[1]} [${heading[2]}]${destination}\n\n${trimmed.slice(heading[0].length).trim()}\n\n`
    : `${start}[${text}]${destination}${end}`;
}

/** The number of a list or an item as it is written; undefined where Markdown has none like it. */
function itemNumber(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isSafeInteger(number) && number >= 0 && number < 1e9 ? number : undefined;
}

/** A heading's final number signs would be taken for its closing ones. */
function escapeClosingSigns(line: string): string {
  let at = line.length;
  while (line.charCodeAt(at - 1) === 35) at--;
  return at === line.length ? line : `${line.slice(0, at)}\\${line.slice(at)}`;
}

/**
 * The delimiter of an emphasis: underscores where they can stand, because they are easy to tell from a list's bullet;
 * inside an emphasis of the same kind the other character. Empty where neither works.
 */
function delimiterFor(node: LeanNode, delimiter: string): string {
  const strong = delimiter.length === 2;
  const inWord = touchesWord(node);
  let outer: LeanNode | null = node.parent;
  while (outer && !outer.tag.block && !(outer.tag.rule === node.tag.rule && outer.hasText)) outer = outer.parent;
  if (!outer || outer.tag.block) return strong || !inWord ? (strong ? '**' : '_') : '*';
  const around = delimiterFor(outer, delimiter);
  if (around.startsWith('_') || around === '') return strong ? '**' : '*';
  return inWord ? '' : strong ? '__' : '_';
}

function touchesWord(node: LeanNode): boolean {
  const before = node.prev?.type === TEXT ? node.prev.data.at(-1) : undefined;
  const after = node.next?.type === TEXT ? node.next.data.at(0) : undefined;
  return /[\p{L}\p{N}]/u.test(`${before ?? ''}${after ?? ''}`);
}

function insideItem(node: LeanNode): boolean {
  for (let up = node.parent; up; up = up.parent) if (up.tag.rule === Rule.Item) return true;
  return false;
}

function firstOfSet(node: LeanNode): string | undefined {
  const set = node.attribute('srcset') ?? node.attribute('data-srcset');
  return set?.trim().split(/[\s,]+/)[0] || undefined;
}

/** The element right before a node, with white space at most between them. */
function elementBefore(node: LeanNode): LeanNode | null {
  let before = node.prev;
  while (before && before.type === TEXT && before.data.trim() === '') before = before.prev;
  return before?.type === TEXT ? null : before;
}

/** Whether an element around strikes out already. */
function isStruck(node: LeanNode): boolean {
  for (let up = node.parent; up && !up.tag.block; up = up.parent) if (up.tag.rule === Rule.Strike) return true;
  return false;
}

/** Tildes at the ends would be read with the markers. */
const escapeTildes = (content: string): string => content.replace(/^~/, '\\~').replace(/(?<!\\)~$/, '\\~');

/** A sign beside a heading or term, or at the end of a block, that links to that place: noise for a reader of text. */
function isPermanentLink(node: LeanNode, href: string): boolean {
  if (!href.includes('#')) return false;
  for (let up = node.parent; up; up = up.parent) {
    if (up.tag.rule === Rule.Heading || up.tag.rule === Rule.Term) return true;
    if (up.tag.block) break;
  }
  return node.next === null;
}

function isInCode(node: LeanNode): boolean {
  for (let up = node.parent; up && !up.tag.block; up = up.parent) if (up.tag.rule === Rule.Code) return true;
  return false;
}

/** Puts a link that goes around an item of a list into it. */
function itemOutside(link: LeanNode): LeanNode {
  const item = link.first;
  if (!item || item.next || item.tag.rule !== Rule.Item) return link;
  item.unlink();
  link.parent?.insert(item, link);
  link.unlink();
  while (item.first) {
    const child = item.first;
    child.unlink();
    link.append(child);
  }
  item.append(link);
  return item;
}

const holds = (node: LeanNode, rule: Rule): boolean => {
  for (let child = node.first; child; child = child.next)
    if (child.type !== TEXT && (child.tag.rule === rule || holds(child, rule))) return true;
  return false;
};

export const holdsPre = (node: LeanNode): boolean => holds(node, Rule.Pre);

const bullet = (marker: string, other: boolean): string => (other ? (marker === '-' ? '*' : '-') : marker);

/** Items that hold paragraphs are kept apart by empty lines, or their paragraphs would run together. */
function looseAfter(item: LeanNode): boolean {
  for (let child = item.first; child; child = child.next) {
    if (child.type !== TEXT && (child.tag.rule === Rule.Paragraph || child.tag.rule === Rule.Quote)) return true;
  }
  return false;
}

function onlyChild(parent: LeanNode, child: LeanNode): boolean {
  for (let one = parent.first; one; one = one.next) {
    if (one !== child && (one.type !== TEXT || one.data.trim() !== '')) return false;
  }
  return true;
}

/** The text of code; line breaks may be written as `br`, and lines as blocks. */
function preText(node: LeanNode): string {
  if (node.type === TEXT) return node.data;
  let text = '';
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) text += child.data;
    else if (child.tag.rule === Rule.Break) text += '\n';
    else {
      if (child.tag.block && text !== '' && !text.endsWith('\n')) text += '\n';
      text += preText(child);
      if (child.tag.block && child.next && !text.endsWith('\n')) text += '\n';
    }
  }
  return text;
}
