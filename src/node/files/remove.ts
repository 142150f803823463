import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { toolError } from '../../core/errors';
import { joinPath } from '../../core/paths';
import type { DeleteOptions, WorkspacePath } from '../../core/ports/files';
import { newTemporaryName } from './atomicWrite';
import { errnoOf, swapped } from './errors';
import { Folder } from './handles';

/** Answers for entries, given by their paths relative to the workspace folder, whether they may be deleted. */
export type JudgePaths = (paths: readonly string[]) => Promise<readonly boolean[]>;

export interface Removal {
  /** The path that is deleted, as results show it. */
  readonly shown: string;
  readonly judge: JudgePaths;
}

const roundsPerFolder = 10;
const atOnce = 32;

/**
 * Removes a name below a verified folder: a file, a link or an empty folder. Without operations relative to a handle it is first renamed to a
 * name that exists in this folder only: when that turns out to be another thing, or the folder has been swapped, it is renamed back.
 */
export async function removeOne(folder: Folder, name: string, removal: Removal, known?: Stats): Promise<void> {
  const { shown } = removal;
  const { hooks } = folder.way;
  if (folder.mode === 'proc') {
    await hooks.at?.('written', folder.absolute);
    const directory = (known ?? (await lstat(folder.at(name)))).isDirectory();
    const { changes } = folder.way;
    return directory ? changes.rmdir(folder.at(name)) : changes.unlink(folder.at(name));
  }
  const there = known ?? (await lstat(folder.at(name)));
  const staged = newTemporaryName();
  await rename(folder.at(name), folder.at(staged));
  const back = (): Promise<void> => rename(folder.at(staged), folder.at(name)).catch(() => undefined);
  await hooks.at?.('staged', folder.at(staged));
  const now = await lstat(folder.at(staged)).catch(() => undefined);
  if (now?.ino !== there.ino || now.dev !== there.dev || !(await stillThere(folder))) {
    await back();
    throw swapped(shown);
  }
  await hooks.at?.('written', folder.absolute);
  try {
    await (there.isDirectory() ? rmdir(folder.at(staged)) : unlink(folder.at(staged)));
  } catch (error) {
    await back();
    throw error;
  }
}

/**
 * Removes a folder with what is in it, one verified folder after the other, so that a folder swapped for a link on the way leads nowhere.
 * Every entry is judged when it is met, those that appeared meanwhile too; what may not be deleted stays, with the folders that hold it.
 * Answers whether the folder itself is gone. A folder that is filled faster than it is emptied ends with `conflict`.
 */
export async function removeTree(parent: Folder, name: string, at: string, removal: Removal): Promise<boolean> {
  for (let round = 0; round < roundsPerFolder; round++) {
    const folder = await openBelow(parent, name, removal);
    let emptied: boolean;
    try {
      emptied = await emptyFolder(folder, at, removal);
    } finally {
      folder.close();
    }
    if (!emptied) return false;
    try {
      await removeOne(parent, name, removal);
      return true;
    } catch (error) {
      // Something was made in it after the last look: it is looked at like everything else.
      if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error;
    }
  }
  throw toolError(
    'conflict',
    `\`${removal.shown}\`: new entries keep appearing in \`/${at}\` while it is deleted; what was there before is gone, so stop what writes there and delete again`,
    { retryable: true },
  );
}

async function openBelow(parent: Folder, name: string, { shown }: Removal): Promise<Folder> {
  try {
    return await Folder.below(parent, name, shown);
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' || errnoOf(error) === 'ENOTDIR' ? swapped(shown) : error;
  }
}

async function emptyFolder(folder: Folder, at: string, removal: Removal): Promise<boolean> {
  const entries = await readdir(folder.self, { withFileTypes: true });
  if (folder.mode === 'compare') await folder.check();
  await folder.way.hooks.at?.('listed', folder.absolute);
  const allowed = entries.length === 0 ? [] : await removal.judge(entries.map((entry) => joinPath(at, entry.name)));
  const removable = entries.filter((_entry, index) => allowed[index] === true);
  let emptied = removable.length === entries.length;
  for (const entry of removable) {
    if (entry.isDirectory() && !(await removeTree(folder, entry.name, joinPath(at, entry.name), removal))) emptied = false;
  }
  const others = removable.filter((entry) => !entry.isDirectory());
  for (let start = 0; start < others.length; start += atOnce) {
    await Promise.all(others.slice(start, start + atOnce).map((entry) => removeEntry(folder, entry, removal)));
  }
  return emptied;
}

/** What somebody else has deleted meanwhile is gone all the same. */
async function removeEntry(folder: Folder, entry: Dirent, removal: Removal): Promise<void> {
  try {
    if (folder.mode === 'proc') await unlink(folder.at(entry.name));
    else await removeOne(folder, entry.name, removal);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Judges everything below a folder of the machine without changing it, never following a link; answers what may not be deleted. */
export async function refusedBelow(absolute: string, at: string, judge: JudgePaths): Promise<readonly string[]> {
  const refused: string[] = [];
  const stack = [{ absolute, at }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { absolute: folder, at: relative } = next;
    const entries = await readdir(folder, { withFileTypes: true });
    const paths = entries.map((entry) => joinPath(relative, entry.name));
    const allowed = paths.length === 0 ? [] : await judge(paths);
    for (const [index, entry] of entries.entries()) {
      const below = paths[index] ?? '';
      if (allowed[index] !== true) refused.push(below);
      else if (entry.isDirectory()) stack.push({ absolute: `${folder}/${entry.name}`, at: below });
    }
  }
  return refused;
}

export async function stillThere(folder: Folder): Promise<boolean> {
  return folder.check().then(
    () => true,
    () => false,
  );
}

/** Puts a delete's question about entries in terms of their paths; without a question everything may go. */
export function judgePaths({ folder }: WorkspacePath, { judge }: DeleteOptions): JudgePaths {
  if (!judge) return async (paths) => paths.map(() => true);
  return (paths) => judge(paths.map((one) => ({ folder, path: one })));
}

/** Throws where something may not be deleted, naming the first of it. */
export function refuse(refused: readonly string[], shown: string): void {
  if (refused.length === 0) return;
  const names = refused.slice(0, 3).map((one) => `\`/${one}\``);
  throw toolError(
    'conflict',
    `\`${shown}\`: ${names.join(', ')} appeared while it was deleted and may not be deleted, so nothing was; look at the folder again`,
  );
}
