/** A context key that the manifest's `when` clauses ask for, without the prefix `agentCapabilities.`. */
export type ContextKey =
  | 'changes.hasSelection'
  | 'declined'
  | 'filtered'
  | 'hasFrozenPlan'
  | 'hasGrants'
  | 'hasPendingApprovals'
  /** The text in front holds a plan. */
  | 'hasPlan'
  | 'hasSelection'
  | 'nearLimit'
  | 'promptPending'
  | 'ready'
  | 'todo.canRedo'
  | 'todo.canUndo'
  | 'todo.hasCompleted'
  | 'todo.hasItems'
  | 'todo.hasSelection'
  /** Shows a built-in tool to models. */
  | `tool.${string}`
  | 'toolCalled'
  | 'wideningPending';

/** The key as the editor knows it. */
export function contextKey<Key extends ContextKey>(key: Key): `agentCapabilities.${Key}` {
  return `agentCapabilities.${key}`;
}
