import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Of more folders nothing is said. */
const mostFolders = 5000;
const statsAtOnce = 500;
/** In so many folders is looked for whether they hold anything before a process is started for that. */
const mostLooks = 100;

/**
 * Folders in which nothing is held: empty ones, and those whose files are all left out. They are below `tops`, which
 * git names because it holds nothing in them. Undefined where there are too many.
 */
export async function bareFolders(
  root: string,
  tops: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  const open = [...tops];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal.throwIfAborted();
    if (found.length >= mostFolders) return undefined;
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => undefined);
    // A repository of its own is not looked into.
    if (!entries || entries.some(({ name }) => name === '.git')) continue;
    found.push(folder);
    for (const entry of entries) if (entry.isDirectory()) open.push(`${folder}/${entry.name}`);
  }
  return found.sort();
}

/** Some folders without those that hold nothing but folders, at any depth. */
export async function withoutEmpty(root: string, tops: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  let looks = 0;
  for (const top of tops) {
    const open = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries =
        ++looks > mostLooks
          ? undefined
          : await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => undefined);
      if (entries?.every((entry) => entry.isDirectory())) {
        open.push(...entries.map(({ name }) => `${folder}/${name}`));
        continue;
      }
      found.push(top);
      break;
    }
  }
  return found;
}

/** Those of some paths that are folders now. */
export async function foldersAmong(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let from = 0; from < paths.length; from += statsAtOnce) {
    const part = paths.slice(from, from + statsAtOnce);
    const stats = await Promise.all(part.map((one) => lstat(path.join(root, one)).catch(() => undefined)));
    found.push(...part.filter((_one, at) => stats[at]?.isDirectory() === true));
  }
  return found;
}
