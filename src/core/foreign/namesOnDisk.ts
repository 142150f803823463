import { pathGlob } from '../base/pathGlob';
import { type DiskFolders, mostEntries } from './diskFolders';

export const mostFolders = 100;
/** So many outside of the workspace: each may be another one, whose rules count. */
const mostOutside = 500;

/** Names that a wildcard is tried on in a folder that cannot be listed. */
const telling =
  '.env .env.local .env.production .ssh id_rsa id_ed25519 .aws credentials .netrc .npmrc .git-credentials .pgpass .gnupg .kube .docker config.json .git .vscode .bashrc .zshrc .profile'.split(
    ' ',
  );

/** What of the repository itself holds nothing that anybody writes by name. */
const gitStores: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'lfs', 'modules', 'worktrees']);

/** Folders in which nobody keeps what is his own. */
export const isMade = (name: string, folder: string, intoGit: boolean): boolean =>
  name === 'node_modules' || (intoGit ? gitStores.has(name) && /(?:^|\/)\.git$/.test(folder) : name === '.git');

/** How the names of a pattern are looked for. */
interface NameSearch {
  /** True where a wildcard stands for a point at the beginning of a name too. */
  readonly seesDots: boolean;
  /** True where what is found is changed: `**` then leads to the settings of the repository too. */
  readonly changes: boolean;
  /** True for a folder that is not there yet and that the line fills with what nobody judged. */
  readonly isFilled: (folder: string) => boolean;
}

/** How sure it is that something stands under a name: `unlisted` in a folder of which nobody can tell what it holds. */
type Certainty = 'there' | 'unlisted' | 'guessed';

/** A path that a pattern stands for. */
interface NameOnDisk {
  readonly path: string;
  readonly certainty: Certainty;
}

interface Found {
  readonly names: readonly string[];
  readonly certainty: Certainty;
}

/**
 * The names on the disk that a pattern of the shell stands for; where a folder cannot be listed, or more are below than
 * are looked into, the names that tell most as well. A folder that is not there holds none.
 */
export async function namesOnDisk(
  pattern: string,
  disk: DiskFolders,
  search: NameSearch,
): Promise<readonly NameOnDisk[]> {
  let paths: readonly Found[] = [{ names: [], certainty: 'there' }];
  let isBehindWildcard = false;
  for (const segment of pattern.split('/')) {
    const next: Found[] = [];
    const isPlain = !/[*?[(]/.test(segment);
    for (const path of paths.filter((one, at) => at < (isOutside(one) ? mostOutside : mostFolders))) {
      if (isPlain) {
        const found = below(path, segment.replace(/\\(.)/g, '$1'));
        const isGone = isBehindWildcard && search.changes && (await disk.standsAt(pathOf(found))) === 'nothing';
        next.push(isGone ? { ...found, certainty: 'guessed' } : found);
      } else if (segment === '**') next.push(...(await foldersBelow(path, disk, search)));
      else next.push(...(await fitting(segment, path, disk, search)));
    }
    isBehindWildcard ||= !isPlain;
    paths = next.filter((one, at) => at < (isOutside(one) ? mostOutside : mostEntries));
  }
  return paths
    .map(({ names, certainty }) => ({ path: names.join('/'), certainty }))
    .filter(({ path }) => path !== pattern);
}

const below = ({ names, certainty }: Found, name: string, least: Certainty = 'there'): Found => ({
  names: [...names, name],
  certainty: least === 'there' || certainty === 'guessed' ? certainty : least,
});

const isOutside = ({ certainty }: Found): boolean => certainty === 'unlisted';
const pathOf = ({ names }: Found): string => (names.length === 0 ? '.' : names.join('/') || '/');

/** What is in a folder under a name that a segment with wildcards fits. */
async function fitting(segment: string, path: Found, disk: DiskFolders, search: NameSearch): Promise<readonly Found[]> {
  const folder = pathOf(path);
  const fits = (name: string): boolean => fitsSegment(segment, name, search.seesDots);
  const entries = await disk.entries(folder);
  const found = (entries ?? []).filter(({ name }) => fits(name)).map(({ name }) => below(path, name));
  if (entries !== undefined && (entries.length > 0 || !search.isFilled(folder))) return found;
  const guesses = telling.filter(fits);
  if (entries !== undefined) return guesses.map((name) => below(path, name, 'guessed'));
  const outside = (await disk.outside(folder)).map(({ name }) => name).filter(fits);
  // What else it stands for lies in that folder at least.
  return [...new Set([...guesses, ...outside, segment])].map((name) => below(path, name, 'unlisted'));
}

/** The folder itself and those below it; one that is nowhere stands for what was not looked into. */
async function foldersBelow(path: Found, disk: DiskFolders, { changes }: NameSearch): Promise<readonly Found[]> {
  const found: Found[] = [path];
  // What is added meanwhile is visited too.
  for (const folder of found) {
    const place = pathOf(folder);
    const ours = await disk.entries(place);
    for (const { name, type } of ours ?? (await disk.outside(place))) {
      if (type !== 'directory' || isMade(name, place, changes)) continue;
      if (found.length >= (ours ? mostFolders : mostOutside) - 1) return [...found, below(path, nowhere, 'guessed')];
      found.push(below(folder, name, ours ? 'there' : 'unlisted'));
    }
  }
  return found;
}

const nowhere = 'more-folders-7f3a';

function fitsSegment(segment: string, name: string, seesDots: boolean): boolean {
  if (!seesDots && name.startsWith('.') && /^[*?]/.test(segment)) return false;
  try {
    return pathGlob(segment).matches(name);
  } catch {
    // What no matcher reads may stand for anything.
    return true;
  }
}
