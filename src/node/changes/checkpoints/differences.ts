import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Difference, FolderCheckpoint, KeptState, Uncovered } from '../../../core/ports/checkpoints';
import { type UsualModes, worthKeeping } from './candidates';
import { foldersAbove } from '../../../core/base/slashPath';

/** One side of a line that git writes about a place: its kind and the name of its content. */
interface Side {
  readonly mode: string;
  readonly id: string;
}

const nothing: KeptState = { kind: 'nothing' };

/** What a mode of git and a content are, with the permission bits that were seen beside it. */
export function stateOf({ mode, id }: Side, seen: number | undefined, usual: UsualModes): KeptState {
  if (mode === '120000') return { kind: 'link', id };
  if (!mode.startsWith('100')) return nothing;
  return { kind: 'file', id, mode: seen ?? (mode === '100755' ? usual.program : usual.file) };
}

/** Reads `git diff-tree --raw -z`. */
export function* readRaw(
  output: Buffer,
): Generator<{ readonly path: string; readonly before: Side; readonly after: Side }> {
  const parts = output.toString('utf8').split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const found = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(parts[at] ?? '');
    const name = parts[at + 1];
    if (!found || name === undefined) return;
    const [, beforeMode = '', afterMode = '', beforeId = '', afterId = ''] = found;
    yield { path: name, before: { mode: beforeMode, id: beforeId }, after: { mode: afterMode, id: afterId } };
  }
}

/** Places whose content is in neither checkpoint and that were touched. */
export function uncoveredDifferences(
  { root, uncovered: before }: FolderCheckpoint,
  { uncovered: after }: FolderCheckpoint,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [before[name], after[name]];
    if (one?.stamp === other?.stamp) continue;
    found.push({ root, path: name, before: unkept(one), after: unkept(other) });
  }
  return found;
}

const unkept = (one: Uncovered | undefined): KeptState =>
  one ? { kind: 'file', size: one.size, notKept: one.why } : nothing;

interface Folders {
  readonly root: string;
  readonly before: FolderCheckpoint;
  readonly after: FolderCheckpoint;
  /** When the first of both was begun. */
  readonly from: number;
  /** True where it may be that other files are left out than before. */
  readonly isOtherwise: boolean;
  /** Which of some paths were folders with files in them before. */
  readonly wereFolders: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * In the order in which it can be taken back from the end: what went; folders that were made meanwhile, the outermost
 * first; what was moved; folders that went, the innermost first; then what is there.
 */
export async function withFolders(
  found: readonly Difference[],
  { root, before, after, from, isOtherwise, wereFolders }: Folders,
): Promise<readonly Difference[]> {
  const moved = found.filter(({ movedTo }) => movedTo !== undefined);
  const gone = found.filter((one) => one.after.kind === 'nothing' && one.movedTo === undefined);
  const there = found.filter((one) => one.after.kind !== 'nothing');
  const [bareBefore, bareAfter] = [new Set(before.folders), new Set(after.folders)];
  const isBareKnown = before.folders !== undefined && after.folders !== undefined && !isOtherwise;
  const placesLeft = [...gone, ...moved].flatMap((one) => foldersAbove(one.path));
  const placesTaken = [
    ...there.filter((one) => one.before.kind === 'nothing').map((one) => one.path),
    ...moved.map(({ movedTo = '' }) => movedTo),
  ].flatMap(foldersAbove);
  const left = new Set([...placesLeft, ...(isBareKnown ? [...bareBefore].filter((one) => !bareAfter.has(one)) : [])]);
  const taken = new Set([...placesTaken, ...(isBareKnown ? [...bareAfter].filter((one) => !bareBefore.has(one)) : [])]);
  const births = new Map(
    await Promise.all([...left, ...taken].map(async (one) => [one, await birthOf(path.join(root, one))] as const)),
  );
  const known = isBareKnown ? await wereFolders([...taken]) : new Set<string>();
  const deleted = [...left].filter((one) => births.get(one) === undefined).sort();
  const made = [...taken].sort().filter((one) => {
    const birth = births.get(one);
    if (birth === undefined || known.has(one) || bareBefore.has(one)) return false;
    // Of these it is not known whether they were there where the workspace ignores them.
    return birth >= from || (isBareKnown && !worthKeeping.includes(one));
  });
  return [
    ...gone,
    ...made.map((one): Difference => ({ root, path: one, before: nothing, after: { kind: 'folder' } })),
    ...moved,
    ...deleted.reverse().map((one): Difference => ({ root, path: one, before: { kind: 'folder' }, after: nothing })),
    ...there,
  ];
}

/** When a folder was made, in milliseconds since 1970; undefined where there is none, 0 where nobody knows. */
async function birthOf(folder: string): Promise<number | undefined> {
  const stat = await lstat(folder).catch(() => undefined);
  return stat?.isDirectory() === true ? stat.birthtimeMs : undefined;
}
