import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { toolError } from '../../core/vocabulary/errors';
import { joinPath } from '../../core/files/paths';
import type { DeleteOptions } from '../../core/ports/files';
import { newTemporaryName } from './temporaryNames';
import { errnoOf } from '../errors/errno';
import { present, swapped } from './errors';
import { during, Folder, stillThere } from './handles';
import { systemTrash, type Trash } from './trash';
import type { WorkspacePath } from '../../core/ports/workspacePath';

/** Answers for entries, given by their paths relative to the workspace folder, whether they may be deleted. */
type JudgePaths = (paths: readonly string[]) => Promise<readonly boolean[]>;

interface Removal {
  /** The path that is deleted, as results show it. */
  readonly shown: string;
  readonly judge: JudgePaths;
}

/** What a delete is done with. */
interface DeleteParts {
  /** The path that is deleted, as results show it. */
  readonly shown: string;
  /** Default: the system's. */
  readonly trash?: Trash | undefined;
}

/** Deletes a name below a verified folder as `FileSystem.delete` says. */
export async function deleteIn(
  folder: Folder,
  name: string,
  where: WorkspacePath,
  options: DeleteOptions,
  parts: DeleteParts,
): Promise<void> {
  const { calls } = folder.way;
  const { shown } = parts;
  const there = present(await calls.lstat(folder.at(name)));
  const full = there.isDirectory() && (await calls.readdir(folder.at(name))).length > 0;
  if (full && !options.recursive) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' });
  const judge = judgePaths(where, options);
  if (options.toTrash) await toTrash(folder, name, where.path, parts, full ? judge : undefined);
  else if (full) await removeTree(folder, name, where.path, { shown, judge });
  else await removeOne(folder, name, { shown, judge }, there);
}

/**
 * Moves something to the trash whole. A folder's entries are judged once more: in the trash where it can be taken back
 * from there, else right before; one that may not be deleted puts everything back.
 */
async function toTrash(
  folder: Folder,
  name: string,
  at: string,
  { shown, trash = systemTrash() }: DeleteParts,
  judge: JudgePaths | undefined,
): Promise<void> {
  const absolute = path.join(folder.absolute, name);
  // Where the platform has no operations relative to a handle, a swap before is noticed here.
  if (folder.mode === 'compare') await folder.check();
  if (judge && !trash.givesBack) refuse(await refusedBelow(folder.at(name), at, judge), shown);
  await folder.way.hooks.at?.('listed', absolute);
  const kept = await trash.move(absolute, folder.at(name));
  if (!judge || !kept) return;
  const refused = await refusedBelow(kept.at, at, judge);
  if (refused.length === 0) return;
  await kept.giveBack(folder.at(name));
  refuse(refused, shown);
}

const roundsPerFolder = 10;
const atOnce = 32;

/**
 * Removes a name below a verified folder: a file, a link or an empty folder. Without operations relative to a handle it
 * is first renamed to a name that exists in this folder only: when that turns out to be another thing, or the folder
 * has been swapped, it is renamed back.
 */
async function removeOne(folder: Folder, name: string, removal: Removal, known?: Stats): Promise<void> {
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
 * Removes a folder with what is in it, one verified folder after the other, so that a folder swapped for a link on the
 * way leads nowhere. Every entry is judged when it is met, those that appeared meanwhile too; what may not be deleted
 * stays, with the folders that hold it. Answers whether the folder itself is gone. A folder that is filled faster than
 * it is emptied ends with `conflict`.
 */
async function removeTree(parent: Folder, name: string, at: string, removal: Removal): Promise<boolean> {
  for (let round = 0; round < roundsPerFolder; round++) {
    const below = await openBelow(parent, name, removal);
    if (!(await during(below, (folder) => emptyFolder(folder, at, removal)))) return false;
    try {
      await removeOne(parent, name, removal);
      return true;
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY' && errnoOf(error) !== 'EEXIST') throw error;
      await refuseUnreachable(parent, name, at, removal);
      // Something was made in it after the last look: it is looked at like everything else.
    }
  }
  throw toolError(
    'conflict',
    `\`${removal.shown}\`: new entries keep appearing in \`/${at}\` while it is deleted; what was there before is gone, so stop what writes there and delete again`,
    { retryable: true },
  );
}

/** A name that is not UTF-8 is read as another one, so that nothing can be done with it by name. */
async function refuseUnreachable(parent: Folder, name: string, at: string, { shown }: Removal): Promise<void> {
  const left = (await parent.way.calls.readdir(parent.at(name))).find((entry) => entry.name.includes('\ufffd'));
  if (!left) return;
  throw toolError(
    'unsupported',
    `\`${shown}\` is still there: the name \`/${joinPath(at, left.name)}\` is not UTF-8 and cannot be deleted by name; with to_trash true the folder goes to the trash whole`,
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
    if (entry.isDirectory() && !(await removeTree(folder, entry.name, joinPath(at, entry.name), removal)))
      emptied = false;
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

/**
 * Judges everything below a folder of the machine without changing it, never following a link; answers what may not be
 * deleted.
 */
async function refusedBelow(absolute: string, at: string, judge: JudgePaths): Promise<readonly string[]> {
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

/** Puts a delete's question about entries in terms of their paths; without a question everything may go. */
function judgePaths({ folder }: WorkspacePath, { judge }: DeleteOptions): JudgePaths {
  if (!judge) return async (paths) => paths.map(() => true);
  return (paths) => judge(paths.map((one) => ({ folder, path: one })));
}

/** Throws where something may not be deleted, naming the first of it. */
function refuse(refused: readonly string[], shown: string): void {
  if (refused.length === 0) return;
  const names = refused.slice(0, 3).map((one) => `\`/${one}\``);
  throw toolError(
    'conflict',
    `\`${shown}\`: ${names.join(', ')} appeared while it was deleted and may not be deleted, so nothing was; look at the folder again`,
  );
}
