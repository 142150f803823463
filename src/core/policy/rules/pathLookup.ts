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
  const ofLast = last.compile();
  const ofAny = any.compile();
  return {
    others,
    lookup(path) {
      const segments = path.split('/');
      if (ofLast(segments, segments.length - 1)) return true;
      for (let at = 0; at < segments.length; at++) if (ofAny(segments, at)) return true;
      return false;
    },
  };
}

/** A plain name, or one with something beside two stars at most: with more an expression would take its time. */
function isSimpleName(name: string): boolean {
  return name.split('*').length < 4 && /[^*?]/.test(name) && !hasMagic(name.replace(/[*?]/g, ''));
}

type NamesTest = (segments: readonly string[], at: number) => boolean;

/** Sequences of names, found by the last of each. */
class NameTable {
  readonly #plain = new Map<string, (readonly string[])[]>();
  readonly #starred: (readonly string[])[] = [];
  /** Names with wildcards, compiled when a path first comes that far. */
  readonly #expressions = new Map<string, RegExp>();

  add(names: readonly string[]): void {
    const name = names.at(-1) ?? '';
    const known = isStarred(name) ? this.#starred : this.#plain.get(name);
    if (known) known.push(names);
    else this.#plain.set(name, [names]);
  }

  /** Answers whether one of the sequences ends at a segment of a path. */
  compile(): NamesTest {
    const plain = this.#plain;
    const starred = this.#starred;
    let mayMatch: RegExp | undefined;
    return (segments, at) => {
      const segment = segments[at] ?? '';
      if (plain.get(segment)?.some((names) => this.#endAt(names, segments, at))) return true;
      if (starred.length === 0) return false;
      mayMatch ??= anyPieceOf(starred.map((names) => names.at(-1) ?? ''));
      return mayMatch.test(segment) && starred.some((names) => this.#endAt(names, segments, at));
    };
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

/** An expression for what names must hold to match: the longest plain piece of each, where it has to stand. */
function anyPieceOf(names: readonly string[]): RegExp {
  const [starts, ends, middles] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const name of names) {
    const pieces = name.split(/[*?]+/);
    const longest = pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
    if (longest === pieces[0]) starts.add(regexText(longest));
    else if (longest === pieces.at(-1)) ends.add(regexText(longest));
    else middles.add(regexText(longest));
  }
  const group = (pieces: ReadonlySet<string>): string => `(?:${[...pieces].join('|')})`;
  return new RegExp(
    [
      ...(starts.size > 0 ? [`^${group(starts)}`] : []),
      ...(ends.size > 0 ? [`${group(ends)}$`] : []),
      ...(middles.size > 0 ? [group(middles)] : []),
    ].join('|'),
  );
}
