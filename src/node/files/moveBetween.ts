import type { Stats } from 'node:fs';
import path from 'node:path';
import { entryAt } from './calls';
import { swapped } from './errors';
import { type Folder, putBack, stillThere } from './handles';
import { newMovingName } from './temporaryNames';

/**
 * Renames between two verified folders. Without relative operations the move goes over a name that exists in the target
 * folder only: once both folders and the moved thing are verified, the last step fails where the folder has been
 * swapped, and everything is put back.
 */
export async function moveBetween(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  moving: Stats,
  shown: string,
): Promise<void> {
  const { hooks } = to.way;
  await hooks.at?.('staged', from.at(name));
  const { rename } = to.way.changes;
  if (from.mode === 'proc') return rename(from.at(name), to.at(newName));
  const staged = newMovingName(newName);
  await rename(from.at(name), to.at(staged));
  try {
    const now = await to.way.calls.lstat(to.at(staged));
    if (now?.ino !== moving.ino || now.dev !== moving.dev || !(await stillThere(from)) || !(await stillThere(to)))
      throw swapped(shown);
    await hooks.at?.('staged', to.at(staged));
    await rename(to.at(staged), to.at(newName));
  } catch (error) {
    await putBack(async () => rename(to.at(staged), from.at(name)));
    throw error;
  }
}

/** What a move meets at its new place: nothing but itself, or something else that has the name. */
type MoveOnto =
  { readonly kind: 'free' } | { readonly kind: 'taken'; readonly isFolder: boolean; readonly isSameContent: boolean };

/**
 * Tells what has the new name. Where names are compared without case, a move that changes only the case meets itself.
 */
export async function moveOnto(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
  moving: Stats,
): Promise<MoveOnto> {
  const there = await to.way.calls.lstat(to.at(newName));
  if (!there) return { kind: 'free' };
  const isSameContent = there.ino === moving.ino && there.dev === moving.dev;
  if (isSameContent && from.absolute === to.absolute && (name === newName || !(await hasBoth(from, name, newName))))
    return { kind: 'free' };
  return { kind: 'taken', isFolder: there.isDirectory(), isSameContent };
}

/**
 * Throws what the system throws for a move to another device, before a folder is made there. Folders are compared,
 * because on layered file systems the device of a file is not that of its folder.
 */
export async function checkDevice(from: Folder, target: string): Promise<void> {
  const { calls } = from.way;
  const own = await calls.lstat(from.self);
  for (let at = target; ; at = path.dirname(at)) {
    const there = await entryAt(calls, at);
    if (there && own && there.dev !== own.dev) throw Object.assign(new Error('another device'), { code: 'EXDEV' });
    if (there || path.dirname(at) === at) return;
  }
}

async function hasBoth(folder: Folder, one: string, other: string): Promise<boolean> {
  const names = new Set((await folder.way.calls.readdir(folder.self)).map((entry) => entry.name));
  return names.has(one) && names.has(other);
}
