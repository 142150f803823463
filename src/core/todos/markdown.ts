import { onOneLine } from '../base/text';
import type { Translate } from '../base/translate';
import type { TodoItem, TodoPriority } from '../vocabulary/todo';
import { countTodos } from './model';

const boxes = { pending: '[ ]', in_progress: '[ ]', completed: '[x]' } as const;

/** Writes a list as a markdown checklist with a heading and its progress; text cannot break out of its line. */
export function todosToMarkdown(title: string, items: readonly TodoItem[], t: Translate): string {
  const counts = countTodos(items);
  const names = new Map(items.map((item) => [item.id, item.content]));
  const lines = items.map((item) => {
    const notes = [
      ...(item.status === 'in_progress' ? [t('in progress')] : []),
      ...(item.priority ? [priorityWords(item.priority, t)] : []),
      ...(item.blockedBy
        ? [t('waits for {0}', item.blockedBy.map((id) => oneLine(names.get(id) ?? id)).join(', '))]
        : []),
    ];
    return `- ${boxes[item.status]} ${oneLine(item.content)}${notes.length === 0 ? '' : ` *(${notes.join('; ')})*`}`;
  });
  return [`# ${oneLine(title)}`, '', t('{0} of {1} done', counts.completed, counts.total), '', ...lines, ''].join('\n');
}

/** The priority as part of what is said of a task: `high priority`. */
export function priorityWords(priority: TodoPriority, t: Translate): string {
  return { low: t('low priority'), medium: t('medium priority'), high: t('high priority') }[priority];
}

/** Puts text on one line and takes markdown's and HTML's signs their meaning. */
const oneLine = (text: string): string => onOneLine(text).replace(/[\\`*_{}[\]<>#|!~&]/g, (sign) => `\\${sign}`);
