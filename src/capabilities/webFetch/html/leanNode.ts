import type { Tag } from './tags';

export const ELEMENT = 1;
export const TEXT = 3;
export const DOCUMENT = 9;

/** Names and values in turn: most elements have none or two attributes, where an array beats a map. */
export type Attributes = string[];

/**
 * A node of the lean document: a linked tree with just what the converter reads.
 * Fields are plain and always present, so that every node has one shape.
 */
export class LeanNode {
  readonly type: number;
  /** The element's tag; the text node's and document's is a fixed one. */
  tag: Tag;
  data: string;
  parent: LeanNode | null = null;
  first: LeanNode | null = null;
  last: LeanNode | null = null;
  next: LeanNode | null = null;
  prev: LeanNode | null = null;
  attrs: Attributes | null = null;
  /** Set by the white-space pass: holds text other than white space, or an element that counts without text. */
  hasText = false;
  hasKept = false;

  constructor(type: number, tag: Tag, data: string) {
    this.type = type;
    this.tag = tag;
    this.data = data;
  }

  append(child: LeanNode): void {
    child.parent = this;
    child.prev = this.last;
    child.next = null;
    if (this.last) this.last.next = child;
    else this.first = child;
    this.last = child;
  }

  /** Puts a node before a child; at the end where that is null. */
  insert(child: LeanNode, before: LeanNode | null): void {
    if (!before) return this.append(child);
    child.parent = this;
    child.next = before;
    child.prev = before.prev;
    if (before.prev) before.prev.next = child;
    else this.first = child;
    before.prev = child;
  }

  /** Takes the node out of its parent. */
  unlink(): void {
    const { parent } = this;
    if (!parent) return;
    if (this.prev) this.prev.next = this.next;
    else parent.first = this.next;
    if (this.next) this.next.prev = this.prev;
    else parent.last = this.prev;
    this.parent = null;
    this.next = null;
    this.prev = null;
  }

  /** The attribute's value, undefined where it is missing. Names are in lower case. */
  attribute(name: string): string | undefined {
    const list = this.attrs;
    if (!list) return undefined;
    for (let at = 0; at < list.length; at += 2) if (list[at] === name) return list[at + 1];
    return undefined;
  }
}

/** All text below a node, as it stands. */
export function textOf(node: LeanNode): string {
  if (node.type === TEXT) return node.data;
  if (node.first && node.first === node.last && node.first.type === TEXT) return node.first.data;
  let text = '';
  for (let child = node.first; child; child = child.next) text += textOf(child);
  return text;
}
