import { strict as assert } from 'node:assert';
import { plainWords } from '../../../../src/core/base/translate';
import { todoProgress, todoRows } from '../../../../src/core/present/todoRows';
import type { TodoItem } from '../../../../src/core/vocabulary/todo';

const t = plainWords;

const items: readonly TodoItem[] = [
  { id: 'a', content: 'Run tests', activeForm: 'Running tests', status: 'in_progress', priority: 'high' },
  { id: 'b', content: 'Ship\n\u202eit', activeForm: 'Shipping', status: 'pending', blockedBy: ['a', 'gone'] },
  { id: 'c', content: 'Read', activeForm: 'Reading', status: 'completed', blockedBy: ['a'] },
];

describe('the rows of the todo view', () => {
  it('S3.todo: say the state in words and icon, with labels for screen readers, and show hidden characters', () => {
    const rows = todoRows(items, t);
    assert.ok(rows.every((row) => !row.warns && !row.expandable && row.children().length === 0));
    assert.deepEqual(
      rows.map(({ tooltip, warns: _warns, expandable: _expandable, children: _children, ...row }) => ({
        ...row,
        tooltip: tooltip(),
      })),
      [
        {
          id: 'a',
          label: 'Running tests',
          description: 'in progress · high priority',
          icon: 'play-circle',
          contextValue: 'todo.in_progress',
          accessibleLabel: 'Run tests, in progress, high priority, 1 of 3',
          checkbox: { checked: false, label: 'Complete Run tests' },
          tooltip: '**Run tests**\n\nin progress · high priority',
        },
        {
          id: 'b',
          label: 'Ship ⟨U+202E⟩it',
          description: 'waits for Run tests',
          icon: 'debug-pause',
          contextValue: 'todo.pending',
          accessibleLabel: 'Ship ⟨U+202E⟩it, pending, waits for Run tests, 2 of 3',
          checkbox: { checked: false, label: 'Complete Ship ⟨U+202E⟩it' },
          tooltip: '**Ship ⟨U\\+202E⟩it**\n\npending · waits for Run tests',
        },
        {
          id: 'c',
          label: 'Read',
          description: '',
          icon: 'pass',
          contextValue: 'todo.completed',
          accessibleLabel: 'Read, completed, 3 of 3',
          checkbox: { checked: true, label: 'Complete Read' },
          tooltip: '**Read**\n\ncompleted',
        },
      ],
    );
  });

  it('S3.todo: the status bar shows the progress, the task in hand, and no icon that an agent wrote', () => {
    const [first] = items;
    assert.deepEqual(
      [
        todoProgress(items, t),
        todoProgress([{ ...(first as TodoItem), activeForm: `$(bug) ${'x'.repeat(60)}` }], t)?.text,
        todoProgress([], t),
      ],
      [
        { text: '$(checklist) 1/3 · Running tests', label: 'tasks completed: 1 of 3, Running tests' },
        `$(checklist) 0/1 · $ (bug) ${'x'.repeat(32)}…`,
        undefined,
      ],
    );
  });
});
