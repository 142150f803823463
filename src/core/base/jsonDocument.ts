import { getNodeValue, type Node } from 'jsonc-parser';
import { camelCase, forbiddenKeys, isObject, sanitizeJson } from './json';
import { parseJsonc } from './jsonc';
import { pointerTo, statedTwice } from './jsonReader';
import { pointerParts } from './pointer';
import { type Problem, problem } from './problem';
import { say, type Sentence } from './sentence';

/** A stretch of a text; lines and columns count from 1, the end is the position after the last character. */
interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A JSON file with comments that was read: its value, what is wrong with its text, and where everything stands. */
export interface JsonDocument {
  readonly file: string;
  /** Sanitised; undefined where the text holds no value at all or is refused. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Where properties stand that the value lacks: of doubles all but the last, and what could reach a prototype. */
  readonly lost: readonly string[];
  /** The range of the value that a pointer names, of its key with `key`, or of the nearest parent that is there. */
  range(pointer: string, part?: 'key' | 'value'): TextRange;
  /** A problem with its position filled in. */
  place(problem: Problem, part?: 'key' | 'value'): Problem;
}

/** In characters. */
const longest = 1_000_000;

/**
 * Reads JSON with comments and trailing commas, and keeps every position. Never throws: a text that cannot be read has
 * a problem of code `json_syntax` for each fault (at most 20). Keys that could reach a prototype are left out with a
 * problem.
 */
export function readJsonDocument(text: string, file: string): JsonDocument {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const starts = lineStarts(source);
  const rangeOf = (offset: number, length: number): TextRange => {
    const [line, column] = positionAt(starts, Math.min(offset, source.length));
    const [endLine, endColumn] = positionAt(starts, Math.min(offset + Math.max(length, 1), source.length));
    return { line, column, endLine, endColumn };
  };
  const syntax = (said: Sentence, offset: number, length: number): Problem =>
    problem({ severity: 'error', code: 'json_syntax', said, file, ...rangeOf(offset, length) });
  const { root, faults } =
    source.length > longest
      ? { root: undefined, faults: [{ said: say('file_long', source.length, longest), offset: 0, length: 1 }] }
      : parseJsonc(source);
  const problems = faults.slice(0, 20).map(({ said, offset, length }) => syntax(said, offset, length));
  const keys = root ? keyProblems(root, file, rangeOf) : { problems: [], lost: [] };
  problems.push(...keys.problems);
  const badAt = source.search(/[\ufffd]/);
  if (badAt >= 0) problems.push(syntax(say('file_no_text'), badAt, 1));
  if (!root && problems.length === 0) problems.push(syntax(say('file_empty'), 0, 1));
  const range = (pointer: string, part: 'key' | 'value' = 'value'): TextRange => {
    const node = root === undefined ? undefined : nodeAt(root, pointerParts(pointer), part);
    return node ? rangeOf(node.offset, node.length) : rangeOf(0, 1);
  };
  return {
    file,
    value: root === undefined ? undefined : sanitizeJson(getNodeValue(root)),
    problems,
    lost: keys.lost,
    range,
    place: (one, part) => ({ ...one, file, ...range(one.pointer ?? '', part) }),
  };
}

/**
 * The document's value, in which what JSON readers lose silently is marked, so that nothing counts as if it had never
 * been there.
 */
export function markedValue(document: JsonDocument): unknown {
  for (const pointer of document.lost) {
    const parts = pointerParts(pointer);
    const key = parts.at(-1) ?? '';
    const holder = parts.slice(0, -1).reduce<unknown>((value, part) => {
      if (Array.isArray(value)) return value[Number(part)];
      return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    }, document.value);
    if (!isObject(holder)) continue;
    if (Object.hasOwn(holder, key)) holder[key] = statedTwice;
    else holder[`a property called ${key}`] = null;
  }
  return document.value;
}

function keyProblems(
  root: Node,
  file: string,
  rangeOf: (offset: number, length: number) => TextRange,
): { readonly problems: readonly Problem[]; readonly lost: readonly string[] } {
  const problems: Problem[] = [];
  const lost: string[] = [];
  const report = (said: Sentence, key: Node, pointer: string): void => {
    lost.push(pointer);
    if (problems.length < 20)
      problems.push(problem({ severity: 'warning', said, pointer, file, ...rangeOf(key.offset, key.length) }));
  };
  const visit = (node: Node, pointer: string): void => {
    if (node.type === 'array') node.children?.forEach((item, index) => visit(item, `${pointer}/${index}`));
    if (node.type !== 'object') return;
    const seen = new Set<string>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      const name = String(key?.value);
      if (!key) continue;
      const at = pointerTo(pointer, name);
      if (seen.has(name)) report(say('duplicate_property', name), key, at);
      seen.add(name);
      if (forbiddenKeys.has(name)) report(say('forbidden_property', name), key, at);
      if (value) visit(value, at);
    }
  };
  visit(root, '');
  return { problems, lost };
}

function nodeAt(root: Node, parts: readonly string[], part: 'key' | 'value'): Node {
  let node = root;
  for (const [index, name] of parts.entries()) {
    const last = index === parts.length - 1;
    if (node.type === 'object') {
      const properties = node.children ?? [];
      // Problems name keys in camelCase; files may spell them in snake_case.
      const property =
        properties.findLast((one) => one.children?.[0]?.value === name) ??
        properties.findLast((one) => camelCase(String(one.children?.[0]?.value)) === camelCase(name));
      const [key, value] = property?.children ?? [];
      if (!key) return node;
      if (last && part === 'key') return key;
      if (!value) return key;
      node = value;
    } else if (node.type === 'array') {
      const item = node.children?.[Number(name)];
      if (!item) return node;
      node = item;
    } else return node;
  }
  return node;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\n') starts.push(at + 1);
    else if (text[at] === '\r' && text[at + 1] !== '\n') starts.push(at + 1);
  }
  return starts;
}

function positionAt(starts: readonly number[], offset: number): readonly [number, number] {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return [low + 1, offset - (starts[low] ?? 0) + 1];
}
