import { missingFolders, splitPath } from '../files/paths';
import type { PlaceState } from '../ports/changes';
import type { WorkspacePath } from '../ports/workspacePath';
import type { Outcome, TakeBackOptions } from './outcome';
import type { Found } from './states';

/** Somebody was faster. */
export class Changed extends Error {}

/** Makes the folders above a place that are missing, as they were when a call deleted them. */
export async function makeFoldersAbove(at: WorkspacePath, { files, history }: TakeBackOptions): Promise<void> {
  const parent = splitPath(at)?.parent;
  for (const folder of parent ? await missingFolders(files, parent) : []) {
    const deleted = history.changes.findLast(
      ({ action, scheme, root, path, before }) =>
        action === 'delete' &&
        before.kind === 'folder' &&
        scheme === folder.folder.scheme &&
        root === folder.folder.path &&
        path === folder.path,
    );
    if (deleted?.before.kind === 'folder') await files.makeDirectory(folder, { mode: deleted.before.mode });
  }
}

/**
 * Puts a state at a place that holds what was found there.
 * @param bits permission bits for a file that is there, where they are to be others.
 */
export async function put(
  state: PlaceState,
  at: WorkspacePath,
  found: Found,
  options: TakeBackOptions,
  bits: number | undefined,
): Promise<Outcome> {
  const { files } = options;
  if (state.kind !== 'nothing' && !found.stat) await makeFoldersAbove(at, options);
  const takeAway = (): Promise<void> =>
    files.delete(at, {
      recursive: false,
      toTrash: false,
      // A link that is there holds nothing that could be lost.
      ...(found.bytes ? { check: unchanged(found.bytes, options) } : {}),
    });
  // Nothing is written through a link, nor made in the place of a file.
  const isAnother = found.stat !== undefined && found.state.kind !== state.kind;
  switch (state.kind) {
    case 'nothing':
      await takeAway();
      return { kind: 'done' };
    case 'folder':
      await files.makeDirectory(at, { mode: state.mode });
      return { kind: 'done' };
    case 'link':
      if (state.target === undefined || !files.makeLink) return { kind: 'impossible', why: 'kind' };
      if (isAnother) await takeAway();
      await files.makeLink(at, state.target);
      return { kind: 'done' };
    case 'file': {
      const bytes = await imageOf(state, options);
      if (!bytes) return { kind: 'impossible', why: 'dropped' };
      if (isAnother) await takeAway();
      const isThere = found.stat !== undefined && !isAnother;
      const mode = isThere ? bits : state.mode;
      const more = mode === undefined ? {} : { mode };
      await files.writeFile(
        at,
        bytes,
        isThere ? { check: unchanged(found.bytes, options), ...more } : { mustCreate: true, ...more },
      );
      return { kind: 'done' };
    }
    case 'other':
      return { kind: 'impossible', why: 'kind' };
  }
}

/** Gives a file other permissions, and leaves its content as it is. */
export async function putBits(
  mode: number,
  at: WorkspacePath,
  { stat, bytes: now }: Found,
  options: TakeBackOptions,
): Promise<Outcome> {
  // An editor that holds another text would save that one.
  if (now === undefined || stat?.unsaved === true) return { kind: 'conflict', why: 'changed' };
  await options.files.writeFile(at, now, { mode, check: unchanged(now, options) });
  return { kind: 'done' };
}

/**
 * Writes what a file would hold without a change over what it holds now.
 * @param merged `dropped` where a text that it is made of is no longer kept; undefined where it cannot be merged.
 * @param bits permission bits, where they are to be others.
 */
export async function putMerged(
  merged: Uint8Array | 'dropped' | undefined,
  at: WorkspacePath,
  { bytes: now }: Found,
  options: TakeBackOptions,
  bits: number | undefined,
): Promise<Outcome> {
  const { files, crypto } = options;
  if (merged === 'dropped') return { kind: 'impossible', why: 'dropped' };
  // Where later calls did the same once more, to take this one back changes nothing.
  if (!merged || (now && crypto.sha256(merged) === crypto.sha256(now))) return { kind: 'conflict', why: 'changed' };
  await files.writeFile(at, merged, { check: unchanged(now, options), ...(bits === undefined ? {} : { mode: bits }) });
  return { kind: 'done', merged: true };
}

export function imageOf(state: PlaceState, { store }: TakeBackOptions): Promise<Uint8Array | undefined> {
  return state.kind === 'file' && state.hash !== undefined ? store.image(state.hash) : Promise.resolve(undefined);
}

/** Throws where the file is not what it was when it was read. */
function unchanged(now: Uint8Array | undefined, { crypto }: TakeBackOptions) {
  const hash = now && crypto.sha256(now);
  return (current: Uint8Array | undefined): void => {
    if ((current && crypto.sha256(current)) !== hash) throw new Changed('changed meanwhile');
  };
}
