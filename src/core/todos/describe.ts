import { say, type Sentence } from '../base/sentence';
import { cutEnd, onOneLine } from '../base/text';
import { isReordered, sameField } from './model';
import type { TodoItem } from '../vocabulary/todo';

const addedAs = {
  pending: 'todo_added',
  in_progress: 'todo_added_in_progress',
  completed: 'todo_added_completed',
} as const;
const becomes = { pending: 'todo_reopened', in_progress: 'todo_started', completed: 'todo_completed' } as const;
const priorities = { high: 'todo_high', medium: 'todo_medium', low: 'todo_low' } as const;

/**
 * Says what turns one list into the other, one sentence part per change: ``completed `Run tests` ``, ``added `Write
 * docs` ``.
 */
export function describeChanges(before: readonly TodoItem[], after: readonly TodoItem[]): readonly Sentence[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const changes: Sentence[] = [];
  for (const item of after) {
    const was = old.get(item.id);
    if (was) changes.push(...describeItem(was, item, now));
    else changes.push(say(addedAs[item.status], brief(item.content)));
  }
  for (const item of before) if (!now.has(item.id)) changes.push(say('todo_deleted', brief(item.content)));
  if (isReordered(before, after))
    changes.push(
      say(
        'todo_reordered',
        after.map((item) => brief(item.content)),
      ),
    );
  return changes;
}

function describeItem(was: TodoItem, item: TodoItem, now: ReadonlyMap<string, TodoItem>): readonly Sentence[] {
  const changes: Sentence[] = [];
  const name = brief(item.content);
  if (was.content !== item.content) changes.push(say('todo_renamed', brief(was.content), name));
  else if (was.activeForm !== item.activeForm) changes.push(say('todo_active_form', name, brief(item.activeForm)));
  if (was.status !== item.status) changes.push(say(becomes[item.status], name));
  if (was.priority !== item.priority)
    changes.push(
      item.priority === undefined
        ? say('todo_priority_gone', name)
        : say('todo_priority', name, say(priorities[item.priority])),
    );
  if (!sameField(was.blockedBy, item.blockedBy)) {
    const names = (item.blockedBy ?? []).map((id) => brief(now.get(id)?.content ?? id));
    changes.push(names.length === 0 ? say('todo_unblocked', name) : say('todo_waits', name, names));
  }
  return changes;
}

/** The user's text on one line, cut at 80 characters. */
const brief = (text: string): string => cutEnd(onOneLine(text), 80);
