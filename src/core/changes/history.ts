import { hostAgentName } from '../vocabulary/hostAgentNames';
import type { Change, ChangePlace, ChangeRecord, PlaceState } from '../ports/changes';
import { leftAt } from './changePlace';
import { isSame, type StateChange } from './states';

/** A pause after which work counts as another burst, in milliseconds. */
const burstGapMs = 2 * 60_000;

/** A change that was made, with what became of it. */
export interface PastChange extends Change {
  /** False where a kill took the last word: whether it was made is seen at its place. */
  readonly isEnded: boolean;
  /** The changes that took it back, newest last; empty where it stands. */
  readonly takenBackBy: readonly PastChange[];
  /** Its place in the order of all changes. */
  readonly at: number;
}

/** Work of one profile on one prompt, or without a longer pause. */
export interface Burst {
  /** The id of its first change. */
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly profile: string;
  /** The agent that ran its own tools, by its name; left out for work with tools of ours. */
  readonly agent?: string;
  readonly changes: readonly PastChange[];
}

/** What happened, as far as it is still kept. */
export interface History {
  /** Oldest first; what takes back is among them. */
  readonly changes: readonly PastChange[];
  /** How many older changes are no longer kept. */
  readonly dropped: number;
}

/** Reads records; one of a change that was not made is left out with it. */
export function readHistory(records: readonly ChangeRecord[]): History {
  const ended = new Map<string, boolean>();
  let dropped = 0;
  for (const record of records) {
    if (record.type === 'ended') ended.set(record.id, record.failed === true);
    else if (record.type === 'dropped') dropped += record.changes;
  }
  const known = new Map<string, PastChange & { takenBackBy: PastChange[] }>();
  for (const record of records) {
    // What another agent did may have been taken in by two processes.
    if (record.type !== 'change' || ended.get(record.id) === true || known.has(record.id)) continue;
    const { type: _type, ...change } = record;
    known.set(change.id, { ...change, isEnded: ended.has(change.id), takenBackBy: [], at: known.size });
  }
  const changes = [...known.values()];
  for (const one of changes) if (one.reverts !== undefined) known.get(one.reverts)?.takenBackBy.push(one);
  return { changes, dropped };
}

/**
 * True where the change was taken back, and that was not taken back again. What a kill cut short does not count: its
 * place is looked at.
 */
export function isTakenBack(change: PastChange): boolean {
  return change.takenBackBy.some((one) => one.isEnded && !isTakenBack(one));
}

/** What calls of agents did, without what takes back. */
export function agentChanges({ changes }: History): readonly PastChange[] {
  return changes.filter((one) => one.actor.type === 'agent' && one.reverts === undefined);
}

/**
 * The changes in bursts, oldest first: calls of one agent or by one profile on one prompt, or with less than two
 * minutes between them where their host tells no prompt.
 */
export function burstsOf(changes: readonly PastChange[]): readonly Burst[] {
  const bursts: (Omit<Burst, 'changes'> & { endedAt: number; changes: PastChange[] })[] = [];
  for (const change of changes) {
    const last = bursts.at(-1);
    const isNear = change.prompt !== undefined || (last !== undefined && change.time - last.endedAt < burstGapMs);
    const agent = hostAgentName(change.tool);
    // What another agent does with its own tools follows no profile.
    const isSame = last?.agent === agent && (agent !== undefined || last?.profile === change.profile);
    if (last && isNear && isSame && last.changes[0]?.prompt === change.prompt) {
      last.changes.push(change);
      last.endedAt = change.time;
    } else {
      const { id, time, profile } = change;
      const by = agent === undefined ? {} : { agent };
      bursts.push({ id, startedAt: time, endedAt: time, profile, ...by, changes: [change] });
    }
  }
  return bursts;
}

/** Where a place is now. */
export interface FollowedPlace extends ChangePlace {
  /** True where what stood there is no more: a later change deleted it, and that was not taken back. */
  readonly isDeleted: boolean;
  /**
   * Later changes of this very place that stand, oldest first; what only moved it along is none. Left out are those of
   * which the next one found nothing: a person took them back.
   */
  readonly since: readonly StateChange[];
  /** What the next change of this place found there, one that was taken back too; undefined where there is none. */
  readonly next: PlaceState | undefined;
  /** True where an older move was taken back since: what stood there is where it was before both. */
  readonly isBack: boolean;
}

/**
 * Where the place of a change is now: moves since then are followed, of what stands there and of the folders above it.
 * Once one of these was deleted, a move of its name is that of something else, until the delete is taken back; only
 * what is above it takes the place along.
 * @param end of a move: where it left what it moved, or where it took it from.
 */
export function placeNow({ changes }: History, change: PastChange, end: 'left' | 'origin' = 'left'): FollowedPlace {
  let { scheme, root, path } = end === 'origin' ? change : leftAt(change);
  // Which delete took the place (0), the folder that holds it (1), the one above that (2) and so on.
  const taken = new Map<number, string>();
  if (end === 'origin' || (change.after.kind === 'nothing' && change.action !== 'move')) taken.set(0, change.id);
  const here: (StateChange & { readonly isStanding: boolean })[] = [];
  let isBack = false;
  // The change, with what took it back and made it again; and all that came later.
  const [own, seen] = [new Set([change.id]), new Set<string>()];
  for (let at = change.at + 1; at < changes.length; at++) {
    const later = changes[at];
    if (!later) break;
    const isOwn = own.has(later.reverts ?? '');
    if (isOwn) own.add(later.id);
    // Of the name that something left, what takes that back tells nothing.
    if (isOwn && end === 'origin') continue;
    const isFreed = later.reverts !== undefined && later.reverts === taken.get(0);
    for (const [level, by] of taken) if (later.reverts === by) taken.delete(level);
    const isStanding = !isOwn && !isTakenBack(later) && !seen.has(later.reverts ?? '');
    seen.add(later.id);
    const isHere = later.scheme === scheme && later.root === root;
    if (!isHere || (later.path !== path && !path.startsWith(`${later.path}/`))) {
      const { to } = later;
      if (later.action !== 'move' || to?.scheme !== scheme || to.root !== root || to.path !== path || isOwn) continue;
      // What stood here was taken away by somebody who tells no changes.
      if (!taken.has(0)) taken.set(0, '');
      here.push({ before: { kind: 'nothing' }, after: { kind: 'other' }, isStanding });
      continue;
    }
    const below = path.slice(later.path.length);
    const level = below.split('/').length - 1;
    const isMove = later.action === 'move';
    if (level === 0 && (!isMove || taken.has(0)))
      here.push({ before: later.before, after: isMove ? { kind: 'nothing' } : later.after, isStanding });
    if (!taken.has(level)) {
      // What takes the change back and was cut short is no call that came later.
      if (later.action === 'delete' && later.reverts !== change.id) taken.set(level, later.id);
      else if (level === 0 && !isMove && later.before.kind === 'nothing' && !isOwn && !isFreed) taken.set(0, '');
    }
    if (!isMove || !later.to || [...taken.keys()].some((one) => one >= level)) continue;
    ({ scheme, root, path } = later.to);
    path += below;
    isBack ||= level === 0 && isStanding && later.reverts !== undefined;
  }
  const since = here.filter((one, at) => one.isStanding && !wasNotMade(one, here[at + 1]?.before));
  const isDeleted = [...taken.values()].some((by) => by !== change.id);
  return { scheme, root, path, isDeleted, since, next: here[0]?.before, isBack };
}

/** True where what was found next tells that a change was not made, or that a person took it back. */
export const wasNotMade = ({ before, after }: StateChange, next: PlaceState | undefined): boolean =>
  next !== undefined && isSame(before, next) && !isSame(after, next);

/** True where later changes that stand tell anything of the places of a change. */
export function isTouchedSince(history: History, change: PastChange): boolean {
  const ends = change.action === 'move' ? (['left', 'origin'] as const) : (['left'] as const);
  return ends.some((end) => {
    const { isDeleted, since } = placeNow(history, change, end);
    return isDeleted || since.length > 0;
  });
}

/** Which changes are meant: all of a call, a file, a burst, since a change (itself included), or everything. */
export type Selection =
  | { readonly kind: 'change' | 'call' | 'burst' | 'since'; readonly id: string }
  | { readonly kind: 'file'; readonly path: string; readonly burst?: string }
  | { readonly kind: 'all' };

/** @param label names the place of a change as a person and policy know it. */
export function selected(
  changes: readonly PastChange[],
  selection: Selection,
  label: (change: PastChange) => string,
): readonly PastChange[] {
  switch (selection.kind) {
    case 'all':
      return changes;
    case 'change':
      return changes.filter(({ id }) => id === selection.id);
    case 'call':
      return changes.filter(({ call }) => call === selection.id);
    case 'burst':
      return burstsOf(changes).find(({ id }) => id === selection.id)?.changes ?? [];
    case 'since': {
      const first = changes.find(({ id, call }) => id === selection.id || call === selection.id);
      return first ? changes.filter(({ at }) => at >= first.at) : [];
    }
    case 'file': {
      const within =
        selection.burst === undefined ? changes : selected(changes, { kind: 'burst', id: selection.burst }, label);
      return within.filter((one) => label(one) === selection.path);
    }
  }
}
