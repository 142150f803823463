import { maxTodos } from '../../core/todos/model';
import { todoPriorities, todoStatuses } from '../../core/vocabulary/todo';
import { strictObject } from '../../core/capability/declare';
import { choice, type InputOf, text } from '../shared/parameters';

export const writeTodosInput = strictObject(
  {
    todos: {
      type: 'array',
      maxItems: maxTodos,
      description: 'The whole list, in working order',
      items: strictObject(
        { content: text('Imperative form, such as "Run tests" or "Fix the bug"', 1000) },
        {
          activeForm: text(
            'Present continuous, such as "Running tests" or "Fixing the bug"; the content where it is left out',
            1000,
            0,
          ),
          status: choice('pending where a new task leaves it out', todoStatuses),
          priority: choice('Only where it matters', todoPriorities),
          blocked_by: {
            type: 'array',
            maxItems: 20,
            items: { type: 'string', maxLength: 1000 },
            description: 'Ids or contents of tasks that have to be completed first',
          },
          id: text('The id that an earlier result gave; needed only to reword a task', 64),
        },
      ),
    },
  },
  {
    revision: {
      type: 'integer',
      minimum: 0,
      description: 'The revision that this list was made from; your last one where it is left out',
    },
  },
);
export type WriteTodosInput = InputOf<typeof writeTodosInput>;
