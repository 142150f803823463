import { alternativeGlob, hasMagic, pathAlternatives, pathGlob, refuseHiddenAll } from '../../base/pathGlob';
import { alternativesBound } from '../../base/braces';
import { checkGlob } from '../../base/globCheck';
import { remembering } from '../../base/maps';
import { expandShortNames, foldEach, foldPath, type PathKeys } from './pathKey';
import { pathLookup } from './pathLookup';

/**
 * Compiles what a restricting rule says about paths: any key of the path counts, whatever its case or spelling;
 * `dir/**` takes in `dir` itself, a path of the machine is also held against the pattern without its leading slash, and
 * what can be read in two ways is read in both.
 */
export function broadPathTest(patterns: readonly string[]): (keys: PathKeys) => boolean {
  const list = JSON.stringify(patterns);
  return list.length > longestKept ? compileBroad(patterns) : compiledBroad(list);
}

/** The same lists come again with every policy that is composed anew: so many are kept, none of more characters. */
const mostKept = 300;
const longestKept = 10_000;
const compiledBroad = remembering(mostKept, (list) => compileBroad(JSON.parse(list)));

function compileBroad(patterns: readonly string[]): (keys: PathKeys) => boolean {
  const broad = patterns.flatMap(broadPatterns);
  const { lookup, others } = pathLookup(broad);
  const globs = others.map(alternativeGlob);
  // A set may tell small letters from capitals, which folding takes away.
  const exact = patterns.filter((pattern) => pattern.includes('[') && foldPath(pattern) !== pattern).map(pathGlob);
  // What stands for one character misses one that folding makes two of.
  const counting = patterns
    .filter((pattern) => /[?[]/.test(pattern))
    .flatMap((pattern) => pathAlternatives(foldEach(pattern).replaceAll('[:upper:]', '[:alpha:]')))
    .map(alternativeGlob);
  let segments: readonly string[] | undefined;
  const mayBe = (key: string): boolean => {
    segments ??= [...new Set(broad.flatMap((pattern) => pattern.split('/')))];
    // Where a short name may stand for too many names to try, the rule counts as matching.
    return expandShortNames(key, segments)?.some(anyMatches) ?? true;
  };
  const anyMatches = (key: string): boolean => lookup(key) || globs.some((glob) => glob.matches(key));
  const matches = (key: string): boolean => anyMatches(key) || (key.startsWith('/') && anyMatches(key.slice(1)));
  return (path) =>
    path.keys.some((key) => matches(key) || (path.hasShortName && mayBe(key))) ||
    exact.some((glob) => glob.matches(path.exact)) ||
    counting.some((glob) => glob.matches(path.counted));
}

/** A pattern without braces for what lies in a folder, with one for the folder itself. */
function withFolder(one: string): readonly string[] {
  const found = [one];
  // A slash at the end stands for two stars more.
  for (let rest = one; rest.endsWith('/**') && rest !== '/**';) found.push((rest = rest.slice(0, -3)));
  return found;
}

/** What a restricting rule leaves alone: as narrow, but a folder itself too, as where such a rule names it. */
export const sparedPathTest = (patterns: readonly string[]): ((keys: PathKeys) => boolean) => {
  patterns.forEach(refuseHiddenAll);
  return narrowPathTest(patterns.flatMap(pathAlternatives).flatMap(withFolder));
};

/** For what loosens: only the path as it was given, and nothing that could mean another one. */
export function narrowPathTest(patterns: readonly string[]): (keys: PathKeys) => boolean {
  patterns.forEach(refuseHiddenAll);
  const globs = patterns.map(pathGlob);
  return (path) => !path.hasShortName && path.keys.length === 1 && globs.some((glob) => glob.matches(path.exact));
}

/** A pattern that means the root of the only folder and nothing in it; nobody can write it, for a NUL is refused. */
export const onlyRoot = '\0';

/**
 * What somebody means by two stars beside other characters who expects them to cross folders: `a**b` is also `a*`, any
 * folders, `*b`.
 */
export function crossing(segment: string): string {
  if (segment === '**' || !segment.includes('**')) return segment;
  const pieces = segment.split(/\*{2,}/);
  const names = pieces.map((piece, index) =>
    piece === '' ? '' : `${index === 0 ? '' : '*'}${piece}${index === pieces.length - 1 ? '' : '*'}`,
  );
  return names.join('/**/').replace(/^\//, '').replace(/\/$/, '');
}

/** The pattern as somebody means it who writes paths as on Windows, where it can be read that way. */
function withSlashes(pattern: string): readonly string[] {
  const slashed = pattern.replaceAll('\\', '/');
  try {
    checkGlob(slashed, 'path');
    pathAlternatives(slashed);
    return [slashed];
  } catch {
    return [];
  }
}

/**
 * What a restricting rule makes of one pattern: its alternatives in the form of path keys, in both readings where there
 * are two.
 */
function broadPatterns(pattern: string): readonly string[] {
  if (pattern === onlyRoot) return [''];
  const folded = foldPath(pattern).replaceAll('[:upper:]', '[:alpha:]');
  const readings = folded.includes('\\') ? [folded, ...withSlashes(folded)] : [folded];
  const found = new Set<string>();
  for (const one of readings.flatMap(pathAlternatives)) {
    for (const each of withFolder(one)) found.add(each);
    if (/[^/]\*\*|\*\*[^/]/.test(one)) found.add(one.split('/').map(crossing).join('/'));
  }
  return [...found];
}

/**
 * Of each alternative of a restricting pattern the names that every path has which it matches; undefined where that is
 * not sure or costs much.
 */
export function literalNames(pattern: string): readonly (readonly string[])[] | undefined {
  if (pattern === onlyRoot) return [['']];
  if (pattern.includes('\\') || alternativesBound(pattern) > 16) return undefined;
  return pathAlternatives(foldPath(pattern)).map((one) =>
    one.split('/').filter((part) => part !== '..' && !hasMagic(part)),
  );
}
