import type { Node } from 'jsonc-parser';
import type { Json } from '../base/json';
import { parseJsonc } from '../base/jsonc';
import { styleOf, valueOf } from '../base/jsoncEdit';
import { pointerTo } from '../base/jsonReader';
import { valueAt } from '../base/pointer';
import { say, type Sentence } from '../base/sentence';
import type { Insertion } from './textEdit';

/** A text of JSON that may hold comments, as a tree; or why it is not touched. */
function treeOf(text: string): Node | Sentence {
  const { root, faults } = parseJsonc(text);
  if (!root || faults.length > 0) return say('entry_broken_json', text.slice(0, faults[0]?.offset).split('\n').length);
  return root.type === 'object' ? root : say('entry_no_object', '/');
}

const isSentence = (value: object): value is Sentence => 'code' in value;

/** The value of such a text; why it cannot be read where it is broken. */
export function jsonValue(text: string): { readonly value: Json } | Sentence {
  const root = treeOf(withoutMark(text));
  return isSentence(root) ? root : { value: valueOf(root) };
}

/**
 * The one piece of text by which the array at `path` gets `element` as its last one, whatever of the path is missing.
 * Nothing else of the file changes, whatever stands in it. A sentence says why that cannot be done.
 */
export function arrayInsertion(text: string, path: readonly string[], element: Json): Insertion | Sentence {
  const mark = text.length - withoutMark(text).length;
  const body = text.slice(mark);
  const root = treeOf(body);
  if (isSentence(root)) return root;
  let node = root;
  for (const [depth, key] of path.entries()) {
    const place = `/${path.slice(0, depth).join('/')}`;
    if (node.type !== 'object') return say('entry_no_object', place);
    const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
    if (found.length > 1) return say('entry_key_twice', `/${path.slice(0, depth + 1).join('/')}`);
    const value = found[0]?.children?.[1];
    if (!value) {
      const nested = path.slice(depth + 1).reduceRight<Json>((inner, name) => ({ [name]: inner }), [element]);
      return moved(member(body, node, nested, key), mark);
    }
    node = value;
  }
  if (node.type !== 'array') return say('entry_no_array', `/${path.join('/')}`);
  return moved(member(body, node, element), mark);
}

/** Removes the elements of the array at `path` that `isOurs` finds, and what of the path holds nothing then. */
export function withoutElements(text: string, path: readonly string[], isOurs: (element: unknown) => boolean): string {
  for (let left = text; ;) {
    const at = elementsAt(left, path)?.findIndex(isOurs) ?? -1;
    const mark = left.length - withoutMark(left).length;
    const root = treeOf(left.slice(mark));
    if (at < 0 || isSentence(root)) return left;
    let node = nodeAt(root, path)?.children?.[at];
    // What is alone in its list or object is the value of a key there, or all that the file has.
    while (node?.parent?.parent && node.parent.children?.length === 1) node = node.parent.parent;
    if (!node) return left;
    const [start, end] = spanOf(left.slice(mark), node);
    left = left.slice(0, mark + start) + left.slice(mark + end);
  }
}

/** What goes with a member: the comma that it needed. */
function spanOf(text: string, node: Node): readonly [start: number, end: number] {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const end = node.offset + node.length;
  if (before) return [before.offset + before.length, end];
  if (after) return [node.offset, after.offset];
  return [node.offset, end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0)];
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, key) => node?.children?.findLast((child) => child.children?.[0]?.value === key)?.children?.[1],
    root,
  );
}

/** The elements of the array at `path`; undefined where there is none. */
export function elementsAt(text: string, path: readonly string[]): readonly unknown[] | undefined {
  const read = jsonValue(text);
  const value = isSentence(read) ? undefined : valueUnder(read.value, ...path);
  return Array.isArray(value) ? value : undefined;
}

/** What stands in a value under some keys, each within the one before. */
export const valueUnder = (value: unknown, ...keys: readonly string[]): unknown =>
  valueAt(value, keys.reduce(pointerTo, ''));

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');
const moved = ({ at, text }: Insertion, by: number): Insertion => ({ at: at + by, text });

/** One more member of an object or array, as the document around writes them. */
function member(text: string, container: Node, value: Json, key?: string): Insertion {
  const style = styleOf(text);
  const own = text.slice(container.offset, container.offset + container.length);
  const children = container.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  const isOneLine = children.length > 0 && !own.includes('\n');
  const outer = indentAt(text, container.offset);
  const inner = first && !isOneLine ? indentAt(text, first.offset) : outer + style.unit;
  const written = isOneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, undefined, style.unit).replaceAll('\n', style.eol + inner);
  const piece = key === undefined ? written : `${JSON.stringify(key)}: ${written}`;
  const gap = isOneLine ? ' ' : style.eol + inner;
  if (!first || !last) {
    const rest = text.slice(container.offset + 1);
    const end = /^[ \t]*\r?\n/.test(rest) ? '' : style.eol + outer;
    return { at: container.offset + 1, text: `${style.eol}${inner}${piece}${end}` };
  }
  const end = last.offset + last.length;
  // A comment on the last line belongs to what stands there.
  if (/^[ \t]*,?[ \t]*\/[/*]/.test(text.slice(end))) return { at: first.offset, text: `${piece},${gap}` };
  return { at: end, text: `,${gap}${piece}` };
}

/** The blanks at the beginning of the line on which a place lies. */
function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '';
}
