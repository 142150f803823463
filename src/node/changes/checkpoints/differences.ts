import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Difference, FolderCheckpoint, KeptState, Uncovered } from '../../../core/ports/checkpoints';
import type { UsualModes } from './candidates';

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

/**
 * In the order in which it can be taken back from the end: what went with the folders that went with it, the innermost
 * first; then folders that were made since `from`, the outermost first; then what is there.
 */
export async function withFolders(
  root: string,
  found: readonly Difference[],
  from: number,
): Promise<readonly Difference[]> {
  const gone = found.filter(({ after }) => after.kind === 'nothing');
  const there = found.filter(({ after }) => after.kind !== 'nothing');
  const look = async (of: readonly Difference[], isMeant: (birth: number | undefined) => boolean) => {
    const folders = [...new Set(of.flatMap((one) => [...foldersAbove(one.path)]))].sort();
    const births = await Promise.all(folders.map((one) => birthOf(path.join(root, one))));
    return folders.filter((_one, at) => isMeant(births[at]));
  };
  const deleted = await look(gone, (birth) => birth === undefined);
  const made = await look(
    there.filter(({ before }) => before.kind === 'nothing'),
    (birth) => birth !== undefined && birth >= from,
  );
  return [
    ...gone,
    ...deleted.reverse().map((one): Difference => ({ root, path: one, before: { kind: 'folder' }, after: nothing })),
    ...made.map((one): Difference => ({ root, path: one, before: nothing, after: { kind: 'folder' } })),
    ...there,
  ];
}

/** When a folder was made, in milliseconds since 1970; undefined where there is none, 0 where nobody knows. */
async function birthOf(folder: string): Promise<number | undefined> {
  const stat = await lstat(folder).catch(() => undefined);
  return stat?.isDirectory() === true ? stat.birthtimeMs : undefined;
}

function* foldersAbove(file: string): Generator<string> {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) yield file.slice(0, at);
}
