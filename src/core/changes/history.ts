import { hostAgentName } from '../vocabulary/hostAgentNames';
import type { Change, ChangePlace } from '../ports/changes';

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

/** Which changes somebody who follows a place may pass by, told by where they stand in the order of all. */
export interface PassedWrites {
  /**
   * True for a change after another that leaves its place, and the places of all others, as if it had never been: both
   * it and what took it back came later than that one.
   */
  isOver(at: number, after: number): boolean;
  /** True where it tells nothing of where a place is, nor of anything that is told of that. */
  leavesPlaces(at: number): boolean;
  /** The first change of this very place, from one in the order on. */
  firstOf(place: ChangePlace, from: number): PastChange | undefined;
}

/** What happened, as far as it is still kept. */
export interface History {
  /** Oldest first; what takes back is among them. */
  readonly changes: readonly PastChange[];
  /** The same by their ids. */
  readonly byId: ReadonlyMap<string, PastChange>;
  /** Which of them somebody who follows a place need not look at. */
  readonly writes: PassedWrites;
  /** How many older changes are no longer kept. */
  readonly dropped: number;
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
