import { isObject } from '../base/json';
import { toolError } from '../vocabulary/errors';
import { alternativesBound, mostAlternatives } from '../base/braces';
import { inputGlob } from '../base/pathGlob';
import { folderOf } from './paths';

/** Tells whether a path, relative to its folder with `/`, is meant. */
export type PathMatcher = (path: string) => boolean;

interface GlobOptions {
  readonly caseInsensitive?: boolean;
}

const maximalLength = 1000;

/**
 * Compiles a glob for a tool's input. Without `/` it matches names at any depth (`*.txt`); with one it matches from the
 * folder, a leading `/` or `./` being the same; a trailing `/` or `/**` means all below. `*`, `?`, `**`, `[a-z]`,
 * `{a,b}` and extended globs work; names that start with a dot are ordinary. Throws `invalid_pattern` for what could
 * never match or would take too long: a leading `!`, or braces that stand for more than 256 patterns (where the matcher
 * would silently match nothing).
 */
function compileGlob(pattern: string, options: GlobOptions = {}): PathMatcher {
  const refuse = (why: string): Error =>
    toolError('invalid_pattern', `the glob \`${pattern.slice(0, 200)}\` cannot be used: ${why}`);
  if (pattern === '') throw refuse('it is empty');
  if (pattern.length > maximalLength) throw refuse(`it has more than ${maximalLength} characters`);
  if (pattern.startsWith('!')) throw refuse('a leading `!` is not understood; use the exclude parameter');
  if (alternativesBound(pattern) > mostAlternatives)
    throw refuse(`its braces stand for more than ${mostAlternatives} patterns`);
  if (pattern.split('/').includes('..'))
    throw refuse('`..` matches nothing; say with the parameter path where to look');
  if (pattern.includes('\0')) throw refuse('it holds a NUL character');
  const rooted = pattern.replace(/^(?:\.?\/)+/, '');
  const whole = rooted.endsWith('/') ? `${rooted}**` : rooted;
  const anchored = rooted !== pattern || whole.includes('/');
  // What the editor leaves out is mostly plain names, which need no matcher.
  const name = anchored ? /^\*\*\/([^/]+)$/.exec(whole)?.[1] : whole;
  if (name !== undefined && !options.caseInsensitive && /^[\w .-]+$/.test(name) && !/^\.{1,2}$/.test(name)) {
    return (path) =>
      path.endsWith(name) && (path.length === name.length || path[path.length - name.length - 1] === '/');
  }
  const matches = inputGlob(whole === '' ? '**' : whole, options.caseInsensitive);
  return anchored ? matches : (path) => matches(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * Joins include and exclude globs to one matcher; no include means everything. What lies in an excluded folder is
 * excluded with it.
 */
export function compileFilter(
  include: readonly string[],
  exclude: readonly string[],
  options: GlobOptions = {},
): PathMatcher {
  const wanted = include.map((glob) => compileGlob(glob, options));
  const excluded = exclude.length > 0 ? compileExclude(exclude, options) : undefined;
  return (path) => (wanted.length === 0 || wanted.some((match) => match(path))) && !excluded?.(path);
}

/** Tells what globs leave out: what they match, and everything in a folder that they match. */
export function compileExclude(globs: readonly string[], options: GlobOptions = {}): PathMatcher {
  const matchers = globs.map((glob) => compileGlob(glob, options));
  const matches: PathMatcher = (path) => matchers.some((match) => match(path));
  // Paths come folder by folder, so that the last folder's answer mostly holds for the next path too.
  let known = { folder: '', excluded: false };
  const folderExcluded = (folder: string): boolean => {
    if (folder === '') return false;
    if (folder !== known.folder) known = { folder, excluded: matches(folder) || folderExcluded(folderOf(folder)) };
    return known.excluded;
  };
  return (path) => matches(path) || folderExcluded(folderOf(path));
}

/**
 * What the editor's settings leave out: a glob over the path in the workspace folder, where one without `/` is about
 * the folder's own entries only; with `when` only beside an entry of that name, in which `$(basename)` stands for the
 * name without its ending.
 */
export type SettingGlob = string | { readonly glob: string; readonly when: string };

/** An object setting of the editor by scope, as `inspect` answers it. */
interface ScopedSetting {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Reads such a setting from all of its scopes: a workspace adds to what the user leaves out, and takes nothing out of
 * it.
 */
export function scopedSettingGlobs(setting: ScopedSetting | undefined): readonly SettingGlob[] {
  const own = readSettingGlobs(joined(setting?.defaultValue, setting?.globalValue));
  const theirs = readSettingGlobs(joined(setting?.workspaceValue, setting?.workspaceFolderValue));
  return [...own, ...theirs];
}

const joined = (...values: readonly unknown[]): unknown => Object.assign({}, ...values.filter(isObject));

/** Reads such a setting: globs that are on, or that hold beside another entry. */
export function readSettingGlobs(setting: unknown): readonly SettingGlob[] {
  if (!isObject(setting)) return [];
  return Object.entries(setting).flatMap(([glob, on]): SettingGlob[] => {
    if (on === true) return [glob];
    return isObject(on) && typeof on['when'] === 'string' ? [{ glob, when: on['when'] }] : [];
  });
}

/** Tells whether the settings leave out a path; the second question is asked about names in the same folder. */
export type SettingMatcher = (path: string, hasSibling: (name: string) => boolean) => boolean;

/**
 * Compiles what the editor's settings leave out. A glob that cannot be used leaves nothing out: no call may fail for
 * it.
 */
export function compileSettingGlobs(
  globs: readonly SettingGlob[],
  options: GlobOptions = {},
): SettingMatcher | undefined {
  const matchers = globs.flatMap((one): SettingMatcher[] => {
    const { glob, when } = typeof one === 'string' ? { glob: one, when: undefined } : one;
    try {
      const matches = compileGlob(/^[^!/][^/]*$/.test(glob) ? `/${glob}` : glob, options);
      if (when === undefined) return [matches];
      return [(path, hasSibling) => matches(path) && hasSibling(when.replace('$(basename)', () => stemOf(path)))];
    } catch {
      return [];
    }
  });
  return matchers.length === 0 ? undefined : (path, hasSibling) => matchers.some((match) => match(path, hasSibling));
}

/** The name at the end of a path, without its ending. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
