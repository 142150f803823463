import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Difference, FolderCheckpoint } from '../../../core/ports/checkpoints';
import type { UsualModes } from './candidates';
import type { CheckpointFolder } from './checkpointFolder';
import { readRaw, stateOf, uncoveredDifferences } from './differences';

interface DifferingOptions {
  readonly usual: UsualModes;
  /** When the first of both was begun. */
  readonly from: number;
  readonly signal: AbortSignal;
}

/** The files and links that differ between two checkpoints of one folder, by content or by permissions. */
export async function differing(
  git: CheckpointFolder,
  before: FolderCheckpoint,
  after: FolderCheckpoint,
  { usual, from, signal }: DifferingOptions,
): Promise<readonly Difference[]> {
  const { root } = before;
  const uncovered = new Map(uncoveredDifferences(before, after).map((different) => [different.path, different]));
  const found: Difference[] = [];
  const touched = new Set<string>();
  if (before.tree !== after.tree) {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before.tree, after.tree];
    for (const { path: name, before: was, after: is } of readRaw(await git.run(args, signal))) {
      const left = uncovered.get(name);
      uncovered.delete(name);
      touched.add(name);
      found.push({
        root,
        path: name,
        before: left && before.uncovered[name] ? left.before : stateOf(was, before.modes[name], usual),
        after: left && after.uncovered[name] ? left.after : stateOf(is, after.modes[name], usual),
      });
    }
  }
  const names = new Set([...Object.keys(before.modes), ...Object.keys(after.modes)]);
  const bits = [...names].filter((name) => before.modes[name] !== after.modes[name] && !touched.has(name));
  for (const { path: name, mode, id } of await git.entriesIn(after.tree, bits, signal))
    if (!uncovered.has(name)) {
      const [was, is] = [before, after].map(({ modes }) => stateOf({ mode, id }, modes[name], usual));
      if (was && is) found.push({ root, path: name, before: was, after: is });
    }
  const all = [...found, ...uncovered.values()];
  if (!changesIgnored(all)) return all;
  const isNew = await Promise.all(
    all.map(async (one) => one.before.kind !== 'nothing' || !(await isOlder(path.join(root, one.path), from))),
  );
  return all.filter((_one, at) => isNew[at]);
}

/** True where other files may be left out than before: what is new then may have been there. */
export const changesIgnored = (found: readonly Difference[]): boolean =>
  found.some((one) => path.posix.basename(one.path) === '.gitignore');

/** True where nothing touched a place since. */
async function isOlder(place: string, since: number): Promise<boolean> {
  const stat = await lstat(place).catch(() => undefined);
  return stat !== undefined && stat.ctimeMs < since;
}
