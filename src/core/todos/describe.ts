import { cutEnd } from '../base/text';
import { isReordered, sameField } from './model';
import type { TodoItem } from '../vocabulary/todo';

/**
 * Says what turns one list into the other, one sentence part per change: ``completed `Run tests` ``, ``added `Write
 * docs` ``.
 */
export function describeChanges(before: readonly TodoItem[], after: readonly TodoItem[]): readonly string[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const changes: string[] = [];
  for (const item of after) {
    const was = old.get(item.id);
    if (was) changes.push(...describeItem(was, item, now));
    else changes.push(`added ${quote(item.content)}${item.status === 'pending' ? '' : ` (${item.status})`}`);
  }
  for (const item of before) if (!now.has(item.id)) changes.push(`deleted ${quote(item.content)}`);
  if (isReordered(before, after))
    changes.push(`reordered the list: ${after.map((item) => quote(item.content)).join(', ')}`);
  return changes;
}

const statusWords = { pending: 'reopened', in_progress: 'started', completed: 'completed' } as const;

function describeItem(was: TodoItem, item: TodoItem, now: ReadonlyMap<string, TodoItem>): readonly string[] {
  const changes: string[] = [];
  if (was.content !== item.content) changes.push(`renamed ${quote(was.content)} to ${quote(item.content)}`);
  else if (was.activeForm !== item.activeForm)
    changes.push(`changed the active form of ${quote(item.content)} to ${quote(item.activeForm)}`);
  if (was.status !== item.status) changes.push(`${statusWords[item.status]} ${quote(item.content)}`);
  if (was.priority !== item.priority)
    changes.push(`set the priority of ${quote(item.content)} to ${item.priority ?? 'none'}`);
  if (!sameField(was.blockedBy, item.blockedBy)) {
    const names = (item.blockedBy ?? []).map((id) => quote(now.get(id)?.content ?? id));
    changes.push(
      names.length === 0
        ? `unblocked ${quote(item.content)}`
        : `made ${quote(item.content)} wait for ${names.join(', ')}`,
    );
  }
  return changes;
}

/** Puts user text in backticks on one line, cut at 80 characters. */
function quote(text: string): string {
  return `\`${cutEnd(text.replace(/\s+/g, ' ').trim(), 80)}\``;
}
