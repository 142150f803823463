import type { Stats } from 'node:fs';
import { swapped } from './errors';
import { type Folder, putBack, stillThere } from './handles';
import { newMovingName } from './temporaryNames';

/**
 * Renames between two verified folders. Without relative operations the move goes over a name that exists in the target folder only: once
 * both folders and the moved thing are verified, the last step fails where the folder has been swapped, and everything is put back.
 */
export async function moveBetween(from: Folder, name: string, to: Folder, newName: string, moving: Stats, shown: string): Promise<void> {
  const { hooks } = to.way;
  await hooks.at?.('staged', from.at(name));
  const { rename } = to.way.changes;
  if (from.mode === 'proc') return rename(from.at(name), to.at(newName));
  const staged = newMovingName(newName);
  await rename(from.at(name), to.at(staged));
  try {
    const now = await to.way.calls.lstat(to.at(staged));
    if (now?.ino !== moving.ino || now.dev !== moving.dev || !(await stillThere(from)) || !(await stillThere(to))) throw swapped(shown);
    await hooks.at?.('staged', to.at(staged));
    await rename(to.at(staged), to.at(newName));
  } catch (error) {
    await putBack(async () => rename(to.at(staged), from.at(name)));
    throw error;
  }
}
