import { accessLabel } from '../ports/accessLabel';
import type { ChangesPort } from '../ports/changes';
import type { FileSystem } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { Access } from '../vocabulary/access';
import type { Actor } from '../vocabulary/toolDefinition';
import { leftAt, openPlace } from './changePlace';
import { agentChanges, type History, isTakenBack, type PastChange, type Selection, selected } from './history';
import { isTouchedSince, placeNow, wasNotMade } from './placeNow';
import { isSame, look } from './states';
import type { Outcome } from './outcome';
import { HistoryReader, type SeenEnd } from './historyReader';
import { takeBack, whereFrom, whereNow } from './takeBack';
import { isToolError, type ToolError } from '../vocabulary/errors';

interface Kept {
  readonly changes: ChangesPort;
  readonly files: FileSystem;
  readonly crypto: Crypto;
}

/** What became of one change of a selection. */
export interface UndoneChange {
  readonly change: PastChange;
  /** Its place as a person and policy know it. */
  readonly label: string;
  /** `failed` where the files refused it, and nothing was touched. */
  readonly outcome: Outcome | { readonly kind: 'failed'; readonly error: ToolError };
}

/** The history of the workspace; what a kill cut short counts as made, or is left out, as its place tells. */
export const historyOf = (kept: Kept): Promise<History> => new SettledHistory(kept).read();

/** Reads the history of the workspace as often as it is asked, and each time only what has come since. */
class SettledHistory {
  readonly #kept: Kept;
  readonly #told = new HistoryReader();
  readonly #moved = new HistoryReader();
  readonly #settled = new HistoryReader();

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  async read(): Promise<History> {
    const records = await (await this.#kept.changes.store()).read();
    const history = this.#told.read(records);
    if (history.changes.every(({ isEnded }) => isEnded)) return history;
    // Where a place is now is told by the moves that happened.
    const moves = await endsOf(history, ({ action }) => action === 'move', this.#kept);
    const moved = this.#moved.read(records, moves);
    const others = await endsOf(moved, ({ action }) => action !== 'move', this.#kept);
    return this.#settled.read(records, [...moves, ...others]);
  }
}

/** How changes ended that a kill may have cut short, as far as anything tells. */
async function endsOf(
  history: History,
  isMeant: (change: PastChange) => boolean,
  looked: Pick<Kept, 'files' | 'crypto'>,
): Promise<readonly SeenEnd[]> {
  const ends: SeenEnd[] = [];
  for (const one of history.changes.filter((change) => !change.isEnded && isMeant(change))) {
    const isMade = await wasMade(one, history, looked);
    if (isMade !== undefined) ends.push({ type: 'ended', id: one.id, ...(isMade ? {} : { failed: true }) });
  }
  return ends;
}

/** Whether a change happened that a kill may have cut short; undefined where nothing tells. */
async function wasMade(
  change: PastChange,
  history: History,
  { files, crypto }: Pick<Kept, 'files' | 'crypto'>,
): Promise<boolean | undefined> {
  if (change.action === 'move') {
    const [from, to] = [change, change.to ?? change].map((place) => openPlace(place, files));
    return from && to && !(await files.stat(from)) && (await files.stat(to)) !== undefined;
  }
  // Of permissions alone states tell nothing.
  if (isSame(change.before, change.after)) return undefined;
  const place = placeNow(history, change);
  const at = openPlace(place, files);
  const now = place.next ?? (at && (await look(at, files, crypto).catch(() => undefined))?.state);
  if (!now) return undefined;
  return wasNotMade(change, now) ? false : isSame(change.after, now) || undefined;
}

/** The place of a change, by the name that policy knows: where it was when the change was made. */
export function changeLabel(change: PastChange, files: Pick<FileSystem, 'folders' | 'labelPrefix'>): string {
  const place = leftAt(change);
  const open = openPlace(place, files);
  return open ? accessLabel(open, files) : `${place.root}/${place.path}`;
}

/**
 * The changes that somebody may name: a person all that agents did, an agent what it did itself. Who names one call or
 * one change may mean a take-back too.
 */
function changesFor(history: History, actor: Actor, { kind }: Selection): readonly PastChange[] {
  const all = kind === 'call' || kind === 'change' ? history.changes : agentChanges(history);
  return actor.type === 'user' ? all : all.filter((one) => one.actor.type === actor.type && one.actor.id === actor.id);
}

/** What is to be taken back, newest first: the selected changes, or for a redo what took them back. */
export function planned(
  history: History,
  actor: Actor,
  selection: Selection,
  isRedo: boolean,
  files: Pick<FileSystem, 'folders' | 'labelPrefix'>,
): readonly PastChange[] {
  const chosen = selected(changesFor(history, actor, selection), selection, (change) => changeLabel(change, files));
  const meant = isRedo
    ? chosen.filter(isTakenBack).flatMap(({ takenBackBy }) => takenBackBy.filter((one) => !isTakenBack(one)))
    : chosen.filter((one) => !isTakenBack(one));
  return [...meant].sort((a, b) => b.at - a.at);
}

/** What a person may do with what a call changed. */
export interface CallUndo {
  /** How many of its changes stand and can be taken back. */
  readonly standing: number;
  /** How many of them were taken back, and can be made again. */
  readonly takenBack: number;
}

/** What became of the changes of a call. */
export function callUndo(history: History, call: string, files: Pick<FileSystem, 'folders' | 'labelPrefix'>): CallUndo {
  const count = (isRedo: boolean): number =>
    planned(history, { type: 'user', id: 'user' }, { kind: 'call', id: call }, isRedo, files).filter(
      ({ notKept }) => notKept === undefined,
    ).length;
  return { standing: count(false), takenBack: count(true) };
}

/** What taking a change back touches. What lay elsewhere is read there, because it appears where it may be read. */
export function accessesOfUndo(
  change: PastChange,
  { history, files }: { readonly history: History; readonly files: FileSystem },
): readonly Access[] {
  const at = whereNow(change, { history, files });
  if (!at) return [];
  const here = accessLabel(at, files);
  if (change.action === 'move') {
    const from = whereFrom(change, { history, files }) ?? { folder: at.folder, path: change.path };
    const back = accessLabel(from, files);
    return [
      { effect: 'fs.read', resource: here },
      { effect: 'fs.delete', resource: here },
      { effect: 'fs.write', resource: back },
    ];
  }
  if (change.before.kind === 'nothing') return [{ effect: 'fs.delete', resource: here }];
  const there = changeLabel(change, files);
  const read = there === here ? [] : [{ effect: 'fs.read', resource: there }];
  return [...read, { effect: 'fs.write', resource: here }];
}

/**
 * Takes changes back one after the other, newest first; what cannot be is left as it is and told, and does not keep the
 * others from it.
 */
export async function undoAll(
  changes: readonly PastChange[],
  kept: Kept,
  shouldGoOn: () => boolean,
): Promise<readonly UndoneChange[]> {
  const done: UndoneChange[] = [];
  const store = await kept.changes.store();
  const reading = new SettledHistory(kept);
  let history = await reading.read();
  let isOld = false;
  for (const one of changes) {
    if (!shouldGoOn()) break;
    const known = (): PastChange => history.byId.get(one.id) ?? one;
    // What came later at its place may have been taken back just now; to read all anew each time takes long.
    if (isOld && isTouchedSince(history, known())) {
      history = await reading.read();
      isOld = false;
    }
    const change = known();
    const outcome = await takeBack(change, {
      files: kept.files,
      store,
      crypto: kept.crypto,
      history,
      reverting: (id, work) => kept.changes.reverting(id, work),
    }).catch((error: unknown) => {
      if (!isToolError(error) || error.data.code === 'cancelled') throw error;
      return { kind: 'failed', error } as const;
    });
    done.push({ change, label: changeLabel(change, kept.files), outcome });
    // What was moved back stands elsewhere for all that follows.
    if (outcome.kind !== 'done') continue;
    isOld = change.action !== 'move';
    if (!isOld) history = await reading.read();
  }
  return done;
}
