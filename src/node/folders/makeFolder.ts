import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../errors/errno';

/**
 * Makes a folder with its parents, for this user alone, where it is missing. Throws where it cannot be made. Node's own
 * `recursive` never ends where a parent exists and refuses with ENOENT, as `/proc` does; nothing else here uses it.
 */
export function makeFolder(folder: string): void {
  try {
    make(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (errnoOf(error) !== 'ENOENT' || parent === folder) throw error;
    makeFolder(parent);
    make(folder);
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
