import { onOneLine } from '../base/text';
import { defined } from '../base/json';
import { entryOf } from '../base/maps';
import { isReordered, sameField, sameTodo, type TodoField, todoFields, waitingFor } from './model';
import type { TodoDraft, TodoItem } from '../vocabulary/todo';

interface TodoMerge {
  readonly items: readonly TodoItem[];
  /** Where both sides changed the same thing: what the user's version overruled, in words for the agent. */
  readonly conflicts: readonly string[];
  /** Blockers that name no item. */
  readonly unknownBlockers: readonly string[];
}

/**
 * Joins the list that an agent wrote with the list as it is, both seen against the list that the agent knew (three-way
 * merge). What only one side changed is taken; where both changed the same field, or one deleted what the other
 * changed, the user's version stays and `conflicts` says so. An agent's omission of an optional field means that it
 * stays as it is.
 */
export function mergeTodos(
  base: readonly TodoItem[],
  current: readonly TodoItem[],
  drafts: readonly TodoDraft[],
  newId: (taken: ReadonlySet<string>) => string,
): TodoMerge {
  const matched = identify(base, current, drafts, newId);
  const { blockers, unknownBlockers } = resolveBlockers(base, current, matched);
  const baseById = new Map(base.map((item) => [item.id, item]));
  const currentById = new Map(current.map((item) => [item.id, item]));
  const wanted = matched.map(({ id, draft }) =>
    fill(id, draft, blockers.get(id), baseById.get(id) ?? currentById.get(id)),
  );
  const conflicts: string[] = [];
  const result = new Map<string, TodoItem>();
  const wantedIds = new Set(wanted.map((item) => item.id));
  for (const item of wanted) {
    const merged = mergeItem(baseById.get(item.id), currentById.get(item.id), item, conflicts);
    if (merged) result.set(item.id, merged);
  }
  for (const item of current) {
    if (wantedIds.has(item.id)) continue;
    const was = baseById.get(item.id);
    if (!was) result.set(item.id, item);
    else if (!sameTodo(was, item)) {
      result.set(item.id, item);
      conflicts.push(`you left out \`${was.content}\`, but the user changed it meanwhile, so it stays`);
    }
  }
  const order = mergeOrder(base, current, wanted, result);
  return {
    items: order.map((item) => waitingFor(item, (id) => result.has(id) && id !== item.id)),
    conflicts,
    unknownBlockers,
  };
}

const normal = (text: string): string => onOneLine(text).toLowerCase();

interface Matched {
  readonly id: string;
  readonly draft: TodoDraft;
}

/**
 * Finds for every draft the item that it means: by id, by exact content, by content without regard to case; else it is
 * a new item.
 */
function identify(
  base: readonly TodoItem[],
  current: readonly TodoItem[],
  drafts: readonly TodoDraft[],
  newId: (taken: ReadonlySet<string>) => string,
): readonly Matched[] {
  const baseIds = new Set(base.map((item) => item.id));
  const known = [...base, ...current.filter((item) => !baseIds.has(item.id))];
  const knownIds = new Set(known.map((item) => item.id));
  const taken = new Set<string>();
  const ids = new Map<TodoDraft, string>();
  const take = (draft: TodoDraft, id: string): void => {
    ids.set(draft, id);
    taken.add(id);
  };
  for (const draft of drafts)
    if (draft.id !== undefined && knownIds.has(draft.id) && !taken.has(draft.id)) take(draft, draft.id);
  for (const spell of [(text: string) => text, normal]) {
    const free = new Map<string, string[]>();
    for (const item of known) if (!taken.has(item.id)) entryOf(free, spell(item.content), []).push(item.id);
    for (const draft of drafts) {
      if (ids.has(draft) || (draft.id !== undefined && !knownIds.has(draft.id))) continue;
      const id = free.get(spell(draft.content))?.shift();
      if (id !== undefined) take(draft, id);
    }
  }
  const all = new Set([...knownIds, ...taken]);
  for (const draft of drafts) {
    if (ids.has(draft)) continue;
    const id = draft.id !== undefined && !all.has(draft.id) ? draft.id : newId(all);
    all.add(id);
    take(draft, id);
  }
  return drafts.map((draft) => ({ id: ids.get(draft) ?? '', draft }));
}

/** Turns the blockers of the drafts, which may be ids or contents, into ids. */
function resolveBlockers(
  base: readonly TodoItem[],
  current: readonly TodoItem[],
  matched: readonly Matched[],
): { blockers: ReadonlyMap<string, readonly string[]>; unknownBlockers: readonly string[] } {
  const ids = new Set([...base, ...current].map((item) => item.id));
  const byContent = new Map<string, string>();
  for (const item of [...base, ...current]) byContent.set(normal(item.content), item.id);
  for (const { id, draft } of matched) {
    ids.add(id);
    byContent.set(normal(draft.content), id);
    if (draft.id !== undefined) byContent.set(draft.id, id);
  }
  const blockers = new Map<string, readonly string[]>();
  const unknown: string[] = [];
  for (const { id, draft } of matched) {
    if (draft.blockedBy === undefined) continue;
    const found: string[] = [];
    for (const name of draft.blockedBy) {
      const other = ids.has(name) ? name : (byContent.get(name) ?? byContent.get(normal(name)));
      if (other === undefined || other === id) unknown.push(name);
      else if (!found.includes(other)) found.push(other);
    }
    blockers.set(id, found);
  }
  return { blockers, unknownBlockers: [...new Set(unknown)] };
}

/** The item that a draft asks for, what it leaves out taken from the item as the agent knew it. */
function fill(
  id: string,
  draft: TodoDraft,
  blockers: readonly string[] | undefined,
  known: TodoItem | undefined,
): TodoItem {
  const content = draft.content;
  const blockedBy = blockers ?? known?.blockedBy ?? [];
  const priority = draft.priority ?? known?.priority;
  return defined({
    id,
    content,
    activeForm: draft.activeForm ?? (known?.content === content ? known.activeForm : content),
    status: draft.status ?? known?.status ?? 'pending',
    priority,
    blockedBy: blockedBy.length === 0 ? undefined : blockedBy,
  });
}

function mergeItem(
  base: TodoItem | undefined,
  current: TodoItem | undefined,
  wanted: TodoItem,
  conflicts: string[],
): TodoItem | undefined {
  if (!current) {
    if (!base) return wanted;
    if (!sameTodo(base, wanted))
      conflicts.push(`the user deleted \`${base.content}\` meanwhile, so your change of it is left out`);
    return undefined;
  }
  if (!base) {
    // Both added the same task: the user's words stay, the agent may have gone on with it.
    return { ...wanted, ...current, status: current.status === 'pending' ? wanted.status : current.status };
  }
  const taken: [TodoField, TodoItem[TodoField]][] = [];
  for (const field of todoFields) {
    if (sameField(base[field], current[field])) {
      // What the user left alone is the agent's.
      if (wanted[field] !== undefined) taken.push([field, wanted[field]]);
    } else if (!sameField(base[field], wanted[field]) && !sameField(current[field], wanted[field]))
      conflicts.push(
        `the user changed the ${fieldWords[field]} of \`${base.content}\` to ${JSON.stringify(current[field] ?? null)} meanwhile, so your ${JSON.stringify(wanted[field] ?? null)} is left out`,
      );
  }
  const merged: Partial<TodoItem> = Object.fromEntries(taken);
  return { ...current, ...merged };
}

const fieldWords = {
  content: 'content',
  activeForm: 'active form',
  status: 'status',
  priority: 'priority',
  blockedBy: 'blockers',
} as const;

/**
 * The agent's order, or the user's where the user moved items meanwhile; items that only one side knows stand after
 * their neighbour.
 */
function mergeOrder(
  base: readonly TodoItem[],
  current: readonly TodoItem[],
  wanted: readonly TodoItem[],
  result: ReadonlyMap<string, TodoItem>,
): readonly TodoItem[] {
  const [lead, follow] = isReordered(base, current) ? [current, wanted] : [wanted, current];
  const order = lead.map((item) => item.id);
  const present = new Set(order);
  follow.forEach((item, index) => {
    if (present.has(item.id)) return;
    const before = follow[index - 1];
    const at = before === undefined ? 0 : order.indexOf(before.id) + 1;
    order.splice(at, 0, item.id);
    present.add(item.id);
  });
  return order.flatMap((id) => result.get(id) ?? []);
}
