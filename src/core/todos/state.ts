import { defined, isObject, isStrings } from '../base/json';
import { readSentence } from '../base/readSentence';
import type { Sentence } from '../base/sentence';
import { type TodoItem, todoPriorities, todoStatuses } from '../vocabulary/todo';

export interface TodoHistoryEntry {
  /** The revision that the change made. */
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: 'user' | 'agent';
  readonly what: readonly Sentence[];
}

export interface TodoSnapshot {
  readonly revision: number;
  readonly items: readonly TodoItem[];
}

/** All that is kept of one profile's list. */
export interface TodoState {
  readonly revision: number;
  /** Counts up, so that an id is never used again. */
  readonly nextId: number;
  readonly items: readonly TodoItem[];
  /** The list as it was handed to the agent last. */
  readonly seen: TodoSnapshot;
  /** Earlier lists, oldest first: for undo, and as the base of an agent's write that names its revision. */
  readonly past: readonly TodoSnapshot[];
  /** Revisions that undo and redo lead to, the next one last. */
  readonly undo: readonly number[];
  readonly redo: readonly number[];
  readonly history: readonly TodoHistoryEntry[];
}

export const emptyTodoState: TodoState = {
  revision: 0,
  nextId: 1,
  items: [],
  seen: { revision: 0, items: [] },
  past: [],
  undo: [],
  redo: [],
  history: [],
};

/**
 * Reads what storage holds; undefined where it is not a state, so that the caller can keep the damaged value and start
 * anew.
 */
export function parseTodoState(value: unknown): TodoState | undefined {
  if (!isObject(value)) return undefined;
  const { revision, nextId } = value;
  const items = parseItems(value['items']);
  const seen = parseSnapshot(value['seen']);
  if (!isCount(revision) || !isCount(nextId) || !items || !seen) return undefined;
  // What is only a convenience (undo, history) is dropped where it is damaged; the list itself is not.
  return {
    revision,
    nextId,
    items,
    seen,
    past: list(value['past'], parseSnapshot),
    undo: list(value['undo'], (one) => (isCount(one) ? one : undefined)),
    redo: list(value['redo'], (one) => (isCount(one) ? one : undefined)),
    history: list(value['history'], parseHistoryEntry),
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function list<T>(value: unknown, parse: (one: unknown) => T | undefined): readonly T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const parsed = parse(one);
    return parsed === undefined ? [] : [parsed];
  });
}

function parseSnapshot(value: unknown): TodoSnapshot | undefined {
  if (!isObject(value)) return undefined;
  const items = parseItems(value['items']);
  const { revision } = value;
  return items && isCount(revision) ? { revision, items } : undefined;
}

function parseHistoryEntry(value: unknown): TodoHistoryEntry | undefined {
  if (!isObject(value)) return undefined;
  const { revision, at, by, what } = value;
  if (!isCount(revision) || typeof at !== 'number' || (by !== 'user' && by !== 'agent') || !Array.isArray(what))
    return undefined;
  const said = list(what, (one) => readSentence(one));
  return said.length === what.length ? { revision, at, by, what: said } : undefined;
}

function parseItems(value: unknown): readonly TodoItem[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: TodoItem[] = [];
  const ids = new Set<string>();
  for (const one of value) {
    const item = parseItem(one);
    if (!item || ids.has(item.id)) return undefined;
    ids.add(item.id);
    items.push(item);
  }
  return items;
}

function parseItem(value: unknown): TodoItem | undefined {
  if (!isObject(value)) return undefined;
  const { id, content, activeForm, blockedBy } = value;
  const status = todoStatuses.find((one) => one === value['status']);
  const priority = todoPriorities.find((one) => one === value['priority']);
  if (typeof id !== 'string' || typeof content !== 'string' || typeof activeForm !== 'string' || !status)
    return undefined;
  const waitsFor = isStrings(blockedBy) && blockedBy.length > 0 ? blockedBy : undefined;
  return defined({ id, content, activeForm, status, priority, blockedBy: waitsFor });
}
