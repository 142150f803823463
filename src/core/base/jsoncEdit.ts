import { createScanner, type Node } from 'jsonc-parser';
import { canonicalJson, isObject, type Json } from './json';
import { parseJsonc } from './jsonc';

/**
 * The scanner's kinds of tokens that matter here; jsonc-parser exports them as a const enum, which cannot be used
 * across modules.
 */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, end: 17 } as const;

/** Line end and indentation of one level, as the document around has them. */
interface JsoncStyle {
  readonly eol: string;
  readonly unit: string;
  /** True inside of what stands on one line and stays there. */
  readonly oneLine?: boolean;
}

/** One member of an object or an array with the text that belongs to it. */
interface Segment {
  readonly key: string;
  readonly node: Node;
  /** Blanks and comments before it, from the line after its predecessor. */
  readonly leading: string;
  /** What stands between its value and the comma. */
  readonly beforeComma: string;
  /** A comment on its line, behind the comma. */
  readonly afterComma: string;
}

/** Tells whether a piece of JSON holds a comment. */
export function hasComments(text: string): boolean {
  return tokensOf(text).some(({ kind }) => isComment(kind));
}

/**
 * Writes a new value over the text of an old one so that comments stay where they were: members that are still there
 * keep theirs, also when they moved; only those of members that are gone go with them. A member of an array is known
 * again by its `ref` or `id`, by itself where it is a text. An object that holds comments is kept as `{ "ref": … }`
 * where the new value would be the bare text.
 * @param text the old value's text: valid JSON that may hold comments and trailing commas.
 * @param indent the indentation of the line on which the value begins.
 */
export function editJsonc(text: string, value: Json, style: JsoncStyle, indent: string): string {
  const { root } = parseJsonc(text);
  if (!root) return writeJson(value, style, indent);
  return text.slice(0, root.offset) + edited(text, root, value, style, indent) + text.slice(root.offset + root.length);
}

function edited(text: string, node: Node, value: Json, style: JsoncStyle, indent: string): string {
  const own = text.slice(node.offset, node.offset + node.length);
  if (canonicalJson(valueOf(node)) === canonicalJson(value)) return own;
  if (node.type === 'object' && isObject(value)) {
    const keys = Object.keys(value);
    return container(text, node, keys, (key) => (value as Readonly<Record<string, Json>>)[key] ?? null, style, indent);
  }
  if (node.type === 'object' && typeof value === 'string' && hasComments(own)) {
    const name = ['ref', 'id'].find(
      (one) => isObject(valueOf(node)) && (valueOf(node) as Record<string, unknown>)[one] === value,
    );
    if (name !== undefined) return edited(text, node, { [name]: value }, style, indent);
  }
  if (node.type === 'array' && Array.isArray(value)) {
    const items: readonly Json[] = value;
    const keys = unique(items.map(identity));
    return container(text, node, keys, (key) => items[keys.indexOf(key)] ?? null, style, indent);
  }
  return writeJson(value, style, indent);
}

/**
 * Rebuilds an object or array with the members that `keys` name, in the order of the old text for objects and of `keys`
 * for arrays.
 */
function container(
  text: string,
  node: Node,
  keys: readonly string[],
  valueAt: (key: string) => Json,
  style: JsoncStyle,
  indent: string,
): string {
  const isArray = node.type === 'array';
  const { segments, tail, trailingComma } = segmentsOf(text, node);
  const old = new Map(segments.map((segment) => [segment.key, segment]));
  const kept = segments.filter(({ key }) => keys.includes(key)).map(({ key }) => key);
  const order = isArray ? keys : withNew(kept, keys);
  const manyLines = segments.length === 0 || text.slice(node.offset, node.offset + node.length).includes('\n');
  const within = manyLines ? style : { ...style, oneLine: true };
  const inner = manyLines ? (indentOf(segments[0]?.leading) ?? indent + style.unit) : indent;
  const newline = style.eol + inner;
  const head = segments[0]?.leading ?? '';
  const blankHead = head.trim() === '' ? head : '';
  const out = new Pieces(isArray ? '[' : '{', newline);
  order.forEach((key, index) => {
    const segment = old.get(key);
    const plain = manyLines ? newline : index === 0 ? blankHead : ' ';
    const leading = segment && (manyLines || segment.leading.trim() !== '') ? segment.leading : plain;
    out.add(manyLines && !leading.includes('\n') && leading.trim() === '' ? newline : leading);
    if (segment) {
      const valueNode = isArray ? segment.node : segment.node.children?.[1];
      const head = valueNode ? text.slice(segment.node.offset, valueNode.offset) : '';
      out.add(
        head +
          (valueNode ? edited(text, valueNode, valueAt(key), within, inner) : writeJson(valueAt(key), within, inner)),
      );
      out.add(segment.beforeComma);
    } else out.add(`${isArray ? '' : `${JSON.stringify(key)}: `}${writeJson(valueAt(key), within, inner)}`);
    if (index < order.length - 1 || trailingComma) out.add(',');
    out.add(segment?.afterComma ?? '');
  });
  if (order.length === 0 && tail.trim() === '') return isArray ? '[]' : '{}';
  out.add(manyLines && !tail.includes('\n') && order.length > 0 ? `${tail}${style.eol}${indent}` : tail);
  out.add(isArray ? ']' : '}');
  return out.text;
}

/** The old order with new names after the name that they follow in the new one. */
function withNew(kept: readonly string[], keys: readonly string[]): readonly string[] {
  const order = [...kept];
  keys.forEach((key, index) => {
    if (!order.includes(key)) order.splice(index === 0 ? 0 : order.indexOf(keys[index - 1] ?? '') + 1, 0, key);
  });
  return order;
}

/** Joins pieces; what would stand in a line comment of the piece before begins a new line. */
class Pieces {
  text: string;
  #inLineComment = false;
  readonly #newline: string;

  constructor(start: string, newline: string) {
    this.text = start;
    this.#newline = newline;
  }

  add(piece: string): void {
    if (piece === '') return;
    if (this.#inLineComment && !/^[ \t]*\r?\n/.test(piece)) this.text += this.#newline;
    this.text += piece;
    this.#inLineComment = tokensOf(piece).at(-1)?.kind === token.lineComment;
  }
}

interface Segments {
  readonly segments: readonly Segment[];
  /** What stands between the last member and the closing bracket. */
  readonly tail: string;
  readonly trailingComma: boolean;
}

function segmentsOf(text: string, node: Node): Segments {
  const children = node.children ?? [];
  const end = node.offset + node.length - 1;
  const names = children.map((child) =>
    node.type === 'array' ? identity(valueOf(child)) : String(child.children?.[0]?.value ?? ''),
  );
  const keys = node.type === 'array' ? unique(names) : names;
  const segments: Segment[] = [];
  let leading = text.slice(node.offset + 1, children[0]?.offset ?? end);
  let trailingComma = false;
  children.forEach((child, index) => {
    const next = children[index + 1]?.offset ?? end;
    const gap = splitGap(text.slice(child.offset + child.length, next));
    segments.push({
      key: keys[index] ?? '',
      node: child,
      leading,
      beforeComma: gap.beforeComma,
      afterComma: gap.afterComma,
    });
    leading = gap.rest;
    trailingComma = gap.hasComma;
  });
  return { segments, tail: leading, trailingComma };
}

interface Gap {
  readonly hasComma: boolean;
  readonly beforeComma: string;
  readonly afterComma: string;
  readonly rest: string;
}

/**
 * Splits what stands between two members: up to the comma, behind the comma on the same line, and the rest, which
 * belongs to the next.
 */
function splitGap(gap: string): Gap {
  const tokens = tokensOf(gap);
  const comma = tokens.find(({ kind }) => kind === token.comma);
  const beforeComma = comma ? gap.slice(0, comma.offset) : '';
  const after = gap.slice(comma ? comma.offset + 1 : 0);
  const behind = tokensOf(after);
  const lineEnd = behind.find(({ kind, text }) => kind === token.lineBreak || (isComment(kind) && text.includes('\n')));
  const onLine = lineEnd?.kind === token.lineBreak ? after.slice(0, lineEnd.offset) : '';
  const afterComma = onLine.trim() === '' ? '' : onLine.trimEnd();
  return { hasComma: comma !== undefined, beforeComma, afterComma, rest: after.slice(onLine.length) };
}

interface Token {
  readonly kind: number;
  readonly offset: number;
  readonly text: string;
}

function tokensOf(text: string): readonly Token[] {
  const scanner = createScanner(text, false);
  const tokens: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== token.end; kind = scanner.scan())
    tokens.push({ kind, offset: scanner.getTokenOffset(), text: scanner.getTokenValue() });
  return tokens;
}

function isComment(kind: number): boolean {
  return kind === token.lineComment || kind === token.blockComment;
}

/** The value of a node; a property that stands twice counts as the editor counts it, the last one. */
export function valueOf(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return (node.value ?? null) as Json;
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [
      String(children[0]?.value),
      children[1] ? valueOf(children[1]) : null,
    ]),
  );
}

function identity(item: Json): string {
  if (typeof item === 'string') return item;
  const name = isObject(item) ? (item['ref'] ?? item['id']) : undefined;
  return typeof name === 'string' ? name : canonicalJson(item);
}

/** Tells equal names apart by their number, so that each stands for one place. */
function unique(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}\u0000${count}`;
  });
}

function indentOf(leading: string | undefined): string | undefined {
  const last = leading?.split('\n').slice(1).at(-1);
  return last === undefined ? undefined : /^[ \t]*/.exec(last)?.[0];
}

/** A value as text, many lines where it has members; `indent` is that of the line on which it begins. */
function writeJson(value: Json, { eol, unit, oneLine }: JsoncStyle, indent: string): string {
  if (oneLine === true) return writeLine(value);
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);
}

/** A value on one line, with blanks as people write them: `{ "ref": "math", "enabled": false }`. */
function writeLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${writeLine(item ?? null)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The style of a document: its line ends, and the first indentation in it. */
export function styleOf(text: string): JsoncStyle {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '    ' };
}
