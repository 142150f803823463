export const todoStatuses = ['pending', 'in_progress', 'completed'] as const;

export type TodoStatus = (typeof todoStatuses)[number];

export const todoPriorities = ['low', 'medium', 'high'] as const;

export type TodoPriority = (typeof todoPriorities)[number];

/** One task of a list. */
export interface TodoItem {
  /** Stable while the item lives; unique in its list. */
  readonly id: string;
  /** What is to be done, in the imperative: `Run tests`. */
  readonly content: string;
  /** The same in the present continuous: `Running tests`. */
  readonly activeForm: string;
  readonly status: TodoStatus;
  readonly priority?: TodoPriority;
  /** Ids of items that have to be completed first. */
  readonly blockedBy?: readonly string[];
}

/**
 * A task as an agent writes it: what is left out stays as it was, or takes its default in a new item. What blocks it
 * may be named by its content too, where that stands in the same list.
 */
export type TodoDraft = Pick<TodoItem, 'content'> & Partial<TodoItem>;
