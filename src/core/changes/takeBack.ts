import { isToolError, toolError } from '../vocabulary/errors';
import type { PlaceState } from '../ports/changes';
import type { WorkspacePath } from '../ports/workspacePath';
import { isSameName, openPlace } from './changePlace';
import { isTakenBack, type PastChange } from './history';
import { mergeTexts } from './merge';
import type { Outcome, TakeBackOptions } from './outcome';
import { type FollowedPlace, placeAlone, placeNow } from './placeNow';
import { Changed, imageOf, makeFoldersAbove, put, putBits, putMerged } from './putBack';
import { type Found, isSame, look, type StateChange, statesSince, wasEmptied } from './states';

/** A change that was taken back already is not touched again. Whatever is in the way is left as it is. */
export async function takeBack(change: PastChange, options: TakeBackOptions): Promise<Outcome> {
  if (isTakenBack(change)) return { kind: 'already' };
  if (change.notKept !== undefined) return { kind: 'impossible', why: change.notKept };
  const { files, history } = options;
  const place = placeNow(history, change);
  const at = openPlace(place, files);
  if (!at) return { kind: 'impossible', why: 'folder' };
  return options.reverting(change.id, () =>
    options.files.inTurn(at, async () => {
      try {
        if (change.action === 'move') return await moveBack(change, at, place, options);
        if (change.action === 'make_folder') return await removeFolder(change, at, place, options);
        return await restore(change, at, place, options);
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

/** Where the place of a change is now; undefined where its folder is not open. */
export function whereNow(
  change: PastChange,
  { history, files }: Pick<TakeBackOptions, 'history' | 'files'>,
): WorkspacePath | undefined {
  return openPlace(placeAlone(history, change), files);
}

/** Where what a change moved goes back to: into its folder, wherever a later call moved that. */
export function whereFrom(
  change: PastChange,
  { history, files }: Pick<TakeBackOptions, 'history' | 'files'>,
): WorkspacePath | undefined {
  return openPlace(placeAlone(history, change, 'origin'), files);
}

async function moveBack(
  change: PastChange,
  at: WorkspacePath,
  place: FollowedPlace,
  options: TakeBackOptions,
): Promise<Outcome> {
  const { files, history } = options;
  if (place.isBack) return { kind: 'already' };
  const origin = placeNow(history, change, 'origin');
  const from = openPlace(origin, files);
  if (!from) return { kind: 'impossible', why: 'folder' };
  // What a kill cut short has moved it back, or calls that came later and stand.
  if (at.folder.path === from.folder.path && at.path === from.path)
    return change.takenBackBy.length > 0 ? { kind: 'already' } : { kind: 'conflict', why: 'changed' };
  const isThere = (await files.stat(at)) !== undefined;
  const isTaken = (await files.stat(from)) !== undefined;
  if (!isThere) return isTaken && !place.isDeleted ? { kind: 'already' } : { kind: 'conflict', why: 'gone' };
  if (isTaken && !isSameName(at, from, files)) return { kind: 'conflict', why: 'taken' };
  const why = inTheWay(place, origin);
  if (why) return { kind: 'conflict', why };
  await makeFoldersAbove(from, options);
  await files.rename(at, from, { overwrite: false });
  return { kind: 'done' };
}

/** What later calls made of the two names of a move. */
function inTheWay(left: FollowedPlace, origin: FollowedPlace): 'taken' | 'between' | undefined {
  // What was moved is known by its name alone.
  if (left.wasEmptied) return 'taken';
  const nothing = { kind: 'nothing' } as const;
  return statesSince(nothing, origin.since, nothing).length > 1 ? 'between' : undefined;
}

async function removeFolder(
  { after }: PastChange,
  at: WorkspacePath,
  { isDeleted, since }: FollowedPlace,
  { files, crypto }: TakeBackOptions,
): Promise<Outcome> {
  const { state } = await look(at, files, crypto);
  if (state.kind !== 'folder') return isDeleted ? { kind: 'conflict', why: 'gone' } : { kind: 'already' };
  if (wasEmptied(statesSince(after, since, state))) return { kind: 'conflict', why: 'taken' };
  try {
    await files.delete(at, { recursive: false, toTrash: false });
    return { kind: 'done' };
  } catch (error) {
    if (isToolError(error) && error.data.code === 'not_empty') return { kind: 'not_empty' };
    throw error;
  }
}

/** Puts back what stood at the place, where that can be done without losing what others made of it. */
async function restore(
  change: PastChange,
  at: WorkspacePath,
  { isDeleted, since }: FollowedPlace,
  options: TakeBackOptions,
): Promise<Outcome> {
  const { before, after } = change;
  const found = await look(at, options.files, options.crypto);
  const { stat, state } = found;
  // It comes back as it was made once the later call is taken back.
  if (!stat && after.kind !== 'nothing' && isDeleted) return { kind: 'conflict', why: 'gone' };
  const states = statesSince(after, since, state);
  const isAnother = after.kind !== 'nothing' && wasEmptied(states);
  // Permissions that somebody changed since are theirs.
  const bits = isAnother || since.some(bitsOf) ? undefined : bitsOf(change);
  if (isOnlyBits(change) && stat) return restoreBits(bits, at, found, options);
  const mode = bitsBefore(bits, found);
  if (isSame(before, state)) {
    if (mode !== undefined) return putBits(mode, at, found, options);
    return isByCall(since, found) ? { kind: 'conflict', why: 'changed' } : { kind: 'already' };
  }
  if (states.length === 1) return put(before, at, found, options, mode);
  // What was changed by the call and deleted since stays deleted; it may stand elsewhere, as the call left it.
  if (isAnother) return { kind: 'conflict', why: stat ? 'taken' : 'gone' };
  if (!stat) return { kind: 'conflict', why: 'between' };
  return putMerged(await without(change, states, found, options), at, found, options, mode);
}

/** Takes back a change of permissions alone, where they are as it left them. */
async function restoreBits(
  bits: Bits | undefined,
  at: WorkspacePath,
  found: Found,
  options: TakeBackOptions,
): Promise<Outcome> {
  if (bits && found.stat?.mode === bits.before) return { kind: 'already' };
  const mode = bitsBefore(bits, found);
  if (found.stat?.type !== 'file' || mode === undefined) return { kind: 'conflict', why: 'changed' };
  return putBits(mode, at, found, options);
}

/** True where a later call that stands made what is there: taken back, it leaves what it found, and not this. */
const isByCall = (since: readonly StateChange[], { state }: Pick<Found, 'state'>): boolean =>
  since.some(({ after }, at) => at === since.length - 1 && isSame(after, state));

/** What stood before a change, with all that came since; undefined where that changed the same lines or is no text. */
async function without(
  { before, after }: PastChange,
  states: readonly PlaceState[],
  { state: now, bytes }: Found,
  options: TakeBackOptions,
): Promise<Uint8Array | 'dropped' | undefined> {
  if (before.kind !== 'file' || states.some(({ kind }) => kind !== 'file')) return undefined;
  let [base, theirs] = await Promise.all([imageOf(after, options), imageOf(before, options)]);
  for (const state of states.slice(1)) {
    // Between what is known, what others wrote and nobody kept is a part of the next step.
    if (state.kind === 'file' && state.hash === undefined) continue;
    const next = isSame(state, now) ? bytes : await imageOf(state, options);
    if (!base || !theirs || !next) return 'dropped';
    theirs = mergeTexts(next, base, theirs);
    if (!theirs) return undefined;
    base = next;
  }
  return theirs;
}

/** The permission bits of a file before and after a change that changed them. */
interface Bits {
  readonly before: number;
  readonly after: number;
}

/** Undefined for a change that left the permissions as they were. */
function bitsOf({ before, after }: StateChange): Bits | undefined {
  if (before.kind !== 'file' || after.kind !== 'file') return undefined;
  if (before.mode === undefined || after.mode === undefined || before.mode === after.mode) return undefined;
  return { before: before.mode, after: after.mode };
}

/** The permission bits that come back; undefined where the file does not have those that the change left. */
const bitsBefore = (bits: Bits | undefined, { stat }: Found): number | undefined =>
  bits && stat?.mode === bits.after ? bits.before : undefined;

/** True for a change of permissions that left the content as it was. */
function isOnlyBits(change: PastChange): boolean {
  const { before, after } = change;
  return before.kind === 'file' && after.kind === 'file' && before.hash === after.hash && bitsOf(change) !== undefined;
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
  const place = placeNow(options.history, change);
  const at = openPlace(place, options.files);
  if (!at) return 'cannot';
  const found = await look(at, options.files, options.crypto).catch(() => undefined);
  if (change.action === 'move') {
    if (place.isBack && found?.stat) return 'taken_back';
    const origin = placeNow(options.history, change, 'origin');
    const isHome = origin.root === place.root && origin.path === place.path;
    return found?.stat && !isHome && !inTheWay(place, origin) ? 'as_left' : 'changed_since';
  }
  if (!found) return 'changed_since';
  const bits = bitsOf(change);
  if (isOnlyBits(change) && found.stat?.type === 'file')
    return found.stat.mode === bits?.after
      ? 'as_left'
      : found.stat.mode === bits?.before
        ? 'taken_back'
        : 'changed_since';
  if (statesSince(change.after, place.since, found.state).length === 1)
    return bits && found.stat?.mode !== bits.after ? 'changed_since' : 'as_left';
  return isSame(change.before, found.state) && !isByCall(place.since, found) ? 'taken_back' : 'changed_since';
}

/** The error of a selection that names nothing. */
export const nothingSelected = (isRedo: boolean): Error =>
  toolError(
    'not_found',
    isRedo
      ? 'nothing by this was taken back, so there is nothing to make again'
      : 'no change by this is there to be taken back; the user sees the changes in the view Changes by Agents',
  );
