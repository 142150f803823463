import { isToolError, toolError } from '../vocabulary/errors';
import { missingFolders, splitPath } from '../files/paths';
import { readWhole } from '../files/readWhole';
import type { ChangeStore, NotKept, PlaceState } from '../ports/changes';
import type { FileSystem, FileStat } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { WorkspacePath } from '../ports/workspacePath';
import { isSameName, leftAt, openPlace } from './changePlace';
import { mergeTexts } from './merge';
import { type History, isTakenBack, type PastChange, placeNow } from './history';

/** What became of taking one change back. */
export type Outcome =
  /** Its place is as it would be without it; `merged` with what others changed since. */
  | { readonly kind: 'done'; readonly merged?: true }
  /** There was nothing to do: it was taken back already, or its place is gone. */
  | { readonly kind: 'already' }
  /** A folder that the change made holds other things now, so it stays. */
  | { readonly kind: 'not_empty' }
  /** What others changed since is in the way; nothing was touched. `before` is what would stand there. */
  | { readonly kind: 'conflict'; readonly why: 'changed' | 'taken' | 'gone' }
  | { readonly kind: 'impossible'; readonly why: NotKept | 'dropped' | 'folder' };

interface TakeBackOptions {
  /** The files of the call that takes back, which record what it does. */
  readonly files: FileSystem;
  readonly store: ChangeStore;
  readonly crypto: Crypto;
  readonly history: History;
  /** Called around the work, so that what it changes is known to revert the change. */
  readonly reverting: <T>(id: string, work: () => Promise<T>) => Promise<T>;
}

/** A change that was taken back already is not touched again. Whatever is in the way is left as it is. */
export async function takeBack(change: PastChange, options: TakeBackOptions): Promise<Outcome> {
  if (isTakenBack(change)) return { kind: 'already' };
  if (change.notKept !== undefined) return { kind: 'impossible', why: change.notKept };
  const at = whereNow(change, options);
  const from = change.action === 'move' ? whereFrom(change, options) : at;
  if (!at || !from) return { kind: 'impossible', why: 'folder' };
  return options.reverting(change.id, () =>
    options.files.inTurn(at, async () => {
      try {
        if (change.action === 'move') return await moveBack(at, from, options);
        if (change.action === 'make_folder') return await removeFolder(change, at, options);
        return await restore(change, at, options);
      } catch (error) {
        if (error instanceof Changed) return { kind: 'conflict', why: 'changed' };
        // A file where its folder was is in the way too.
        if (isToolError(error) && (error.data.code === 'already_exists' || error.data.code === 'not_a_directory'))
          return { kind: 'conflict', why: 'taken' };
        throw error;
      }
    }),
  );
}

/** Somebody was faster. */
class Changed extends Error {}

/** Where the place of a change is now; undefined where its folder is not open. */
export function whereNow(
  change: PastChange,
  { history, files }: Pick<TakeBackOptions, 'history' | 'files'>,
): WorkspacePath | undefined {
  return openPlace(placeNow(history, leftAt(change), change), files);
}

/** Where what a change moved goes back to: into its folder, wherever a later call moved that. */
export function whereFrom(
  change: PastChange,
  { history, files }: Pick<TakeBackOptions, 'history' | 'files'>,
): WorkspacePath | undefined {
  // Of its own name later moves tell nothing: what they moved is something else, or itself once it was taken back.
  const end = Math.max(change.path.lastIndexOf('/'), 0);
  const folder = placeNow(history, { ...change, path: change.path.slice(0, end) }, change);
  return openPlace({ ...folder, path: folder.path + change.path.slice(end) }, files);
}

async function moveBack(at: WorkspacePath, from: WorkspacePath, options: TakeBackOptions): Promise<Outcome> {
  const { files } = options;
  if (at.folder.path === from.folder.path && at.path === from.path) return { kind: 'already' };
  if (!(await files.stat(at)))
    return (await files.stat(from)) ? { kind: 'already' } : { kind: 'conflict', why: 'gone' };
  if ((await files.stat(from)) && !isSameName(at, from, files)) return { kind: 'conflict', why: 'taken' };
  await makeFoldersAbove(from, options);
  await files.rename(at, from, { overwrite: false });
  return { kind: 'done' };
}

async function removeFolder(
  change: PastChange,
  at: WorkspacePath,
  { files, history }: TakeBackOptions,
): Promise<Outcome> {
  if ((await files.stat(at))?.type !== 'directory')
    return comesBack(change, history) ? { kind: 'conflict', why: 'gone' } : { kind: 'already' };
  try {
    await files.delete(at, { recursive: false, toTrash: false });
    return { kind: 'done' };
  } catch (error) {
    if (isToolError(error) && error.data.code === 'not_empty') return { kind: 'not_empty' };
    throw error;
  }
}

/** Puts back what stood at the place, where that can be done without losing what others made of it. */
async function restore(change: PastChange, at: WorkspacePath, options: TakeBackOptions): Promise<Outcome> {
  const { files } = options;
  const { before, after } = change;
  const found = await look(at, files);
  const { stat, bytes: now } = found;
  if (!stat && comesBack(change, options.history)) return { kind: 'conflict', why: 'gone' };
  const bits = bitsOf(change);
  // Permissions that somebody changed since are theirs.
  const mode = bits && stat?.mode === bits.after ? bits.before : undefined;
  if (isOnlyBits(change) && stat) {
    if (stat.mode === bits?.before) return { kind: 'already' };
    if (stat.type !== 'file' || mode === undefined) return { kind: 'conflict', why: 'changed' };
  }
  if (isOnlyBits(change) ? stat : isState(before, found, options)) {
    if (mode === undefined) return { kind: 'already' };
    // An editor that holds another text would save that one.
    if (now === undefined || stat?.unsaved === true) return { kind: 'conflict', why: 'changed' };
    await files.writeFile(at, now, { mode, check: unchanged(now, options) });
    return { kind: 'done' };
  }
  if (isState(after, found, options)) return put(before, at, found, options, mode);
  // What was changed by the call and deleted since stays deleted; it may stand elsewhere, as the call left it.
  if (!stat) return { kind: 'conflict', why: 'gone' };
  if (before.kind !== 'file' || after.kind !== 'file' || now === undefined) return { kind: 'conflict', why: 'changed' };
  const [base, theirs] = await Promise.all([imageOf(after, options), imageOf(before, options)]);
  if (!base || !theirs) return { kind: 'impossible', why: 'dropped' };
  const merged = mergeTexts(now, base, theirs);
  if (!merged) return { kind: 'conflict', why: 'changed' };
  await files.writeFile(at, merged, { check: unchanged(now, options), ...(mode === undefined ? {} : { mode }) });
  return { kind: 'done', merged: true };
}

/** The permission bits of a file before and after a change that changed them. */
function bitsOf({ before, after }: PastChange): { readonly before: number; readonly after: number } | undefined {
  if (before.kind !== 'file' || after.kind !== 'file') return undefined;
  if (before.mode === undefined || after.mode === undefined || before.mode === after.mode) return undefined;
  return { before: before.mode, after: after.mode };
}

/** True for a change of permissions that left the content as it was. */
function isOnlyBits(change: PastChange): boolean {
  const { before, after } = change;
  return before.kind === 'file' && after.kind === 'file' && before.hash === after.hash && bitsOf(change) !== undefined;
}

/** True where a later call deleted what the change made: it comes back as it was made once that is taken back. */
function comesBack(change: PastChange, history: History): boolean {
  return change.after.kind !== 'nothing' && placeNow(history, change, change).isDeleted;
}

/** Makes the folders above a place that are missing, as they were when a call deleted them. */
async function makeFoldersAbove(at: WorkspacePath, { files, history }: TakeBackOptions): Promise<void> {
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
async function put(
  state: PlaceState,
  at: WorkspacePath,
  { stat, bytes: now }: Found,
  options: TakeBackOptions,
  bits: number | undefined,
): Promise<Outcome> {
  const { files } = options;
  if (state.kind !== 'nothing' && !stat) await makeFoldersAbove(at, options);
  switch (state.kind) {
    case 'nothing':
      await files.delete(at, {
        recursive: false,
        toTrash: false,
        // A link that is there holds nothing that could be lost.
        ...(now ? { check: unchanged(now, options) } : {}),
      });
      return { kind: 'done' };
    case 'folder':
      await files.makeDirectory(at, { mode: state.mode });
      return { kind: 'done' };
    case 'link':
      if (state.target === undefined || !files.makeLink) return { kind: 'impossible', why: 'kind' };
      await files.makeLink(at, state.target);
      return { kind: 'done' };
    case 'file': {
      const bytes = await imageOf(state, options);
      if (!bytes) return { kind: 'impossible', why: 'dropped' };
      const mode = stat ? bits : state.mode;
      const more = mode === undefined ? {} : { mode };
      await files.writeFile(
        at,
        bytes,
        stat ? { check: unchanged(now, options), ...more } : { mustCreate: true, ...more },
      );
      return { kind: 'done' };
    }
    case 'other':
      return { kind: 'impossible', why: 'kind' };
  }
}

function imageOf(state: PlaceState, { store }: TakeBackOptions): Promise<Uint8Array | undefined> {
  return state.kind === 'file' && state.hash !== undefined ? store.image(state.hash) : Promise.resolve(undefined);
}

/** What stands at a place: the bytes of a file, the target of a link. */
interface Found {
  readonly stat: FileStat | undefined;
  readonly bytes?: Uint8Array;
  readonly target?: string | undefined;
}

async function look(at: WorkspacePath, files: FileSystem): Promise<Found> {
  const stat = await files.stat(at);
  if (stat?.type === 'file') return { stat, bytes: await readWhole(files, at) };
  return stat?.type === 'symlink' ? { stat, target: await files.readLink?.(at) } : { stat };
}

function isState(state: PlaceState, found: Found, { crypto }: Pick<TakeBackOptions, 'crypto'>): boolean {
  const { stat, bytes, target } = found;
  switch (state.kind) {
    case 'nothing':
      return stat === undefined;
    case 'folder':
      return stat?.type === 'directory';
    case 'link':
      // A link that leads elsewhere now is somebody else's.
      return target !== undefined && target === state.target;
    case 'file':
      return bytes !== undefined && bytes.length === state.size && crypto.sha256(bytes) === state.hash;
    case 'other':
      return false;
  }
}

/** Throws where the file is not what it was when it was read. */
function unchanged(now: Uint8Array | undefined, { crypto }: TakeBackOptions) {
  const hash = now && crypto.sha256(now);
  return (current: Uint8Array | undefined): void => {
    if ((current && crypto.sha256(current)) !== hash) throw new Changed('changed meanwhile');
  };
}

/** How a change stands at its place, for who lists it. */
export type ChangeState = 'as_left' | 'changed_since' | 'taken_back' | 'cannot';

/** Looks at the place of a change; nothing is touched. */
export async function stateOf(
  change: PastChange,
  options: Pick<TakeBackOptions, 'files' | 'history' | 'crypto'>,
): Promise<ChangeState> {
  if (isTakenBack(change)) return 'taken_back';
  if (change.notKept !== undefined) return 'cannot';
  const at = whereNow(change, options);
  if (!at) return 'cannot';
  const found = await look(at, options.files).catch(() => undefined);
  if (change.action === 'move') return found?.stat ? 'as_left' : 'changed_since';
  if (!found) return 'changed_since';
  const bits = bitsOf(change);
  if (isOnlyBits(change) && found.stat?.type === 'file')
    return found.stat.mode === bits?.after
      ? 'as_left'
      : found.stat.mode === bits?.before
        ? 'taken_back'
        : 'changed_since';
  if (isState(change.after, found, options))
    return bits && found.stat?.mode !== bits.after ? 'changed_since' : 'as_left';
  if (isState(change.before, found, options)) return 'taken_back';
  return 'changed_since';
}

/** The error of a selection that names nothing. */
export const nothingSelected = (isRedo: boolean): Error =>
  toolError(
    'not_found',
    isRedo
      ? 'nothing by this was taken back, so there is nothing to make again'
      : 'no change by this is there to be taken back; `agent-capabilities changes list` tells the ids',
  );
