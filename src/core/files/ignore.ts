import { binaryText } from '../base/bytes';
import { fitsStars } from '../base/starPattern';

/**
 * The rules of one `.gitignore` file (git's documentation, "gitignore"), for paths relative to the file's folder. What
 * the documentation leaves open is read as git's `wildmatch` does, byte by byte. Written for hostile files: matching
 * takes time in proportion to the pattern's length times the path's length, whatever the stars.
 */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = `${text.replace(/^\ufeff/, '')}\n`
      .split(/\r?\n/)
      .slice(0, 10_000)
      .flatMap((line) => parseRule(line) ?? []);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** `ignored` or `kept` by the last rule that matches, undefined where none does. */
  judge(path: string, isDirectory: boolean): 'ignored' | 'kept' | undefined {
    const names = bytesOf(path).split('/');
    for (let index = this.#rules.length - 1; index >= 0; index--) {
      const rule = this.#rules[index];
      if (!rule || (rule.directoryOnly && !isDirectory)) continue;
      const matches = rule.anchored ? matchPath(rule.parts, names) : matchPart(rule.parts[0], names.at(-1) ?? '');
      if (matches) return rule.negated ? 'kept' : 'ignored';
    }
    return undefined;
  }
}

interface Rule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly anchored: boolean;
  readonly parts: readonly Part[];
}

/** What stands between two slashes of a pattern; `folders` is `**`, for any number of names but at least so many. */
type Part =
  | { readonly kind: 'folders'; readonly least: 0 | 1 }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pattern'; readonly pieces: readonly Piece[] };

/** What a pattern has for one byte, or with `star` for any number of them. */
type Piece =
  | { readonly kind: 'star' | 'any' }
  | { readonly kind: 'byte'; readonly byte: string }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly Range[] };

type Range = readonly [low: string, high: string];

/** A text with a character for each byte of its UTF-8. */
function bytesOf(text: string): string {
  if (!/[^\u0000-\u007f]/.test(text)) return text;
  return binaryText(new TextEncoder().encode(text));
}

/** Undefined for a line that is no rule, and for one that can match nothing. */
function parseRule(line: string): Rule | undefined {
  let text = trimEnd(line);
  if (text === '' || text.startsWith('#') || text.length > 2000) return undefined;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const directoryOnly = text.endsWith('/');
  if (directoryOnly) text = text.slice(0, -1);
  if (text === '') return undefined;
  const anchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  const parts = parsePattern(bytesOf(text), anchored);
  return parts && { negated, directoryOnly, anchored, parts };
}

/** Drops spaces at the end that no backslash keeps; a backslash that keeps a backslash keeps nothing else. */
function trimEnd(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

/** Undefined for what matches nothing: a set that is not closed, a class that nobody knows, a backslash at the end. */
function parsePattern(text: string, anchored: boolean): readonly Part[] | undefined {
  const parts: Part[] = [];
  let pieces: Piece[] = [];
  const endPart = (least: 0 | 1): void => {
    const isFolders = anchored && pieces.length > 1 && pieces.every(({ kind }) => kind === 'star');
    parts.push(isFolders ? { kind: 'folders', least } : partOf(pieces));
    pieces = [];
  };
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    const isEscaped = char === '\\';
    const byte = isEscaped ? text[at + 1] : char;
    if (byte === undefined) return undefined;
    const set = char === '[' ? readSet(text, at) : undefined;
    if (char === '[' && !set) return undefined;
    // Only before a slash that is written as one does `**` stand for no folder.
    if (byte === '/') endPart(isEscaped ? 1 : 0);
    else if (set) pieces.push(set.piece);
    else if (char === '*' || char === '?') pieces.push({ kind: char === '*' ? 'star' : 'any' });
    else pieces.push({ kind: 'byte', byte });
    at = set?.end ?? at + (isEscaped ? 2 : 1);
  }
  endPart(1);
  return parts;
}

function partOf(pieces: readonly Piece[]): Part {
  const bytes = pieces.flatMap((piece) => (piece.kind === 'byte' ? [piece.byte] : []));
  return bytes.length === pieces.length ? { kind: 'name', name: bytes.join('') } : { kind: 'pattern', pieces };
}

const classes: Readonly<Record<string, readonly Range[]>> = {
  alnum: [
    ['0', '9'],
    ['A', 'Z'],
    ['a', 'z'],
  ],
  alpha: [
    ['A', 'Z'],
    ['a', 'z'],
  ],
  blank: [
    [' ', ' '],
    ['\t', '\t'],
  ],
  cntrl: [
    ['\0', '\x1f'],
    ['\x7f', '\x7f'],
  ],
  digit: [['0', '9']],
  graph: [['!', '~']],
  lower: [['a', 'z']],
  print: [[' ', '~']],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
  space: [
    ['\t', '\n'],
    ['\r', '\r'],
    [' ', ' '],
  ],
  upper: [['A', 'Z']],
  xdigit: [
    ['0', '9'],
    ['A', 'F'],
    ['a', 'f'],
  ],
};

/** Reads a bracket expression at its `[`; undefined where it is not closed, or names a class that nobody knows. */
function readSet(text: string, start: number): { readonly piece: Piece; readonly end: number } | undefined {
  const negated = text[start + 1] === '!' || text[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const ranges: Range[] = [];
  // Where a `-` would start from.
  let low: string | undefined;
  let at = first;
  for (; at === first || text[at] !== ']'; at++) {
    const isRange = text[at] === '-' && low !== undefined && text[at + 1] !== undefined && text[at + 1] !== ']';
    if (isRange) at++;
    const isClass = !isRange && text.startsWith('[:', at);
    if (text[at] === '\\') at++;
    const char = text[at];
    if (char === undefined) return undefined;
    const close = isClass ? text.indexOf(']', at + 2) : 0;
    if (close < 0) return undefined;
    if (isClass && close > at + 2 && text[close - 1] === ':') {
      const known = Object.entries(classes).find(([name]) => name === text.slice(at + 2, close - 1));
      if (!known) return undefined;
      ranges.push(...known[1]);
      at = close;
      low = undefined;
    } else {
      // The start of a range was taken by itself before, so that it matches also where the range is empty.
      ranges.push([isRange ? (low ?? char) : char, char]);
      low = isRange ? undefined : char;
    }
  }
  return { piece: { kind: 'set', negated, ranges }, end: at + 1 };
}

/** Matches name by name. Remembers which positions are reachable. */
function matchPath(parts: readonly Part[], names: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    if (part.kind === 'folders') {
      for (let at = Math.min(...reachable) + part.least; at <= names.length; at++) next.add(at);
    } else {
      for (const at of reachable) {
        const name = names[at];
        if (name !== undefined && matchPart(part, name)) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reachable = next;
  }
  return reachable.has(names.length);
}

function matchPart(part: Part | undefined, name: string): boolean {
  if (part?.kind === 'name') return part.name === name;
  return part?.kind === 'pattern' && fitsStars(part.pieces, name, isStar, matchByte);
}

const isStar = (piece: Piece): boolean => piece.kind === 'star';

function matchByte(piece: Piece, byte: string): boolean {
  if (piece.kind === 'byte') return piece.byte === byte;
  if (piece.kind !== 'set') return true;
  return piece.ranges.some(([low, high]) => byte >= low && byte <= high) !== piece.negated;
}
