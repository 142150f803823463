import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, integer, object, strictObject, strings } from '../../core/capability/declare';
import { writeTodosInput } from './inputs';

const shared = {
  kind: 'state',
  ...harmless,
  tags: ['todo', 'task', 'plan', 'checklist'],
} as const satisfies Partial<ToolDefinition>;

const outputSchema = object(
  {
    success: boolean,
    counts: object({ total: integer, pending: integer, in_progress: integer, completed: integer }),
    todos: { type: 'array', items: { type: 'object', required: ['id', 'content', 'activeForm', 'status'] } },
    revision: integer,
  },
  { warnings: strings, user_edits: strings, conflicts: strings },
);

const writeTodosDefinition: ToolDefinition = {
  ...shared,
  name: 'write_todos',
  title: 'Write todos',
  modelDescription:
    "Create or update the task list (todo list, plan) of this work. Use it for work of three or more steps, not for a single one. Send the complete list every time: it replaces the one before, with the user's edits merged in. Returns counts and warnings, and all todos with ids where the user edited them (user_edits: follow these); read_todos has the ids too.",
  userDescription: 'Writes the list of tasks that the agent works through',
  modelInputs: {
    todos: {
      content: 'Imperative: Run tests',
      activeForm: 'Running tests',
      status: '',
      priority: '',
      blocked_by: 'Ids or contents to complete first',
      id: 'From a result; needed only to reword a task',
    },
  },
  inputSchema: writeTodosInput,
  outputSchema,
  icon: 'checklist',
};

const readTodosDefinition: ToolDefinition = {
  ...shared,
  name: 'read_todos',
  title: 'Read todos',
  modelDescription:
    "Read the task list as it is now, with the user's edits. Use it when you resume work or lost the list, not after write_todos. Returns todos, counts, revision and user_edits.",
  userDescription: 'Reads the list of tasks',
  inputSchema: strictObject({}),
  outputSchema,
  repeatable: true,
  icon: 'list-unordered',
};

/** Tells the model when a list helps and how it is kept. */
const systemPrompt = `You can keep a task list with write_todos, so that you and the user see how multi-step work goes on.

When to use it:
- Complex work of 3 or more distinct steps, or work that needs careful planning.
- The user gives several things to do.
- New instructions arrive: capture them as tasks at once.
- You start work: mark the task in_progress BEFORE you begin.
- You complete work: mark the task completed and add the follow-up tasks that you found.
Leave it alone for a single, simple step or a question.

How to use it:
- Each call replaces the full list: send every task, the completed ones too.
- Exactly one task is in_progress at a time.
- Update immediately: mark a task completed as soon as it is done, never several at the end.
- Mark completed only what is fully done: tests pass, no errors, nothing left out. Else keep it in_progress and add a task for what is in the way.
- Give every task content in the imperative ("Run tests") and activeForm in the present continuous ("Running tests").
- The user may edit the list. When a result has user_edits, they are the user's wish: go on from the returned todos.`;

/** A task list that each write carries as a whole; it is also kept for the user's view. */
export const todoList = builtin({
  id: 'todo_list',
  name: 'Task Management',
  description:
    'Enables agents to create and manage structured task lists for tracking multi-step work progress. The list is kept, and the user sees it.',
  summary: 'the task list',
  icon: 'checklist',
  category: 'Productivity',
  aliases: ['stateless_todo_list'],
  systemPrompt,
  tools: [
    defineTool(writeTodosDefinition, async () => (await import('./todoTools')).writeTodos),
    defineTool(readTodosDefinition, async () => (await import('./todoTools')).readTodos),
  ],
});
