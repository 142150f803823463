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

/** Sequences of names, found by the last of each. */
class NameTable {
  readonly #plain = new Map<string, (readonly string[])[]>();
  /** Names with wildcards: by how they begin (`^`), by how they end (`$`), and all others under the empty key. */
  readonly #starred = new Map<string, Starred[]>();
  /** Names with wildcards, compiled when a path first comes that far. */
  readonly #expressions = new Map<string, RegExp>();

  add(names: readonly string[]): void {
    const name = names.at(-1) ?? '';
    if (isStarred(name)) {
      const pieces = name.split(/[*?]+/);
      const piece = pieces.reduce((best, one) => (one.length > best.length ? one : best), '');
      addTo(this.#starred, keyOf(pieces[0] ?? '', pieces.at(-1) ?? ''), { names, piece });
    } else addTo(this.#plain, name, names);
  }

  /** True where one of the sequences ends at a segment of a path. */
  endsAt(segments: readonly string[], at: number): boolean {
    const segment = segments[at] ?? '';
    if (this.#plain.get(segment)?.some((names) => this.#endAt(names, segments, at))) return true;
    if (this.#starred.size === 0) return false;
    const among = (key: string): boolean =>
      this.#starred.get(key)?.some(({ names, piece }) => {
        return segment.includes(piece) && this.#endAt(names, segments, at);
      }) ?? false;
    for (let told = Math.min(mostTold, segment.length); told > 0; told--)
      if (among(`^${segment.slice(0, told)}`) || among(`$${segment.slice(-told)}`)) return true;
    return among('');
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

function keyOf(head: string, tail: string): string {
  if (head === '' && tail === '') return '';
  return head.length >= Math.min(tail.length, mostTold) ? `^${head.slice(0, mostTold)}` : `$${tail.slice(-mostTold)}`;
}

function addTo<T>(table: Map<string, T[]>, key: string, one: T): void {
  const known = table.get(key);
  if (known) known.push(one);
  else table.set(key, [one]);
}
