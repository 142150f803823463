import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { dayMs, keepWithin } from '../folders/keepWithin';
import { checkPrivate } from './privateFolder';

/** An entry that was not used for so long is of a version that is gone. */
const mostDays = 14;
/** One version of the program has about ten entries for each version of Node that runs it. */
const mostEntries = 100;
/** What was being written for so long was left by a process that was killed. */
const longestWriteMs = 60 * 60_000;

const isOurs = (name: string): boolean => /\.bin(?:\.\d+\.tmp)?$/.test(name);

/** Notes once a day that an entry is still used; true where it did. Nobody is kept from using it. */
export function noteUse(entry: string, now: number): boolean {
  try {
    if (now - statSync(entry).mtimeMs < dayMs) return false;
    utimesSync(entry, new Date(now), new Date(now));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes what nobody used for two weeks, the oldest beyond a bound, and what killed processes left half written. Who
 * reads one of them just now has it open, and who comes too late compiles anew.
 */
export function dropCompiled(folder: string, now: number): void {
  try {
    checkPrivate(folder, true);
    const entries = readdirSync(folder)
      .filter(isOurs)
      .flatMap((name) => {
        const file = path.join(folder, name);
        const stat = statSync(file, { throwIfNoEntry: false });
        return stat ? [{ file, timeMs: stat.mtimeMs, isHalf: name.endsWith('.tmp') }] : [];
      })
      .sort((a, b) => a.timeMs - b.timeMs);
    const remove = ({ file }: { readonly file: string }): boolean => {
      rmSync(file, { force: true });
      return true;
    };
    const halves = entries.filter(({ isHalf }) => isHalf);
    keepWithin(halves, { days: longestWriteMs / dayMs }, now, remove);
    const whole = entries.filter(({ isHalf }) => !isHalf);
    keepWithin(whole, { days: mostDays, count: mostEntries }, now, remove);
  } catch {
    // The next process tries again.
  }
}
