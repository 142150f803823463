import { type Attributes, DOCUMENT, ELEMENT, type LeanNode, TEXT } from './leanNode';
import { Rule, type Tag, type TagTable } from './tags';

/** What an implied end does not reach over. */
type Barrier = 'scope' | 'special' | 'table';

const ends = (tags: string, barrier: Barrier) => ({ tags: tags.split(' '), barrier });
const [listed, cell, rows] = [
  ends('dd dt', 'special'),
  ends('td th', 'table'),
  ends('tbody thead tfoot caption colgroup', 'table'),
];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** The open elements that a start tag ends, by its name. */
const impliedEnds: Readonly<Record<string, ReturnType<typeof ends>>> = {
  LI: ends('li', 'special'),
  DD: listed,
  DT: listed,
  TD: cell,
  TH: cell,
  TR: ends('tr caption colgroup', 'table'),
  TBODY: rows,
  THEAD: rows,
  TFOOT: rows,
  COLGROUP: rows,
  A: ends('a', 'scope'),
  BUTTON: ends('button', 'special'),
};

/** Puts tags and text into a tree, with the implied tags of the HTML standard that decide where text ends up. */
export class TreeBuilder {
  readonly #create: (type: number, tag: Tag, data: string) => LeanNode;
  readonly #maxDepth: number;
  readonly #textTag: Tag;
  readonly #p: Tag;
  readonly #known: Readonly<Record<string, Tag>>;
  readonly #root: LeanNode;
  readonly #head: LeanNode;
  readonly #body: LeanNode;
  /** How many elements of a tag are open, so that an end tag without a start costs nothing. */
  readonly #openCount = new Map<Tag, number>();
  #current: LeanNode;
  #depth = 0;
  /** Open elements beyond the depth limit: they have no node. */
  #overflow = 0;
  #flattened = 0;
  #elements = 0;
  #bodyBegun = false;
  #separated = false;
  /**
   * Blocks that an end tag of formatting closed early: their own end tags are still to come and must not close others.
   */
  #closedEarly: { readonly tag: Tag; readonly depth: number }[] = [];
  #swallowNewline = false;
  /** Open elements in which white space counts. */
  preformatted = 0;
  /** Open `svg` and `math` elements. */
  drawings = 0;

  constructor(tags: TagTable, create: (type: number, tag: Tag, data: string) => LeanNode, maxDepth: number) {
    this.#create = create;
    this.#maxDepth = maxDepth;
    this.#textTag = tags.get('#text');
    this.#p = tags.get('p');
    const names =
      'html head body p li dd dt td th tr tbody thead tfoot caption colgroup table option optgroup button a svg math select br h1 h2 h3 h4 h5 h6';
    this.#known = Object.fromEntries(names.split(' ').map((name) => [name, tags.get(name)]));
    const document = create(DOCUMENT, tags.get('#document'), '');
    this.#root = create(ELEMENT, this.#tag('html'), '');
    this.#head = create(ELEMENT, this.#tag('head'), '');
    this.#body = create(ELEMENT, this.#tag('body'), '');
    document.append(this.#root);
    this.#root.append(this.#head);
    this.#root.append(this.#body);
    this.#current = this.#head;
  }

  #tag(name: string): Tag {
    const tag = this.#known[name];
    if (!tag) throw new RangeError(`the tag table lacks ${name}`);
    return tag;
  }

  /** Whether this is the inside of a drawing or formula, in which `<x/>` ends at once. */
  get foreign(): boolean {
    if (this.drawings === 0) return false;
    for (let node: LeanNode | null = this.#current; node && !node.tag.holdsHtml; node = node.parent)
      if (this.#isForeign(node.tag)) return true;
    return false;
  }

  #isForeign(tag: Tag): boolean {
    return tag === this.#known['svg'] || tag === this.#known['math'];
  }

  /** Closes drawings and formulas for what is no part of one. */
  #leaveForeign(): void {
    while (this.foreign) this.#pop();
  }

  finish() {
    return {
      html: this.#root,
      head: this.#head,
      body: this.#body,
      flattened: this.#flattened,
      elements: this.#elements,
    };
  }

  /** Keeps the next text apart from the text before it, where a comment stood between them. */
  separate(): void {
    this.#separated = true;
  }

  /** White space outside preformatted text. */
  space(data: string): void {
    if (!this.#bodyBegun && this.#current === this.#head) return;
    this.#addText(data);
  }

  text(data: string): void {
    if (!this.#bodyBegun && this.#current === this.#head) this.#beginBody();
    let kept = data;
    if (this.#swallowNewline) {
      this.#swallowNewline = false;
      if (kept.startsWith('\n')) kept = kept.slice(1);
    }
    if (kept.includes('\0')) kept = kept.replaceAll('\0', '');
    if (kept !== '') this.#addText(kept);
  }

  /** The text of a raw-text element, which has just been opened. */
  rawText(data: string): void {
    if (this.#overflow === 0) this.#addText(data);
    else if (this.#current.tag.rawText === undefined && !this.#current.tag.removed) this.#separated = true;
  }

  #addText(data: string): void {
    const { last } = this.#current;
    if (last && last.type === TEXT && !this.#separated) {
      last.data += data;
      return;
    }
    this.#separated = false;
    this.#current.append(this.#create(TEXT, this.#textTag, data));
  }

  open(tag: Tag, attributes: Attributes | null, selfClosing: boolean): void {
    this.#separated = false;
    this.#swallowNewline = false;
    if (tag === this.#known['html']) return this.#mergeAttributes(this.#root, attributes);
    if (tag === this.#known['head']) return this.#mergeAttributes(this.#head, attributes);
    if (tag === this.#known['body']) {
      this.#mergeAttributes(this.#body, attributes);
      return this.#beginBody();
    }
    if (!this.#bodyBegun && this.#current === this.#head && !tag.inHead) this.#beginBody();
    if (this.#overflow === 0) {
      if (tag.leavesForeign) this.#leaveForeign();
      this.#closeImplied(tag);
    }
    if (tag.empty || (selfClosing && this.foreign)) {
      this.#append(tag, attributes);
      return;
    }
    if (this.#depth >= this.#maxDepth || this.#overflow > 0) {
      this.#overflow++;
      this.#flattened++;
      return;
    }
    const node = this.#append(tag, attributes);
    this.#current = node;
    this.#depth++;
    this.#openCount.set(tag, (this.#openCount.get(tag) ?? 0) + 1);
    if (tag.preformatted) {
      this.preformatted++;
      this.#swallowNewline = tag.swallowsBreak;
    }
    if (this.#isForeign(tag)) this.drawings++;
  }

  close(tag: Tag): void {
    this.#separated = false;
    this.#swallowNewline = false;
    if (this.#overflow > 0) {
      this.#overflow--;
      return;
    }
    if (tag === this.#known['body'] || tag === this.#known['html']) return;
    if (tag === this.#known['head']) {
      if (!this.#bodyBegun && this.#depth === 0) this.#beginBody();
      return;
    }
    if (tag === this.#known['br']) return this.open(tag, null, false);
    if (tag === this.#p) this.#leaveForeign();
    const early = this.#closedEarly.at(-1);
    if (early) {
      if (early.depth > this.#depth) {
        this.#closedEarly.pop();
        return this.close(tag);
      }
      if (early.tag === tag) {
        this.#closedEarly.pop();
        return;
      }
    }
    // The end tag of any heading ends the nearest one that is open.
    if (tag.rule === Rule.Heading)
      return this.#closeUpTo(
        headings.map((name) => this.#tag(name)),
        'scope',
      );
    if (!this.#openCount.get(tag)) {
      if (tag === this.#p && this.#bodyBegun) {
        this.open(tag, null, false);
        this.#pop();
      }
      return;
    }
    this.#closeMatching(tag);
  }

  /**
   * Closes up to the nearest open element of the tag, unless something lies between that its end tag does not reach
   * over.
   */
  #closeMatching(tag: Tag): void {
    const isTablePart =
      tag.scope || tag.name === 'TR' || tag.name === 'TBODY' || tag.name === 'THEAD' || tag.name === 'TFOOT';
    const crossed: Tag[] = [];
    for (let node: LeanNode | null = this.#current; node && node.tag !== tag; node = node.parent) {
      if (this.#bounds(node.tag, tag) && !(isTablePart && node.tag !== this.#known['table'])) return;
      if (node.tag.special) {
        if (!tag.special && !tag.formatting) return;
        if (tag.formatting) crossed.push(node.tag);
      }
    }
    while (this.#depth > 0 && this.#current.tag !== tag) this.#pop();
    this.#pop();
    for (const one of crossed.reverse()) this.#closedEarly.push({ tag: one, depth: this.#depth });
  }

  #pop(): void {
    if (this.#depth === 0) return;
    const node = this.#current;
    const { tag } = node;
    if (!node.parent) return;
    this.#current = node.parent;
    this.#depth--;
    this.#openCount.set(tag, (this.#openCount.get(tag) ?? 1) - 1);
    if (tag.preformatted) this.preformatted--;
    if (this.#isForeign(tag)) this.drawings--;
  }

  #append(tag: Tag, attributes: Attributes | null): LeanNode {
    const node = this.#create(ELEMENT, tag, '');
    this.#elements++;
    node.attrs = attributes;
    this.#current.append(node);
    return node;
  }

  #mergeAttributes(node: LeanNode, attributes: Attributes | null): void {
    if (attributes) node.attrs = [...(node.attrs ?? []), ...attributes];
  }

  #beginBody(): void {
    if (this.#bodyBegun) return;
    while (this.#depth > 0) this.#pop();
    this.#bodyBegun = true;
    this.#current = this.#body;
  }

  /** Ends the elements that a start tag implies the end of. */
  #closeImplied(tag: Tag): void {
    if (this.foreign) return;
    if (tag.closesParagraph && this.#openCount.get(this.#p)) this.#closeUpTo([this.#p], 'scope');
    if (tag.rule === Rule.Heading && this.#current.tag.rule === Rule.Heading) return this.#pop();
    if (tag.name === 'OPTION' || tag.name === 'OPTGROUP') {
      if (this.#current.tag === this.#known['option']) this.#pop();
      if (tag.name === 'OPTGROUP' && this.#current.tag === tag) this.#pop();
      return;
    }
    const ended = impliedEnds[tag.name];
    if (ended)
      this.#closeUpTo(
        ended.tags.map((name) => this.#tag(name)),
        ended.barrier,
      );
  }

  /** Whether an end of the wanted tag does not reach out of an open element; a button bounds paragraphs only. */
  #bounds(tag: Tag, wanted: Tag | undefined): boolean {
    return tag.scope || (tag === this.#known['button'] && wanted === this.#p);
  }

  /** Closes up to the nearest open element of one of these tags, if none of the named barriers lies before it. */
  #closeUpTo(wanted: readonly Tag[], barrier: Barrier): void {
    if (!wanted.some((tag) => this.#openCount.get(tag))) return;
    const known = this.#known;
    for (let node: LeanNode | null = this.#current; node; node = node.parent) {
      const { tag } = node;
      if (wanted.includes(tag)) {
        while (this.#current !== node) this.#pop();
        this.#pop();
        return;
      }
      const stops =
        barrier === 'table'
          ? tag === known['table']
          : barrier === 'scope'
            ? this.#bounds(tag, wanted[0])
            : tag.special && tag !== known['p'] && tag.name !== 'DIV' && tag.name !== 'ADDRESS';
      if (stops) return;
    }
  }
}
