import { entryOf } from '../../base/maps';
import { hasMagic } from '../../base/pathGlob';
import { regexText } from '../../base/regexText';

/** Answers for many patterns at once. */
interface PathLookup {
  /** True where one of the patterns that it knows matches the path. */
  readonly lookup: (path: string) => boolean;
  /** The patterns that have to be asked one by one. */
  readonly others: readonly string[];
}

/**
 * Takes together the patterns about names below any folder: `**\/name`, `**\/*.ending`, `**\/name/**`, `**\/a/b`. A
 * table of hundreds of them then costs a path hardly more than one does. `name/**` takes in `name` itself. Patterns are
 * folded, normalized and without groups in braces.
 */
export function pathLookup(patterns: readonly string[]): PathLookup {
  const others: string[] = [];
  const last = new NameTable();
  const any = new NameTable();
  for (const pattern of patterns) {
    const segments = pattern.split('/');
    const isFolder = segments.length > 2 && segments.at(-1) === '**';
    const names = segments.slice(1, isFolder ? -1 : undefined);
    const isKnown = pattern.startsWith('**/') && !/[{}\\]|\/\.{0,2}(?:\/|$)/.test(pattern) && names.every(isSimpleName);
    if (isKnown) (isFolder ? any : last).add(names);
    else others.push(pattern);
  }
  return {
    others,
    lookup(path) {
      const segments = path.split('/');
      return last.endsAt(segments, segments.length - 1) || segments.some((_segment, at) => any.endsAt(segments, at));
    },
  };
}

/** A plain name, or one with something beside two stars at most: with more an expression would take its time. */
function isSimpleName(name: string): boolean {
  if (!hasMagic(name)) return name !== '';
  return name.split('*').length < 4 && /[^*?]/.test(name) && !hasMagic(name.replace(/[*?]/g, ''));
}

/** A sequence of names whose last one has wildcards, with the longest plain piece of that. */
interface Starred {
  readonly names: readonly string[];
  readonly piece: string;
}

/** So many characters of a name with wildcards, at its beginning or end, tell which names can match at all. */
const mostTold = 3;

/** Names with wildcards, found by plain pieces of at most three characters, at their beginning or at their end. */
class PieceTable {
  readonly #of: (segment: string, length: number) => string;
  readonly #byPiece = new Map<string, Starred[]>();
  readonly #lengths: number[] = [];

  constructor(of: (segment: string, length: number) => string) {
    this.#of = of;
  }

  add(piece: string, one: Starred): void {
    entryOf(this.#byPiece, piece, []).push(one);
    if (!this.#lengths.includes(piece.length)) this.#lengths.push(piece.length);
  }

  /** True where one of the names that may be a segment is. */
  some(segment: string, isName: (one: Starred) => boolean): boolean {
    for (const length of this.#lengths)
      if (length <= segment.length && this.#byPiece.get(this.#of(segment, length))?.some(isName)) return true;
    return false;
  }
}

/** Sequences of names, found by the last of each. */
class NameTable {
  readonly #plain = new Map<string, (readonly string[])[]>();
  readonly #begun = new PieceTable((segment, length) => segment.slice(0, length));
  readonly #ended = new PieceTable((segment, length) => segment.slice(segment.length - length));
  /** Names with wildcards, compiled when a path first comes that far. */
  readonly #expressions = new Map<string, RegExp>();

  add(names: readonly string[]): void {
    const name = names.at(-1) ?? '';
    if (!isStarred(name)) return void entryOf(this.#plain, name, []).push(names);
    const pieces = name.split(/[*?]+/);
    const piece = pieces.reduce((best, one) => (one.length > best.length ? one : best), '');
    const [head, tail] = [pieces[0] ?? '', pieces.at(-1) ?? ''];
    // What begins and ends with a wildcard has an empty beginning, as every segment has.
    const isBegun = head.length >= Math.min(tail.length, mostTold);
    if (isBegun) this.#begun.add(head.slice(0, mostTold), { names, piece });
    else this.#ended.add(tail.slice(-mostTold), { names, piece });
  }

  /** True where one of the sequences ends at a segment of a path. */
  endsAt(segments: readonly string[], at: number): boolean {
    const segment = segments[at] ?? '';
    if (this.#plain.get(segment)?.some((names) => this.#endAt(names, segments, at))) return true;
    const isName = ({ names, piece }: Starred): boolean => segment.includes(piece) && this.#endAt(names, segments, at);
    return this.#begun.some(segment, isName) || this.#ended.some(segment, isName);
  }

  /** True where the names are those of the segments up to this one. */
  #endAt(names: readonly string[], segments: readonly string[], at: number): boolean {
    const start = at - names.length + 1;
    return start >= 0 && names.every((name, index) => this.#isName(name, segments[start + index] ?? ''));
  }

  #isName(name: string, segment: string): boolean {
    if (!isStarred(name)) return name === segment;
    let expression = this.#expressions.get(name);
    if (!expression) this.#expressions.set(name, (expression = wholeName(name)));
    return expression.test(segment);
  }
}

const isStarred = (name: string): boolean => /[*?]/.test(name);

function wholeName(name: string): RegExp {
  const source = name
    .split(/([*?])/)
    .map((piece) => (piece === '*' ? '.*' : piece === '?' ? '.' : regexText(piece)))
    .join('');
  return new RegExp(`^${source.replace(/(?:\.\*){2,}/g, '.*')}$`, 's');
}
