import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../../core/base/json';
import type { KeptLook, KeptLooks } from '../../core/ports/keptLooks';
import { keepWithin } from '../folders/keepWithin';
import { namesIn } from '../folders/quietly';
import { makeFolder } from '../folders/makeFolder';
import { withProcessLock } from '../processes/processLock';
import { checkPrivate, privateSubfolder } from './privateFolder';

/** So many folders of agents' work are kept, and so long after the last call there. */
const mostFolders = 8;
const mostDays = 14;
/** No hook is at work for so long: it takes two looks of 20 s at most. */
const mostTurnMs = 2 * 60 * 1000;
/** One that was used so lately may be in use. */
const inUseMs = 60 * 60 * 1000;
const entryName = /^\d{13}-([\w-]{1,100})\.json$/;
const goneName = /^gone-/;

/** The looks before calls in one folder, in the user's private folder, with the storage of what they name. */
export function looksFolder(privateFolder: string, root: string): KeptLooks & { readonly storage: string } {
  const all = path.join(privateFolder, 'looks');
  const folder = path.join(all, createHash('sha256').update(root).digest('hex').slice(0, 32));
  const storage = path.join(folder, 'kept');
  const names = (): readonly string[] =>
    namesIn(folder)
      .filter((name) => entryName.test(name))
      .sort();
  const remove = (id: string): void => {
    for (const name of names()) if (entryName.exec(name)?.[1] === id) rmSync(path.join(folder, name), { force: true });
  };
  return {
    storage,
    async inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      privateSubfolder(privateFolder, 'looks');
      makeFolder(folder);
      checkPrivate(folder, true);
      const now = new Date();
      utimesSync(folder, now, now);
      const alone = (): Promise<T> => {
        // Whoever took a look here before is gone, whatever process has its number by now.
        for (const name of namesIn(storage)) rmSync(path.join(storage, name, 'lock'), { force: true });
        return work();
      };
      return withProcessLock(path.join(folder, 'lock'), signal, alone, mostTurnMs);
    },
    all: () => names().flatMap((name) => readLook(path.join(folder, name)) ?? []),
    put(look) {
      const name = `${String(Math.max(0, Math.round(look.time))).padStart(13, '0')}-${look.id}.json`;
      if (!entryName.test(name)) throw new Error('a call that cannot be named');
      const temporary = path.join(folder, 'new');
      writeFileSync(temporary, JSON.stringify({ version: 1, look }), { mode: 0o600 });
      for (const other of names())
        if (other !== name && entryName.exec(other)?.[1] === look.id) rmSync(path.join(folder, other), { force: true });
      renameSync(temporary, path.join(folder, name));
    },
    remove,
  };
}

function readLook(file: string): KeptLook | undefined {
  try {
    checkPrivate(file, false);
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || value['version'] !== 1 || !isObject(value['look'])) return undefined;
    // Only this program writes the file, in a folder that is this user's alone and closed to tools.
    return value['look'] as object as KeptLook;
  } catch {
    return undefined;
  }
}

/** Removes the folders in which no agent worked for long, and the oldest beyond the bound. Never throws. */
export async function dropLooks(privateFolder: string, now: number): Promise<void> {
  const all = path.join(privateFolder, 'looks');
  try {
    checkPrivate(all, true);
    const found = readdirSync(all)
      .filter((name) => !goneName.test(name))
      .map((name) => ({ name, timeMs: statSync(path.join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? now }))
      .sort((a, b) => a.timeMs - b.timeMs);
    keepWithin(found, { days: mostDays, count: mostFolders }, now, ({ name, timeMs }) => {
      if (now - timeMs <= inUseMs) return false;
      // Once it has another name, no call begins to use it.
      renameSync(path.join(all, name), path.join(all, `gone-${name}`));
      return true;
    });
    for (const name of readdirSync(all))
      if (goneName.test(name)) await rm(path.join(all, name), { recursive: true, force: true });
  } catch {
    // There is none, or the next one removes it.
  }
}
