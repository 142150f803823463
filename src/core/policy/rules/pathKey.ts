import { trimmedEnd } from '../../base/text';
import { remembering } from '../../base/maps';
import { namesOfPath } from '../../base/slashPath';
import { hasMagic } from '../../base/pathGlob';

/**
 * Characters that file systems or eyes ignore: joiners, marks of direction, variation selectors, the byte order mark.
 * HFS+ drops most of them from names, so `.g<ZWNJ>it` is `.git` there.
 */
const ignorable = /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/gu;

/** The ways in which one path may be meant. */
export interface PathKeys {
  /** The path as it was given, with `.`, `..` and doubled slashes resolved; for rules that loosen. */
  readonly exact: string;
  /**
   * Everything that the path may stand for, in lower case and normal form; a rule that restricts fires for any of them.
   */
  readonly keys: readonly string[];
  /** True where a segment looks like a short name of Windows (`GIT~1`), whose long name is not known. */
  readonly hasShortName: boolean;
  /** The exact path as `foldEach` gives it, found out once where a rule asks. */
  readonly counted: string;
}

/** An empty segment, `.` or `..`: without one a path is as short as it can be. */
const dots = /(?:^|\/)\.{0,2}(?:\/|$)/;

function resolveDots(path: string): string {
  if (!dots.test(path)) return path;
  const { names, climbs } = namesOfPath(path);
  return path.startsWith('/') ? `/${names.join('/')}` : [...Array<string>(climbs).fill('..'), ...names].join('/');
}

const onlyAscii = /^[\x20-\x7e]*$/;

/**
 * File systems that ignore case fold it: `ſ` is an `s` to them, `ﬁ` two letters and `ẞ` an `ß`, which small letters
 * alone do not show. Of a pattern it is the compare key too, as it leaves the pattern's own characters alone.
 */
export function foldPath(path: string): string {
  if (onlyAscii.test(path)) return path.toLowerCase();
  return path.normalize('NFC').replace(ignorable, '').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** The same without what makes two characters of one: of each as many stay, so that `?` counts as it is meant. */
export function foldEach(path: string): string {
  if (onlyAscii.test(path)) return path.toLowerCase();
  const plain = path.normalize('NFC').replace(ignorable, '');
  return Array.from(plain, (one) => {
    const folded = foldPath(one);
    return folded.length === one.length ? folded : one;
  }).join('');
}

const shortName = /^[^./~]{1,6}~\d{1,6}(?:\.[^./]{0,3})?$/;

/**
 * How Windows reads a path: both slashes separate, streams (`a:b`) and the dots and spaces at a name's end do not
 * count.
 */
function windowsView(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  return parts
    .map((part, index) => {
      if (part === '.' || part === '..' || (index === 0 && /^[a-z]:$/.test(part))) return part;
      const name = trimmedEnd(part.replace(/:.*$/s, ''), '. ');
      return name === '' && part !== '' && !part.startsWith(':') ? part : name;
    })
    .join('/');
}

/**
 * Says what a path may stand for on any file system that we know: case, normal forms, ignorable characters, `.` and
 * `..`, streams, trailing dots and spaces, backslashes. A rule that restricts is held against every key, so an alias is
 * judged at least as strictly.
 */
export function pathKeys(path: string): PathKeys {
  const exact = resolveDots(path);
  const folded = resolveDots(foldPath(path));
  const keys = new Set([folded]);
  const onWindows = /[\\:]|[. ](?:\/|$)/.test(folded) ? resolveDots(windowsView(folded)) : '';
  if (onWindows !== '') keys.add(onWindows);
  // A glob's `**` never matches `..`: what leads outside is also held against the rules without its way out.
  for (const key of [...keys])
    if (key.startsWith('../') || key === '..') keys.add(key.replace(/^(?:\.\.\/)*(?:\.\.$)?/, ''));
  const all = [...keys];
  let counted: string | undefined;
  return {
    exact,
    keys: all,
    hasShortName: all.some((key) => key.includes('~') && key.split('/').some((part) => shortName.test(part))),
    get counted() {
      return (counted ??= foldEach(exact));
    },
  };
}

const mostRemembered = 2000;
const longestRemembered = 300;

/**
 * Makes a `pathKeys` that remembers: an agent comes back to the same paths, and each is judged several times in a call.
 * The same path gives the same object for as long as it is remembered.
 */
export function rememberedPathKeys(): (path: string) => PathKeys {
  const known = remembering(mostRemembered, pathKeys);
  return (path) => (path.length > longestRemembered ? pathKeys(path) : known(path));
}

const mostVariants = 1000;

/**
 * Replaces segments that look like Windows short names by names that the pattern could mean, so that `GIT~1/config` is
 * held against `**\/.git/**`. Answers the paths to try beside the key itself; undefined where they are too many to try.
 */
export function expandShortNames(key: string, patternSegments: readonly string[]): readonly string[] | undefined {
  const parts = key.split('/');
  let variants: string[][] = [[]];
  for (const part of parts) {
    const names = [part];
    if (shortName.test(part))
      for (const segment of patternSegments) if (couldBeShort(part, segment)) names.push(instance(segment));
    if (variants.length * names.length > mostVariants) return undefined;
    variants = variants.flatMap((before) => names.map((name) => [...before, name]));
  }
  return variants.map((one) => one.join('/')).filter((one) => one !== key);
}

/**
 * Tells whether a short name could stand for a name that a pattern's segment matches: the same first letters, the same
 * start of the ending.
 */
function couldBeShort(short: string, segment: string): boolean {
  if (segment === '**') return false;
  const [, stem = '', , ending = ''] = /^([^~]+)~(\d+)(?:\.(.*))?$/.exec(short) ?? [];
  const plain = segment.replace(/^\.+/, '');
  const dot = plain.lastIndexOf('.');
  const literalStem = stripped(/^[^*?[({\\]*/.exec(dot > 0 ? plain.slice(0, dot) : plain)?.[0] ?? '');
  const stemMagic = hasMagic(dot > 0 ? plain.slice(0, dot) : plain);
  // Windows takes the first six letters; where several names collide, the first two and four digits of a hash.
  const hashed = /^.{2}[0-9a-f]{4}$/.test(stem);
  const want = literalStem.slice(0, 6);
  const stemFits =
    stem === want || (stemMagic && stem.startsWith(want)) || (hashed && want.slice(0, 2) === stem.slice(0, 2));
  if (!stemFits) return false;
  const literalEnding = dot > 0 ? plain.slice(dot + 1) : '';
  if (dot <= 0 && stemMagic) return true;
  return endingFits(literalEnding, ending);
}

/**
 * Tells whether the three letters of a short name's ending could stand for an ending that a pattern means; fewer are
 * the ending itself.
 */
function endingFits(pattern: string, ending: string): boolean {
  if (!hasMagic(pattern)) return stripped(pattern).slice(0, 3) === ending;
  const start = stripped(/^[^*?[({\\]*/.exec(pattern)?.[0] ?? '').slice(0, 3);
  if (!ending.startsWith(start)) return false;
  if (ending.length === 3 || /[^*?\w~-]/.test(pattern)) return true;
  return new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(ending);
}

const stripped = (text: string): string => text.replace(/[ .]/g, '');

/** A name that a segment matches, as far as it can be told: stars vanish, other magic becomes a letter. */
function instance(segment: string): string {
  return segment
    .replace(/\*+/g, '')
    .replace(/\[[^\]]*\]|\?/g, 'x')
    .replace(/[\\]/g, '');
}
