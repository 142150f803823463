import { alternativeGlob, hasMagic, pathAlternatives } from '../../base/pathGlob';
import { expandBraces } from '../../base/braces';
import { checkGlob } from '../../base/globCheck';
import { isSameList } from '../../base/order';
import { namesOfPath } from '../../base/slashPath';
import { trimmedEnd } from '../../base/text';
import type { FileSystem } from '../../ports/files';
import type { WorkspaceFolder } from '../../ports/workspacePath';
import { literalPath } from './literalPath';
import { foldPath } from './pathKey';
import { crossing, onlyRoot } from './pathRule';

/** Where the open folders and the user's home lie on the machine: each as it is named, and behind its links. */
export interface Places {
  readonly folders: readonly { readonly name: string; readonly paths: readonly string[] }[];
  readonly homes: readonly string[];
  /** True where one folder lies in another one, so that what is in it has two names. */
  readonly isNested: boolean;
}

/** Where nothing is known of the machine. */
export const nowhere: Places = { folders: [], homes: [], isNested: false };

/** Asks files for their places; the answer is the same object for as long as nothing is elsewhere. */
export function placesOf(files: Pick<FileSystem, 'folders' | 'machinePaths'>): () => Places {
  let last: Places | undefined;
  const pathsOf = (folder: WorkspaceFolder): readonly string[] =>
    folder.scheme === 'file' ? (files.machinePaths?.(folder) ?? [folder.path]) : [];
  return () => {
    // Asked several times in a call.
    const open = files.folders();
    const isSame = ({ folders }: Places): boolean =>
      folders.length === open.length &&
      open.every((one, at) => one.name === folders[at]?.name && isSameList(pathsOf(one), folders[at].paths));
    if (last && isSame(last)) return last;
    const folders = open.map((one) => ({ name: one.name, paths: pathsOf(one) }));
    return (last = {
      folders,
      homes: files.machinePaths?.('home') ?? [],
      isNested: overlap(folders.flatMap(({ paths }) => paths)),
    });
  };
}

/** True where one folder lies in another one. */
const overlap = (roots: readonly string[]): boolean =>
  roots.some((one) => roots.some((other) => one !== other && slashed(one).startsWith(`${slashed(other)}/`)));

/**
 * The patterns of what restricts together with what names the same places as accesses do: relative to the only folder,
 * with the folder's name before it where there are several, absolute or from `~` outside. A pattern from the root of
 * the machine or from `~` means what lies there, one that is relative means every folder, and one that begins with a
 * folder's name that folder.
 */
export function asCalledHere(patterns: readonly string[], places: Places): readonly string[] {
  const found = new Set(patterns);
  for (const pattern of patterns) for (const one of otherNames(pattern, places)) found.add(one);
  return found.size === patterns.length ? patterns : [...found];
}

/** Names one place of the machine, whatever folders are open. */
const isOfMachine = (pattern: string): boolean => /^(?:[/\\~]|[a-z]:|\.\.(?:[/\\]|$))/i.test(pattern);

/** What a restricting rule leaves alone: in every name too where a pattern names one place, for it spares no other. */
export const sparedAsCalledHere = (patterns: readonly string[], places: Places): readonly string[] => [
  ...new Set([...patterns, ...asCalledHere(patterns.filter(isOfMachine), places)]),
];

function otherNames(pattern: string, places: Places): readonly string[] {
  // Most patterns are about names below any folder, and mean them in each.
  if (pattern.startsWith('**/') || pattern === '**' || places === nowhere) return [];
  try {
    const readings = pattern.includes('\\') ? [pattern, pattern.replaceAll('\\', '/')] : [pattern];
    const each = readings.flatMap((one) => (one.split('/', 1)[0]?.includes('{') ? expandBraces(one) : [one]));
    return each.flatMap((one) => [...fromRoot(one, places), ...fromFolder(one, places)]).filter(isReadable);
  } catch {
    // What cannot be read is told of, and fires, as it is written.
    return [];
  }
}

function isReadable(pattern: string): boolean {
  try {
    if (pattern !== onlyRoot) checkGlob(pattern, 'path');
    return true;
  } catch {
    return false;
  }
}

const isAbsolute = (pattern: string): boolean => /^(?:\/|[a-z]:\/)/i.test(pattern);
const slashed = (path: string): string => trimmedEnd(path.replaceAll('\\', '/'), '/');
const literal = (path: string): string => literalPath(slashed(path));

/** What a pattern means from the root of the machine, and each name that accesses have for it. */
function fromRoot(pattern: string, places: Places): readonly string[] {
  const absolute = absoluteOf(pattern.replace(/^\/+/, ''), places);
  return [...(isAbsolute(pattern) ? [pattern] : []), ...absolute].flatMap((one) => [one, ...labelsOf(one, places)]);
}

function absoluteOf(pattern: string, { folders, homes, isNested }: Places): readonly string[] {
  const below = (roots: readonly string[], rest: string): readonly string[] => roots.map((root) => under(root, rest));
  if (pattern === '~') return homes.map(literal);
  if (pattern.startsWith('~/')) return below(homes, pattern.slice(2));
  const roots = folders.flatMap(({ paths }) => paths);
  if (!isNested) return /^(?:\.\/+)*\.\.(?:\/|$)/.test(pattern) ? below(roots, pattern) : [];
  const named = folders.flatMap(({ name, paths }) => {
    const rest = restOfNamed(pattern, name);
    return rest === undefined ? [] : below(paths, rest);
  });
  return [...below(roots, pattern), ...named];
}

/** A pattern that starts in a folder, from the root of the machine; a `..` at its start is taken off the folder. */
function under(folder: string, pattern: string): string {
  const [, climbs = '', rest = ''] = /^((?:\.{0,2}\/+)*(?:\.\.$)?)(.*)$/s.exec(pattern) ?? [];
  const { names } = namesOfPath(`${slashed(folder)}/${climbs}`);
  const drive = slashed(folder).startsWith('/') ? '/' : '';
  return `${drive}${literal(names.join('/'))}/${rest}`;
}

/** What a pattern means that starts at a folder, or with the name of one; a leading slash is that start too. */
function fromFolder(pattern: string, { folders }: Places): readonly string[] {
  const [only, ...more] = folders;
  const inside = pattern.replace(/^(?:\.?\/+)+/, '');
  if (!only || /^\.\.(?:\/|$)|^~(?:\/|$)|^[a-z]:\//i.test(inside)) return [];
  if (more.length > 0) return folders.map(({ name }) => (inside === '' ? literal(name) : `${literal(name)}/${inside}`));
  const rest = restOfNamed(inside, only.name);
  return rest === undefined ? [] : [rest || onlyRoot];
}

/** What follows the name of a folder where a pattern begins with that; one that only may be the name names none. */
function restOfNamed(pattern: string, name: string): string | undefined {
  const [first = '', ...rest] = pattern.split('/');
  return !/[[(]/.test(first.replace(/\\./g, '')) && /[^*?]/.test(first) && isName(first, name)
    ? rest.join('/')
    : undefined;
}

/** The names that accesses have for what an absolute pattern means. */
function labelsOf(pattern: string, { folders, homes }: Places): readonly string[] {
  const isOne = folders.length === 1;
  const alternatives = pathAlternatives(pattern).flatMap((one) => {
    const plain = one.replace(/^(?:\.\.\/)+/, '');
    return [...new Set([plain, plain.split('/').map(crossing).join('/')])];
  });
  return alternatives.flatMap((one) => [
    ...folders.flatMap(({ name, paths }) =>
      paths.flatMap((path) =>
        restBelow(one, path).map((rest) => (isOne ? rest || onlyRoot : joined(literal(name), rest))),
      ),
    ),
    ...homes.flatMap((home) => restBelow(one, home).map((rest) => joined('~', rest))),
  ]);
}

const joined = (start: string, rest: string): string => (rest === '' ? start : `${start}/${rest}`);

/** What is left of a pattern for what lies in a folder: empty for the folder itself, none where nothing matches. */
function restBelow(pattern: string, folder: string): readonly string[] {
  const parts = pattern.split('/');
  let reached = new Set([0]);
  for (const name of namesOfPath(folder.replaceAll('\\', '/')).names) {
    const next = new Set<number>();
    for (const at of reached)
      for (let to = at; ; to++) {
        const part = parts[to];
        if (part === '**') next.add(to);
        else if (part !== undefined && isName(part, name)) next.add(to + 1);
        if (part !== '**') break;
      }
    reached = next;
  }
  return [...reached].map((at) => parts.slice(at).join('/'));
}

/** Tells whether one segment of a pattern may be a name, whatever its case and normal form. */
function isName(part: string, name: string): boolean {
  const folded = foldPath(part);
  if (!hasMagic(part)) return folded === foldPath(name);
  return (
    alternativeGlob(part).matches(name) ||
    alternativeGlob(folded.replaceAll('[:upper:]', '[:alpha:]')).matches(foldPath(name))
  );
}
