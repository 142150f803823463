import { Emitter, type Event } from '../base/event';
import { defined, type Json, plainJson } from '../base/json';
import type { Disposable } from '../base/lifecycle';
import { worded } from '../base/sentence';
import { toolError } from '../vocabulary/errors';
import type { Clock, KeyValueStore, Log } from '../ports/platform';
import type { TodoReading, TodoStorePort, TodoWrite, TodoWriting } from '../ports/todos';
import { describeChanges } from './describe';
import { mergeTodos } from './merge';
import { maxTodos, sameTodo, waitingFor } from './model';
import { emptyTodoState, parseTodoState, type TodoHistoryEntry, type TodoSnapshot, type TodoState } from './state';
import type { TodoItem, TodoPriority, TodoStatus } from '../vocabulary/todo';

export interface TodoChange {
  readonly profileId: string;
  readonly by: 'user' | 'agent';
}

interface TodoEdit {
  readonly content?: string;
  readonly activeForm?: string;
  readonly status?: TodoStatus;
  /** Null takes the priority away. */
  readonly priority?: TodoPriority | null;
  readonly blockedBy?: readonly string[];
}

interface TodoStoreParts {
  readonly storage: KeyValueStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** How many earlier lists and history entries are kept; the items of all earlier lists together are limited too. */
const keptSnapshots = 50;
const keptSnapshotItems = 4000;
const keptHistory = 200;

const storageKey = (profileId: string): string => `todos/${profileId}`;

/**
 * Holds one todo list per profile, for the agent's tools and the user's view alike, and keeps it in the workspace's
 * storage. Every change makes a new revision, can be undone, and is told to the agent at its next call. Changes are
 * made at once in memory and saved in their order; `flush` waits for that. The agent's own contract is that each write
 * carries the whole list.
 */
export class TodoStore implements TodoStorePort, Disposable {
  readonly #parts: TodoStoreParts;
  readonly #states = new Map<string, TodoState>();
  readonly #changed: Emitter<TodoChange>;
  readonly #unsaved = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: TodoStoreParts) {
    this.#parts = parts;
    this.#changed = new Emitter((error) => parts.log.error(`a listener of the todo list failed: ${String(error)}`));
  }

  get onDidChange(): Event<TodoChange> {
    return this.#changed.event;
  }

  items(profileId: string): readonly TodoItem[] {
    return this.#state(profileId).items;
  }

  revision(profileId: string): number {
    return this.#state(profileId).revision;
  }

  /** What was changed by whom, newest first. */
  history(profileId: string): readonly TodoHistoryEntry[] {
    return [...this.#state(profileId).history].reverse();
  }

  canUndo(profileId: string): boolean {
    return findTarget(this.#state(profileId), 'undo') !== undefined;
  }

  canRedo(profileId: string): boolean {
    return findTarget(this.#state(profileId), 'redo') !== undefined;
  }

  read(profileId: string, by: 'user' | 'agent'): TodoReading {
    const state = this.#state(profileId);
    const userEdits = by === 'agent' ? describeChanges(state.seen.items, state.items).map((one) => worded(one)) : [];
    if (by === 'agent' && state.seen.revision !== state.revision)
      this.#keep(profileId, { ...state, seen: snapshot(state) });
    return { revision: state.revision, items: state.items, userEdits };
  }

  write(profileId: string, { todos, revision, by }: TodoWrite): TodoWriting {
    const state = this.#state(profileId);
    if (todos.length > maxTodos) throw tooMany(todos.length);
    const base = this.#base(state, revision, by);
    let nextId = state.nextId;
    const merge = mergeTodos(base.items, state.items, todos, (taken) => {
      while (taken.has(`t${nextId}`)) nextId++;
      return `t${nextId++}`;
    });
    if (merge.items.length > maxTodos) throw tooMany(merge.items.length);
    const userEdits = by === 'agent' ? describeChanges(base.items, state.items).map((one) => worded(one)) : [];
    const next = this.#change(profileId, { ...state, nextId }, merge.items, by);
    if (by === 'agent' && next.seen.revision !== next.revision)
      this.#keep(profileId, { ...next, seen: snapshot(next) });
    const { conflicts, unknownBlockers } = merge;
    return { revision: next.revision, items: next.items, userEdits, conflicts, unknownBlockers };
  }

  /**
   * Adds a task below another one, or at the end; returns its id. Text of white space alone is refused with
   * `invalid_input`.
   */
  add(
    profileId: string,
    content: string,
    options: { readonly afterId?: string; readonly priority?: TodoPriority } = {},
  ): string {
    const state = this.#state(profileId);
    if (state.items.length >= maxTodos) throw tooMany(state.items.length + 1);
    const text = checkContent(content);
    let nextId = state.nextId;
    while (state.items.some((item) => item.id === `t${nextId}`)) nextId++;
    const id = `t${nextId}`;
    const { priority } = options;
    const item: TodoItem = defined({ id, content: text, activeForm: text, status: 'pending', priority });
    const at = options.afterId === undefined ? -1 : state.items.findIndex((one) => one.id === options.afterId);
    const items = at < 0 ? [...state.items, item] : state.items.toSpliced(at + 1, 0, item);
    this.#change(profileId, { ...state, nextId: nextId + 1 }, items, 'user');
    return id;
  }

  /**
   * Changes fields of one task; false where it is gone. A new content becomes the active form too, unless one is given.
   */
  edit(profileId: string, id: string, edit: TodoEdit): boolean {
    const state = this.#state(profileId);
    const item = state.items.find((one) => one.id === id);
    if (!item) return false;
    const { priority: oldPriority, blockedBy: oldBlockers, ...rest } = item;
    const content = edit.content === undefined ? item.content : checkContent(edit.content);
    const priority = edit.priority === undefined ? oldPriority : (edit.priority ?? undefined);
    const others = new Set(state.items.map((one) => one.id).filter((one) => one !== id));
    const blockedBy = (edit.blockedBy ?? oldBlockers ?? []).filter((one) => others.has(one));
    const changed: TodoItem = defined({
      ...rest,
      content,
      activeForm: edit.activeForm ?? (content === item.content ? item.activeForm : content),
      status: edit.status ?? item.status,
      priority,
      blockedBy: blockedBy.length === 0 ? undefined : blockedBy,
    });
    const items = state.items.map((one) => (one.id === id ? changed : one));
    this.#change(profileId, state, items, 'user');
    return true;
  }

  setStatus(profileId: string, id: string, status: TodoStatus): boolean {
    return this.edit(profileId, id, { status });
  }

  /** Deletes tasks in one step; tasks that waited for them wait no longer. False where all of them are gone already. */
  remove(profileId: string, ...ids: readonly string[]): boolean {
    return this.#removeWhere(profileId, (item) => ids.includes(item.id)) > 0;
  }

  /** Deletes all completed tasks and returns how many there were. */
  clearCompleted(profileId: string): number {
    return this.#removeWhere(profileId, (item) => item.status === 'completed');
  }

  /** Moves one task by so many places, up where `by` is negative; false where it is gone or already at the end. */
  move(profileId: string, id: string, by: number): boolean {
    const at = this.items(profileId).findIndex((item) => item.id === id);
    return at >= 0 && this.moveTo(profileId, id, at + by);
  }

  /** Moves one task to a place, counted from 0 in the list without it. */
  moveTo(profileId: string, id: string, index: number): boolean {
    const state = this.#state(profileId);
    const at = state.items.findIndex((item) => item.id === id);
    const item = state.items[at];
    if (!item) return false;
    const to = Math.max(0, Math.min(state.items.length - 1, index));
    if (to === at) return false;
    this.#change(profileId, state, state.items.toSpliced(at, 1).toSpliced(to, 0, item), 'user');
    return true;
  }

  /** Takes back the last change, whoever made it; false where there is none. */
  undo(profileId: string): boolean {
    return this.#travel(profileId, 'undo', 'redo');
  }

  redo(profileId: string): boolean {
    return this.#travel(profileId, 'redo', 'undo');
  }

  /** Resolves when all changes so far are saved, or have failed to be and were logged. */
  flush(): Promise<void> {
    return this.#saving;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #removeWhere(profileId: string, gone: (item: TodoItem) => boolean): number {
    const state = this.#state(profileId);
    const ids = new Set(state.items.filter(gone).map((item) => item.id));
    if (ids.size === 0) return 0;
    const items = state.items.filter((item) => !ids.has(item.id)).map((item) => waitingFor(item, (id) => !ids.has(id)));
    this.#change(profileId, state, items, 'user');
    return ids.size;
  }

  #travel(profileId: string, from: 'undo' | 'redo', to: 'undo' | 'redo'): boolean {
    const state = this.#state(profileId);
    const target = findTarget(state, from);
    if (!target) return false;
    // The list that is gone back to needs no place among the earlier ones any more, so undoing pushes none out.
    const prepared = { ...state, past: state.past.filter((one) => one !== target) };
    const ways = { [from]: state[from].slice(0, -1), [to]: [...state[to], state.revision] };
    return this.#change(profileId, prepared, target.items, 'user', ways) !== prepared;
  }

  /** The list that a write is seen against. A user's write through the tool is made from what is on the screen. */
  #base(state: TodoState, revision: number | undefined, by: 'user' | 'agent'): TodoSnapshot {
    if (revision === undefined) return by === 'agent' ? state.seen : snapshot(state);
    if (revision === state.revision) return snapshot(state);
    const kept = revision === state.seen.revision ? state.seen : state.past.find((one) => one.revision === revision);
    if (kept) return kept;
    throw toolError(
      'conflict',
      `the list of revision ${revision} is not kept (it is at revision ${state.revision} now); call read_todos and send the whole list again`,
      { details: { revision: state.revision } },
    );
  }

  /**
   * Makes a new revision, where anything changed, and keeps the old list for undo (or as `ways` says, where this is an
   * undo itself). Listeners hear when the state is in place.
   */
  #change(
    profileId: string,
    state: TodoState,
    items: readonly TodoItem[],
    by: 'user' | 'agent',
    ways: Partial<Pick<TodoState, 'undo' | 'redo'>> = {
      undo: [...state.undo, state.revision].slice(-keptSnapshots),
      redo: [],
    },
  ): TodoState {
    if (sameList(state.items, items)) return state;
    const what = describeChanges(state.items, items);
    const past = trim([...state.past, snapshot(state)]);
    const revision = state.revision + 1;
    const next: TodoState = {
      ...state,
      revision,
      items,
      past,
      ...ways,
      history: [...state.history, { revision, at: this.#parts.clock.now(), by, what }].slice(-keptHistory),
    };
    this.#keep(profileId, next);
    this.#changed.fire({ profileId, by });
    return next;
  }

  #state(profileId: string): TodoState {
    const known = this.#states.get(profileId);
    if (known) return known;
    const key = storageKey(profileId);
    const stored = this.#parts.storage.get(key);
    const parsed = stored === undefined ? emptyTodoState : parseTodoState(stored);
    if (!parsed) {
      this.#parts.log.warn(
        `the todo list of profile ${profileId} is damaged; it is kept under ${key}/damaged and a new one begins`,
      );
      this.#save(`${key}/damaged`, () => stored);
    }
    const state = parsed ?? emptyTodoState;
    this.#states.set(profileId, state);
    return state;
  }

  #keep(profileId: string, state: TodoState): void {
    this.#states.set(profileId, state);
    if (this.#unsaved.has(profileId)) return;
    // Changes that follow one another at once are saved together: what is written is the state at the time of writing.
    this.#unsaved.add(profileId);
    this.#save(storageKey(profileId), () => {
      this.#unsaved.delete(profileId);
      return plainJson(this.#state(profileId));
    });
  }

  #save(key: string, value: () => Json | undefined): void {
    this.#saving = this.#saving
      .then(() => this.#parts.storage.set(key, value()))
      .catch((error: unknown) => this.#parts.log.error(`the todo list could not be saved: ${String(error)}`));
  }
}

const findTarget = (state: TodoState, way: 'undo' | 'redo'): TodoSnapshot | undefined =>
  state.past.find((one) => one.revision === state[way].at(-1));
const snapshot = ({ revision, items }: TodoSnapshot): TodoSnapshot => ({ revision, items });

function sameList(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return a.length === b.length && a.every((item, index) => item.id === b[index]?.id && sameTodo(item, b[index]));
}

/** Drops the oldest lists where there are too many, or too long ones. */
function trim(past: readonly TodoSnapshot[]): readonly TodoSnapshot[] {
  const kept: TodoSnapshot[] = [];
  let items = 0;
  for (const one of past.slice(-keptSnapshots).reverse()) {
    items += one.items.length;
    if (items > keptSnapshotItems) break;
    kept.push(one);
  }
  return kept.reverse();
}

function checkContent(content: string): string {
  const text = content.trim();
  if (text === '') throw toolError('invalid_input', 'a task needs a text that is more than white space');
  return text;
}

const tooMany = (count: number): Error =>
  toolError('too_large', `a list holds at most ${maxTodos} tasks, and this makes ${count}; leave out completed ones`);
