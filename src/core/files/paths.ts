import { linked, say, type Sentence } from '../base/sentence';
import { cutEnd } from '../base/text';
import { refusal, type ToolError } from '../vocabulary/errors';
import type { FileSystem, PathStyle } from '../ports/files';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';

/**
 * What a path input can mean: one place, several that only a look at the files can tell apart, or the root above
 * several folders.
 */
type PathCandidates =
  | { readonly kind: 'one'; readonly path: WorkspacePath }
  | { readonly kind: 'several'; readonly paths: readonly WorkspacePath[]; readonly preferred?: WorkspacePath }
  | { readonly kind: 'root'; readonly folders: readonly WorkspaceFolder[] };

export const pathOutside = (input: string, why: Sentence): ToolError =>
  refusal('path_outside', say('path_outside', brief(input), why));

/** The refusal of a link to nothing. It counts as outside, because what is made through it may come to lie there. */
export const leadsNowhere = (shown: string): ToolError => refusal('path_outside', say('path_leads_nowhere', shown));

const pathInvalid = (input: string, why: Sentence): ToolError =>
  refusal('path_invalid', say('path_invalid', brief(input), why));

const pathAmbiguous = (input: string, candidates: readonly string[]): ToolError =>
  refusal('path_ambiguous', say('path_ambiguous', brief(input), eitherOf(candidates)), { details: { candidates } });

/** The refusal of a move onto a folder, which most likely was meant to go into it. */
export const folderInTheWay = (shown: string, name: string): ToolError =>
  refusal('is_a_directory', say('path_folder_in_way', shown, `${shown.replace(/\/$/, '')}/${name}`));

/** The refusal of a folder's move onto a file, which no folder takes the place of. */
export const fileInTheWay = (shown: string): ToolError => refusal('not_a_directory', say('path_file_in_way', shown));

/** The refusal of a move onto a file that is to be kept. */
export const alreadyThere = (shown: string): ToolError => refusal('already_exists', say('path_taken', shown));

const noFolder = (): ToolError => refusal('not_available', say('path_no_folder'));

const eitherOf = (paths: readonly string[]): Sentence =>
  linked(
    'either',
    paths.map((one) => `\`${one}\``),
  );

/** Shortens what a caller sent for a message. Control characters are shown as escapes. */
function brief(input: string): string {
  return cutEnd(input, 200).replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A path of the machine with `/` between its names; elsewhere than on Windows a backslash is a part of a name. */
export const withSlashes = (path: string, style: PathStyle): string =>
  style === 'windows' ? path.replaceAll('\\', '/') : path;

/**
 * Reads a tool's path input without looking at the files. An absolute path of the machine that lies inside a folder is
 * that file; otherwise a leading `/` is the workspace root, or `/<folder>/…` where there are several; everything else
 * is relative. Percent sequences are ordinary characters. Throws `path_outside`, `path_invalid` or `not_available`.
 */
export function readPathInput(input: string, folders: readonly WorkspaceFolder[], style: PathStyle): PathCandidates {
  const [only] = folders;
  if (only === undefined) throw noFolder();
  checkText(input);
  const text = withSlashes(input, style);
  if (/^~(?:\/|$)/.test(text)) throw pathOutside(input, say('path_home'));
  refuseForeignPaths(input, style);
  // Elsewhere than on Windows a path inside a folder of the machine starts with a slash.
  const absolute = style === 'posix' && !text.startsWith('/') ? undefined : insideFolder(input, text, folders, style);
  if (absolute) return { kind: 'one', path: absolute };
  if (style === 'windows') refuseWindowsRoots(input, text);
  const rooted = text.startsWith('/');
  const parts = segments(input, text, style);
  if (folders.length === 1) return { kind: 'one', path: { folder: only, path: parts.join('/') } };

  const [first, ...rest] = parts;
  if (first === undefined) return { kind: 'root', folders };
  const named = folders.find((folder) => folder.name === first);
  const preferred = named && { folder: named, path: rest.join('/') };
  if (rooted) {
    if (preferred) return { kind: 'one', path: preferred };
    throw pathInvalid(input, say('path_several_folders', eitherOf(folders.map((one) => `/${one.name}`))));
  }
  const paths = folders.map((folder) => ({ folder, path: parts.join('/') }));
  return preferred ? { kind: 'several', paths: [preferred, ...paths], preferred } : { kind: 'several', paths };
}

/**
 * Resolves a tool's path input to one place. Of several candidates the one that exists counts; where more than one
 * exists, or none and the input names no folder, it throws `path_ambiguous` with all of them. The root above several
 * folders throws `is_a_directory`.
 */
export async function resolvePath(files: FileSystem, input: string): Promise<WorkspacePath> {
  const read = readPathInput(input, files.folders(), files.style);
  switch (read.kind) {
    case 'one':
      return read.path;
    case 'root':
      throw refusal(
        'is_a_directory',
        say(
          'path_above_folders',
          brief(input),
          read.folders.map(({ name }) => `/${name}`),
        ),
      );
    case 'several': {
      const there: WorkspacePath[] = [];
      for (const path of read.paths) if (await exists(files, path)) there.push(path);
      const [found, second] = there;
      if (found && !second) return found;
      if (there.length === 0 && read.preferred) return read.preferred;
      throw pathAmbiguous(
        input,
        (there.length === 0 ? read.paths : there).map((path) => displayPath(path, files)),
      );
    }
  }
}

/** Resolves the input of a tool that works on folders: the root above several folders is all of them. */
export async function resolveRoots(files: FileSystem, input: string): Promise<readonly WorkspacePath[]> {
  const read = readPathInput(input, files.folders(), files.style);
  if (read.kind === 'root') return read.folders.map((folder) => ({ folder, path: '' }));
  return [await resolvePath(files, input)];
}

async function exists(files: FileSystem, path: WorkspacePath): Promise<boolean> {
  try {
    return (await files.stat(await files.canonical(path, { follow: false }))) !== undefined;
  } catch {
    // A link that leads outside is there, and the operation itself will refuse it with its own words.
    return true;
  }
}

/** The path as results show it: rooted at the workspace, with the folder's name where there are several. */
export function displayPath(path: WorkspacePath, files: Pick<FileSystem, 'folders'>): string {
  const prefix = files.folders().length > 1 ? `/${path.folder.name}` : '';
  return path.path === '' ? prefix || '/' : `${prefix}/${path.path}`;
}

export function samePath(a: WorkspacePath, b: WorkspacePath): boolean {
  return a.path === b.path && a.folder.scheme === b.folder.scheme && a.folder.path === b.folder.path;
}

/** The folder that holds a path, and its last name; undefined for a root folder. */
export function splitPath(path: WorkspacePath): { readonly parent: WorkspacePath; readonly name: string } | undefined {
  if (path.path === '') return undefined;
  const slash = path.path.lastIndexOf('/');
  return {
    parent: { folder: path.folder, path: path.path.slice(0, Math.max(slash, 0)) },
    name: path.path.slice(slash + 1),
  };
}

/** A folder and those above it that are not there, outermost first. */
export async function missingFolders(
  files: Pick<FileSystem, 'stat'>,
  folder: WorkspacePath,
): Promise<readonly WorkspacePath[]> {
  const missing: WorkspacePath[] = [];
  for (let at: WorkspacePath | undefined = folder; at && at.path !== ''; at = splitPath(at)?.parent) {
    if (await files.stat(at)) break;
    missing.unshift(at);
  }
  return missing;
}

/** The folder of a path below a root; empty for what lies in the root itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export function joinPath(base: string, name: string): string {
  return base === '' ? name : `${base}/${name}`;
}

/** The order of results: folder by folder, names by code units. */
export function comparePaths(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    // A separator comes before every other character, so that a folder's content stays together.
    if (left !== right) return (left === 47 ? 0 : left) - (right === 47 ? 0 : right);
  }
  return a.length - b.length;
}

/** Sorts as `comparePaths` does, in place and many times as fast for many paths. */
export function sortPaths(paths: string[]): string[] {
  if (isSorted(paths)) return paths;
  for (let at = 0; at < paths.length; at++) paths[at] = (paths[at] ?? '').replaceAll('/', '\0');
  paths.sort();
  for (let at = 0; at < paths.length; at++) paths[at] = (paths[at] ?? '').replaceAll('\0', '/');
  return paths;
}

function isSorted(paths: readonly string[]): boolean {
  for (let at = 1; at < paths.length; at++) if (comparePaths(paths[at - 1] ?? '', paths[at] ?? '') > 0) return false;
  return true;
}

function checkText(input: string): void {
  if (input === '') throw pathInvalid(input, say('path_empty'));
  if (input.includes('\0')) throw pathInvalid(input, say('path_nul'));
  if (input.length > 4096) throw pathInvalid(input, say('path_long'));
  if (/\p{Surrogate}/u.test(input)) throw pathInvalid(input, say('path_half_pair'));
}

/** Splits into names, resolving `.` and `..`; a `..` that climbs above the root is refused, not clamped. */
function segments(input: string, text: string, style: PathStyle): string[] {
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) throw pathOutside(input, say('path_climbs'));
      continue;
    }
    if (style === 'windows') checkWindowsName(input, part);
    parts.push(part);
  }
  return parts;
}

/** Finds the folder that holds an absolute path of the machine; of nested folders the innermost. */
function insideFolder(
  input: string,
  text: string,
  folders: readonly WorkspaceFolder[],
  style: PathStyle,
): WorkspacePath | undefined {
  const key = (path: string): string =>
    (style === 'windows' ? path.replace(/\\/g, '/').toLowerCase() : path).replace(/(?<!\/)\/+$/, '');
  const wanted = key(text.replace(/(.)\/{2,}/g, '$1/'));
  const clean = text.replace(/(.)\/{2,}/g, '$1/');
  const holding = folders
    .filter((folder) => folder.scheme === 'file' || folder.path !== '/')
    .map((folder) => ({ folder, root: key(folder.path) }))
    .filter(({ root }) => root !== '' && (wanted === root || wanted.startsWith(`${root}/`)))
    .sort((a, b) => b.root.length - a.root.length);
  const [best] = holding;
  if (!best) return undefined;
  return { folder: best.folder, path: segments(input, clean.slice(best.root.length), style).join('/') };
}

/**
 * What is no path here would name something odd in the workspace, and writing would make it. With `./` before it, it is
 * taken as it is.
 */
function refuseForeignPaths(input: string, style: PathStyle): void {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(input)) throw pathInvalid(input, say('path_uri'));
  if (style === 'posix' && /^(?:[a-z]:[\\/]|\\\\)/i.test(input)) throw pathInvalid(input, say('path_of_windows'));
}

function refuseWindowsRoots(input: string, text: string): void {
  if (/^\/\/[?.](?:\/|$)|^\/\?\?(?:\/|$)/.test(text)) throw pathOutside(input, say('path_device'));
  if (text.startsWith('//')) throw pathOutside(input, say('path_machine'));
  if (/^[a-z]:/i.test(text)) throw pathOutside(input, say('path_drive'));
}

const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:[.:].*)?$/i;

/** Refuses names that Windows reads as something else than they say. */
function checkWindowsName(input: string, name: string): void {
  if (deviceName.test(name)) throw pathInvalid(input, say('path_device_name', name));
  if (/[. ]$/.test(name)) throw pathInvalid(input, say('path_name_end', name));
  if (name.includes(':')) throw pathInvalid(input, say('path_name_colon', name));
  if (/[<>"|?*\u0001-\u001f]/.test(name)) throw pathInvalid(input, say('path_name_character', name));
  if (/~\d/.test(name)) throw pathInvalid(input, say('path_name_short', name));
}
