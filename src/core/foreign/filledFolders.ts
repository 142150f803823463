import type { ShellReading } from '../shell/shellReading';
import type { DiskFolders } from './diskFolders';

/**
 * Tells of a folder that is not there yet whether the line makes it from what nobody judged: an archive, a repository,
 * another machine, a folder that cannot be listed. What is only made, or filled with files that are judged by
 * themselves, is not filled in this sense, and neither is what a program makes that asks as not understood.
 * @param unlisted targets of copies whose sources could not be listed as a whole.
 */
export function filledFolders(
  { accesses, puts }: ShellReading,
  disk: Pick<DiskFolders, 'absolute'>,
  unlisted: readonly string[],
): (folder: string) => boolean {
  const copying = new Set(puts.map(({ words }) => words));
  const filled = accesses.flatMap(({ effect, resource, recursive, suspected, words }) => {
    const isWhole = recursive === true || (/^git\s/.test(words) && suspected !== 'guessed');
    return effect === 'fs.write' && isWhole && !copying.has(words) ? [disk.absolute(resource)] : [];
  });
  const all = [...filled, ...unlisted.map((path) => disk.absolute(path))];
  return (folder) => {
    const place = disk.absolute(folder);
    return all.some((one) => isWithin(place, one) || isWithin(one, place));
  };
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
