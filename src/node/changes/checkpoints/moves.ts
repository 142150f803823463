import path from 'node:path/posix';
import { entryOf } from '../../../core/base/maps';
import { foldersAbove } from '../../../core/base/slashPath';
import type { Difference, KeptState } from '../../../core/ports/checkpoints';

/** What an empty file is called in both of git's ways to name contents. */
const emptyIds = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/**
 * Joins a file that went and one that came with the same bytes and permissions to one that was moved, where it is clear
 * which: it is the only such pair, or the only one of its name.
 * @param folders places that are or were folders, beside those above what differs.
 */
export function withMoves(found: readonly Difference[], folders: readonly string[]): readonly Difference[] {
  const held = new Set([...folders, ...found.flatMap((one) => foldersAbove(one.path))]);
  const [gone, came] = [new Map<string, Difference[]>(), new Map<string, Difference[]>()];
  for (const one of found) {
    if (one.after.kind === 'nothing') gather(gone, one.before, one);
    else if (one.before.kind === 'nothing') gather(came, one.after, one);
  }
  const to = new Map<Difference, Difference>();
  for (const [key, from] of gone) {
    const where = came.get(key) ?? [];
    const [only, other] = [from[0], where[0]];
    if (only && other && from.length === 1 && where.length === 1) to.set(only, other);
    else
      for (const one of from) {
        const alike = where.filter((each) => path.basename(each.path) === path.basename(one.path));
        const isOnly = from.filter((each) => path.basename(each.path) === path.basename(one.path)).length === 1;
        const [there] = alike;
        if (isOnly && there && alike.length === 1) to.set(one, there);
      }
  }
  // A place that is a folder before or after cannot be left or taken by itself.
  for (const [one, other] of to) if (held.has(one.path) || held.has(other.path)) to.delete(one);
  const targets = new Set(to.values());
  return found.flatMap((one) => {
    if (targets.has(one)) return [];
    const target = to.get(one);
    return [target ? { ...one, movedTo: target.path } : one];
  });
}

function keyOf(state: KeptState): string | undefined {
  if (state.kind !== 'file' || !('id' in state) || emptyIds.has(state.id)) return undefined;
  return `${state.id} ${state.mode ?? ''}`;
}

function gather(into: Map<string, Difference[]>, state: KeptState, one: Difference): void {
  const key = keyOf(state);
  if (key !== undefined) entryOf(into, key, []).push(one);
}
