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
  if (name.split('*').length > 3) return false;
  return /[^*?]/.test(name) && !hasMagic(name.replace(/[*?]/g, ''));
}

type NameTest = (segment: string) => boolean;
type NamesTest = (segments: readonly string[], at: number) => boolean;

/** Sequences of names, found by the last of each. */
class NameTable {
  readonly #plain = new Map<string, (readonly NameTest[])[]>();
  readonly #starred: { readonly name: string; readonly tests: readonly NameTest[] }[] = [];

  add(names: readonly string[]): void {
    const name = names.at(-1) ?? '';
    const tests = names.map(nameTest).reverse();
    if (/[*?]/.test(name)) this.#starred.push({ name, tests });
    else {
      const known = this.#plain.get(name);
      if (known) known.push(tests);
      else this.#plain.set(name, [tests]);
    }
  }

  /** Answers whether one of the sequences ends at a segment of a path. */
  compile(): NamesTest {
    const plain = this.#plain;
    const starred = this.#starred;
    const mayMatch = starred.length > 0 ? anyPieceOf(starred.map(({ name }) => name)) : undefined;
    return (segments, at) => {
      const segment = segments[at] ?? '';
      const known = plain.get(segment);
      if (known?.some((tests) => endAt(tests, segments, at))) return true;
      return mayMatch?.test(segment) === true && starred.some(({ tests }) => endAt(tests, segments, at));
    };
  }
}

/** The tests of a sequence stand in reverse: the first is about the segment itself, the next about the one before. */
function endAt(tests: readonly NameTest[], segments: readonly string[], at: number): boolean {
  return tests.every((test, back) => {
    const segment = segments[at - back];
    return segment !== undefined && test(segment);
  });
}

function nameTest(name: string): NameTest {
  if (!/[*?]/.test(name)) return (segment) => segment === name;
  let expression: RegExp | undefined;
  return (segment) => (expression ??= wholeName(name)).test(segment);
}

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
