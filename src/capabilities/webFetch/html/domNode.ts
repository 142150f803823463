import { DOCUMENT, ELEMENT, LeanNode, TEXT, textOf } from './leanNode';
import { parseHtml } from './parse';
import { serialize } from './serialize';
import { type Tag, TagTable } from './tags';

interface Attribute {
  readonly name: string;
  readonly value: string;
  cloneNode(): Attribute;
}

const makeAttribute = (name: string, value: string): Attribute => ({
  name,
  value,
  cloneNode: () => makeAttribute(name, value),
});

/** Narrows nodes of a tree that was built from this class only. */
const dom = (node: LeanNode | null): DomNode | null => (node instanceof DomNode ? node : null);

/**
 * The lean node with the part of the DOM that the reader (Mozilla's Readability) uses. Lists are plain arrays of the
 * moment, not live ones: the reader copies them before it changes anything.
 */
export class DomNode extends LeanNode {
  readonly ownerDocument: DomDocument;

  constructor(type: number, tag: Tag, data: string, owner: DomDocument) {
    super(type, tag, data);
    this.ownerDocument = owner;
  }

  get nodeType(): number {
    return this.type;
  }
  get nodeName(): string {
    return this.tag.name;
  }
  get tagName(): string {
    return this.tag.name;
  }
  get localName(): string {
    return this.tag.name.toLowerCase();
  }
  get parentNode(): DomNode | null {
    return dom(this.parent);
  }
  get firstChild(): DomNode | null {
    return dom(this.first);
  }
  get lastChild(): DomNode | null {
    return dom(this.last);
  }
  get nextSibling(): DomNode | null {
    return dom(this.next);
  }
  get childNodes(): DomNode[] {
    return this.#children(false);
  }
  get children(): DomNode[] {
    return this.#children(true);
  }
  get firstElementChild(): DomNode | null {
    return element(this.first, (node) => node.next);
  }
  get nextElementSibling(): DomNode | null {
    return element(this.next, (node) => node.next);
  }
  get previousElementSibling(): DomNode | null {
    return element(this.prev, (node) => node.prev);
  }

  #children(elementsOnly: boolean): DomNode[] {
    const list: DomNode[] = [];
    for (let child = this.firstChild; child; child = child.nextSibling)
      if (!elementsOnly || child.type === ELEMENT) list.push(child);
    return list;
  }

  get textContent(): string {
    return textOf(this);
  }
  set textContent(text: string) {
    if (this.type === TEXT) {
      this.data = text;
      return;
    }
    this.#empty();
    if (text !== '') this.append(this.ownerDocument.createTextNode(text));
  }

  get innerHTML(): string {
    let html = '';
    for (let child = this.first; child; child = child.next) html += serialize(child);
    return html;
  }
  set innerHTML(html: string) {
    this.#empty();
    const { body } = parseHtml(`<body>${html}`, {
      exactSpace: true,
      create: (type, tag, data) => new DomNode(type, tag, data, this.ownerDocument),
    });
    for (let child = body.first; child;) {
      const { next } = child;
      child.unlink();
      this.append(child);
      child = next;
    }
  }

  #empty(): void {
    while (this.first) this.first.unlink();
  }

  get attributes(): Attribute[] {
    const list = this.attrs ?? [];
    const found: Attribute[] = [];
    for (let at = 0; at < list.length; at += 2) found.push(makeAttribute(list[at] ?? '', list[at + 1] ?? ''));
    return found;
  }
  getAttribute(name: string): string | null {
    return this.attribute(name.toLowerCase()) ?? null;
  }
  hasAttribute(name: string): boolean {
    return this.attribute(name.toLowerCase()) !== undefined;
  }
  setAttribute(name: string, value: string): void {
    const key = name.toLowerCase();
    const list = (this.attrs ??= []);
    for (let at = 0; at < list.length; at += 2) {
      if (list[at] === key) {
        list[at + 1] = String(value);
        return;
      }
    }
    list.push(key, String(value));
  }
  setAttributeNode(attribute: Attribute): void {
    this.setAttribute(attribute.name, attribute.value);
  }
  removeAttribute(name: string): void {
    const list = this.attrs;
    if (!list) return;
    const key = name.toLowerCase();
    for (let at = list.length - 2; at >= 0; at -= 2) if (list[at] === key) list.splice(at, 2);
  }

  get id(): string {
    return this.attribute('id') ?? '';
  }
  set id(value: string) {
    this.setAttribute('id', value);
  }
  get className(): string {
    return this.attribute('class') ?? '';
  }
  set className(value: string) {
    this.setAttribute('class', value);
  }
  get src(): string {
    return this.attribute('src') ?? '';
  }
  get srcset(): string {
    return this.attribute('srcset') ?? '';
  }
  get href(): string {
    return this.attribute('href') ?? '';
  }
  getElementsByTagName(name: string): DomNode[] {
    return this.querySelectorAll(name);
  }
  /** Understands lists of tag names and `*`, which is all that the reader asks. */
  querySelectorAll(selector: string): DomNode[] {
    const names = new Set(selector.split(',').map((one) => one.trim().toUpperCase()));
    const all = names.has('*');
    const found: DomNode[] = [];
    const walk = (node: DomNode): void => {
      for (let child = node.firstChild; child; child = child.nextSibling) {
        if (child.type !== ELEMENT) continue;
        if (all || names.has(child.tag.name)) found.push(child);
        walk(child);
      }
    };
    walk(this);
    return found;
  }

  appendChild(child: DomNode): DomNode {
    child.unlink();
    this.append(child);
    return child;
  }
  removeChild(child: DomNode): DomNode {
    child.unlink();
    return child;
  }
  replaceChild(fresh: DomNode, old: DomNode): DomNode {
    if (fresh === old) return old;
    fresh.unlink();
    this.insert(fresh, old);
    old.unlink();
    return old;
  }
  remove(): void {
    this.unlink();
  }
}

function element(start: LeanNode | null, step: (node: LeanNode) => LeanNode | null): DomNode | null {
  let node = start;
  while (node && node.type !== ELEMENT) node = step(node);
  return dom(node);
}

/** A document for the reader: the parsed page and the few properties of `document` that it reads. */
export class DomDocument {
  readonly nodeType = DOCUMENT;
  readonly documentURI: string;
  readonly baseURI: string;
  readonly documentElement: DomNode;
  readonly body: DomNode;
  readonly #tags = new TagTable(true);

  constructor(html: string, url: string) {
    this.documentURI = url;
    const page = parseHtml(html, {
      extended: true,
      exactSpace: true,
      create: (type, tag, data) => new DomNode(type, tag, data, this),
    });
    // The parser makes every node by the function above.
    this.documentElement = page.html as DomNode;
    this.body = page.body as DomNode;
    this.baseURI = url;
  }

  get firstChild(): DomNode {
    return this.documentElement;
  }
  get title(): string {
    return this.querySelectorAll('title')[0]?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  }
  createElement(name: string): DomNode {
    return new DomNode(ELEMENT, this.#tags.get(name), '', this);
  }
  createTextNode(text: string): DomNode {
    return new DomNode(TEXT, this.#tags.get('#text'), text, this);
  }
  getElementsByTagName(name: string): DomNode[] {
    return this.documentElement.getElementsByTagName(name);
  }
  querySelectorAll(selector: string): DomNode[] {
    return this.documentElement.querySelectorAll(selector);
  }
}
