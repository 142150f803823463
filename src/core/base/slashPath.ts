/**
 * The names of a path by its text alone, without `.`, `..` and doubled slashes, and how many `..` climb above its
 * beginning: who asks says what becomes of them.
 */
export function namesOfPath(path: string): { readonly names: readonly string[]; readonly climbs: number } {
  const names: string[] = [];
  let climbs = 0;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') names.push(part);
    else if (names.pop() === undefined) climbs++;
  }
  return { names, climbs };
}

/** The folders above a path, the nearest first, without the root. */
export function foldersAbove(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}
