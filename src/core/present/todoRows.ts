import { visible } from '../base/visible';
import { cutEnd, onOneLine } from '../base/text';
import { priorityWords } from '../todos/markdown';
import { countTodos } from '../todos/model';
import type { Translate } from '../base/translate';
import type { RowBase } from './treeRow';
import { boldMarkdown, proseMarkdown, withoutIcons } from './words';
import type { TodoItem, TodoStatus } from '../vocabulary/todo';

/** One task as the view "Todos" draws it. All texts are plain, and invisible characters in them are shown. */
export type TodoRow = Required<Omit<RowBase, 'children'>> & { children(): readonly TodoRow[] };

export function isTodoRow(value: unknown): value is TodoRow {
  return typeof value === 'object' && value !== null && 'id' in value && 'checkbox' in value;
}

const icons: Readonly<Record<TodoStatus, string>> = {
  pending: 'circle-large-outline',
  in_progress: 'play-circle',
  completed: 'pass',
};

const show = (text: string): string => visible(onOneLine(text));

/** Makes the rows of the todo view, in the list's order. */
export function todoRows(items: readonly TodoItem[], t: Translate): readonly TodoRow[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const statusWords: Readonly<Record<TodoStatus, string>> = {
    pending: t('pending'),
    in_progress: t('in progress'),
    completed: t('completed'),
  };
  return items.map((item, index) => {
    const waits = (item.blockedBy ?? []).flatMap((id) => {
      const other = byId.get(id);
      return other && item.status !== 'completed' && other.status !== 'completed' ? [show(other.content)] : [];
    });
    const facts = [
      ...(item.status === 'in_progress' ? [statusWords.in_progress] : []),
      ...(item.priority ? [priorityWords(item.priority, t)] : []),
      ...(waits.length > 0 ? [t('waits for {0}', waits.join(', '))] : []),
    ];
    const content = show(item.content);
    return {
      warns: false,
      expandable: false,
      children: () => [],
      id: item.id,
      label: item.status === 'in_progress' ? show(item.activeForm) : content,
      description: facts.join(' · '),
      icon: waits.length > 0 ? 'debug-pause' : icons[item.status],
      contextValue: `todo.${item.status}`,
      accessibleLabel: [
        content,
        statusWords[item.status],
        ...facts.filter((fact) => fact !== statusWords.in_progress),
        t('{0} of {1}', index + 1, items.length),
      ].join(', '),
      checkbox: { checked: item.status === 'completed', label: t('Complete {0}', content) },
      tooltip: () =>
        [
          boldMarkdown(content),
          [statusWords[item.status], ...facts.slice(item.status === 'in_progress' ? 1 : 0)]
            .map((fact) => proseMarkdown(fact))
            .join(' · '),
        ].join('\n\n'),
    };
  });
}

/** What the status bar says: the progress and the task in hand; undefined where there is no list. */
export function todoProgress(
  items: readonly TodoItem[],
  t: Translate,
): { readonly text: string; readonly label: string } | undefined {
  const { total, completed } = countTodos(items);
  if (total === 0) return undefined;
  const current = items.find((item) => item.status === 'in_progress');
  const words = current === undefined ? '' : show(current.activeForm);
  const short = cutEnd(words, 40);
  return {
    // A dollar sign and a parenthesis would make an icon of what an agent wrote.
    text: `$(checklist) ${completed}/${total}${short === '' ? '' : ` · ${withoutIcons(short)}`}`,
    label: [t('tasks completed: {0} of {1}', completed, total), ...(words === '' ? [] : [words])].join(', '),
  };
}
