import { DiskFolders } from '../foreign/diskFolders';
import type { PlaceLabels } from '../foreign/placeLabels';
import type { FileSystem } from '../ports/files';
import { plainField } from '../shell/field';
import { pathspecPatterns } from '../shell/pathspec';
import { readShell } from '../shell/readShell';
import { shellWord } from '../shell/shellWord';
import type { Access } from '../vocabulary/access';
import type { HostGrepRow } from './hostToolTable';
import { uriPlaces } from './uriPlaces';

/** Where a tool looks for text, and in which files. */
interface Search {
  readonly folders: readonly string[];
  readonly patterns: readonly string[];
  readonly types: readonly string[];
  /** True where it takes what the repository ignores too. */
  readonly takesIgnored: boolean;
  /** How a person is asked about it where its files are too many to be looked at. */
  readonly words: string;
}

/** What a tool reads that looks for text in files, judged as a call of ripgrep for the same files. */
export async function grepped(
  row: HostGrepRow,
  search: Search,
  files: FileSystem,
  labels: PlaceLabels,
): Promise<readonly Access[]> {
  const { treesOnDisk } = await import('../foreign/treesOnDisk');
  const disk = new DiskFolders({ files, labels });
  const folders: string[] = [];
  for (const folder of search.folders.flatMap(uriPlaces))
    folders.push(row.takesFolder && (await disk.standsAt(folder)) !== 'folder' ? folderOf(folder) : folder);
  const globs = search.patterns.flatMap((text) => globsOf(row, text.trim()));
  const options = [
    ...(row.skipsHidden ? [] : ['--hidden']),
    ...(row.follows ? ['--follow'] : []),
    ...(search.takesIgnored ? ['--no-ignore'] : ['-g', '!.git']),
    ...search.types.flatMap((type) => ['-t', type.replace(/^([jt]s)x$/, '$1')]),
  ];
  const found: Access[] = [];
  for (const [within, chosen] of [[folders, globs] as const, ...wholePaths(row, search.patterns)]) {
    const words = ['rg', ...options, ...chosen.flatMap((glob) => ['-g', glob]), '-e', 'x', '--', ...within];
    const reading = readShell(words.map(shellWord).join(' '));
    for (const access of await treesOnDisk(reading, disk, { files, labels }, true))
      if (access.effect === 'system.exec') found.push({ ...access, resource: search.words });
      else found.push(access.below ? { ...access, leftOutBy: row.leavesOut ?? '' } : access);
  }
  return found;
}

const folderOf = (path: string): string => /^(.*[\\/])?/s.exec(path)?.[1] ?? '.';

/** The globs of ripgrep for what an argument chooses, those beside that it may also be taken for. */
function globsOf({ chooses }: HostGrepRow, text: string): readonly string[] {
  if (chooses === 'globs')
    return text
      .split(/\s+/)
      .flatMap((part) => (/\{.*\}|\}.*\{/.test(part) ? [part] : part.split(',')))
      .filter((glob) => glob !== '');
  // A comment of ripgrep chooses nothing.
  if (/^(?:#|$)/.test(text)) return [];
  if (text.startsWith('!')) return [text];
  const parts = text.includes('{') ? [text] : [text, ...text.split(/[\s,]+/)];
  if (chooses === 'glob') return parts;
  // A pathspec with a sign of its own may stand for all others.
  if (text.startsWith(':')) return ['**'];
  return parts.flatMap((part) => {
    const glob = part.replace(/^(?:\.\/+)+/, '').replace(/(?<!\/)\/+$/, '');
    const spread = pathspecPatterns(plainField(glob), { isEither: false, isGlob: false });
    if (/^\.?$/.test(glob)) return ['**'];
    return [glob, `${glob}/**`, ...spread.map((one) => one.text)];
  });
}

/** What else a pattern chooses where it may be a whole path: what its wildcards choose in the folder before them. */
function wholePaths(
  row: HostGrepRow,
  patterns: readonly string[],
): readonly (readonly [readonly string[], readonly string[]])[] {
  if (row.chooses !== 'loose') return [];
  return patterns.flatMap((text) => {
    const [, folder, rest = ''] = /^((?:[a-z]:)?[\\/](?:[^*?[{]*[\\/])?)(.*)$/is.exec(text.trim()) ?? [];
    if (folder === undefined) return [];
    return [/[*?[{]/.test(rest) ? [[folder], globsOf(row, rest)] : [[folder + rest], []]];
  });
}
