import { pathGlob } from '../base/pathGlob';
import type { DirectoryEntry, FileSystem } from '../ports/files';
import type { PlaceLabels } from './placeLabels';

const mostEntries = 2000;
const mostFolders = 100;

/** Names that a wildcard is tried on in a folder that cannot be listed. */
const telling =
  '.env .env.local .env.production .ssh id_rsa id_ed25519 .aws credentials .netrc .npmrc .git-credentials .pgpass .gnupg .kube .docker config.json .git .vscode .bashrc .zshrc .profile'.split(
    ' ',
  );

/** Folders in which nobody keeps what is his own. */
const isMade = (name: string): boolean => name === 'node_modules' || name === '.git';

export interface DiskPlaces {
  readonly files: FileSystem;
  readonly labels: PlaceLabels;
}

/**
 * The names on the disk that a pattern of the shell stands for; where a folder cannot be listed, or more are below than
 * are looked into, the names that tell most as well.
 * @param seesDots true where a wildcard stands for a point at the beginning of a name too.
 */
export async function namesOnDisk(pattern: string, places: DiskPlaces, seesDots: boolean): Promise<readonly string[]> {
  let paths: (readonly string[])[] = [[]];
  for (const segment of pattern.split('/')) {
    const next: (readonly string[])[] = [];
    for (const path of paths.slice(0, mostFolders)) {
      if (!/[*?[(]/.test(segment)) next.push([...path, segment.replace(/\\(.)/g, '$1')]);
      else if (segment === '**') next.push(...(await foldersBelow(path, places)));
      else
        for (const { name } of (await entriesOf(path, places)) ?? named(telling))
          if (fitsSegment(segment, name, seesDots)) next.push([...path, name]);
    }
    paths = next.slice(0, mostEntries);
  }
  return paths.map((path) => path.join('/')).filter((path) => path !== pattern);
}

/** The folder itself and those below it; one that is nowhere stands for what was not looked into. */
async function foldersBelow(path: readonly string[], places: DiskPlaces): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = [path];
  for (let at = 0; at < found.length; at++) {
    const folder = found[at] ?? [];
    for (const { name, type } of (await entriesOf(folder, places)) ?? []) {
      if (type !== 'directory' || isMade(name)) continue;
      if (found.length >= mostFolders - 1) return [...found, [...path, nowhere]];
      found.push([...folder, name]);
    }
  }
  return found;
}

const nowhere = 'more-folders-7f3a';

type Entry = Pick<DirectoryEntry, 'name' | 'type'>;

const named = (names: readonly string[]): readonly Entry[] => names.map((name) => ({ name, type: 'file' }));

function fitsSegment(segment: string, name: string, seesDots: boolean): boolean {
  if (!seesDots && name.startsWith('.') && /^[*?]/.test(segment)) return false;
  try {
    return pathGlob(segment).matches(name);
  } catch {
    // What no matcher reads may stand for anything.
    return true;
  }
}

/** What is in a folder of the workspace, nothing in what is no folder; undefined where that cannot be told. */
async function entriesOf(
  path: readonly string[],
  { files, labels }: DiskPlaces,
): Promise<readonly Entry[] | undefined> {
  const written = path.length === 0 ? '.' : path.join('/') || '/';
  const absolute = written.startsWith('/') || labels.cwd === undefined ? written : `${labels.cwd}/${written}`;
  const plain = absolute.replace(/\/\.(?=\/|$)/g, '').replace(/\/+/g, '/');
  for (const folder of files.folders()) {
    const root = folder.path.replaceAll('\\', '/').replace(/\/+$/, '');
    if (plain !== root && !plain.startsWith(`${root}/`)) continue;
    try {
      const at = await files.canonical({ folder, path: plain.slice(root.length + 1) }, { follow: true });
      const stat = await files.stat(at);
      if (stat && stat.type !== 'directory') return [];
      return (await files.readDirectory(at)).slice(0, mostEntries);
    } catch {
      // No folder, or none of ours: what it holds is guessed.
    }
  }
  return undefined;
}
