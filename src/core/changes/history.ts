import { hostAgentName } from '../vocabulary/hostAgentNames';
import type { Change, ChangeRecord } from '../ports/changes';

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
