import type { Access } from '../vocabulary/access';
import { pathGlob } from '../base/pathGlob';
import type { FileSystem } from '../ports/files';
import type { PlaceLabels } from './placeLabels';

const mostEntries = 2000;
const mostFolders = 100;

/** Names that a wildcard is tried on in a folder that cannot be listed. */
const telling =
  '.env .env.local .env.production .ssh id_rsa id_ed25519 .aws credentials .netrc .npmrc .git-credentials .pgpass .gnupg .kube .docker config.json .git .vscode .bashrc .zshrc .profile'.split(
    ' ',
  );

/** Where the accesses of a line lead, and what it is called with. */
interface LinePlaces {
  readonly files: FileSystem;
  readonly labels: PlaceLabels;
  /** True where the line runs on another machine, whose files are no concern of ours. */
  readonly isRemote: boolean;
}

/**
 * The accesses of a command line that a foreign tool is given, named as policy names them. Undefined where a path leads
 * to what only the shell itself can tell. The reader of shell lines is loaded with the first of them.
 */
export async function commandLineAccesses(line: string, places: LinePlaces): Promise<readonly Access[] | undefined> {
  const [{ readShell }, { runsWhatItFetched }] = await Promise.all([
    import('../shell/readShell'),
    import('../shell/fetchedCode'),
  ]);
  const { cwd } = places.labels;
  const reading = readShell(line, cwd === undefined ? {} : { cwd });
  const { accesses } = reading;
  const found: Access[] = [];
  if (runsWhatItFetched(reading)) found.push({ effect: 'system.exec_fetched', resource: line.slice(0, 4000) });
  for (const { words: _words, isPattern, ...access } of accesses) {
    if (!access.effect.startsWith('fs.')) found.push(access);
    else if (!places.isRemote) {
      const labels = await labelsOf(access.resource, places.labels, access.suspected !== undefined);
      if (labels === undefined) return undefined;
      for (const resource of labels) found.push({ ...access, resource });
      if (!isPattern || access.suspected !== undefined) continue;
      for (const name of await namesFor(access.resource, places, line))
        for (const resource of (await labelsOf(name, places.labels, true)) ?? [])
          found.push({ ...access, resource, suspected: 'written' });
    }
  }
  return found;
}

/** A word that only might be a path is no reason to refuse the call where its links lead out of the workspace. */
async function labelsOf(
  path: string,
  labels: PlaceLabels,
  isSuspected: boolean,
): Promise<readonly string[] | undefined> {
  try {
    return (await labels.of(path)) ?? (isSuspected ? [] : undefined);
  } catch (error) {
    if (!isSuspected) throw error;
    return [path];
  }
}

/** The names on the disk that a pattern of the shell stands for. */
async function namesFor(pattern: string, { files, labels }: LinePlaces, line: string): Promise<readonly string[]> {
  const hidesDots = !/dotglob|GLOBIGNORE|\(.*D.*\)/.test(line);
  let paths: (readonly string[])[] = [[]];
  for (const segment of pattern.split('/')) {
    const next: (readonly string[])[] = [];
    for (const path of paths.slice(0, mostFolders)) {
      if (!/[*?[(]/.test(segment)) next.push([...path, segment.replace(/\\(.)/g, '$1')]);
      else {
        // `**` stands for no folder too.
        if (segment === '**') next.push(path);
        const folder = path.length === 0 ? '.' : path.join('/');
        for (const name of await namesIn(folder === '' ? '/' : folder, files, labels))
          if (fitsSegment(segment, name, hidesDots)) next.push([...path, name]);
      }
    }
    paths = next.slice(0, mostEntries);
  }
  return paths.map((path) => path.join('/')).filter((path) => path !== pattern);
}

function fitsSegment(segment: string, name: string, hidesDots: boolean): boolean {
  if (hidesDots && name.startsWith('.') && /^[*?]/.test(segment) && segment !== '**') return false;
  try {
    return pathGlob(segment).matches(name);
  } catch {
    // What no matcher reads may stand for anything.
    return true;
  }
}

/** The names in a folder of the workspace; of another the names that tell most. */
async function namesIn(path: string, files: FileSystem, labels: PlaceLabels): Promise<readonly string[]> {
  const absolute = path.startsWith('/') || labels.cwd === undefined ? path : `${labels.cwd}/${path}`;
  const plain = absolute.replace(/\/\.(?=\/|$)/g, '').replace(/\/+/g, '/');
  for (const folder of files.folders()) {
    const root = folder.path.replaceAll('\\', '/').replace(/\/+$/, '');
    if (plain !== root && !plain.startsWith(`${root}/`)) continue;
    try {
      const at = await files.canonical({ folder, path: plain.slice(root.length + 1) }, { follow: true });
      const entries = await files.readDirectory(at);
      return entries.slice(0, mostEntries).map(({ name }) => name);
    } catch {
      // No folder, or none of ours: what it holds is guessed.
    }
  }
  return telling;
}
