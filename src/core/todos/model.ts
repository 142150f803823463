import type { TodoItem, TodoStatus } from '../vocabulary/todo';

type TodoCounts = Readonly<Record<TodoStatus | 'total', number>>;

/** The most items that one list holds; more are refused, never cut off. */
export const maxTodos = 200;

export function countTodos(items: readonly TodoItem[]): TodoCounts {
  const counts = { total: items.length, pending: 0, in_progress: 0, completed: 0 };
  for (const { status } of items) counts[status]++;
  return counts;
}

/**
 * The warnings of a list (nothing in progress while tasks are pending, several in progress), and those of dependencies.
 */
export function todoWarnings(items: readonly TodoItem[]): readonly string[] {
  const counts = countTodos(items);
  const warnings: string[] = [];
  if (counts.in_progress === 0 && counts.pending > 0) {
    warnings.push(
      `no task is in_progress while ${counts.pending} ${counts.pending === 1 ? 'is' : 'are'} pending; mark the one you work on`,
    );
  }
  if (counts.in_progress > 1) warnings.push(`${counts.in_progress} tasks are in_progress; exactly one should be`);
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const item of items) {
    const open = (item.blockedBy ?? [])
      .map((id) => byId.get(id))
      .filter((other) => other !== undefined && other.status !== 'completed');
    if (item.status === 'in_progress' && open.length > 0) {
      warnings.push(
        `\`${item.content}\` is in_progress but blocked by ${open.map((other) => `\`${other?.content}\``).join(', ')}`,
      );
    }
  }
  const cycle = findCycle(items);
  if (cycle)
    warnings.push(`tasks block each other in a circle: ${cycle.map((item) => `\`${item.content}\``).join(' -> ')}`);
  return warnings;
}

/** Finds one circle of `blockedBy`, in order and closed by its first item; undefined where there is none. */
function findCycle(items: readonly TodoItem[]): readonly TodoItem[] | undefined {
  const byId = new Map(items.map((item) => [item.id, item]));
  const done = new Set<string>();
  for (const start of items) {
    // Depth first without recursion: `path` is the way down, each step with the blockers that are still to be looked
    // at.
    const path: { item: TodoItem; rest: string[] }[] = [{ item: start, rest: [...(start.blockedBy ?? [])] }];
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top === undefined) break;
      const id = top.rest.pop();
      if (id === undefined) {
        done.add(top.item.id);
        path.pop();
        continue;
      }
      const at = path.findIndex((step) => step.item.id === id);
      const next = byId.get(id);
      if (at >= 0 && next) return [...path.slice(at).map((step) => step.item), next];
      if (next && !done.has(id)) path.push({ item: next, rest: [...(next.blockedBy ?? [])] });
    }
  }
  return undefined;
}

/** True where two items say the same; the order of blockers does not matter. */
export function sameTodo(a: TodoItem, b: TodoItem): boolean {
  return todoFields.every((field) => sameField(a[field], b[field]));
}

export const todoFields = ['content', 'activeForm', 'status', 'priority', 'blockedBy'] as const;
export type TodoField = (typeof todoFields)[number];

export function sameField(a: TodoItem[TodoField], b: TodoItem[TodoField]): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    const left = [...(Array.isArray(a) ? a : [])].sort();
    const right = [...(Array.isArray(b) ? b : [])].sort();
    return left.length === right.length && left.every((value, index) => value === right[index]);
  }
  return a === b;
}

/** An item that waits only for the blockers that hold. */
export function waitingFor({ blockedBy = [], ...rest }: TodoItem, holds: (id: string) => boolean): TodoItem {
  const kept = blockedBy.filter(holds);
  return kept.length === 0 ? rest : { ...rest, blockedBy: kept };
}

/** True where the items that both lists hold stand in another order. */
export function isReordered(before: readonly TodoItem[], after: readonly TodoItem[]): boolean {
  const shared = (items: readonly TodoItem[], others: readonly TodoItem[]): string => {
    const ids = new Set(others.map(({ id }) => id));
    return items.flatMap(({ id }) => (ids.has(id) ? [id] : [])).join('\n');
  };
  return shared(before, after) !== shared(after, before);
}
