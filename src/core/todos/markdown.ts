import { countTodos } from './model';
import type { TodoItem } from '../vocabulary/todo';

const boxes = { pending: '[ ]', in_progress: '[ ]', completed: '[x]' } as const;

/** Writes a list as a markdown checklist with a heading and its progress; text cannot break out of its line. */
export function todosToMarkdown(title: string, items: readonly TodoItem[]): string {
  const counts = countTodos(items);
  const names = new Map(items.map((item) => [item.id, item.content]));
  const lines = items.map((item) => {
    const notes = [
      ...(item.status === 'in_progress' ? ['in progress'] : []),
      ...(item.priority ? [`${item.priority} priority`] : []),
      ...(item.blockedBy ? [`waits for ${item.blockedBy.map((id) => oneLine(names.get(id) ?? id)).join(', ')}`] : []),
    ];
    return `- ${boxes[item.status]} ${oneLine(item.content)}${notes.length === 0 ? '' : ` *(${notes.join('; ')})*`}`;
  });
  return [`# ${oneLine(title)}`, '', `${counts.completed} of ${counts.total} done`, '', ...lines, ''].join('\n');
}

/** Puts text on one line and takes markdown's and HTML's signs their meaning. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|!~&]/g, (sign) => `\\${sign}`);
}
